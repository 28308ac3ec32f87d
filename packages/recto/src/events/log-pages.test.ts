// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import type { Database, Query } from '../database/database.ts';
import { EventLog } from './event-log.ts';
import { hasEvent, pageNumbers, readPage } from './log-pages.ts';
import { mostResumed, resumePosition } from './streams/resume-position.ts';
import { eventsOf } from './streams/stream-types.ts';

// What a client costs that comes back, in pages and rows: a long log, of which almost nothing is for it.

const others = 30_000;
const account = { kind: 'account', id: 'mia', role: 'member', session: 's' } as const;
// Of a type, the log knows the name alone.
const notes = [{ singular: 'note' }] as unknown as Parameters<typeof eventsOf>[0];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await add('other', others);
  await add('note', 3);
  await add('other', 1_000);
  await database.transaction(async (transaction) => void (await transaction.run({ sql: 'ANALYZE', parameters: [] })));
});
afterAll(() => database[Symbol.asyncDispose]());

const add = (type: string, count: number) =>
  database.transaction(async (transaction) => {
    const sql = `INSERT INTO recto_events (type, record, action, changed, at, "before")
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT '${type}', 'r', 'update', '[]', '2026-01-01T00:00:00.000Z', '${'x'.repeat(200)}' FROM n`;
    await transaction.run({ sql, parameters: [] });
  });

/** The log of a database that notes the statements on its rows, and how many they return. */
function counted() {
  const pages: { readonly query: Query; readonly rows: number }[] = [];
  const watched = new Proxy<Database>(database, {
    get(_, name) {
      // Everyone would wait for those that are not meant for responses.
      if (name === 'rows') throw new Error('A statement on many rows runs beside others.');
      if (name === 'reader') return watchedReader;
      const member: unknown = Reflect.get(database, name);
      return typeof member === 'function' ? member.bind(database) : member;
    },
  });
  const watchedReader: Database['reader'] = (names, kind) => {
    const reader = database.reader(names, kind);
    return {
      first: (query) => reader.first(query),
      async rows<Row>(query: Query) {
        const rows = await reader.rows<Row>(query);
        pages.push({ query, rows: rows.length });
        return rows;
      },
    };
  };
  return { log: new EventLog(watched), pages };
}

test('only events of the types are read, in pages of so many numbers', async () => {
  const { log, pages } = counted();
  const end = await log.last();
  const read: string[] = [];
  for (let after = end - mostResumed; after < end; ) {
    const part = { after, end, where: [eventsOf(notes)], names: ['recto:auth', 'note'] };
    const { events, through } = await readPage(log, part);
    read.push(...events.map(({ type }) => type));
    expect(through - after).toBeLessThanOrEqual(pageNumbers);
    after = through;
  }
  expect(read).toEqual(['note', 'note', 'note']);
  expect(pages.length).toBe(mostResumed / pageNumbers);
  expect(pages.reduce((sum, { rows }) => sum + rows, 0)).toBe(3);
});

test('a page is a range of the key', async () => {
  const { log, pages } = counted();
  const end = await log.last();
  await readPage(log, { after: end - 5_000, end, where: [eventsOf(notes)], names: ['recto:auth', 'note'] });
  const [page] = pages;
  if (page === undefined) throw new Error('Nothing was read.');
  const { sql, parameters } = page.query;
  const explain = onPostgres ? 'EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF)' : 'EXPLAIN QUERY PLAN';
  const rows = await database.rows<Record<string, unknown>>({ sql: `${explain} ${sql}`, parameters });
  const plan = rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n');
  if (onPostgres) {
    expect(plan).toMatch(/Index Scan using recto_events_pkey|Bitmap Index Scan on recto_events_pkey/);
    // What is gone through is the page.
    expect(Number(/Rows Removed by Filter: (\d+)/.exec(plan)?.[1])).toBe(pageNumbers);
  } else {
    expect(plan).toBe('SEARCH recto_events USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)');
  }
});

test('whether the account has changed is looked for in pages too, up to the first event of it', async () => {
  const { log, pages } = counted();
  const end = await log.last();
  const start = await resumePosition(log, { caller: account, types: notes }, String(end - mostResumed));
  expect(start).toEqual({ position: end - mostResumed, last: end, isReset: false });
  expect(pages.map(({ rows }) => rows)).toEqual(Array.from({ length: mostResumed / pageNumbers }, () => 0));
  const part = { after: end - mostResumed, end, names: [] };
  pages.length = 0;
  expect(await hasEvent(log, part)).toBe(true);
  expect(pages.length).toBe(1);
});

test('a client that is further behind loads everything again: nothing is read for it', async () => {
  const { log, pages } = counted();
  const end = await log.last();
  const start = await resumePosition(log, { caller: account, types: notes }, String(end - mostResumed - 1));
  expect(start).toEqual({ position: end, last: end, isReset: true });
  expect(pages).toEqual([]);
});
