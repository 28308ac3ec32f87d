import { expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import type { Database, Query } from '../database.ts';

const q = (sql: string): Query => ({ sql, parameters: [] });

/** So many commits, of about 25 pages each. */
async function write(database: Database, commits: number): Promise<void> {
  for (let number = 0; number < commits; number += 1) {
    await database.transaction(async (transaction) =>
      transaction.run(q('INSERT INTO things VALUES (randomblob(100000))')),
    );
  }
}

const megabytes = (path: string): number => statSync(`${path}-wal`).size / 1e6;
const count = (database: Database) => database.first<{ n: number }>(q('SELECT count(*) AS n FROM things'));

test('the log is merged again and again, and does not grow', async () => {
  await using database = await openTestSqlite();
  await database.transaction(async (transaction) => transaction.run(q('CREATE TABLE things (bytes BLOB)')));
  await write(database, 200);
  expect(megabytes(database.path)).toBeLessThan(8);
  expect(await count(database)).toEqual({ n: 200 });
});

test('what somebody still reads stays in the log, and is merged when they have ended', async () => {
  await using database = await openTestSqlite();
  await database.transaction(async (transaction) => transaction.run(q('CREATE TABLE things (bytes BLOB)')));
  await database.snapshot(async (reader) => {
    expect(await reader.first(q('SELECT count(*) AS n FROM things'))).toEqual({ n: 0 });
    await write(database, 150);
    expect(await reader.first(q('SELECT count(*) AS n FROM things'))).toEqual({ n: 0 });
    expect(megabytes(database.path)).toBeGreaterThan(14);
  });
  const before = megabytes(database.path);
  await write(database, 300);
  expect(megabytes(database.path)).toBeLessThan(before + 10);
  expect(await count(database)).toEqual({ n: 450 });
});
