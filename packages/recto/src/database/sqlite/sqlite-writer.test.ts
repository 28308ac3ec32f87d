import { Database as BunDatabase } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { copyFileSync, statSync } from 'node:fs';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { WalCheckpoints } from './wal-checkpoints.ts';

/** A disk that has flushed when the test says so, or at once. */
class SlowDisk {
  isSlow = true;
  readonly waiting: PromiseWithResolvers<void>[] = [];

  flush(): Promise<void> {
    const flush = Promise.withResolvers<void>();
    this.waiting.push(flush);
    if (!this.isSlow) flush.resolve();
    return flush.promise;
  }

  close(): void {}
}

/** How long a write waits for another process, in milliseconds. */
const patienceMs = 1000;

async function scene(Checkpoints = WalCheckpoints) {
  const database = await openTestSqlite();
  await database.transaction(async (transaction) =>
    transaction.run({ sql: 'CREATE TABLE things (name TEXT UNIQUE)', parameters: [] }),
  );
  const connection = new SqliteConnection(new BunDatabase(database.path, { strict: true, readwrite: true }));
  connection.execute('PRAGMA wal_autocheckpoint = 0');
  const disk = new SlowDisk();
  const checkpoints = new Checkpoints(connection, {
    path: database.path,
    busyTimeoutMs: 1000,
    onMerged: () => {},
  });
  const commits: number[] = [];
  const onCommit = (transactions: number) => commits.push(transactions);
  const writer = new SqliteWriter(connection, { busyTimeoutMs: patienceMs, checkpoints, log: disk, onCommit });
  const events: string[] = [];
  const write = (name: string): Promise<void> =>
    writer
      .transaction(async (transaction) => transaction.run({ sql: 'INSERT INTO things VALUES (?)', parameters: [name] }))
      .then(
        () => events.push(name),
        (error) => events.push(`${name}: ${error.code}`),
      )
      .then(() => undefined);
  const stored = async () =>
    (await database.rows<{ name: string }>({ sql: 'SELECT name FROM things ORDER BY rowid', parameters: [] })).map(
      ({ name }) => name,
    );
  const close = async () => {
    connection.close();
    await database.close();
  };
  return { path: database.path, writer, disk, events, write, stored, commits, [Symbol.asyncDispose]: close };
}

function namesIn(path: string): readonly string[] {
  using file = new BunDatabase(path, { readonly: true });
  // A file that is in WAL mode is not read without a log, which this makes there.
  return file
    .query<{ name: string }, []>('SELECT name FROM things ORDER BY rowid')
    .all()
    .map(({ name }) => name);
}

