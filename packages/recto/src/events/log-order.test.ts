// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ReservedSQL, SQL } from 'bun';
import fc from 'fast-check';
import {
  becomes,
  onPostgres,
  openTestDatabase,
  query,
  type TestDatabase,
} from '../../../../test/support/database/database.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { system } from '../base/caller.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { AppendedRow } from '../database/engine/appended-row.ts';
import { runQuery } from '../database/postgres/postgres-client.ts';
import { appending } from '../database/postgres/writing/append-rows.ts';
import { EventLog } from './event-log.ts';
import { logOtherChange, type OtherChange } from './event-writer.ts';
import type { LoggedEvent } from './logged-event.ts';
import { heldBack } from './reader-state.ts';

// Readers of the log against writers whose transactions end in another order than that of their numbers.

let database: TestDatabase;
let other: Database;
let log: EventLog;
let clients: SQL | undefined;
beforeAll(async () => {
  database = await openTestDatabase();
  other = await database.again();
  log = new EventLog(database);
  await database.transaction(async (transaction) => {
    await transaction.run(query('CREATE TABLE counted (id text PRIMARY KEY, value integer NOT NULL)'));
  });
  if (database.location.kind === 'postgres') clients = new SQL(database.location.url, { max: 6, bigint: true });
});
afterAll(async () => {
  await clients?.close({ timeout: 0 });
  await other.close();
  await database.close();
});

/** The change of a record that gave it this value. */
const change = (id: string, value: number): OtherChange => ({
  ...{ type: 'recto:thing', id, tenant: null, action: 'update', caller: system },
  ...{ changed: [String(value)], at: '2026-11-22T10:00:00.000Z' },
});

/** What a transaction would append. */
function rowsOf(changes: readonly ReturnType<typeof change>[]): readonly AppendedRow[] {
  const rows: AppendedRow[] = [];
  const collector: Pick<Transaction, 'append'> = { append: (row) => void rows.push(row) };
  // Logging uses nothing else of a transaction.
  for (const each of changes) logOtherChange(collector as Transaction, each);
  return rows;
}

const write = (id: string) => database.transaction(async (transaction) => logOtherChange(transaction, change(id, 0)));

const idsAfter = async (after: number) => (await log.read({ after, limit: 10_000 })).map(({ record }) => record);

/** A connection with a transaction whose steps are taken one by one. */
async function transactionByHand(): Promise<ReservedSQL> {
  if (clients === undefined) throw new Error('For PostgreSQL only.');
  const connection = await clients.reserve();
  await connection.unsafe('BEGIN ISOLATION LEVEL SERIALIZABLE');
  return connection;
}

async function append(connection: ReservedSQL, ...ids: readonly string[]): Promise<void> {
  for (const each of appending(rowsOf(ids.map((id) => change(id, 0))))) await runQuery(connection, each);
}

test('texts of every kind are stored as they are, in the order of the changes', async () => {
  // No database stores the character 0 in a text.
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '')),
    fc.constantFrom('', 'NULL', 'null', '{}', '","', '\\', '"', "'", '{"a":"\\n"}', ' a ', 'a\nb', '\\x00'),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), async (ids) => {
      const before = await log.last();
      await database.transaction(async (transaction) => {
        for (const id of ids) logOtherChange(transaction, { ...change(id, 0), tenant: id === 'null' ? null : id });
      });
      const stored = await log.read({ after: before, limit: 100 });
      expect(stored.map(({ record }) => record)).toEqual(ids);
      expect(stored.map(({ tenant }) => tenant)).toEqual(ids.map((id) => (id === 'null' ? null : id)));
    }),
    { numRuns: randomCases(50) },
  );
});

