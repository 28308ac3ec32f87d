import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import type { Query, ReadKind } from '../database.ts';
import { insert, makeThings } from './things.fixture.ts';

let database: Awaited<ReturnType<typeof openTestSqlite>>;

beforeEach(async () => {
  database = await openTestSqlite();
  await makeThings(database);
});

afterEach(() => database[Symbol.asyncDispose]());

const read: Query = { sql: 'SELECT name FROM things LIMIT 1', parameters: [] };

/** Where a statement of this kind runs: a thread alone gives its result later. */
async function place(kind: ReadKind | undefined): Promise<'inline' | 'thread'> {
  const result = database.reader([], kind).first(read);
  await result;
  return result instanceof Promise ? 'thread' : 'inline';
}

const kinds = ['key', 'records', 'search', undefined] as const;

const places = () => Promise.all(kinds.map(place));

describe('a statement that has not run', () => {
  test('runs inline in a small file', async () => {
    await database.transaction(async (transaction) => transaction.run(insert('small')));
    expect(await places()).toEqual(['inline', 'inline', 'inline', 'inline']);
  });

  test('that leads through relations as a request wants runs in a thread, however quick it was before', async () => {
    await database.transaction(async (transaction) => transaction.run(insert('small')));
    for (let run = 0; run < 20; run += 1) expect(await place('related')).toBe('thread');
  });

  test('runs in a thread in a larger file, unless it reads by a key', async () => {
    await database.transaction(async (transaction) => transaction.run(insert('x'.repeat(5 * 1024 * 1024))));
    const [key, ...others] = await places();
    expect([key, ...others]).toEqual(['inline', 'thread', 'thread', 'thread']);
  });
});
