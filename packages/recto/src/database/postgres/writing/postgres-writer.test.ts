// databases: postgres
import { describe, expect, test } from 'bun:test';
import {
  newTestLocation,
  onPostgres,
  query,
  type TestLocation,
} from '../../../../../../test/support/database/database.ts';
import { hangsAfterMs } from '../../../../../../test/support/hangs-after.ts';
import { rectoTables } from '../../../service/recto-tables.ts';
import type { Database, Query, Transaction } from '../../database.ts';
import { openPostgresDatabase } from '../postgres-database.ts';

const q = (sql: string): Query => ({ sql, parameters: [] });

/** A table of names, and how many transactions each commit made durable. */
class Names implements AsyncDisposable {
  readonly commits: number[] = [];
  readonly #place: TestLocation;
  #database: Database | undefined;

  static async open(options: { readonly connections?: number } = {}): Promise<Names> {
    const names = new Names(await newTestLocation());
    names.#database = await names.again(options);
    await names.database.transaction(async (transaction) => {
      await transaction.run(q('CREATE TABLE names (name text PRIMARY KEY, value integer NOT NULL DEFAULT 0)'));
    });
    names.commits.length = 0;
    return names;
  }

  private constructor(place: TestLocation) {
    this.#place = place;
  }

  get database(): Database {
    if (this.#database === undefined) throw new Error('It is not open yet.');
    return this.#database;
  }

  /** The same as another machine has it open. The opener closes it. */
  again({ connections = 10 } = {}): Promise<Database> {
    const { location } = this.#place;
    if (location.kind !== 'postgres') throw new Error('For PostgreSQL only.');
    const onCommit = (transactions: number): unknown => this.commits.push(transactions);
    const busyTimeoutMs = hangsAfterMs;
    return openPostgresDatabase({ url: location.url, engine: rectoTables, connections, busyTimeoutMs, onCommit });
  }

  async stored(): Promise<readonly string[]> {
    const rows = await this.database.rows<{ name: string }>(q('SELECT name FROM names ORDER BY name COLLATE "C"'));
    return rows.map(({ name }) => name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database?.close();
    await this.#place[Symbol.asyncDispose]();
  }
}

const add = (transaction: Transaction, name: string) =>
  transaction.run(query('INSERT INTO names (name) VALUES (?)', name));

const isThere = async (transaction: Transaction, name: string): Promise<boolean> =>
  (await transaction.first(query('SELECT 1 FROM names WHERE name = ?', name))) !== undefined;

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => String(number).padStart(3, '0'));

describe.skipIf(!onPostgres)('transactions at the same moment', () => {
  test('share commits, and each is done once', async () => {
    await using names = await Names.open();
    let runs = 0;
    const work = (name: string) =>
      names.database.transaction(async (transaction) => {
        runs += 1;
        await add(transaction, name);
        return name;
      });
    expect(await Promise.all(numbers(200).map(work))).toEqual([...numbers(200)]);
    expect(await names.stored()).toEqual([...numbers(200)]);
    expect(runs).toBe(200);
    expect(names.commits.reduce((sum, each) => sum + each, 0)).toBe(200);
    expect(names.commits.length).toBeLessThan(50);
  });

  test('a failing one fails alone, however it failed', async () => {
    await using names = await Names.open();
    const failing: Readonly<Record<string, (transaction: Transaction) => Promise<unknown>>> = {
      'before a statement': async () => Promise.reject(new Error('refused')),
      'after a statement': async (transaction) => {
        await add(transaction, 'refused');
        throw new Error('refused');
      },
      'by a statement': async (transaction) => transaction.rows(q('SELECT 1 / 0')),
      'by a statement that it goes on after': async (transaction) =>
        Promise.resolve(transaction.rows(q('SELECT 1 / 0'))).catch(() => undefined),
      'by a constraint': async (transaction) => {
        await add(transaction, '000');
        await add(transaction, '000');
      },
      'by one of several statements': (transaction) =>
        Promise.resolve(transaction.runAll([q("INSERT INTO names VALUES ('refused')"), q('SELECT 1 / 0')])),
    };
    for (let round = 0; round < 2; round++) {
      const good = numbers(20).map((name) =>
        names.database.transaction(async (transaction) => add(transaction, `${round}-${name}`)),
      );
      const bad = Object.values(failing).map((work) => names.database.transaction(work));
      const more = numbers(20).map((name) =>
        names.database.transaction(async (transaction) => add(transaction, `${round}-more-${name}`)),
      );
      expect((await Promise.all([...good, ...more])).every((rows) => rows === 1)).toBe(true);
      const reasons = (await Promise.allSettled(bad)).map((each) =>
        each.status === 'rejected' && each.reason instanceof Error ? each.reason.message : 'none',
      );
      expect(reasons).toEqual([
        'refused',
        'refused',
        'division by zero',
        'division by zero',
        expect.stringContaining('duplicate key'),
        'division by zero',
      ]);
    }
    expect((await names.stored()).length).toBe(80);
  });

  test('whose last statement is sent do not hold up the next ones of their commit, which see what it did', async () => {
    // One of them writes.
    await using names = await Names.open({ connections: 2 });
    const events: string[] = [];
    const first = names.database.transaction(async (transaction) => {
      const answer = transaction.last(q("INSERT INTO names SELECT 'a' FROM pg_sleep(0.2) RETURNING name"));
      events.push('a is sent');
      await answer;
      events.push('a is answered');
    });
    const second = names.database.transaction(async (transaction) => {
      events.push('b begins');
      return isThere(transaction, 'a');
    });
    expect((await Promise.all([first, second]))[1]).toBe(true);
    expect(events).toEqual(['a is sent', 'b begins', 'a is answered']);
    expect(names.commits).toEqual([2]);
  });

  test('take nothing after what they say is their last statement', async () => {
    await using names = await Names.open();
    const late = names.database.transaction(async (transaction) => {
      await transaction.last(q("INSERT INTO names VALUES ('a')"));
      await add(transaction, 'b');
    });
    const [outcome] = await Promise.allSettled([late]);
    expect(outcome).toMatchObject({ reason: { message: 'A transaction was used after its end.' } });
    expect(await names.stored()).toEqual([]);
  });

  test('whose last statements are sent together fail alone, whatever they fail of', async () => {
    await using names = await Names.open();
    await names.database.transaction(async (transaction) => add(transaction, '007'));
    const insert = (transaction: Transaction, name: string) =>
      transaction.last<{ name: string }>(query('INSERT INTO names (name) VALUES (?) RETURNING name', name));
    const writes = numbers(20).map((name) =>
      names.database.transaction(async (transaction) => {
        // 000 fails after all have been sent, 007 in the server; 010 turns the server's error into another.
        const row = await Promise.resolve(insert(transaction, name === '010' ? '007' : name)).catch(
          (error: unknown) => {
            throw name === '010' ? new Error('another') : error;
          },
        );
        if (name === '000') throw new Error('refused');
        return row?.name;
      }),
    );
    const outcomes = (await Promise.allSettled(writes)).map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason.message,
    );
    const expected: unknown[] = [...numbers(20)];
    expected[0] = 'refused';
    expected[7] = expect.stringContaining('duplicate key');
    expected[10] = 'another';
    expect(outcomes).toEqual(expected);
    expect(await names.stored()).toEqual(numbers(20).filter((name) => name !== '000' && name !== '010'));
    expect(names.commits.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(17);
  });

  test('whose last statements are sent together run again when the connection is lost or another is in their way', async () => {
    await using names = await Names.open();
    for (const fault of [
      'SELECT pg_terminate_backend(pg_backend_pid())',
      `DO $$ BEGIN RAISE SQLSTATE '40001'; END $$`,
    ]) {
      await names.database.transaction(async (transaction) => transaction.run(q('DELETE FROM names')));
      let runs = 0;
      const all = numbers(20).map((name) =>
        names.database.transaction(async (transaction) => {
          if (name === '005' && runs++ === 0) await transaction.last(q(fault));
          return transaction.last<{ name: string }>(query('INSERT INTO names (name) VALUES (?) RETURNING name', name));
        }),
      );
      expect((await Promise.all(all)).map((row) => row?.name)).toEqual([...numbers(20)]);
      expect([runs, await names.stored()]).toEqual([2, [...numbers(20)]]);
    }
  });

  test('see what those before them have done, and fail for nothing else', async () => {
    await using names = await Names.open();
    const take = (name: string) =>
      names.database.transaction(async (transaction) => {
        if (await isThere(transaction, name)) throw new Error(`${name} is taken`);
        await add(transaction, name);
      });
    const taken = await Promise.allSettled(numbers(60).map((number) => take(`name ${Number(number) % 5}`)));
    expect(taken.filter(({ status }) => status === 'fulfilled').length).toBe(5);
    expect((await names.stored()).length).toBe(5);
  });

  test.each([1, 2, 3, 12])('see what was acknowledged before they were asked for, of %d clients', async (clients) => {
    await using names = await Names.open();
    const write = async (client: string): Promise<void> => {
      for (const number of numbers(100)) {
        const name = `${client}-${number}`;
        await names.database.transaction(async (transaction) => add(transaction, name));
        const seen = await names.database.transaction(async (transaction) => isThere(transaction, name));
        expect([name, seen]).toEqual([name, true]);
      }
    };
    await Promise.all(numbers(clients).map(write));
  });

  test('behind one that waits for a lock are not held up by it', async () => {
    await using names = await Names.open();
    const other = await names.again({ connections: 2 });
    await names.database.transaction(async (transaction) => add(transaction, 'a'));
    const [taken, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const set = (transaction: Transaction, value: number) =>
      transaction.run(query('UPDATE names SET value = value + ? WHERE name = ?', String(value), 'a'));
    const holding = other.transaction(async (transaction) => {
      await set(transaction, 1);
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    const waiting = names.database.transaction(async (transaction) => set(transaction, 2));
    await Promise.all(
      numbers(20).map((name) => names.database.transaction(async (transaction) => add(transaction, name))),
    );
    held.resolve();
    await Promise.all([holding, waiting]);
    const row = await names.database.first<{ value: number }>(q("SELECT value FROM names WHERE name = 'a'"));
    expect(row?.value).toBe(3);
    await other.close();
  });

  test('behind one that goes on for long are served beside it, and the next ones too', async () => {
    await using names = await Names.open({ connections: 4 });
    const ends: PromiseWithResolvers<void>[] = [];
    const long = numbers(2).map((name) => {
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return names.database.transaction(async (transaction) => {
        await add(transaction, `long ${name}`);
        await end.promise;
      });
    });
    // The first of both goes on until the others are done; the second shares its connection or another.
    ends[1]?.resolve();
    await Promise.all(
      numbers(9).map(async (name) => {
        await Bun.sleep(Number(name) * 5);
        await names.database.transaction(async (transaction) => add(transaction, name));
      }),
    );
    expect(await names.stored()).not.toContain('long 000');
    ends[0]?.resolve();
    await Promise.all(long);
    expect((await names.stored()).length).toBe(11);
  });

  test('with one among them that changes tables', async () => {
    await using names = await Names.open();
    const column = (name: string) =>
      names.database.transaction(async (transaction) => {
        await transaction.run(q(`ALTER TABLE names ADD COLUMN "${name}" text`));
        await transaction.run(q(`UPDATE names SET "${name}" = 'there'`));
        transaction.touch('recto:layout:name');
      });
    const read = (name: string) =>
      names.database.transaction(async (transaction) => {
        await add(transaction, name);
        return (await transaction.rows(q('SELECT * FROM names'))).length;
      });
    const before = await names.database.first<{ generation: number }>(
      q("SELECT coalesce(max(generation), 0) AS generation FROM recto_generations WHERE name = 'recto:layout:name'"),
    );
    for (let round = 0; round < 3; round++) {
      const some = (part: string) => numbers(8).map((name) => read(`${round} ${part} ${name}`));
      await Promise.all([...some('a'), column(`one ${round}`), ...some('b'), column(`two ${round}`), ...some('c')]);
    }
    expect((await names.stored()).length).toBe(72);
    const after = await names.database.first<{ generation: number }>(
      q("SELECT generation FROM recto_generations WHERE name = 'recto:layout:name'"),
    );
    expect(Number(after?.generation) - Number(before?.generation)).toBe(6);
  });

  test('of several machines that read and write the same: none is lost, none is done twice', async () => {
    await using names = await Names.open();
    const others = await Promise.all([names.again({ connections: 4 }), names.again({ connections: 4 })]);
    await names.database.transaction(async (transaction) => add(transaction, 'a'));
    const count = (database: Database) =>
      database.transaction(async (transaction) => {
        const row = await transaction.first<{ value: number }>(q("SELECT value FROM names WHERE name = 'a'"));
        await transaction.run(query('UPDATE names SET value = ? WHERE name = ?', String((row?.value ?? 0) + 1), 'a'));
      });
    await Promise.all([names.database, ...others].flatMap((database) => numbers(40).map(() => count(database))));
    const row = await names.database.first<{ value: number }>(q("SELECT value FROM names WHERE name = 'a'"));
    expect(row?.value).toBe(120);
    await Promise.all(others.map((other) => other.close()));
  });
});