describe.skipIf(!onPostgres)('a transaction that has numbers and is not committed', () => {
  test.each(['COMMIT', 'ROLLBACK'])('holds readers back below them until its %s', async (end) => {
    const before = await log.last();
    await write('first');
    const connection = await transactionByHand();
    await append(connection, 'held one', 'held two');
    expect(await heldBack(database, database.dialect)).toMatchObject({ pid: expect.any(Number) });
    await write('later');
    expect(await idsAfter(before)).toEqual(['first']);
    expect(await log.read({ after: null, limit: 1 })).toMatchObject([{ record: 'first' }]);
    const last = await log.last();
    expect(last).toBe((await log.read({ after: before, limit: 9 })).at(-1)?.seq ?? 0);
    await connection.unsafe(end);
    connection.release();
    expect(await idsAfter(last)).toEqual(end === 'COMMIT' ? ['held one', 'held two', 'later'] : ['later']);
    expect(await heldBack(database, database.dialect)).toBeUndefined();
  });

  test('holds one lock, however many rows it appends', async () => {
    const before = await log.last();
    const connection = await transactionByHand();
    const ids = Array.from({ length: 2_500 }, (_, index) => `many ${index}`);
    await append(connection, ...ids);
    const held = await connection.unsafe<readonly { readonly count: number }[]>(
      `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`,
    );
    expect(held[0]?.count).toBe(1);
    await write('beside');
    expect(await idsAfter(before)).toEqual([]);
    await connection.unsafe('COMMIT');
    connection.release();
    expect(await idsAfter(before)).toEqual([...ids, 'beside']);
  });

  test('lets readers have what was numbered before it', async () => {
    const before = await log.last();
    const [one, two] = [await transactionByHand(), await transactionByHand()];
    await append(one, 'one');
    await append(two, 'two');
    await one.unsafe('COMMIT');
    expect(await idsAfter(before)).toEqual(['one']);
    await two.unsafe('COMMIT');
    expect(await idsAfter(before)).toEqual(['one', 'two']);
    one.release();
    two.release();
  });

  test('holds nobody back any more when its connection is gone', async () => {
    const before = await log.last();
    const connection = await transactionByHand();
    await append(connection, 'gone');
    await write('later');
    expect(await idsAfter(before)).toEqual([]);
    const [row] = await connection.unsafe<readonly { readonly pid: number }[]>('SELECT pg_backend_pid() AS pid');
    await database.rows(query('SELECT pg_terminate_backend(?)', row?.pid ?? 0));
    connection.release();
    const news = Promise.withResolvers<void>();
    const stop = log.onEvents(() => void idsAfter(before).then((ids) => ids.length > 0 && news.resolve()));
    await news.promise;
    stop();
    expect(await idsAfter(before)).toEqual(['later']);
  });

  test('that has none yet, or is none of this log, holds nobody back', async () => {
    const before = await log.last();
    const connection = await transactionByHand();
    await connection.unsafe(`INSERT INTO counted VALUES ('elsewhere', 1)`);
    await connection.unsafe('SELECT pg_current_xact_id(), pg_advisory_xact_lock_shared(1, 0)');
    await write('later');
    expect(await idsAfter(before)).toEqual(['later']);
    await append(connection, 'at last');
    await connection.unsafe('COMMIT');
    connection.release();
    expect(await idsAfter(before)).toEqual(['later', 'at last']);
  });
});

test('numbers begin anywhere, also where the keys of locks begin anew', async () => {
  // What lies behind 2^31 and 2^32 rows, and what a copied table begins with.
  for (const next of onPostgres ? [2 ** 31 - 2, 2 ** 31 + 5, 2 ** 32 - 2, 2 ** 40] : []) {
    await database.transaction(async (transaction) => {
      await transaction.rows(query(`SELECT setval('recto_events_seq_seq', ?, false)`, next));
    });
    const before = await log.last();
    const connection = await transactionByHand();
    await append(connection, 'a', 'b', 'c');
    await write('later');
    expect([next, await idsAfter(before)]).toEqual([next, []]);
    await connection.unsafe('COMMIT');
    connection.release();
    const events = await log.read({ after: before, limit: 9 });
    expect(events.map(({ record, seq }) => [record, seq])).toEqual([
      ...['a', 'b', 'c'].map((id, place) => [id, next + place]),
      ['later', next + 3],
    ]);
  }
});

/** One transaction: the records that it changes, and how it goes. */
interface Writing {
  readonly ids: readonly string[];
  /** Which process writes; `hand`: step by step, with pauses between them. */
  readonly by: 'one' | 'other' | 'hand';
  readonly end: 'commit' | 'roll back' | 'lose the connection';
}