/** Waits until it is so; the test's own time limit ends it. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await Bun.sleep(1);
}

test('a write is acknowledged only once it is on the disk; what is committed during a flush shares the next', async () => {
  await using parts = await scene();
  const { disk, events, write, stored, commits } = parts;
  const first = write('a');
  await until(() => disk.waiting.length === 1);
  const others = [write('b'), write('c')];
  await until(async () => (await stored()).length === 3);
  const last = write('d');
  await until(async () => (await stored()).length === 4);
  expect({ events, flushes: disk.waiting.length }).toEqual({ events: [], flushes: 1 });
  disk.waiting[0]?.resolve();
  await first;
  await until(() => disk.waiting.length === 2);
  expect(events).toEqual(['a']);
  disk.waiting[1]?.resolve();
  await Promise.all([...others, last]);
  expect({ events, commits }).toEqual({ events: ['a', 'b', 'c', 'd'], commits: [1, 3] });
});

test('a disk that did not take it is believed again when all that is stored has been written anew', async () => {
  await using parts = await scene();
  const { disk, events, write, stored, path } = parts;
  const failing = write('a');
  await until(() => disk.waiting.length === 1);
  disk.waiting[0]?.reject(new Error('EIO: i/o error, fdatasync'));
  await failing;
  const refused = write('b');
  await until(() => disk.waiting.length === 2);
  disk.waiting[1]?.reject(new Error('EIO: i/o error, fdatasync'));
  await refused;
  const next = write('c');
  await until(() => disk.waiting.length === 3);
  // The file itself, without the log.
  const merged = `${path}.merged`;
  copyFileSync(path, merged);
  expect(namesIn(merged)).toEqual(['a']);
  disk.waiting[2]?.resolve();
  await until(() => disk.waiting.length === 4);
  expect(events).toEqual(['a: storage_failed', 'b: storage_failed']);
  disk.waiting[3]?.resolve();
  await next;
  expect(events).toEqual(['a: storage_failed', 'b: storage_failed', 'c']);
  expect(await stored()).toEqual(['a', 'c']);
});

test('what was committed while a flush failed is not acknowledged either', async () => {
  await using parts = await scene();
  const { disk, events, write, stored } = parts;
  const first = write('a');
  await until(() => disk.waiting.length === 1);
  const second = write('b');
  await until(async () => (await stored()).length === 2);
  disk.waiting[0]?.reject(new Error('EIO: i/o error, fdatasync'));
  await Promise.all([first, second]);
  expect({ events, flushes: disk.waiting.length }).toEqual({
    events: ['a: storage_failed', 'b: storage_failed'],
    flushes: 1,
  });
});

test('the log does not grow for ever where another process writes whenever it is merged', async () => {
  let others: readonly BunDatabase[] = [];
  class Disturbed extends WalCheckpoints {
    override async run(): Promise<boolean> {
      const [reader, writer] = others;
      // What is written from here on is not merged, as if it had been written a moment later.
      reader?.run('BEGIN');
      reader?.query('SELECT count(*) FROM things').get();
      try {
        writer?.run('INSERT INTO things VALUES (randomblob(100))');
      } catch {
        // It has to wait.
      }
      const ended = await super.run();
      reader?.run('COMMIT');
      return ended;
    }
  }
  await using parts = await scene(Disturbed);
  const { disk, path, write } = parts;
  others = [1, 2].map(() => new BunDatabase(path, { strict: true, readwrite: true }));
  for (const other of others) other.run('PRAGMA wal_autocheckpoint = 0');
  disk.isSlow = false;
  // Some 25 pages each.
  for (let number = 0; number < 200; number += 1) await write(`${number}${'x'.repeat(100_000)}`);
  for (const other of others) other.close();
  expect(statSync(`${path}-wal`).size).toBeLessThan(24 * 1024 * 1024);
});

test('what waited for a long transaction of this process has not yet waited for another process', async () => {
  let other: BunDatabase | undefined;
  class Disturbed extends WalCheckpoints {
    override isDue(): boolean {
      // Behind each commit another process begins.
      if (other?.inTransaction === false) {
        other.run('BEGIN IMMEDIATE');
        setTimeout(() => other?.run('COMMIT'), 20);
      }
      return false;
    }
  }
  await using parts = await scene(Disturbed);
  const { writer, disk, path, events, write } = parts;
  disk.isSlow = false;
  using second = new BunDatabase(path, { strict: true, readwrite: true });
  other = second;
  const long = writer.transaction(async (transaction) => {
    const end = performance.now() + patienceMs * 1.2;
    while (performance.now() < end) await transaction.first({ sql: 'SELECT 1', parameters: [] });
  });
  await Promise.all([long, write('a')]);
  while (second.inTransaction) await Bun.sleep(1);
  expect(events).toEqual(['a']);
});

test('closing waits for the flush', async () => {
  await using parts = await scene();
  const { writer, disk, events, write } = parts;
  const writing = write('a');
  await until(() => disk.waiting.length === 1);
  const closing = writer.close().then(() => events.push('closed'));
  disk.waiting[0]?.resolve();
  await Promise.all([writing, closing]);
  expect(events).toEqual(['a', 'closed']);
});
