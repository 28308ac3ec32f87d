import { expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteDatabase } from '../database/sqlite/sqlite-database.ts';
import { rectoTables } from '../service/recto-tables.ts';
import { writeDatedBackup } from './backup-file.ts';

test('concurrent commands create one backup each', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-backup-'));
  try {
    const path = join(folder, 'recto.db');
    await (await openSqliteDatabase({ path, engine: rectoTables })).close();
    // Each finds its name free, as if all had checked before any of them took it.
    const files = [1, 2, 3].map(() => {
      let looked = 0;
      return writeDatedBackup(path, 'before-migration', (name) => looked++ > 0 && existsSync(name)).file;
    });
    expect(new Set(files).size).toBe(3);
    for (const file of files) expect(existsSync(file)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
