import { expect, test } from 'bun:test';
import { openTestDatabase, query } from '../../../../test/database.ts';
import { ensureTables } from './engine-tables.ts';

test('makes tables once, from the builder or from text', async () => {
  await using database = await openTestDatabase();
  const { schema } = database.dialect.builder;
  const statements = [
    schema
      .createTable('recto_samples')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey()),
    'CREATE INDEX IF NOT EXISTS recto_samples_index ON recto_samples (id)',
  ];
  await ensureTables(database, statements);
  const insert = query('INSERT INTO recto_samples VALUES (?)', 'a');
  await database.transaction(async (transaction) => transaction.run(insert));
  await ensureTables(database, statements);
  expect(await database.rows<unknown>({ sql: 'SELECT id FROM recto_samples', parameters: [] })).toEqual([{ id: 'a' }]);
});

test('makes none where one of them is wrong', async () => {
  await using database = await openTestDatabase();
  const statements = ['CREATE TABLE recto_first (id text)', 'CREATE nonsense'];
  await expect(ensureTables(database, statements)).rejects.toThrow('syntax error');
  expect(await database.rows(database.dialect.schema.columns('recto_first'))).toEqual([]);
});
