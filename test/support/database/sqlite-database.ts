import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../packages/recto/src/database/database.ts';
import { openSqliteDatabase, type SqliteOptions } from '../../../packages/recto/src/database/sqlite/sqlite-database.ts';
import { rectoTables } from '../../../packages/recto/src/service/recto-tables.ts';
import { hangsAfterMs } from '../hangs-after.ts';
import { volatileFolder } from '../volatile-folder.ts';

/** A SQLite file of its own, whatever the tests run on; removed on close. */
export async function openTestSqlite(
  options: Partial<Omit<SqliteOptions, 'path'>> = {},
): Promise<Database & AsyncDisposable & { readonly path: string }> {
  const folder = mkdtempSync(join(volatileFolder(), 'recto-test-'));
  const path = join(folder, 'recto.db');
  const database = await openSqliteDatabase({ engine: rectoTables, busyTimeoutMs: hangsAfterMs, ...options, path });
  const closeDatabase = database.close.bind(database);
  const close = async (): Promise<void> => {
    await closeDatabase();
    rmSync(folder, { recursive: true, force: true });
  };
  return Object.assign(database, { path, close, [Symbol.asyncDispose]: close });
}
