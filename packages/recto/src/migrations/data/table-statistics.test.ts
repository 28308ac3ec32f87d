// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import {
  onPostgres,
  openTestDatabase,
  query,
  type TestDatabase,
} from '../../../../../test/support/database/database.ts';
import { withBuiltIns } from '../../../../../test/support/definitions.ts';
import { syncSchema } from '../sync-schema.ts';
import { refreshStatistics } from './table-statistics.ts';

const types = withBuiltIns({ singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] });
const tables = types.all.map(({ table }) => table);

/** With a record of each type. */
async function openFilled(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  await syncSchema(database, types);
  await database.transaction(async (transaction) => {
    for (const table of tables) await transaction.run(query(`INSERT INTO ${table} (id) VALUES ('a')`));
  });
  return database;
}

/** The tables that the database has no statistics of. */
async function unknown(database: TestDatabase): Promise<readonly string[]> {
  const known = onPostgres
    ? 'SELECT relname AS name FROM pg_class WHERE reltuples = 1 AND relnamespace = current_schema()::regnamespace'
    : 'SELECT tbl AS name FROM sqlite_stat1 WHERE idx IS NOT NULL';
  const names = (await database.rows<{ name: string }>(query(known))).map(({ name }) => name);
  return tables.filter((table) => !names.includes(table));
}

test('all tables of records are known afterwards', async () => {
  await using database = await openFilled();
  await refreshStatistics(database, types);
  expect(await unknown(database)).toEqual([]);
});

test.skipIf(onPostgres)('writers get in between two tables', async () => {
  await using database = await openFilled();
  const statistics = refreshStatistics(database, types);
  await database.transaction(async (transaction) => transaction.run(query(`INSERT INTO cms_note (id) VALUES ('b')`)));
  expect((await unknown(database)).length).toBeGreaterThan(0);
  await statistics;
});
