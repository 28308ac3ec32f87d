import { Database as BunDatabase } from 'bun:sqlite';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A SQLite file for what a transfer has to remember, which may be more than memory should hold. It has no name any more
 * once it is open, so that nothing of it is left however the process ends.
 */
export class StagingFile implements Disposable {
  readonly database: BunDatabase;
  readonly #folder: string;

  /** Made in `parent`, which must have room for it: as much as the file that is read. */
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

  /** Where a file that is open cannot be removed, it is when it is closed. */
  #remove(): void {
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // The second try will do.
    }
  }
}

/** What is lost with the process is not missed: no journal, no waiting for the disk. */
const pragmas = ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE', 'cache_size = -4096'];
