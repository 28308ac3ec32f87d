// databases: postgres:rest
import { describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { becomes, onPostgres, query } from '../../../../../test/support/database/database.ts';
import { hangsAfterMs } from '../../../../../test/support/hangs-after.ts';
import { CuttingProxy } from '../../../../../test/support/processes/cutting-proxy.ts';
import { outage } from '../../../../../test/support/processes/outage.ts';
import { Problem } from '../../base/problem.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { add, cutAll, names, numberOf, openWithNumbers, q, set, urlOf } from './numbers.fixture.ts';

describe.skipIf(!onPostgres)('transactions that are in each other’s way', () => {
  test('what one has read does not change under it: no update is lost', async () => {
    await using database = await openWithNumbers('a');
    const increments = Array.from({ length: 60 }, () =>
      database.transaction(async (transaction) => set(transaction, 'a', (await numberOf(transaction, 'a')) + 1)),
    );
    await Promise.all(increments);
    expect(await numberOf(database, 'a')).toBe(60);
  });

  test('two that each leave the other’s row alone: one sees what the other did', async () => {
    await using database = await openWithNumbers('a', 'b');
    // Of both, one at most may become 1.
    const take = (mine: string, other: string) =>
      database.transaction(async (transaction) => {
        if ((await numberOf(transaction, other)) === 0) await set(transaction, mine, 1);
      });
    for (let round = 0; round < 10; round++) {
      await Promise.all([take('a', 'b'), take('b', 'a')]);
      expect((await numberOf(database, 'a')) + (await numberOf(database, 'b'))).toBe(1);
      await database.transaction(async (transaction) => {
        await set(transaction, 'a', 0);
        await set(transaction, 'b', 0);
      });
    }
  });

  test('of many that look whether a name is free, one finds it so', async () => {
    await using database = await openWithNumbers();
    const tries = Array.from({ length: 20 }, () =>
      database.transaction(async (transaction) => {
        if ((await numberOf(transaction, 'new')) !== -1) return false;
        await add(transaction, 'new');
        return true;
      }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toEqual([true]);
  });

  test('a deadlock is lived through', async () => {
    await using database = await openWithNumbers('a', 'b');
    const other = await database.again();
    const barrier = Promise.withResolvers<void>();
    let arrived = 0;
    const both = (database: Database, first: string, second: string) =>
      database.transaction(async (transaction) => {
        await transaction.run(query('UPDATE numbers SET value = value + 1 WHERE name = ?', first));
        arrived += 1;
        if (arrived === 2) barrier.resolve();
        if (arrived <= 2) await barrier.promise;
        await transaction.run(query('UPDATE numbers SET value = value + 1 WHERE name = ?', second));
      });
    await Promise.all([both(database, 'a', 'b'), both(other, 'b', 'a')]);
    expect([await numberOf(database, 'a'), await numberOf(database, 'b')]).toEqual([2, 2]);
    await other.close();
  });

  // While it runs, the server keeps what it knows of all later transactions, and of too many of them a summary alone,
  // by which the row's old version looks like one of a transaction that is in the way.
  test('a long transaction of another program, and very many short ones beside it, hold up no write', async () => {
    await using database = await openWithNumbers('a', 'b');
    await using server = new SQL(urlOf(database), { max: 3 });
    const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE';
    const [long, reading, writing] = [await server.reserve(), await server.reserve(), await server.reserve()];
    await long.unsafe('CREATE TABLE fillers (number integer)');
    await long.unsafe(`${begin}; SELECT pg_current_xact_id()`);
    // Rows and not the whole table count as read.
    await reading.unsafe(`SET enable_seqscan = off; ${begin}; SELECT value FROM numbers WHERE name = 'b'`);
    await writing.unsafe(`SET enable_seqscan = off; ${begin}; UPDATE numbers SET value = 1 WHERE name = 'b'; COMMIT`);
    await reading.unsafe(`UPDATE numbers SET value = 1 WHERE name = 'a'; COMMIT`);
    await database.transaction(async (transaction) => set(transaction, 'a', 2));
    const [{ most }] = await writing.unsafe(`SELECT 20 * (current_setting('max_connections')::int
      + current_setting('max_prepared_transactions')::int) AS most`);
    const short = `${begin}; INSERT INTO fillers VALUES (1); COMMIT;`;
    await writing.unsafe(`SET synchronous_commit = off; ${short.repeat(most + 100)}`);
    try {
      await database.transaction(async (transaction) => set(transaction, 'a', (await numberOf(transaction, 'a')) + 1));
      expect(await numberOf(database, 'a')).toBe(3);
    } finally {
      await long.unsafe('COMMIT');
      for (const connection of [long, reading, writing]) connection.release();
    }
  });

  test('a read that a change of two tables deadlocks with is done again', async () => {
    await using database = await openWithNumbers('a');
    await database.transaction(async (transaction) => transaction.run(q('CREATE TABLE others (name text)')));
    const waiting = q(`SELECT count(*)::int AS value FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND query LIKE '%FROM others, numbers%' AND pid <> pg_backend_pid()
        AND application_name = current_setting('application_name')`);
    const reads: Promise<unknown>[] = [];
    await database.transaction(async (transaction) => {
      // Whoever waits longer than this looks for a deadlock, and is the one that fails.
      await transaction.run(q(`SET LOCAL deadlock_timeout = '60s'`));
      await transaction.run(q('LOCK TABLE numbers IN ACCESS EXCLUSIVE MODE'));
      if (reads.length === 0) reads.push(Promise.resolve(database.rows(q('SELECT numbers.name FROM others, numbers'))));
      await becomes(async () => (await database.first<{ value: number }>(waiting))?.value, 1);
      await transaction.run(q('LOCK TABLE others IN ACCESS EXCLUSIVE MODE'));
    });
    expect(await Promise.all(reads)).toEqual([[]]);
  });

  test('one that waits for a lock too long is 503 and has changed nothing', async () => {
    await using database = await openWithNumbers('a');
    const other = await database.again({ busyTimeoutMs: 200 });
    const taken = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = database.transaction(async (transaction) => {
      await set(transaction, 'a', 1);
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    expect(await outage(other.transaction(async (transaction) => set(transaction, 'a', 2)))).toBe('database_busy');
    held.resolve();
    await holding;
    expect(await numberOf(database, 'a')).toBe(1);
    await other.close();
  });
});

describe.skipIf(!onPostgres)('a transaction', () => {
  test('that failed in a statement is undone, even if the work goes on', async () => {
    await using database = await openWithNumbers('a');
    const failing = database.transaction(async (transaction) => {
      await set(transaction, 'a', 1);
      await Promise.resolve(transaction.run(q('SELECT 1 / 0'))).catch(() => undefined);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await numberOf(database, 'a')).toBe(0);
  });

  test('cannot be used after its end', async () => {
    await using database = await openWithNumbers('a');
    const escaped = await database.transaction(async (transaction) => [transaction]);
    await expect(Promise.resolve(escaped[0]?.run(q('DELETE FROM numbers')))).rejects.toThrow('after its end');
  });

  test('is the only way to change something', async () => {
    await using database = await openWithNumbers('a');
    await expect(Promise.resolve(database.run(q('DELETE FROM numbers')))).rejects.toThrow(
      'must be part of a transaction',
    );
    const inSnapshot = database.snapshot((reader) => Promise.resolve(reader.run(q('DELETE FROM numbers'))));
    expect(await outage(inSnapshot)).toBe('storage_read_only');
  });

  test('is finished before the database closes; what comes later is rejected', async () => {
    const database = await openWithNumbers('a');
    const last = database.transaction(async (transaction) => set(transaction, 'a', 1));
    const closing = database.close();
    expect(await outage(database.transaction(async () => undefined))).toBe('shutting_down');
    expect(await last).toBe(1);
    await closing;
    expect(await outage(Promise.resolve(database.rows(q('SELECT 1'))))).toBe('shutting_down');
  });
});

describe.skipIf(!onPostgres)('time limits', () => {
  const pause = q('SELECT pg_sleep(1)');

  test('a read that takes too long is 503; what is no plain read may take longer', async () => {
    await using database = await openWithNumbers();
    const hasty = await database.again({ readTimeoutMs: 500 });
    expect(await outage(Promise.resolve(hasty.rows(pause)))).toBe('read_timeout');
    expect(await outage(Promise.resolve(hasty.reader([]).first(pause)))).toBe('read_timeout');
    expect((await hasty.transaction(async (transaction) => transaction.rows(pause))).length).toBe(1);
    expect((await hasty.snapshot(async (reader) => reader.rows(pause))).length).toBe(1);
    await hasty.close();
  });

  test('of the URL go before', async () => {
    await using database = await openWithNumbers();
    const url = new URL(urlOf(database));
    url.searchParams.set('statement_timeout', '0');
    const patient = await openDatabase(
      { kind: 'postgres', url: url.href },
      { engine: rectoTables, connections: 2, readTimeoutMs: 500 },
    );
    expect((await patient.rows(pause)).length).toBe(1);
    await patient.close();
  });
});

test.skipIf(!onPostgres)('statements are not compiled while they run, unless the URL asks for it', async () => {
  await using database = await openWithNumbers();
  const compiling = q("SELECT current_setting('jit') AS jit");
  const jit = async (at: Database) => [
    await at.first<{ jit: string }>(compiling),
    await at.reader([]).first<{ jit: string }>(compiling),
    await at.transaction(async (transaction) => transaction.first<{ jit: string }>(compiling)),
  ];
  expect(await jit(database)).toEqual([{ jit: 'off' }, { jit: 'off' }, { jit: 'off' }]);
  const url = new URL(urlOf(database));
  url.searchParams.set('jit', 'on');
  const asked = await openDatabase({ kind: 'postgres', url: url.href }, { engine: rectoTables, connections: 2 });
  expect(await jit(asked)).toEqual([{ jit: 'on' }, { jit: 'on' }, { jit: 'on' }]);
  await asked.close();
});

describe.skipIf(!onPostgres)('connections that break', () => {
  test('while nothing runs: nobody notices', async () => {
    await using database = await openWithNumbers('a');
    for (let round = 0; round < 5; round++) {
      await database.transaction(async (transaction) => transaction.rows(cutAll));
      expect(await numberOf(database, 'a')).toBe(round);
      await database.transaction(async (transaction) => set(transaction, 'a', round + 1));
    }
  });

  test('under a transaction: it runs again', async () => {
    await using database = await openWithNumbers('a');
    let runs = 0;
    await database.transaction(async (transaction) => {
      await set(transaction, 'a', (await numberOf(transaction, 'a')) + 1);
      runs += 1;
      if (runs < 3) await transaction.run(q('SELECT pg_terminate_backend(pg_backend_pid())'));
    });
    expect([runs, await numberOf(database, 'a')]).toEqual([3, 1]);
  });

  test('again and again: 503, and nothing has changed', async () => {
    await using database = await openWithNumbers('a');
    const hopeless = database.transaction(async (transaction) => {
      await set(transaction, 'a', 1);
      await transaction.run(q('SELECT pg_terminate_backend(pg_backend_pid())'));
    });
    expect(await outage(hopeless)).toBe('storage_failed');
    expect(await numberOf(database, 'a')).toBe(0);
  });

  test.each(['before the commit', 'after the commit'] as const)(
    'while the commit is not answered, %s: the write is stored once',
    async (cut) => {
      await using database = await openWithNumbers();
      await using proxy = await CuttingProxy.before(urlOf(database));
      const options = { engine: rectoTables, connections: 4, busyTimeoutMs: hangsAfterMs };
      const through = await openDatabase({ kind: 'postgres', url: proxy.url }, options);
      for (const name of ['a', 'b', 'c']) {
        proxy.cut = cut;
        await through.transaction(async (transaction) => add(transaction, name));
      }
      expect(proxy.cuts).toBe(3);
      expect(await names(database)).toEqual(['a', 'b', 'c']);
      await through.close();
    },
  );

  test('while the commit is not answered, and then for long: the caller gets an unknown outcome', async () => {
    await using database = await openWithNumbers();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(
      { kind: 'postgres', url: proxy.url },
      { engine: rectoTables, connections: 2, busyTimeoutMs: 3_000 },
    );
    proxy.cut = 'after the commit';
    proxy.thenClosed = true;
    expect(await outage(through.transaction(async (transaction) => add(transaction, 'a')))).toBe('outcome_unknown');
    proxy.open();
    await becomes(() => names(database), ['a']);
    await through.transaction(async (transaction) => add(transaction, 'b'));
    expect(await names(through)).toEqual(['a', 'b']);
    await through.close();
  });

  test('all of them, under load: what was acknowledged is stored, and stored once', async () => {
    await using database = await openWithNumbers();
    const acknowledged: string[] = [];
    const failures: string[] = [];
    let over = false;
    const cutting = (async () => {
      for (let times = 0; times < 12; times++) {
        await Bun.sleep(100);
        await database.transaction(async (transaction) => transaction.rows(cutAll)).catch(() => undefined);
      }
      // The test would show nothing of the few that a busy machine writes meanwhile.
      await becomes(async () => acknowledged.length > 20, true);
      over = true;
    })();
    const worker = async (number: number): Promise<void> => {
      for (let index = 0; !over; index++) {
        const name = `${number}-${index}`;
        try {
          await database.transaction(async (transaction) => add(transaction, name));
          acknowledged.push(name);
          await database.first(q('SELECT 1'));
        } catch (error) {
          failures.push(error instanceof Problem ? error.code : String(error));
        }
      }
    };
    await Promise.all([cutting, ...Array.from({ length: 8 }, (_, number) => worker(number))]);
    const stored = new Set(await names(database));
    expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    expect(failures.filter((code) => code !== 'storage_failed' && code !== 'database_busy')).toEqual([]);
    expect(stored.size - acknowledged.length).toBeLessThanOrEqual(failures.length);
  });
});

test.skipIf(!onPostgres)('a transaction that takes long itself still runs again, alone', async () => {
  await using database = await openWithNumbers('a', 'b');
  const slow = await database.again({ busyTimeoutMs: 100 });
  let runs = 0;
  await slow.transaction(async (transaction) => {
    runs += 1;
    const seen = await numberOf(transaction, 'a');
    if (runs === 1) {
      await Bun.sleep(150);
      await database.transaction(async (other) => set(other, 'a', (await numberOf(other, 'b')) + 1));
    }
    await set(transaction, 'b', seen + 1);
  });
  expect([runs, await numberOf(database, 'a'), await numberOf(database, 'b')]).toEqual([2, 1, 2]);
  await slow.close();
});
