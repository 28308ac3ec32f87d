// databases: postgres:rest
import { describe, expect, test } from 'bun:test';
import {
  becomes,
  onPostgres,
  openTestDatabase,
  type TestDatabase,
} from '../../../../../test/support/database/database.ts';
import { CuttingProxy } from '../../../../../test/support/processes/cutting-proxy.ts';
import { outage } from '../../../../../test/support/processes/outage.ts';
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
      // As with a pooler: who looks for changes goes by another way, and stays connected.
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

  test('by another machine, at once where all that is committed by now has to count', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    const [before, untouched] = [await generation(database, 'article'), await generation(database, 'author')];
    for (let round = 0; round < 20; round++) {
      await touch(other, 'article');
      const seen = database.generations.of('article');
      await database.generations.refresh('now');
      expect(database.generations.of('article')).not.toBe(seen);
    }
    expect(await generation(database, 'article')).not.toBe(before);
    await touch(other, 'article');
    const again = database.generations.of('article');
    await becomes(async () => (await generation(database, 'article')) !== again, true);
    expect(await generation(database, 'author')).toBe(untouched);
    await other.close();
  });

  test('of many names', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    const many = Array.from({ length: 500 }, (_, index) => `a-rather-long-name-of-type-${index}`);
    const before = await generation(database, 'a-rather-long-name-of-type-499');
    await touch(other, ...many);
    await becomes(async () => (await generation(database, 'a-rather-long-name-of-type-499')) !== before, true);
    await other.close();
  });

  test('do not move again for an own commit when the database is looked at', async () => {
    await using database = await openTestDatabase();
    await touch(database, 'article');
    await database.generations.refresh('now');
    const before = database.generations.of('article');
    await database.generations.refresh('now');
    expect(database.generations.of('article')).toBe(before);
  });

  test('move also when what a process has left behind was removed meanwhile', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    await touch(other, 'article');
    await database.generations.refresh('now');
    const before = database.generations.of('article');
    // As the next start does a day later.
    await database.transaction(async (transaction) => transaction.run(q('DELETE FROM recto_changes')));
    await touch(other, 'article');
    await database.generations.refresh('now');
    expect(database.generations.of('article')).not.toBe(before);
    await other.close();
  });

  test('of a connection that is cut: the next look uses another one, and misses nothing', async () => {
    await using database = await openTestDatabase();
    const other = await elsewhere(database);
    for (let round = 0; round < 5; round++) {
      const before = await generation(database, 'article');
      await other.transaction(async (transaction) => transaction.rows(cutAll));
      await touch(other, 'article');
      await database.generations.refresh('now');
      expect(database.generations.of('article')).not.toBe(before);
    }
    await other.close();
  });

  test('while the database does not answer, everything counts as changed at every refresh; then no longer', async () => {
    await using database = await openTestDatabase();
    await using proxy = await CuttingProxy.before(urlOf(database));
    const through = await openDatabase(database.location, {
      engine: rectoTables,
      connections: 2,
      listenUrl: proxy.url,
    });
    const before = await generation(through, 'article');
    const differs = async () => {
      const [first, second] = [await generation(through, 'article'), await generation(through, 'article')];
      return first !== second;
    };
    proxy.freeze();
    await touch(database, 'article');
    await becomes(async () => (await generation(through, 'article')) !== before, true);
    expect(await differs()).toBe(true);
    proxy.open();
    proxy.cutAll();
    await becomes(differs, false);
    await through.close();
  });
});
