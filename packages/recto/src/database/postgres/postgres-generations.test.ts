import { describe, expect, test } from 'bun:test';
import { CuttingProxy } from '../../../../../test/cutting-proxy.ts';
import { becomes, onPostgres, openTestDatabase, type TestDatabase } from '../../../../../test/database.ts';
import { outage } from '../../../../../test/outage.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../open-database.ts';
import { add, cutAll, names, openWithNumbers, q, urlOf } from './numbers.fixture.ts';

describe.skipIf(!onPostgres)('generations', () => {
  /** Another machine: it shares nothing but the database. */
  const elsewhere = (database: TestDatabase) =>
    openDatabase(database.location, { engine: rectoTables, connections: 2 });

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
        { engine: rectoTables, connections: 4, busyTimeoutMs: 300, listenUrl: urlOf(database) },
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
    const through = await openDatabase(database.location, {
      engine: rectoTables,
      connections: 2,
      listenUrl: proxy.url,
    });
    const before = await generation(through, 'article');
    proxy.freeze();
    await touch(database, 'article');
    await becomes(async () => (await generation(through, 'article')) !== before, true);
    await through.close();
  });

  test('a connection that stops in the middle of a sign of life is given up', async () => {
    await using database = await openTestDatabase();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(database.location, {
      engine: rectoTables,
      connections: 2,
      listenUrl: proxy.url,
    });
    const before = await generation(through, 'article');
    proxy.freezeAt('UNLISTEN');
    // Each look may ask for a sign of life.
    await becomes(async () => (await generation(through, 'article')) !== before, true);
    await touch(database, 'article');
    const after = await generation(through, 'article');
    expect(after).not.toBe(before);
    await through.close();
  });

  test('one that closes while it is asked for a sign of life has given none', async () => {
    await using database = await openTestDatabase();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(database.location, {
      engine: rectoTables,
      connections: 2,
      listenUrl: proxy.url,
    });
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
