import { FatalError } from '../../base/fatal-error.ts';
import type { Executor } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import { createTable, TableChange, tableColumns } from './engine-change.ts';
import { type EngineState, engineState, newerText, numberTable } from './engine-state.ts';
import type { EngineTables } from './engine-tables.ts';

export interface EnginePreparation {
  /** Of a transaction that no other process can run at the same time. */
  readonly executor: Executor;
  readonly dialect: Dialect;
  readonly engine: EngineTables;
  /** The database as a message names it. */
  readonly place: string;
}

/**
 * Makes the engine's tables where there are none, and brings those that are there to their present shape. Throws a
 * `FatalError` for a database of a newer version. Roll the transaction back on any error.
 */
export async function prepareEngine(preparation: EnginePreparation): Promise<void> {
  const { executor, dialect, engine, place } = preparation;
  const state = await engineState(executor, dialect, engine);
  const newer = newerText(state, engine);
  if (newer !== undefined) throw new FatalError(`${place} ${newer}: run that version, or restore a backup.`);
  for (const table of engine.tables) if (!state.present.has(table.name)) await createTable(table, executor, dialect);
  if (state.number === engine.number) return;
  await migrate(preparation, state);
  await storeNumber(executor, engine.number);
}

/** Tables that were made a moment ago have their present shape already. */
async function migrate({ executor, dialect, engine }: EnginePreparation, state: EngineState): Promise<void> {
  const { number: before = 0, present } = state;
  for (const { number, table, up } of engine.migrations)
    if (number > before && present.has(table.name)) await up(new TableChange(table, executor, dialect));
  for (const { name, columns } of engine.tables) {
    if (!present.has(name)) continue;
    const stored = await tableColumns(executor, dialect, name);
    const missing = Object.keys(columns).filter((column) => !stored.has(column));
    if (missing.length > 0) throw new Error(`After all migrations, ${name} still has no ${missing.join(', ')}.`);
  }
}

async function storeNumber(executor: Executor, number: number): Promise<void> {
  await executor.run({
    sql: `CREATE TABLE IF NOT EXISTS ${numberTable} (number integer NOT NULL)`,
    parameters: [],
    once: true,
  });
  await executor.run({ sql: `DELETE FROM ${numberTable}`, parameters: [], once: true });
  // An integer of the program's own.
  await executor.run({ sql: `INSERT INTO ${numberTable} VALUES (${number})`, parameters: [], once: true });
}
