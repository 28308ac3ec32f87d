// databases: sqlite, postgres
import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import type { DatabaseLocation } from '../../packages/recto/src/config/settings.ts';
import { openDatabase } from '../../packages/recto/src/database/open-database.ts';
import { readAsItIs } from '../../packages/recto/src/database/read-database.ts';
import { rectoTables } from '../../packages/recto/src/service/recto-tables.ts';
import { copyDatabase, openCopySource } from '../../packages/recto/src/transfer/copy/copy-database.ts';
import { answersOf, type Callers, fileIn, fillWorld, openWorld, urlOf } from '../support/database/copy-world.ts';
import { becomes, newPostgresLocation, onPostgres } from '../support/database/database.ts';
import { expectSchemaAgrees } from '../support/database/schema-agrees.ts';
import { RectoFolder } from '../support/processes/recto-process.ts';
import { runCommand } from '../support/processes/run-command.ts';
import { volatileFolder } from '../support/volatile-folder.ts';

const seed = Number(process.env.RECTO_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

interface CopyReport {
  readonly exitCode: number;
  readonly ok: boolean;
  readonly message?: string;
  readonly resumed?: number;
  readonly changed?: boolean;
  readonly tables?: readonly { readonly table: string; readonly rows: number; readonly checksum: string }[];
}

const kills = 6;
const main = join(import.meta.dir, '../../packages/recto/src/cli/main.ts');

class Folder implements Disposable {
  readonly path = mkdtempSync(join(volatileFolder(), 'recto-copy-'));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** All rows of a file, by table, whatever the order of columns; without empty tables and what each database makes for itself. */
function rowsOf(path: string): Readonly<Record<string, readonly string[]>> {
  using file = new BunDatabase(path, { strict: true, readonly: true, safeIntegers: true });
  const tables = file
    .query<{ name: string }, []>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
        AND name NOT IN ('recto_generations', 'recto_auth_locks')`,
    )
    .all();
  const rows = tables.map(({ name }): [string, readonly string[]] => [
    name,
    file
      .query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`)
      .all()
      .map((row) =>
        JSON.stringify(Object.entries(row).toSorted(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
      )
      .toSorted(),
  ]);
  return Object.fromEntries(rows.filter(([, all]) => all.length > 0));
}

async function copied(from: string, to: string, ...more: readonly string[]): Promise<CopyReport> {
  const { exitCode, out } = await runCommand(['copy', '--from', from, '--to', to, '--json', ...more]);
  return { exitCode, ...JSON.parse(out) };
}

/** Copies until so many slices are in the target; false when it was done before. */
async function interrupted(from: DatabaseLocation, to: DatabaseLocation, slices: number): Promise<boolean> {
  let left = slices;
  const progress = (phase: string): void => {
    if (phase === 'copying' && left-- === 0) throw new Error('interrupted');
  };
  const run = readAsItIs(from, async (executor, dialect) => {
    const target = await openDatabase(to, { engine: rectoTables, filling: true, connections: 2 });
    try {
      await copyDatabase(await openCopySource(executor, dialect, rectoTables), { target, restart: false, progress });
    } finally {
      await target.close();
    }
  });
  try {
    await run;
    return false;
  } catch (error) {
    if (error instanceof Error && error.message === 'interrupted') return true;
    throw error;
  }
}

/** Adds so many topics to a database, faster than the service would; without words to search for. */
function addTopics(path: string, count: number, first = 1): void {
  using file = new BunDatabase(path, { strict: true, readwrite: true });
  file.run(
    `WITH RECURSIVE n(value) AS (SELECT ?1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1 + ?2 - 1)
      INSERT INTO cms_topic (id, name) SELECT printf('01a1fd22-0000-7000-8000-%012d', value), 'Topic ' || value FROM n`,
    [first, count],
  );
}

/** A database with topics alone. */
async function topicsIn(folder: string, count: number): Promise<DatabaseLocation & { kind: 'sqlite' }> {
  const location = fileIn(folder, 'first.db');
  await (await openWorld(location)).database.close();
  addTopics(location.path, count);
  return location;
}

// Both databases are in each of these.
describe.skipIf(onPostgres)('a copy', () => {
  let filled: Folder;
  let first: DatabaseLocation & { kind: 'sqlite' };
  let callers: Callers;
  beforeAll(async () => {
    filled = new Folder();
    first = fileIn(filled.path, 'first.db');
    callers = await fillWorld(first, seed);
    addTopics(first.path, 500);
  }, 600_000);
  afterAll(() => filled[Symbol.dispose]());

  test(`to PostgreSQL and back holds and returns the same (seed ${seed})`, async () => {
    using folder = new Folder();
    await using middle = await newPostgresLocation();
    await using other = await newPostgresLocation();
    const last = fileIn(folder.path, 'last.db');
    let before: Awaited<ReturnType<typeof answersOf>>;
    {
      await using service = await openWorld(first);
      before = await answersOf(service, callers);
    }
    const up = await copied(urlOf(first), urlOf(middle.location));
    expect({ ...up, tables: [] }).toMatchObject({ exitCode: 0, ok: true, resumed: 0, changed: false });
    // Before anyone has signed in there.
    expect(await copied(urlOf(middle.location), urlOf(other.location))).toMatchObject({
      exitCode: 0,
      tables: up.tables,
    });
    const down = await copied(urlOf(other.location), urlOf(last));
    expect({ ...down, tables: [] }).toMatchObject({ exitCode: 0, ok: true, resumed: 0, changed: false });
    expect(down.tables).toEqual(up.tables);
    expect(rowsOf(last.path)).toEqual(rowsOf(first.path));
    await expectSchemaAgrees(last.path);
    for (const location of [middle.location, last]) {
      await using service = await openWorld(location);
      expect(await answersOf(service, callers)).toEqual(before);
      const body = { email: 'ada@example.com', password: 'correct horse' };
      expect((await service.send('POST /api/v1/auth/login', { body })).status).toBe(200);
      // New records come behind all others.
      const made = await service.send('POST /api/v1/admin/cms/things', {
        headers: callers.ada ?? {},
        body: { text: 'after the copy', code: 'new' },
      });
      expect(made.status).toBe(201);
      const { json } = await service.send('GET /api/v1/admin/cms/things?search=after', { headers: callers.ada ?? {} });
      expect(json.items.map((item: { id: string }) => item.id)).toEqual([made.json.id]);
    }
  }, 600_000);

  test('goes on wherever it was interrupted', async () => {
    using folder = new Folder();
    let times = 0;
    for (const to = fileIn(folder.path, 'piecewise.db'); await interrupted(first, to, 1); ) times += 1;
    expect(times).toBeGreaterThan(5);
    expect(rowsOf(join(folder.path, 'piecewise.db'))).toEqual(rowsOf(first.path));
    for (let slices = 0; ; slices += 3) {
      const to = fileIn(folder.path, `${slices}.db`);
      const stopped = await interrupted(first, to, slices);
      if (!stopped) break;
      expect(await copied(urlOf(first), urlOf(to))).toMatchObject({ exitCode: 0, resumed: expect.any(Number) });
      expect(rowsOf(to.path)).toEqual(rowsOf(first.path));
    }
  }, 600_000);

  test('of a database that is written to meanwhile is of one moment, and says so', async () => {
    using folder = new Folder();
    const [source, last] = [await topicsIn(folder.path, 3_000), fileIn(folder.path, 'last.db')];
    await using service = await openWorld(source);
    const copying = copied(urlOf(source), urlOf(last));
    let over = false;
    void copying.finally(() => {
      over = true;
    });
    const relating: string[] = [];
    for (let count = 0; !over; count++) {
      const { id } = await service.seed('things', { text: `thing ${count}`, above: relating.at(-1) ?? null });
      relating.push(id);
    }
    const { exitCode, changed, tables } = await copying;
    expect({ exitCode, changed }).toEqual({ exitCode: 0, changed: true });
    expect(tables?.find(({ table }) => table === 'cms_topic')?.rows).toBe(3_000);
    await expectSchemaAgrees(last.path);
  }, 600_000);

  test(`killed ${kills} times, it is equal in the end`, async () => {
    using folder = new RectoFolder();
    await using target = await newPostgresLocation();
    const [source, last] = [await topicsIn(folder.path, 12_000), fileIn(folder.path, 'last.db')];
    const url = new URL(target.location.url);
    // Another name: what has the target open is rejected.
    url.searchParams.set('application_name', 'onlooker');
    await using onlooker = new SQL(url.href, { max: 1 });
    const here = async (): Promise<number> => {
      const [table] = await onlooker.unsafe("SELECT to_regclass('recto_copy') IS NOT NULL AS made");
      return table.made ? Number((await onlooker.unsafe('SELECT sum(copied) AS rows FROM recto_copy'))[0].rows) : -1;
    };
    const count = async (statement: string): Promise<number> => Number((await onlooker.unsafe(statement))[0].count);
    const waiting = () =>
      count("SELECT count(*) FROM pg_locks WHERE relation = 'recto_copy'::regclass AND NOT granted");
    const connected = () =>
      count(
        `SELECT count(*) FROM pg_stat_activity WHERE application_name = '${new URL(target.location.url).searchParams.get('application_name')}'`,
      );
    // Who holds this lock lets a copy note nothing. Those who wait for it get it in their order.
    await using holder = new SQL(url.href, { max: 1 });
    const hold = () => holder.unsafe('BEGIN; LOCK TABLE recto_copy IN SHARE MODE');
    let before = 0;
    for (let kill = 0; kill < kills; kill++) {
      if (kill > 0) await hold();
      const child = folder.spawn(['copy', '--from', urlOf(source), '--to', urlOf(target.location)]);
      if (kill === 0) {
        await becomes(async () => (await here()) > -1, true);
        await hold();
      }
      // It goes on step by step until there is more than before, and is killed in the next step.
      while ((await here()) <= before) {
        await becomes(async () => (await waiting()) > 0, true);
        await holder.unsafe('COMMIT; BEGIN; LOCK TABLE recto_copy IN SHARE MODE');
      }
      child.kill('SIGKILL');
      await child.ended();
      await holder.unsafe('COMMIT');
      // What it has left behind ends without it.
      await becomes(connected, 0);
      const now = await here();
      expect(now).toBeGreaterThan(before);
      before = now;
    }
    const again = await copied(urlOf(source), urlOf(target.location));
    expect({ ...again, tables: [] }).toMatchObject({ exitCode: 0, ok: true });
    expect(again.resumed).toBeGreaterThan(0);
    expect(await copied(urlOf(target.location), urlOf(last))).toMatchObject({ exitCode: 0, ok: true });
    expect(rowsOf(last.path)).toEqual(rowsOf(source.path));
  }, 600_000);

  test('of 100,000 records takes little more memory than one of a thousand', async () => {
    using small = new Folder();
    using large = new Folder();
    const memory = async (folder: string, count: number): Promise<number> => {
      const [first, last] = [await topicsIn(folder, count), fileIn(folder, 'last.db')];
      const child = Bun.spawn([process.execPath, main, 'copy', '--from', urlOf(first), '--to', urlOf(last)], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '' },
        stdout: 'ignore',
        stderr: 'inherit',
      });
      expect(await child.exited).toBe(0);
      return (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
    };
    const [few, many] = [await memory(small.path, 1_000), await memory(large.path, 100_000)];
    expect(many - few).toBeLessThan(200);
  }, 600_000);
});

