import { Database as BunDatabase, SQLiteError } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import { outage } from '../../../../../test/support/processes/outage.ts';
import { Problem } from '../../base/problem.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import type { Query } from '../database.ts';
import { openSqliteDatabase } from './sqlite-database.ts';
import { insert, makeThings, names, q } from './things.fixture.ts';

describe('transactions', () => {
  test('of a hundred at once, exactly those that succeed are stored, in order, in few commits', async () => {
    const commits: number[] = [];
    await using database = await openTestSqlite({ onCommit: (transactions) => commits.push(transactions) });
    await makeThings(database);
    await database.transaction(async (transaction) => transaction.run(insert('taken')));
    commits.length = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) =>
        database.transaction(async (transaction) => {
          await transaction.run(insert(`name ${index}`));
          await transaction.run(insert(`second ${index}`));
          if (index % 3 === 0) throw new Error(`refused ${index}`);
          // Broken by SQLite itself: the name is there already.
          if (index % 7 === 1) await transaction.run(insert('taken'));
          return index;
        }),
      ),
    );
    const survivors = Array.from({ length: 100 }, (_, index) => index).filter(
      (index) => index % 3 !== 0 && index % 7 !== 1,
    );
    expect(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))).toEqual(survivors);
    expect(results[3]).toMatchObject({ status: 'rejected', reason: { message: 'refused 3' } });
    expect(results[8]).toMatchObject({ status: 'rejected', reason: expect.any(SQLiteError) });
    expect(await names(database)).toEqual([
      'taken',
      ...survivors.flatMap((index) => [`name ${index}`, `second ${index}`]),
    ]);
    expect(commits.length).toBeLessThan(5);
    expect(commits.reduce((sum, count) => sum + count, 0)).toBe(100);
  });

  test.each([[[0]], [[1]], [[3]], [[0, 1]], [[0, 3]], [[0, 1, 2, 3]]])(
    'of four at the same moment those that fail (%p) leave nothing, and the others all',
    async (failing) => {
      await using database = await openTestSqlite();
      await makeThings(database);
      const results = await Promise.allSettled(
        [0, 1, 2, 3].map((index) =>
          database.transaction(async (transaction) => {
            await transaction.run(insert(`first ${index}`));
            await transaction.run(insert(`second ${index}`));
            if (failing.includes(index)) throw new Problem(422, 'refused', `Number ${index} fails.`);
          }),
        ),
      );
      const rejected = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
      expect(rejected).toEqual(failing);
      const survivors = [0, 1, 2, 3].filter((index) => !failing.includes(index));
      expect(await names(database)).toEqual(survivors.flatMap((index) => [`first ${index}`, `second ${index}`]));
    },
  );

  test('one after another each have a commit', async () => {
    const commits: number[] = [];
    await using database = await openTestSqlite({ onCommit: (transactions) => commits.push(transactions) });
    await makeThings(database);
    for (const name of ['a', 'b', 'c'])
      await database.transaction(async (transaction) => transaction.run(insert(name)));
    expect(commits).toEqual([1, 1, 1, 1]);
  });

  test('more than a batch holds are all done', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        database.transaction(async (transaction) => transaction.run(insert(String(index)))),
      ),
    );
    expect(await names(database)).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)));
  });

  test('sees its own writes, the reader only what is committed', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const seen = await database.transaction(async (transaction) => {
      await transaction.run(insert('a'));
      const inside = await transaction.first<{ count: number }>(q('SELECT count(*) AS count FROM things'));
      return { inside: inside?.count, outside: (await names(database)).length };
    });
    expect(seen).toEqual({ inside: 1, outside: 0 });
    expect(await names(database)).toEqual(['a']);
  });

  test('where SQLite takes back a whole batch, no write in it is acknowledged', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const write = (name: string) => database.transaction(async (transaction) => transaction.run(insert(name)));
    const results = await Promise.allSettled([
      write('a'),
      // SQLite does this by itself after some disk errors.
      database.transaction(async (transaction) => transaction.run(q('ROLLBACK'))),
      write('b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await names(database)).toEqual(['b']);
  });

  test('no write in it gets the error of another one', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const own = new Problem(409, 'own', 'The error of this write alone.');
    const codes = await Promise.all([
      outage(database.transaction(async (transaction) => transaction.run(insert('a')))),
      outage(
        database.transaction(async (transaction) => {
          await transaction.run(q('ROLLBACK'));
          throw own;
        }),
      ),
    ]);
    expect(codes).toEqual(['storage_failed', 'storage_failed']);
    expect(await names(database)).toEqual([]);
  });

  test('nothing more is done by one that SQLite has taken back, whatever its work makes of that', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const result = await Promise.allSettled([
      database.transaction(async (transaction) => {
        await transaction.run(insert('before'));
        await transaction.run(q('ROLLBACK'));
        // Without a transaction this would be one of its own, and stay.
        await transaction.run(insert('after'));
      }),
    ]);
    expect(result).toMatchObject([{ status: 'rejected' }]);
    expect(await names(database)).toEqual([]);
  });

  test('cannot be used after what it says is its last statement', async () => {
    await using database = await openTestSqlite();
    const late = database.transaction(async (transaction) => {
      expect(await transaction.last<{ one: number }>(q('SELECT 1 AS one'))).toEqual({ one: 1 });
      await transaction.first(q('SELECT 2 AS two'));
    });
    const [outcome] = await Promise.allSettled([late]);
    expect(outcome).toMatchObject({ reason: { message: 'A transaction was used after its end.' } });
  });

  test('cannot be used after its end', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const ended = await database.transaction(async (transaction) => () => transaction.run(insert('late')));
    expect(ended).toThrow('used after its end');
    expect(await names(database)).toEqual([]);
  });

  test('plain calls cannot write', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    expect(() => database.run(insert('a'))).toThrow();
    expect(await names(database)).toEqual([]);
  });

  test('run returns how many rows changed', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const changed = await database.transaction(async (transaction) => [
      await transaction.run(q('INSERT INTO things VALUES (?), (?)', 'a', 'b')),
      await transaction.run(q('UPDATE things SET name = name')),
      await transaction.run(q('DELETE FROM things WHERE name = ?', 'none')),
    ]);
    expect(changed).toEqual([2, 2, 0]);
  });
});

