import { describe, expect, test } from 'bun:test';
import { CuttingProxy } from '../../../test/cutting-proxy.ts';
import { becomes, onPostgres, openTestDatabase, query, type TestDatabase } from '../../../test/database.ts';
import { Problem } from '../../errors/problem.ts';
import type { Database, Query, Transaction } from '../database.ts';
import { openDatabase } from '../open-database.ts';

const q = (sql: string): Query => ({ sql, parameters: [] });

/** A table of numbers by name, all 0. */
async function openWithNumbers(...names: readonly string[]): Promise<TestDatabase> {
  const database = await openTestDatabase({ connections: 12 });
  await database.transaction(async (transaction) => {
    await transaction.run(q('CREATE TABLE numbers (name text PRIMARY KEY, value integer NOT NULL)'));
    for (const name of names) await transaction.run(query('INSERT INTO numbers VALUES (?, 0)', name));
  });
  return database;
}

async function numberOf(executor: Pick<Transaction, 'first'>, name: string): Promise<number> {
  const row = await executor.first<{ value: number }>(query('SELECT value FROM numbers WHERE name = ?', name));
  return row?.value ?? -1;
}

const set = (transaction: Transaction, name: string, value: number) =>
  transaction.run(query('UPDATE numbers SET value = ? WHERE name = ?', String(value), name));

const add = (transaction: Transaction, name: string) =>
  transaction.run(query('INSERT INTO numbers VALUES (?, 0)', name));

const names = async (database: Database): Promise<readonly string[]> =>
  (await database.rows<{ name: string }>(q('SELECT name FROM numbers ORDER BY name'))).map(({ name }) => name);

/** Ends every connection of this test but the one that does it. */
const cutAll = q(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')`);

/** The 503's code; fails the test for anything else. */
async function outage(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Problem)) throw new Error(`Expected a Problem, got ${String(error)}`);
  expect([error.status, error.headers]).toEqual([503, { 'Retry-After': '1' }]);
  return error.code;
}

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

  test('is finished before the database closes; what comes later is refused', async () => {
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
  const pause = q('SELECT pg_sleep(0.4)');

  test('a read that takes too long is 503; what is no plain read may take longer', async () => {
    await using database = await openWithNumbers();
    const hasty = await database.again({ readTimeoutMs: 100 });
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
    const patient = await openDatabase({ kind: 'postgres', url: url.href }, { connections: 2, readTimeoutMs: 100 });
    expect((await patient.rows(pause)).length).toBe(1);
    await patient.close();
  });
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
      const through = await openDatabase({ kind: 'postgres', url: proxy.url }, { connections: 4 });
      for (const name of ['a', 'b', 'c']) {
        proxy.cut = cut;
        await through.transaction(async (transaction) => add(transaction, name));
      }
      expect(proxy.cuts).toBe(3);
      expect(await names(database)).toEqual(['a', 'b', 'c']);
      await through.close();
    },
  );

  test('while the commit is not answered, and then for long: the caller is told that nobody knows', async () => {
    await using database = await openWithNumbers();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase({ kind: 'postgres', url: proxy.url }, { connections: 2, busyTimeoutMs: 300 });
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
    const told: string[] = [];
    const failures: string[] = [];
    let over = false;
    const cutting = (async () => {
      for (let times = 0; times < 12; times++) {
        await Bun.sleep(100);
        await database.transaction(async (transaction) => transaction.rows(cutAll)).catch(() => undefined);
      }
      over = true;
    })();
    const worker = async (number: number): Promise<void> => {
      for (let index = 0; !over; index++) {
        const name = `${number}-${index}`;
        try {
          await database.transaction(async (transaction) => add(transaction, name));
          told.push(name);
          await database.first(q('SELECT 1'));
        } catch (error) {
          failures.push(error instanceof Problem ? error.code : String(error));
        }
      }
    };
    await Promise.all([cutting, ...Array.from({ length: 8 }, (_, number) => worker(number))]);
    const stored = new Set(await names(database));
    expect(told.length).toBeGreaterThan(20);
    expect(told.filter((name) => !stored.has(name))).toEqual([]);
    expect(failures.filter((code) => code !== 'storage_failed' && code !== 'database_busy')).toEqual([]);
    expect(stored.size - told.length).toBeLessThanOrEqual(failures.length);
  });
});

function urlOf({ location }: TestDatabase): string {
  if (location.kind !== 'postgres') throw new Error('This is for PostgreSQL alone.');
  return location.url;
}

