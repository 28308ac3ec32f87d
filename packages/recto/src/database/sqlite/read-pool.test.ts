import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import { Problem } from '../../base/problem.ts';
import type { Query } from '../database.ts';
import type { Duration } from './read-costs.ts';
import { ReadPool } from './read-pool.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { SqliteThread } from './sqlite-thread.ts';

/** Takes long, by another name each time. */
const slow = (name: string): Query => counting(name, 6_000_000);
const brief = (name: string): Query => counting(name, 10);

const counting = (name: string, to: number): Query => ({
  sql: 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT count(*) AS counted, ? AS name FROM n',
  parameters: [to, name],
});

/** A pool for a file that is empty, and the names of what ended, in that order. */
class Scene implements AsyncDisposable {
  readonly ended: string[] = [];
  readonly pool: ReadPool;
  readonly #database: AsyncDisposable;

  static async open(patienceMs?: number): Promise<Scene> {
    return new Scene(await openTestSqlite(), patienceMs);
  }

  constructor(database: Awaited<ReturnType<typeof openTestSqlite>>, patienceMs: number | undefined) {
    this.#database = database;
    this.pool = new ReadPool({ path: database.path, busyTimeoutMs: 1000 }, patienceMs);
  }

  async read(query: Query, duration: Duration): Promise<void> {
    await this.pool.run({ ask: 'first', query, duration, observe: () => undefined });
    this.ended.push(String(query.parameters[1]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
    await this.#database[Symbol.asyncDispose]();
  }
}

/** What a promise was rejected with. */
const fault = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => new Error(`It was answered: ${Bun.inspect(value)}`),
    (error: unknown) => error,
  );

const briefs = (scene: Scene, many: number): readonly Promise<void>[] =>
  Array.from({ length: many }, (_, place) => scene.read(brief(`brief ${place}`), 'brief'));

test('brief statements do not wait for long ones', async () => {
  await using scene = await Scene.open();
  const long = [scene.read(slow('long'), 'long'), scene.read(brief('behind'), 'long')];
  const others = briefs(scene, 40);
  await Promise.all([...long, ...others]);
  expect(scene.ended).toEqual([...others.map((_, place) => `brief ${place}`), 'long', 'behind']);
});

test('nor for an unknown one that turns out to be long', async () => {
  await using scene = await Scene.open();
  await Promise.all([scene.read(slow('unknown'), 'unknown'), ...briefs(scene, 10)]);
  expect(scene.ended.at(-1)).toBe('unknown');
});

test('a thread that is idle takes what waits, and a long one goes before', async () => {
  await using scene = await Scene.open();
  const unknown = [scene.read(slow('first'), 'unknown'), scene.read(counting('second', 1_000_000), 'unknown')];
  const waiting = [scene.read(brief('third'), 'unknown'), scene.read(brief('long'), 'long')];
  await Promise.all([...unknown, ...waiting]);
  expect(scene.ended).toEqual(['second', 'long', 'third', 'first']);
});

test('a statement that has waited too long is rejected, while those that run go on', async () => {
  await using scene = await Scene.open(10);
  const running = [scene.read(slow('first thread'), 'unknown'), scene.read(slow('second thread'), 'long')];
  const waiting = (['brief', 'unknown', 'long'] as const).map((duration) =>
    fault(scene.read(brief('never'), duration)),
  );
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ status: 503, code: 'read_timeout' });
  await Promise.all(running);
  await scene.read(brief('after'), 'unknown');
  expect(scene.ended.at(-1)).toBe('after');
});

test('closing rejects what runs and what waits', async () => {
  await using scene = await Scene.open();
  const durations = ['unknown', 'unknown', 'long', 'long'] as const;
  const reads = durations.map((duration) => fault(scene.read(slow('never'), duration)));
  // The first of each thread has begun by then or not: the outcome is the same.
  await Bun.sleep(1);
  await scene.pool.close();
  for (const error of await Promise.all(reads)) expect(error).toMatchObject({ status: 503, code: 'shutting_down' });
  expect(await fault(scene.read(brief('late'), 'unknown'))).toMatchObject({ status: 503, code: 'shutting_down' });
});

