import type { EngineMigration, EngineTable } from './engine-table.ts';

/** The migrations of one number to the next, each with the table that it belongs to. */
export interface TableMigration extends EngineMigration {
  readonly table: EngineTable;
}

/** All tables of the engine: what opening, copying and diagnosing a database go by. */
export interface EngineTables {
  readonly tables: readonly EngineTable[];
  /** The state that this version brings a database to: the number of the last migration. */
  readonly number: number;
  /** In the order of their numbers. */
  readonly migrations: readonly TableMigration[];
}

/** Puts tables together. Throws where two of them do not go together, which is an error of the program. */
export function engineTables(tables: readonly EngineTable[]): EngineTables {
  const names = tables.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`Two engine tables are named ${twice}.`);
  const migrations = tables
    .flatMap((table) => table.migrations.map((migration): TableMigration => ({ ...migration, table })))
    .toSorted((one, other) => one.number - other.number);
  migrations.forEach(({ number, table }, place) => {
    if (number !== place + 1)
      throw new Error(`Migration ${number} of ${table.name} should have the number ${place + 1}.`);
  });
  return { tables, number: migrations.length, migrations };
}