const writing: fc.Arbitrary<Writing> = fc.record({
  ids: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 3 }),
  by: fc.constantFrom('one', 'other', ...(onPostgres ? (['hand', 'hand'] as const) : [])),
  end: fc.constantFrom('commit', 'commit', 'commit', 'commit', 'roll back', 'lose the connection'),
});

const raise =
  'INSERT INTO counted VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET value = counted.value + 1 RETURNING value';

async function carryOut({ ids, by, end }: Writing): Promise<void> {
  if (by === 'hand') return byHand({ ids, by, end });
  const place = by === 'one' ? database : other;
  let isLost = false;
  const written = place.transaction(async (transaction) => {
    for (const id of ids.toSorted()) {
      const row = await transaction.first<{ value: number }>(query(raise, id));
      logOtherChange(transaction, change(id, row?.value ?? 0));
    }
    if (end === 'roll back') throw new Error('no');
    if (end === 'commit' || !onPostgres || isLost) return;
    isLost = true;
    await transaction.run(query('SELECT pg_terminate_backend(pg_backend_pid())'));
  });
  if (end === 'roll back') await expect(written).rejects.toThrow('no');
  else await written;
}

/** As `PostgresWriter` does it, but with time for others between the steps. It is not repeated. */
async function byHand({ ids, end }: Writing): Promise<void> {
  const connection = await transactionByHand();
  const pause = () => Bun.sleep(Math.random() * 5);
  try {
    const changes = [];
    for (const id of ids.toSorted()) {
      const [row] = await runQuery<{ value: number }>(connection, query(raise, id));
      changes.push(change(id, row?.value ?? 0));
      await pause();
    }
    for (const each of appending(rowsOf(changes))) {
      await runQuery(connection, each);
      await pause();
    }
    if (end === 'lose the connection') await connection.unsafe('SELECT pg_terminate_backend(pg_backend_pid())');
    else await connection.unsafe(end === 'commit' ? 'COMMIT' : 'ROLLBACK');
  } catch (error) {
    // Met by another one, or its connection is lost: undone.
    if (!(error instanceof SQL.PostgresError)) throw error;
    await connection.unsafe('ROLLBACK').catch(() => undefined);
  } finally {
    connection.release();
  }
}

/** Reads to the end of the log in small steps, until there is nothing more once `ended`. */
async function readAll(after: number, ended: () => boolean): Promise<readonly LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  let position = after;
  for (;;) {
    const isLast = ended();
    const events = await log.read({ after: position, limit: 3 });
    found.push(...events);
    position = events.at(-1)?.seq ?? position;
    if (events.length === 0) {
      if (isLast) return found;
      await Bun.sleep(1);
    }
  }
}

/** A connection is lost for its client before the server has ended its transaction, which holds readers back until then. */
const settled = () => becomes(() => heldBack(database, database.dialect), undefined);

test('readers see each committed change once, and those of one record in their order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writing, { minLength: 20, maxLength: 40 }), async (writings) => {
      await settled();
      const before = await log.last();
      const values = new Map(
        (await database.rows<{ id: string; value: number }>(query('SELECT id, value FROM counted'))).map(
          ({ id, value }) => [id, value],
        ),
      );
      let isEnded = false;
      const reading = [1, 2].map(() => readAll(before, () => isEnded));
      const ahead = [...writings];
      const writer = async (): Promise<void> => {
        for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) await carryOut(next);
      };
      await Promise.all(Array.from({ length: 6 }, writer));
      await settled();
      isEnded = true;
      const stored = await database.rows<{ id: string; value: number }>(query('SELECT id, value FROM counted'));
      for (const found of await Promise.all(reading)) {
        expect(found.map(({ seq }) => seq)).toEqual(found.map(({ seq }) => seq).toSorted((a, b) => a - b));
        for (const { id, value } of stored) {
          const first = (values.get(id) ?? 0) + 1;
          const expected = Array.from({ length: value - first + 1 }, (_, place) => [String(first + place)]);
          expect([id, found.filter(({ record }) => record === id).map(({ changed }) => changed)]).toEqual([
            id,
            expected,
          ]);
        }
      }
    }),
    { numRuns: randomCases(12) },
  );
});
