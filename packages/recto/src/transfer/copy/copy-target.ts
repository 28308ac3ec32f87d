import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Database, Executor, Transaction } from '../../database/database.ts';
import type { EngineTables } from '../../database/engine/engine-tables.ts';
import { type SchemaChange, searchTable } from '../../database/schema-dialect.ts';
import { copyTable, isUnfinishedCopy } from '../../database/unfinished-copy.ts';
import { languagesTable } from '../../definition/languages/languages-table.ts';
import {
  knownFields,
  readStoredSchema,
  rememberType,
  type StoredSchema,
} from '../../migrations/storage/stored-schema.ts';
import type { TypeStorage } from '../../migrations/storage/type-storage.ts';
import { recordChanges } from '../tables/record-tables.ts';
import type { StoredTable } from '../tables/stored-table.ts';
import { TransferRefused } from '../transfer-refused.ts';
import { engineCopies, schemaCopy } from './engine-copies.ts';

/** Throws unless the database is empty. */
export async function refuseOccupied(target: Database, tables: readonly StoredTable[]): Promise<void> {
  const { schema } = target.dialect;
  for (const { name } of [schemaCopy, ...tables]) {
    if ((await target.rows(schema.columns(name))).length === 0) continue;
    if (await isEmpty(target, target.dialect, name)) continue;
    throw new TransferRefused('The target holds something already: only an empty database is copied into.');
  }
}

async function isEmpty(executor: Executor, dialect: Database['dialect'], table: string): Promise<boolean> {
  const statement = sql`select 1 from ${sql.id(table)} limit 1`;
  return (await executor.rows(compiledQuery(statement, dialect))).length === 0;
}

/** Creates the record tables and stores their layouts. */
export async function beginTarget(
  target: Database,
  schema: StoredSchema,
  note: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  const { dialect } = target;
  await target.transaction(async (transaction) => {
    for (const query of dialect.schema.filling(recordChanges(schema)).tables) await transaction.run(query);
    for (const [singular, remembered] of schema) await transaction.run(rememberType(singular, remembered, dialect));
    await note(transaction);
  });
}

/** Creates what is faster to create once the tables are full, such as indexes, and allows the database to be served. */
export async function finishTarget(target: Database, schema: StoredSchema, engine: EngineTables): Promise<void> {
  const { dialect } = target;
  await target.transaction(async (transaction) => {
    for (const query of dialect.schema.filling(recordChanges(schema)).afterwards) await transaction.run(query);
    for (const { storage } of schema.values()) {
      for (const query of dialect.schema.continueRows(storage.table)) await transaction.run(query);
      for (const query of filledTables(storage).flatMap(dialect.schema.analyze)) await transaction.run(query);
    }
    for (const { name, columns } of engine.tables) {
      const numbered = Object.keys(columns).filter((column) => columns[column]?.numbered === true);
      const continued = numbered.flatMap((column) => dialect.schema.continueRows(name, column));
      for (const query of continued) await transaction.run(query);
    }
    await transaction.run({ sql: `DROP TABLE ${copyTable}`, parameters: [] });
  });
}

const filledTables = (storage: TypeStorage): readonly string[] => [
  storage.table,
  ...(storage.languages === undefined ? [] : [languagesTable(storage)]),
  ...(storage.search.length > 0 ? [searchTable(storage.table)] : []),
];

/** Removes the data of an unfinished copy, and nothing else. */
export async function clearTarget(target: Database, engine: EngineTables): Promise<void> {
  const { dialect } = target;
  if (!(await isUnfinishedCopy(target, dialect))) return;
  await target.transaction(async (transaction) => {
    const remembered = [...(await readStoredSchema(transaction)).values()];
    const drops = [
      ...remembered.flatMap((type) =>
        Object.values(knownFields(type)).flatMap((field): SchemaChange[] =>
          field.shape === 'to_many' ? [{ change: 'drop_junction', junction: field.junction }] : [],
        ),
      ),
      ...remembered.flatMap(({ storage, dormantLanguages }): SchemaChange[] =>
        storage.languages === undefined && dormantLanguages === undefined
          ? []
          : [{ change: 'drop_table', table: languagesTable(storage) }],
      ),
      ...remembered.flatMap(({ storage: { table } }): SchemaChange[] => [
        { change: 'drop_search', table },
        { change: 'drop_table', table },
      ]),
    ];
    for (const query of dialect.schema.statements(drops)) await transaction.run(query);
    for (const { name } of [schemaCopy, ...engineCopies(engine)])
      await transaction.run(compiledQuery(sql`delete from ${sql.id(name)}`, dialect));
    await transaction.run({ sql: `DROP TABLE ${copyTable}`, parameters: [] });
  });
}
