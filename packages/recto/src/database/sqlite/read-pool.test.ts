import { Database as BunDatabase } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestSqlite } from '../../../../../test/support/database/sqlite-database.ts';
import { hangsAfterMs } from '../../../../../test/support/hangs-after.ts';
import { volatileFolder } from '../../../../../test/support/volatile-folder.ts';
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

/** Takes as long as the test holds its table. */
const held = (name: string): Query => ({ sql: 'SELECT count(*) AS counted, ? AS name FROM held', parameters: [name] });

/** A pool for a file with one empty table that the test can hold, and the names of what ended, in that order. */
class Scene implements AsyncDisposable {
  readonly ended: string[] = [];
  readonly pool: ReadPool;
  readonly #folder: string;
  readonly #holder: BunDatabase;

  /** One whose table the test holds. */
  static async holding(patienceMs?: number): Promise<Scene> {
    const scene = new Scene(patienceMs);
    // Both threads have read which tables there are: from then on, what reads none waits for nobody who holds one.
    await scene.read(brief('a long one'), 'long');
    await scene.read(brief('a brief one'), 'brief');
    scene.ended.length = 0;
    scene.hold();
    return scene;
  }

  constructor(patienceMs?: number) {
    this.#folder = mkdtempSync(join(volatileFolder(), 'recto-pool-'));
    const path = join(this.#folder, 'pool.db');
    this.#holder = new BunDatabase(path, { strict: true, create: true });
    this.#holder.run('CREATE TABLE held (value)');
    this.pool = new ReadPool({ path, busyTimeoutMs: hangsAfterMs }, patienceMs);
  }

  /** From now on nobody reads the table. A thread that has read nothing yet waits before its first statement. */
  hold(): void {
    this.#holder.run('BEGIN EXCLUSIVE');
  }

  /** Lets go of the table. */
  release(): void {
    this.#holder.run('COMMIT');
  }

  async read(query: Query, duration: Duration): Promise<void> {
    await this.pool.run({ ask: 'first', query, duration, observe: () => undefined });
    this.ended.push(String(query.parameters.at(-1)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.close();
    this.#holder.close();
    rmSync(this.#folder, { recursive: true });
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
  await using scene = await Scene.holding();
  const long = [scene.read(held('long'), 'long'), scene.read(brief('behind'), 'long')];
  const others = briefs(scene, 40);
  await Promise.all(others);
  scene.release();
  await Promise.all(long);
  expect(scene.ended).toEqual([...others.map((_, place) => `brief ${place}`), 'long', 'behind']);
});

test('nor for an unknown one that turns out to be long', async () => {
  await using scene = await Scene.holding();
  const unknown = scene.read(held('unknown'), 'unknown');
  await Promise.all(briefs(scene, 10));
  expect(scene.ended).toHaveLength(10);
  scene.release();
  await unknown;
});

test('a thread that is idle takes what waits, and a long one goes before', async () => {
  await using scene = await Scene.holding();
  const first = scene.read(held('first'), 'unknown');
  const second = scene.read(brief('second'), 'unknown');
  const waiting = [scene.read(brief('third'), 'unknown'), scene.read(brief('long'), 'long')];
  await Promise.all([second, ...waiting]);
  scene.release();
  await first;
  expect(scene.ended).toEqual(['second', 'long', 'third', 'first']);
});

test('a statement that has waited too long is rejected, while those that run go on', async () => {
  await using scene = await Scene.holding(10);
  const running = [scene.read(held('first thread'), 'unknown'), scene.read(held('second thread'), 'long')];
  const waiting = (['brief', 'unknown', 'long'] as const).map((duration) =>
    fault(scene.read(brief('never'), duration)),
  );
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ status: 503, code: 'read_timeout' });
  scene.release();
  await Promise.all(running);
  await scene.read(brief('after'), 'unknown');
  expect(scene.ended.at(-1)).toBe('after');
});

test('closing rejects what runs and what waits', async () => {
  await using scene = new Scene();
  scene.hold();
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
  await using scene = new Scene();
  scene.hold();
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
    scene.release();
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
