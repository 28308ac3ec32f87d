// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../../../test/support/database/database.ts';
import { StreamTickets } from './stream-tickets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a ticket opens one stream, however far the clocks of two machines are apart', async () => {
  const now = Date.now();
  const secret = 'a secret of the tests, long enough';
  const behind = new StreamTickets(database, secret, () => now);
  const ahead = new StreamTickets(database, secret, () => now + 600_000);
  const ticket = behind.issue({ authorization: 'Bearer x', visited: null });
  expect(await behind.use(ticket)).toBeDefined();
  // What this machine takes for expired, it may forget.
  await ahead.use(ahead.issue({ authorization: 'Bearer y', visited: null }));
  expect(await behind.use(ticket)).toBeUndefined();
});

test('a ticket is good for a minute', async () => {
  let now = Date.now();
  const tickets = new StreamTickets(database, 'a secret of the tests, long enough', () => now);
  const holder = { authorization: 'Bearer x', visited: null };
  const [early, late] = [tickets.issue(holder), tickets.issue(holder)];
  now += 59_999;
  expect(await tickets.use(early)).toEqual(holder);
  now += 1;
  expect(await tickets.use(late)).toBeUndefined();
});
