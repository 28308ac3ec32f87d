// databases: sqlite, postgres
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { system } from '../base/caller.ts';
import { EventLog } from './event-log.ts';
import { EventPruner } from './event-pruner.ts';
import { eventsTable } from './event-tables.ts';
import { logOtherChange } from './event-writer.ts';

let database: TestDatabase;
let log: EventLog;
beforeEach(async () => {
  database = await openTestDatabase();
  log = new EventLog(database);
});
afterEach(() => database[Symbol.asyncDispose]());

const now = Date.parse('2026-11-22T10:00:00.000Z');
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();

/** One event for each age in days. */
const write = (ages: readonly number[]) =>
  database.transaction(async (transaction) => {
    for (const age of ages) {
      const change = { type: 'recto:thing', id: `${age}`, tenant: null, action: 'update', changed: [] } as const;
      logOtherChange(transaction, { ...change, caller: system, at: daysAgo(age) });
    }
  });

const kept = async () => (await log.read({ after: 0, limit: 10_000 })).map(({ record }) => Number(record));

const prune = (keepDays: number) => new EventPruner(database, keepDays).run(new Date(now).toISOString());

test('events older than the days are removed', async () => {
  const ages = Array.from({ length: 2_000 }, (_, index) => (2_000 - index) / 10);
  await write(ages);
  await prune(90);
  expect(await kept()).toEqual(ages.filter((age) => age <= 90));
});

test('the last event stays, and numbers go on behind it', async () => {
  await write([200, 190, 180]);
  const last = await log.last();
  await prune(90);
  expect(await kept()).toEqual([180]);
  await write([1]);
  expect(await log.last()).toBeGreaterThan(last);
});

test('what a reader has not dealt with is kept, for twice the days at most', async () => {
  await write([300, 200, 150, 120, 100, 50, 1]);
  const second = (await log.read({ after: 0, limit: 2 })).at(-1)?.seq;
  await log.reader('slow').begin(second);
  await prune(90);
  expect(await kept()).toEqual([150, 120, 100, 50, 1]);
  await log.reader('slow').remove();
  await prune(90);
  expect(await kept()).toEqual([50, 1]);
});

test('a clock that was ahead for a while removes nothing that is younger', async () => {
  // Two events of a machine a year ahead, between others.
  await write([100, -365, -364, 95, 50, 1]);
  await prune(90);
  expect(await kept()).toEqual(expect.arrayContaining([50, 1]));
});

test('values of before a change are kept for a day', async () => {
  const image = (age: number) => ({
    table: eventsTable,
    values: ['a', `${age}`, 'update', '[]', null, null, null, null, daysAgo(age), null, '{}', null],
  });
  await database.transaction(async (transaction) => {
    for (const age of [3, 2, 0.5, 0.1]) transaction.append(image(age));
  });
  await prune(90);
  const events = await log.read({ after: 0, limit: 10 });
  expect(events.map(({ before }) => before)).toEqual([null, null, '{}', '{}']);
});