describe.skipIf(onPostgres)('what is rejected', () => {
  test('a target that holds something, and is left as it is', async () => {
    using folder = new Folder();
    const [first, last] = [await topicsIn(folder.path, 3), fileIn(folder.path, 'last.db')];
    await (await openWorld(last)).database.close();
    addTopics(last.path, 1);
    const before = rowsOf(last.path);
    const refused = { exitCode: 1, message: expect.stringContaining('only an empty database is copied into') };
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject(refused);
    // Which is for what a copy has left alone.
    expect(await copied(urlOf(first), urlOf(last), '--restart')).toMatchObject(refused);
    expect(rowsOf(last.path)).toEqual(before);
  });

  test('a source that is no longer what it was; --restart begins anew', async () => {
    using folder = new Folder();
    const [first, last] = [await topicsIn(folder.path, 500), fileIn(folder.path, 'last.db')];
    expect(await interrupted(first, last, 3)).toBe(true);
    using file = new BunDatabase(first.path, { strict: true, readwrite: true });
    file.run('UPDATE cms_topic SET name = \'another\' WHERE "$row" = 5');
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^Table cms_topic of the source is no longer what it was.*--restart/),
    });
    expect(await copied(urlOf(first), urlOf(last), '--restart')).toMatchObject({ exitCode: 0, resumed: 0 });
    expect(rowsOf(last.path)).toEqual(rowsOf(first.path));
  });

  test('to be served, or copied, before it is finished', async () => {
    using folder = new RectoFolder();
    const [first, last] = [await topicsIn(folder.path, 500), fileIn(folder.path, 'last.db')];
    expect(await interrupted(first, last, 2)).toBe(true);
    const unfinished = expect.stringContaining('last.db holds a copy that is not finished: run "recto copy" again');
    const environment = { RECTO_DATABASE_URL: urlOf(last) };
    for (const args of [['start'], ['start', '--workers', '2'], ['user', 'list']]) {
      const { exitCode, err } = await folder.run(args, environment);
      expect({ exitCode, err }).toEqual({ exitCode: 1, err: unfinished });
    }
    expect((await folder.run(['doctor'], environment)).out).toContain('Run recto copy again');
    expect(await copied(urlOf(last), urlOf(fileIn(folder.path, 'third.db')))).toMatchObject({
      message: 'The source is itself a copy that is not finished.',
    });
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject({ exitCode: 0 });
    expect((await folder.run(['user', 'list'], environment)).exitCode).toBe(0);
  }, 600_000);

  test('what it does not know', async () => {
    using folder = new Folder();
    const [first, last] = [await topicsIn(folder.path, 3), fileIn(folder.path, 'last.db')];
    using file = new BunDatabase(first.path, { strict: true, readwrite: true });
    file.run('CREATE TABLE recto_later (id text)');
    file.run('ALTER TABLE cms_topic ADD COLUMN by_hand text');
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject({
      exitCode: 1,
      message:
        'The source holds what this version of Recto does not know, and would not copy: recto_later, cms_topic.by_hand.',
    });
  });

  test('a source that is not there, another program’s, or the target itself', async () => {
    using folder = new Folder();
    const [first, last] = [fileIn(folder.path, 'first.db'), fileIn(folder.path, 'last.db')];
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject({
      exitCode: 1,
      message: `There is no database in ${first.path}.`,
    });
    new BunDatabase(first.path).run('CREATE TABLE notes (id text)');
    expect(await copied(urlOf(first), urlOf(last))).toMatchObject({ message: 'The source is no database of Recto.' });
    expect(await copied(urlOf(fileIn(import.meta.dir, 'copy.test.ts')), urlOf(last))).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('file is not a database'),
    });
    expect(await copied(urlOf(first), urlOf(first))).toMatchObject({
      message: 'The source and the target are the same database.',
    });
    expect(existsSync(last.path)).toBe(false);
  });

  test('a location that is none: what was written is not repeated', async () => {
    expect(await copied('mysql://root:hidden@db/x', 'sqlite:last.db')).toEqual({
      ...{ exitCode: 2, ok: false },
      message: '--from must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME.',
    });
  });
});