describe('outages', () => {
  test('another program that writes is waited for', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    const other = new BunDatabase(database.path);
    other.run('BEGIN IMMEDIATE');
    const written = database.transaction(async (transaction) => transaction.run(insert('a')));
    // The loop must go on meanwhile: this timer could not fire while a statement blocks.
    setTimeout(() => other.run('COMMIT'), 30);
    expect(await written).toBe(1);
    other.close();
  });

  test('one that does not end is 503 after the timeout, and later transactions work', async () => {
    await using database = await openTestSqlite({ busyTimeoutMs: 40 });
    await makeThings(database);
    const other = new BunDatabase(database.path);
    other.run('BEGIN IMMEDIATE');
    const write = (name: string) => database.transaction(async (transaction) => transaction.run(insert(name)));
    expect(await Promise.all([outage(write('a')), outage(write('b'))])).toEqual(['database_busy', 'database_busy']);
    other.run('COMMIT');
    other.close();
    expect(await write('c')).toBe(1);
    expect(await names(database)).toEqual(['c']);
  });

  test('a full disk is 503, keeps what is committed, and small writes still work', async () => {
    await using database = await openTestSqlite({ maxPages: 160 });
    await makeThings(database);
    await database.transaction(async (transaction) => transaction.run(insert('kept')));
    const large = (index: number) =>
      database.transaction(async (transaction) => transaction.run(insert(`${index}`.repeat(100_000))));
    const results = await Promise.allSettled([large(1), large(2), large(3), large(4)]);
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const result of refused) expect(result.reason).toMatchObject({ status: 503, code: 'storage_full' });
    const stored = await names(database);
    expect(stored).toHaveLength(1 + results.length - refused.length);
    expect(stored[0]).toBe('kept');
    expect(await database.transaction(async (transaction) => transaction.run(insert('small')))).toBe(1);
  });

  test('after close everything is 503, and what was queued before is stored', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-test-'));
    const path = join(folder, 'recto.db');
    const database = await openSqliteDatabase({ path, engine: rectoTables });
    await makeThings(database);
    const queued = database.transaction(async (transaction) => transaction.run(insert('a')));
    const closing = database.close();
    expect(await outage(database.transaction(async () => 1))).toBe('shutting_down');
    expect(await outage(database.ping())).toBe('shutting_down');
    await closing;
    expect(await queued).toBe(1);
    const again = await openSqliteDatabase({ path, engine: rectoTables });
    expect(await names(again)).toEqual(['a']);
    await again.close();
    await again.close();
    rmSync(folder, { recursive: true });
  });
});

