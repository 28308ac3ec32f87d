import type { Executor } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import type { EngineTables } from './engine-tables.ts';

/** One row: the number of the last migration that the database went through. */
export const numberTable = 'recto_engine';

/** Which of the engine's tables a database has. */
export interface EngineState {
  /** Undefined: the database is of the version before migrations had numbers, or new. */
  readonly number: number | undefined;
  /** By the engine's names, those of the registry alone. */
  readonly present: ReadonlySet<string>;
}

/** For reading alone. */
export async function engineState(
  executor: Executor,
  dialect: Dialect,
  { tables }: EngineTables,
): Promise<EngineState> {
  const { schema } = dialect;
  const names = tables.map(({ name }) => name);
  const rows = await executor.rows<{ name: string }>(schema.tablesNamed([...names, numberTable]));
  const stored = new Set(rows.map(({ name }) => name));
  const isStored = (name: string): boolean => stored.has(schema.storedName(name));
  const present = new Set(names.filter(isStored));
  if (!isStored(numberTable)) return { number: undefined, present };
  const row = await executor.first<{ number: unknown }>({ sql: `SELECT number FROM ${numberTable}`, parameters: [] });
  return { number: row === undefined ? undefined : Number(row.number), present };
}

/** Why this version leaves a database alone, as what is said of it; undefined where it does not. */
export function newerText({ number = 0 }: EngineState, engine: EngineTables): string | undefined {
  if (number <= engine.number) return undefined;
  return `was written by a newer version of Recto (its tables have number ${number}, this version knows ${engine.number})`;
}