describe.skipIf(!onPostgres)('generations', () => {
  /** Another machine: it shares nothing but the database. */
  const elsewhere = (database: TestDatabase) => openDatabase(database.location, { connections: 2 });

  async function generation(database: Database, name: string): Promise<number> {
    await database.generations.refresh();
    return database.generations.of(name);
  }

  const touch = (database: Database, ...touched: readonly string[]) =>
    database.transaction(async (transaction) => {
      for (const name of touched) transaction.touch(name);
    });

  test('move with a commit, before its caller goes on, and not with a rollback', async () => {
    await using database = await openTestDatabase();
    const before = await generation(database, 'article');
    const failing = database.transaction(async (transaction) => {
      transaction.touch('article');
      throw new Error('no');
    });
    await failing.catch(() => undefined);
    expect(await generation(database, 'article')).toBe(before);
    await touch(database, 'article');
    const after = database.generations.of('article');
    expect(after).not.toBe(before);
    expect(await generation(database, 'article')).toBe(after);
    expect(await generation(database, 'author')).toBe(before);
  });

  test.each(['stored by then', 'stored later'] as const)(
    'move with a commit of which nobody knew what became of it: %s',
    async (when) => {
      await using database = await openWithNumbers();
      await using proxy = await CuttingProxy.before(urlOf(database));
      // As with a pooler: who listens goes by another way, and stays connected.
      const through = await openDatabase(
        { kind: 'postgres', url: proxy.url },
        { connections: 4, busyTimeoutMs: 300, listenUrl: urlOf(database) },
      );
      await database.transaction(async (transaction) => {
        // No time limit of a lock ends it.
        await transaction.run(
          q(`CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          WHILE NOT pg_try_advisory_xact_lock(1) LOOP PERFORM pg_sleep(0.01); END LOOP; RETURN NULL; END $$`),
        );
        await transaction.run(
          q(`CREATE CONSTRAINT TRIGGER held AFTER INSERT ON numbers DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION held()`),
        );
      });
      const write = () => {
        proxy.cut = 'after the commit';
        proxy.thenClosed = when === 'stored by then';
        return outage(
          through.transaction(async (transaction) => {
            transaction.touch('article');
            await add(transaction, 'a');
          }),
        );
      };
      const before = await generation(through, 'article');
      if (when === 'stored by then') {
        expect(await write()).toBe('outcome_unknown');
        proxy.open();
        await becomes(() => names(database), ['a']);
        expect(await generation(through, 'article')).toBeGreaterThan(before);
      } else {
        const remembered = await database.transaction(async (transaction) => {
          await transaction.rows(q('SELECT pg_advisory_xact_lock(1)'));
          expect(await write()).toBe('outcome_unknown');
          expect(await names(database)).toEqual([]);
          return generation(through, 'article');
        });
        // What was remembered until now is of the time before.
        await becomes(() => names(database), ['a']);
        await becomes(async () => (await generation(through, 'article')) > remembered, true);
      }
      await through.close();
    },
  );

  test('by another process of this machine, at the next look', async () => {
    await using database = await openTestDatabase();
    const other = await database.again();
    for (let round = 0; round < 20; round++) {
      const before = await generation(database, 'article');
      await touch(other, 'article');
      expect(await generation(database, 'article')).not.toBe(before);
    }
    await other.close();
  });

  test('by another machine, without a look at the tables', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    const [before, untouched] = [await generation(database, 'article'), await generation(database, 'author')];
    await touch(other, 'article');
    await becomes(async () => (await generation(database, 'article')) !== before, true);
    expect(await generation(database, 'author')).toBe(untouched);
    await other.close();
  });

  test('of more names than a notification holds', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    const many = Array.from({ length: 500 }, (_, index) => `a-rather-long-name-of-type-${index}`);
    const before = await generation(database, 'a-rather-long-name-of-type-499');
    await touch(other, ...many);
    await becomes(async () => (await generation(database, 'a-rather-long-name-of-type-499')) !== before, true);
    await other.close();
  });

  test('while nobody listens, everything counts as changed at every look; and again at the first one afterwards', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    await generation(database, 'article');
    await other.transaction(async (transaction) => transaction.rows(cutAll));
    // The notification is lost: nothing listens at this moment.
    await touch(other, 'article');
    await becomes(async () => {
      const [first, second] = [await generation(database, 'article'), await generation(database, 'article')];
      return first !== second;
    }, true);
    await becomes(async () => {
      const [first, second] = [await generation(database, 'article'), await generation(database, 'article')];
      return first === second;
    }, true);
    await other.close();
  });

  test('a connection that is open and does not answer is given up', async () => {
    await using database = await openTestDatabase();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(database.location, { connections: 2, listenUrl: proxy.url });
    const before = await generation(through, 'article');
    proxy.freeze();
    await touch(database, 'article');
    await becomes(async () => (await generation(through, 'article')) !== before, true);
    await through.close();
  });

  test('one that closes while it is asked for a sign of life has given none', async () => {
    await using database = await openTestDatabase();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(database.location, { connections: 2, listenUrl: proxy.url });
    const before = await generation(through, 'article');
    proxy.freeze();
    await touch(database, 'article');
    // Long enough that the next look waits for the sign.
    await Bun.sleep(400);
    const looked = generation(through, 'article');
    proxy.cutAll();
    expect(await looked).not.toBe(before);
    await through.close();
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
