// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { system } from '../base/caller.ts';
import type { Transaction } from '../database/database.ts';
import { EventLog } from './event-log.ts';
import { logOtherChange } from './event-writer.ts';
import { isStuck, readerStates } from './reader-state.ts';

let database: TestDatabase;
let log: EventLog;
beforeAll(async () => {
  database = await openTestDatabase();
  log = new EventLog(database);
});
afterAll(() => database[Symbol.asyncDispose]());

const at = '2026-11-22T10:00:00.000Z';
const add = (transaction: Transaction, id: string) =>
  logOtherChange(transaction, {
    type: 'recto:thing',
    id,
    tenant: null,
    action: 'update',
    changed: [],
    caller: system,
    at,
  });

const write = (id: string) => database.transaction(async (transaction) => add(transaction, id));

const idsAfter = async (after: number) => (await log.read({ after, limit: 1_000 })).map(({ record }) => record);

test('events are numbered in the order of commits, also where an older transaction commits late', async () => {
  const after = await log.last();
  await using other = { database: await database.again(), [Symbol.asyncDispose]: () => other.database.close() };
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const older = other.database.transaction(async (transaction) => {
    // What the transaction is given a number for, at its beginning.
    await transaction.rows({ sql: 'SELECT 1 AS one', parameters: [] });
    add(transaction, 'older');
    begun.resolve();
    if (onPostgres) await goOn.promise;
  });
  await begun.promise;
  const younger = write('younger');
  if (onPostgres) {
    await younger;
    expect(await idsAfter(after)).toEqual(['younger']);
  }
  const seen = await log.last();
  goOn.resolve();
  await Promise.all([older, younger]);
  expect((await idsAfter(after)).toSorted()).toEqual(['older', 'younger']);
  // Behind everything that was seen before it was committed.
  if (onPostgres) expect(await idsAfter(seen)).toEqual(['older']);
});

test('a reader finds each event of many writers once, and none of a transaction that is rolled back', async () => {
  const after = await log.last();
  await using other = { database: await database.again(), [Symbol.asyncDispose]: () => other.database.close() };
  // Work that runs again finds the same events again.
  const found = new Map<number, string>();
  const ending = new AbortController();
  const reader = log.reader('follows');
  await reader.begin();
  const expected = new Set<string>();
  const done = Promise.withResolvers<void>();
  const following = reader.follow(async (_, events) => {
    for (const { seq, record } of events) found.set(seq, record);
    if (found.size >= 200) done.resolve();
  }, ending.signal);
  const writes = Array.from({ length: 220 }, async (_, index) => {
    const place = index % 2 === 0 ? database : other.database;
    const isRolledBack = index % 11 === 0;
    const written = place.transaction(async (transaction) => {
      add(transaction, `w${index}`);
      if (isRolledBack) throw new Error('no');
    });
    if (isRolledBack) await expect(written).rejects.toThrow('no');
    else {
      await written;
      expected.add(`w${index}`);
    }
  });
  await Promise.all(writes);
  await done.promise;
  ending.abort();
  await following;
  expect([...found.values()].toSorted()).toEqual([...expected].toSorted());
  expect(await idsAfter(after)).toEqual([...found.values()]);
  expect(await reader.position()).toBe(await log.last());
});

test('of several processes with one reader, one deals with each event', async () => {
  await using other = { database: await database.again(), [Symbol.asyncDispose]: () => other.database.close() };
  const ending = new AbortController();
  const after = await log.reader('shared').begin();
  const done = Promise.withResolvers<void>();
  const stored = async (transaction: Transaction, ids: readonly string[]) => {
    // A transaction that runs again must not count twice, so the table keeps the score.
    for (const id of ids) add(transaction, `dealt:${id}`);
  };
  const follow = (which: EventLog) =>
    which.reader('shared').follow(async (transaction, events) => {
      await stored(
        transaction,
        events.map(({ record }) => record).filter((id) => id.startsWith('s')),
      );
    }, ending.signal);
  const following = [follow(log), follow(new EventLog(other.database))];
  const stop = log.onEvents(() => {
    void idsAfter(after).then((ids) => {
      if (ids.filter((id) => id.startsWith('dealt:')).length >= 100) done.resolve();
    });
  });
  await Promise.all(Array.from({ length: 100 }, (_, index) => write(`s${index}`)));
  await done.promise;
  stop();
  ending.abort();
  await Promise.all(following);
  const dealt = (await idsAfter(after)).filter((id) => id.startsWith('dealt:'));
  expect(dealt.length).toBe(100);
  expect(new Set(dealt).size).toBe(100);
});

test('a step that fails leaves the position', async () => {
  const reader = log.reader('fails');
  const before = await reader.begin();
  await write('one');
  const failing = reader.step(async () => {
    throw new Error('not now');
  });
  await expect(failing).rejects.toThrow('not now');
  expect(await reader.position()).toBe(before);
  expect(await reader.step(async () => undefined)).toBe(true);
  expect(await reader.step(async () => undefined)).toBe(false);
});

test('more events than are kept waiting are written by one transaction', async () => {
  const after = await log.last();
  await database.transaction(async (transaction) => {
    for (let index = 0; index < 2_500; index += 1) add(transaction, `m${index}`);
  });
  const found = (await log.read({ after, limit: 3_000 })).map(({ record }) => record);
  expect(found).toEqual(Array.from({ length: 2_500 }, (_, index) => `m${index}`));
});

test('a reader that is behind is known by how long its first event waits', async () => {
  const reader = log.reader('behind');
  await reader.begin(await log.last());
  const states = async () => (await readerStates(database, database.dialect)).find(({ name }) => name === 'behind');
  expect(await states()).toEqual({ name: 'behind', behind: 0, waitingSince: null });
  await write('first');
  await write('second');
  const state = await states();
  expect(state).toMatchObject({ waitingSince: at });
  expect(state?.behind).toBeGreaterThanOrEqual(2);
  const hour = 3_600_000;
  expect(state && isStuck(state, Date.parse(at) + hour / 2)).toBe(false);
  expect(state && isStuck(state, Date.parse(at) + 2 * hour)).toBe(true);
});