describe('reading', () => {
  test('bigint columns are exact, others plain numbers', async () => {
    await using database = await openTestSqlite();
    await database.transaction(async (transaction) => {
      await transaction.run(q('CREATE TABLE numbers (big BIGINT, small INTEGER, real REAL, text TEXT)'));
      await transaction.run(q('INSERT INTO numbers VALUES (?, 7, 1.5, ?)', 9007199254740993n, 'x'));
      await transaction.run(q('INSERT INTO numbers VALUES (?, NULL, 2, NULL)', -(2n ** 63n)));
    });
    expect(await database.rows<unknown>(q('SELECT * FROM numbers'))).toEqual([
      { big: 9007199254740993n, small: 7, real: 1.5, text: 'x' },
      { big: -(2n ** 63n), small: null, real: 2, text: null },
    ]);
    expect(await database.first<unknown>(q('SELECT small FROM numbers'))).toEqual({ small: 7 });
    expect(await database.first<unknown>(q('SELECT small FROM numbers WHERE small = 8'))).toBeUndefined();
  });

  test('more statements than stay prepared', async () => {
    await using database = await openTestSqlite();
    for (const round of [1, 2]) {
      for (let index = 0; index < 1200; index++) {
        expect(await database.first<unknown>(q(`SELECT ${index} AS n, ? AS r`, round))).toEqual({ n: index, r: round });
      }
    }
  });

  test('every statement is observed, failed ones too', async () => {
    let seconds: number[] = [];
    await using database = await openTestSqlite({ observe: (taken) => seconds.push(taken) });
    seconds = [];
    await database.rows(q('SELECT 1'));
    await database.first(q('SELECT 1'));
    expect(() => database.first(q('SELECT nothing'))).toThrow();
    expect(seconds).toHaveLength(3);
    for (const taken of seconds) expect(taken).toBeGreaterThanOrEqual(0);
  });

  test('a statement follows a table that another connection changed', async () => {
    await using database = await openTestSqlite();
    await makeThings(database);
    await database.transaction(async (transaction) => transaction.run(insert('a')));
    const all = q('SELECT * FROM things');
    expect(await database.rows<unknown>(all)).toEqual([{ name: 'a' }]);
    await database.transaction(async (transaction) => transaction.run(q('ALTER TABLE things ADD COLUMN size INTEGER')));
    expect(await database.rows<unknown>(all)).toEqual([{ name: 'a', size: null }]);
  });
});

test('a snapshot sees one state, and lets others write', async () => {
  await using database = await openTestSqlite();
  await makeThings(database);
  await database.transaction(async (transaction) => transaction.run(insert('first')));
  const count: Query = { sql: 'SELECT count(*) AS n FROM things', parameters: [] };
  const seen = await database.snapshot(async (reader) => {
    const before = await reader.first<{ n: number }>(count);
    await database.transaction(async (transaction) => transaction.run(insert('second')));
    const after = await reader.first<{ n: number }>(count);
    expect(() => reader.run(insert('third'))).toThrow();
    return [before?.n, after?.n];
  });
  expect(seen).toEqual([1, 1]);
  expect(await names(database)).toEqual(['first', 'second']);
  await database.close();
  await expect(database.snapshot(async () => {})).rejects.toThrow('shutting down');
});
