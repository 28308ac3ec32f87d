import { Database as BunDatabase } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../../base/fatal-error.ts';
import { rectoTables } from '../../service/recto-tables.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The error's message; fails the test when the file is opened after all. */
async function refusal(path: string): Promise<string> {
  const error = await openSqliteDatabase({ path, engine: rectoTables, busyTimeoutMs: 50 }).then(
    async (database) => database.close(),
    (reason: unknown) => reason,
  );
  if (!(error instanceof FatalError)) throw new Error(`Expected an error, got ${String(error)}`);
  expect(error.message).toContain(path);
  return error.message;
}

const freshPath = (name: string): string => join(folder, name);

async function sound(name: string): Promise<string> {
  const path = freshPath(name);
  await (await openSqliteDatabase({ path, engine: rectoTables })).close();
  return path;
}

describe('opening a database file', () => {
  test('makes folder and file for their owner alone, durable and in WAL', async () => {
    const path = freshPath('deep/er/recto.db');
    const database = await openSqliteDatabase({ path, engine: rectoTables });
    expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(await database.first<unknown>({ sql: 'PRAGMA journal_mode', parameters: [] })).toEqual({
      journal_mode: 'wal',
    });
    const pragmas = await database.transaction(async (transaction) => [
      await transaction.first<unknown>({ sql: 'PRAGMA synchronous', parameters: [] }),
      await transaction.first<unknown>({ sql: 'PRAGMA foreign_keys', parameters: [] }),
    ]);
    // NORMAL: what is committed is flushed beside SQLite (sqlite-writer.test.ts).
    expect(pragmas).toEqual([{ synchronous: 1 }, { foreign_keys: 1 }]);
    await database.ping();
    await database.close();
  });

  test('a file that is no database', async () => {
    const path = freshPath('text.db');
    writeFileSync(path, 'This is a diary, not a database. '.repeat(100));
    expect(await refusal(path)).toContain('damaged or is no SQLite database');
    expect(readFileSync(path, 'utf8')).toStartWith('This is a diary');
  });

  test('a file whose list of tables is overwritten', async () => {
    const path = await sound('schema.db');
    const bytes = readFileSync(path);
    bytes.fill(0xff, 100, 4096);
    writeFileSync(path, bytes);
    expect(await refusal(path)).toContain('damaged');
  });

  test('a file with an overwritten page', async () => {
    const path = await sound('page.db');
    const bytes = readFileSync(path);
    bytes.fill(0xff, 4096, 3 * 4096);
    writeFileSync(path, bytes);
    expect(await refusal(path)).toContain('damaged');
  });

  test('a file that is cut off', async () => {
    const path = await sound('cut.db');
    writeFileSync(path, readFileSync(path).subarray(0, 2 * 4096));
    expect(await refusal(path)).toContain('damaged');
  });

  test("another program's database is left as it is", async () => {
    const path = freshPath('foreign.db');
    const other = new BunDatabase(path);
    other.run('CREATE TABLE mails (subject TEXT)');
    other.close();
    const before = readFileSync(path);
    expect(await refusal(path)).toContain('another program');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a file marked by another program, even without tables', async () => {
    const path = freshPath('marked.db');
    const other = new BunDatabase(path);
    other.run('PRAGMA application_id = 7');
    other.close();
    expect(await refusal(path)).toContain('another program');
  });

  test('a path below a file', async () => {
    writeFileSync(freshPath('file'), '');
    expect(await refusal(freshPath('file/recto.db'))).toContain('cannot be created or opened');
  });

  test('a path that is a folder', async () => {
    mkdirSync(freshPath('folder.db'));
    expect(await refusal(freshPath('folder.db'))).toContain('cannot be created or opened');
  });

  test.skipIf(process.platform !== 'linux')('a folder in which nothing can be made', async () => {
    expect(await refusal('/proc/recto/recto.db')).toContain('cannot be created or opened');
  });

  test.skipIf(process.getuid?.() === 0)('a file without write permission (root has it everywhere)', async () => {
    const path = await sound('read-only.db');
    chmodSync(path, 0o400);
    expect(await refusal(path)).toContain('cannot be created or opened');
  });

  test('a file that another program keeps locked', async () => {
    const path = await sound('locked.db');
    const other = new BunDatabase(path);
    other.run('PRAGMA locking_mode = EXCLUSIVE');
    other.run('BEGIN EXCLUSIVE');
    expect(await refusal(path)).toContain('locked by another program');
    other.close();
  });

  test('many processes that make the same file at once all get it', async () => {
    const path = freshPath('race.db');
    const script = `
      import { openSqliteDatabase } from ${JSON.stringify(join(import.meta.dir, 'sqlite-database.ts'))};
      import { rectoTables } from ${JSON.stringify(join(import.meta.dir, '../../service/recto-tables.ts'))};
      const database = await openSqliteDatabase({ path: ${JSON.stringify(path)}, engine: rectoTables });
      await database.transaction(async (transaction) => transaction.touch('start'));
      await database.close();`;
    const children = Array.from({ length: 4 }, () =>
      Bun.spawn([process.execPath, '-e', script], { stdout: 'inherit', stderr: 'inherit' }),
    );
    expect(await Promise.all(children.map((child) => child.exited))).toEqual([0, 0, 0, 0]);
    const database = await openSqliteDatabase({ path, engine: rectoTables });
    await database.generations.refresh();
    expect(database.generations.of('start')).toBe(4);
    await database.close();
  });
});