const threadOf = (path: string) => new SqliteThread({ path, busyTimeoutMs: 1000, purpose: 'read' });

/** The answer of a thread. */
const ask = (thread: SqliteThread, query: Query): Promise<unknown> =>
  new Promise((resolve, reject) => {
    thread.run({ ask: 'first', query, settle: () => undefined, resolve, reject });
  });

test('a thread that dies takes with it what it was given, and another one goes on', async () => {
  await using database = await openTestSqlite();
  const thread = threadOf(database.path);
  const waiting = [fault(ask(thread, slow('never'))), fault(ask(thread, brief('never')))];
  thread.worker?.terminate();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ status: 503, code: 'storage_failed' });
  expect(await ask(thread, brief('again'))).toEqual({ counted: 10, name: 'again' });
  await thread.close();
});

test('where no thread can be started, all that wait are rejected, however many', async () => {
  await using scene = await Scene.open();
  const ordinary = globalThis.Worker;
  const started: Worker[] = [];
  globalThis.Worker = class extends ordinary {
    constructor(...how: ConstructorParameters<typeof Worker>) {
      if (started.length === 2) throw new Error('no more threads');
      super(...how);
      started.push(this);
      setTimeout(() => this.terminate(), 1);
    }
  };
  try {
    const reads = Array.from({ length: 10_000 }, () => fault(scene.read(slow('never'), 'unknown')));
    for (const error of await Promise.all(reads)) expect(error).toMatchObject({ status: 503, code: 'storage_failed' });
  } finally {
    globalThis.Worker = ordinary;
  }
  await scene.read(brief('again'), 'unknown');
});

test('a process whose database is closed ends, and waits for nothing of a thread', async () => {
  await using database = await openTestSqlite();
  const script = `
    import { openSqliteDatabase } from ${JSON.stringify(join(import.meta.dir, 'sqlite-database.ts'))};
    import { rectoTables } from ${JSON.stringify(join(import.meta.dir, '../../service/recto-tables.ts'))};
    const database = await openSqliteDatabase({ path: ${JSON.stringify(database.path)}, engine: rectoTables, onlyThreads: true });
    await database.reader([]).first({ sql: 'SELECT 1', parameters: [] });
    await database.close();
    // Runs only where something else keeps the process alive.
    setTimeout(() => process.stdout.write('still there'), 60_000).unref();`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' });
  expect(await child.stdout.text()).toBe('');
  expect(await child.exited).toBe(0);
});

const outages: readonly [what: string, content: string | null, problem: string, code: string][] = [
  ['that is not there', null, 'storage_failed', 'SQLITE_CANTOPEN'],
  [
    'that is no database',
    'no database, but long enough to look like one '.repeat(50),
    'storage_failed',
    'SQLITE_NOTADB',
  ],
];

test.each(outages)('a file %s: 503, and SQLite’s own error for the log', async (_, content, problem, code) => {
  await using database = await openTestSqlite();
  const path = join(database.path, '../other.db');
  if (content !== null) writeFileSync(path, content);
  const thread = threadOf(path);
  const error = await fault(ask(thread, brief('never')));
  await thread.close();
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ status: 503, code: problem, cause: { name: 'SQLiteError', code } });
});

test('an error in the program is thrown as SQLite reports it, and is no outage', async () => {
  await using database = await openTestSqlite();
  const thread = threadOf(database.path);
  const wrong = { sql: 'SELECT nonsense', parameters: [] };
  const error = await fault(ask(thread, wrong));
  await thread.close();
  expect(error).not.toBeInstanceOf(Problem);
  expect(error).toMatchObject({ name: 'SQLiteError', message: 'no such column: nonsense', code: 'SQLITE_ERROR' });
  expect(sqliteFault(error)).toBeUndefined();
});
