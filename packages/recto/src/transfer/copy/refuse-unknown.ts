import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { numberTable } from '../../database/engine/engine-state.ts';
import type { EngineTables } from '../../database/engine/engine-tables.ts';
import { searchTable } from '../../database/schema-dialect.ts';
import type { StoredTable } from '../tables/stored-table.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** Matches the names of engine and record tables. A PostgreSQL schema may contain others. */
const ours = /^(?:cms|recto)_/;

/** Throws for unknown tables instead of ignoring them: the source may be from a later version, or have additions. */
export async function refuseUnknown(
  executor: Executor,
  dialect: Dialect,
  tables: readonly StoredTable[],
  engine: EngineTables,
): Promise<void> {
  const { schema } = dialect;
  const known = new Set(
    [
      ...tables.flatMap(({ name }) => [name, searchTable(name)]),
      ...engine.tables.map(({ name }) => name),
      ...[numberTable, ...schema.ownTables],
    ].map((name) => schema.storedName(name)),
  );
  const there = await executor.rows<{ name: string }>(schema.tables);
  const unknown = there.map(({ name }) => name).filter((name) => ours.test(name) && !known.has(name));
  for (const { name, columns } of tables) {
    const declared = new Set(columns.map((column) => schema.storedName(column.name)));
    for (const column of await executor.rows<{ name: string }>(schema.columns(name)))
      if (!declared.has(column.name)) unknown.push(`${name}.${column.name}`);
  }
  if (unknown.length === 0) return;
  throw new TransferRefused(
    `The source holds what this version of Recto does not know, and would not copy: ${unknown.join(', ')}.`,
  );
}
