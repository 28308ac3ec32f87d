import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestSqlite } from '../../../../../test/sqlite-database.ts';
import { Problem } from '../../base/problem.ts';
import type { Query } from '../database.ts';
import { ReadLanes } from './read-lanes.ts';
import { sqliteFault } from './sqlite-fault.ts';
import { SqliteThread } from './sqlite-thread.ts';

/** Takes long, by another name each time. */
const slow = (name: string): Query => counting(name, 6_000_000);
const brief = (name: string): Query => counting(name, 10);

const counting = (name: string, to: number): Query => ({
  sql: 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ?) SELECT count(*) AS counted, ? AS name FROM n',
  parameters: [to, name],
});

/** Lanes of a file that is empty, and the names of what ended, in that order. */
class Scene implements AsyncDisposable {
  readonly ended: string[] = [];
  readonly lanes: ReadLanes;
  readonly #database: AsyncDisposable;

  static async open(patienceMs?: number): Promise<Scene> {
    return new Scene(await openTestSqlite(), patienceMs);
  }

  constructor(database: Awaited<ReturnType<typeof openTestSqlite>>, patienceMs: number | undefined) {
    this.#database = database;
    this.lanes = new ReadLanes({ path: database.path, busyTimeoutMs: 1000 }, patienceMs);
  }

  async read(query: Query, expected: number | undefined): Promise<void> {
    await this.lanes.run({ ask: 'first', query, expected, observe: () => undefined });
    this.ended.push(String(query.parameters[1]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lanes.close();
    await this.#database[Symbol.asyncDispose]();
  }
}

/** What a promise was rejected with. */
const fault = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => new Error(`It was answered: ${Bun.inspect(value)}`),
    (error: unknown) => error,
  );

test('what is likely to be brief does not wait for what is likely to take long', async () => {
  await using scene = await Scene.open();
  const long = scene.read(slow('long'), 2_000);
  const briefs = Array.from({ length: 40 }, (_, place) => scene.read(brief(`brief ${place}`), 0.1));
  await Promise.all([long, ...briefs]);
  expect(scene.ended.at(-1)).toBe('long');
  expect(scene.ended.slice(0, -1)).toEqual(briefs.map((_, place) => `brief ${place}`));
});

test('nor for what turns out to take long', async () => {
  await using scene = await Scene.open();
  const unknown = scene.read(slow('unknown'), undefined);
  await Promise.all([unknown, ...Array.from({ length: 10 }, (_, place) => scene.read(brief(`brief ${place}`), 0.1))]);
  expect(scene.ended.at(-1)).toBe('unknown');
});

test('of what takes long the shortest goes first, and what has waited long before that', async () => {
  await using scene = await Scene.open();
  const first = scene.read(counting('first', 1_000_000), 100);
  const rest = [scene.read(brief('longest'), 4_000), scene.read(brief('long'), 400), scene.read(brief('short'), 40)];
  await Promise.all([first, ...rest]);
  expect(scene.ended).toEqual(['first', 'short', 'long', 'longest']);
});

test('what has waited for too long is given up, while what runs goes on', async () => {
  await using scene = await Scene.open(10);
  const running = [scene.read(slow('brief lane'), undefined), scene.read(slow('long lane'), 100)];
  const waiting = [undefined, 100].map((expected) => fault(scene.read(brief('never'), expected)));
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ status: 503, code: 'read_timeout' });
  await Promise.all(running);
  await scene.read(brief('after'), undefined);
  expect(scene.ended.at(-1)).toBe('after');
});

test('closing rejects what runs and what waits', async () => {
  await using scene = await Scene.open();
  const reads = [undefined, undefined, 100, 100].map((expected) => fault(scene.read(slow('never'), expected)));
  // The first of each lane is on its way by then, or it is not: both are to be told the same.
  await Bun.sleep(1);
  await scene.lanes.close();
  for (const error of await Promise.all(reads)) expect(error).toMatchObject({ status: 503, code: 'shutting_down' });
  expect(await fault(scene.read(brief('late'), undefined))).toMatchObject({ status: 503, code: 'shutting_down' });
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

test('where no thread can be started, all who wait are told, however many', async () => {
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
    const reads = Array.from({ length: 10_000 }, () => fault(scene.read(slow('never'), undefined)));
    for (const error of await Promise.all(reads)) expect(error).toMatchObject({ status: 503, code: 'storage_failed' });
  } finally {
    globalThis.Worker = ordinary;
  }
  await scene.read(brief('again'), undefined);
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

test('a fault of the program is told as SQLite tells it, and is no outage', async () => {
  await using database = await openTestSqlite();
  const thread = threadOf(database.path);
  const wrong = { sql: 'SELECT nonsense', parameters: [] };
  const error = await fault(ask(thread, wrong));
  await thread.close();
  expect(error).not.toBeInstanceOf(Problem);
  expect(error).toMatchObject({ name: 'SQLiteError', message: 'no such column: nonsense', code: 'SQLITE_ERROR' });
  expect(sqliteFault(error)).toBeUndefined();
});
