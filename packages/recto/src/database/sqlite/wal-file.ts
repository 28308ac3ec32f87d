import { closeSync, fdatasync as fdatasyncWithCallback, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const fdatasync = promisify(fdatasyncWithCallback);

/** The write-ahead log of a database file that this process has open. */
export interface WalFile {
  /** Resolves when all that stands in the log is on the disk; no other work of this process waits for it. */
  flush(): Promise<void>;
  close(): void;
}

/**
 * Opens the log of an open database beside SQLite, which cannot flush it without holding up the whole process; undefined
 * where the system does not let that be done. The log keeps its name as long as the database is open.
 */
export function openWalFile(databasePath: string): WalFile | undefined {
  try {
    // That there is such a file has to last as well as what is in it.
    const folder = openSync(dirname(databasePath), 'r');
    fsyncSync(folder);
    closeSync(folder);
    const file = openSync(`${databasePath}-wal`, 'r');
    return { flush: () => fdatasync(file), close: () => closeSync(file) };
  } catch {
    return undefined;
  }
}
