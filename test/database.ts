import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/database/database.ts';
import { openSqliteDatabase, type SqliteOptions } from '../src/database/sqlite/sqlite-database.ts';

export interface TestDatabase extends Database, AsyncDisposable {
  /** The file, for a second connection or process. */
  readonly path: string;
}

/** A database in a file of its own, removed on close: `await using database = await openTestDatabase();`. */
export async function openTestDatabase(options: Omit<SqliteOptions, 'path'> = {}): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'recto-test-'));
  const path = join(folder, 'recto.db');
  const database = await openSqliteDatabase({ ...options, path });
  const close = async (): Promise<void> => {
    await closeDatabase();
    rmSync(folder, { recursive: true, force: true });
  };
  const closeDatabase = database.close.bind(database);
  return Object.assign(database, { path, close, [Symbol.asyncDispose]: close });
}
