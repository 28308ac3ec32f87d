// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { openTestDatabase, query } from '../../../../../test/support/database/database.ts';
import { renameInRevisions } from './rename-in-revisions.ts';

test('a field of a type gets another name in all versions of its records', async () => {
  await using database = await openTestDatabase();
  const insert = (type: string, record: string, revision: number, changed: string[], body: object) =>
    query(
      `INSERT INTO recto_revisions (type, record, revision, action, at, changed, private_fields, body)
        VALUES (?, ?, ?, 'update', '2026-11-21T10:00:00.000Z', ?, ?, ?)`,
      ...[type, record, revision, JSON.stringify(changed), '["name"]', JSON.stringify(body)],
    );
  await database.transaction(async (transaction) => {
    for (let number = 1; number <= 250; number++) {
      const [record, revision] = [`r${Math.ceil(number / 100)}`, number % 100];
      await transaction.run(
        insert('note', record, revision, ['name', 'b'], { id: record, name: number, label: 'old' }),
      );
    }
    await transaction.run(insert('note', 'without', 1, ['label'], { id: 'without', label: 'kept' }));
    await transaction.run(insert('other', 'r1', 1, ['name'], { name: 1 }));
    await renameInRevisions(transaction, database.dialect, { type: 'note', from: 'name', to: 'label' });
  });
  const rows = await database.rows<{
    type: string;
    record: string;
    changed: string;
    private_fields: string;
    body: string;
  }>({
    sql: 'SELECT type, record, changed, private_fields, body FROM recto_revisions ORDER BY type, record, revision',
    parameters: [],
  });
  expect(rows.length).toBe(252);
  expect(rows.at(-1)).toMatchObject({ changed: '["name"]', private_fields: '["name"]', body: '{"name":1}' });
  expect(rows.at(-2)).toMatchObject({ changed: '["label"]', body: '{"id":"without","label":"kept"}' });
  const renamed = rows.slice(0, 250);
  expect(new Set(renamed.map(({ changed, private_fields }) => `${changed} ${private_fields}`))).toEqual(
    new Set(['["label","b"] ["label"]']),
  );
  const values = renamed.map(({ body }) => JSON.parse(body));
  expect(values.map(({ label }) => label).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 250 }, (_, index) => index + 1),
  );
  expect(Object.keys(values[0])).toEqual(['id', 'label']);
});
