import { Database as BunDatabase } from 'bun:sqlite';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A SQLite file for the working data of a transfer, which may exceed memory. It is unlinked once it is open, so that nothing
 * remains however the process ends.
 */
export class StagingFile implements Disposable {
  readonly database: BunDatabase;
  readonly #folder: string;

  /** Created in `parent`, which must have as much free space as the input file takes. */
  constructor(parent: string, tables: readonly string[]) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    this.#folder = mkdtempSync(join(parent, 'transfer-'));
    try {
      const path = join(this.#folder, 'staging.db');
      this.database = new BunDatabase(path, { create: true, readwrite: true, strict: true });
      chmodSync(path, 0o600);
      for (const pragma of pragmas) this.database.run(`PRAGMA ${pragma}`);
      for (const table of tables) this.database.run(table);
    } finally {
      this.#remove();
    }
  }

  [Symbol.dispose](): void {
    this.database.close();
    this.#remove();
  }

  /** Where an open file cannot be removed, it is removed when it is closed. */
  #remove(): void {
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // Removed on close instead.
    }
  }
}

/** The data need not survive the process: no journal, no fsync. */
const pragmas = ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'cache_size = -4096'];
