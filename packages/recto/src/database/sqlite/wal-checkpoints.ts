import { setTimeout as pause } from 'node:timers/promises';
import type { Query } from '../database.ts';
import { longestLog } from './longest-log.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { SqliteThread } from './sqlite-thread.ts';

/** Pages in the log from which on it is merged: SQLite's own number. */
const duePages = 1000;

/** A page in the log: SQLite's usual 4 KiB, and what precedes them (https://sqlite.org/fileformat2.html#walformat). */
const pageBytes = 4096 + 24;

/** From this on nobody writes until the log is merged to its end, so that it can begin anew. */
const longPages = Math.floor(longestLog / pageBytes);

/** How long writes wait for the log to be merged, in milliseconds. */
const patienceMs = 3_000;

/** What both statements answer, in pages: those in the log, and those of them that have been merged (https://sqlite.org/pragma.html#pragma_wal_checkpoint). */
interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

const look: Query = { sql: 'PRAGMA wal_checkpoint(NOOP)', parameters: [] };
const merge: Query = { sql: 'PRAGMA wal_checkpoint(PASSIVE)', parameters: [] };
const mergeAndEmpty: Query = { sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] };

export interface WalCheckpointsOptions {
  /** The database file. */
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** Called when the log has been merged: it begins anew with the next write if nobody reads from it then. */
  readonly onMerged: () => void;
}

/**
 * Merges the write-ahead log into the database file, in a thread: after an import by another process that is hundreds of
 * megabytes. Nothing of this process is to be written meanwhile, so that the log can begin anew when it has been merged; nor of
 * any other while the end of a long one is.
 */
export class WalCheckpoints {
  readonly #writer: SqliteConnection;
  readonly #onMerged: () => void;
  readonly #thread: SqliteThread;
  /** Pages; more where a reader still needs what could not be merged. */
  #dueAt = duePages;

  constructor(writer: SqliteConnection, { onMerged, ...file }: WalCheckpointsOptions) {
    this.#writer = writer;
    this.#onMerged = onMerged;
    this.#thread = new SqliteThread({ ...file, purpose: 'checkpoint' });
  }

  /** Looks after a commit whether the log has grown long: a few microseconds. */
  isDue(): boolean {
    try {
      const log = this.#writer.first<LogState>(look)?.log ?? 0;
      if (log < duePages) this.#dueAt = duePages;
      return log >= this.#dueAt;
    } catch {
      return false;
    }
  }

  /** Whether the log has grown long all the same, as others wrote in it while it was merged. */
  isLong(): boolean {
    try {
      const state = this.#writer.first<LogState>(look);
      return state !== undefined && state.log >= longPages && state.checkpointed < state.log;
    } catch {
      return false;
    }
  }

  /** False when that takes longer than anybody is to wait for it. */
  async run(): Promise<boolean> {
    try {
      const merged = this.#ask(merge);
      // Writing goes on beside it where it takes long; the log then grows on, and is looked at again when it has.
      const state = await Promise.race([merged, pause(patienceMs, undefined, { ref: false })]);
      if (state === undefined) {
        this.#dueAt += duePages;
        return false;
      }
      // What the statement is documented to answer.
      const { log, checkpointed } = state as LogState;
      this.#dueAt = checkpointed >= log ? duePages : log + duePages;
      this.#onMerged();
    } catch {
      // The disk is full, or another process merges. Nothing is lost: the next commit looks again.
    }
    return true;
  }

  /** Merges the complete log and empties it, both on the disk. Rejects when that cannot be done, also because somebody reads from it. */
  async empty(): Promise<void> {
    // What the statement is documented to answer.
    const { busy } = (await this.#ask(mergeAndEmpty)) as { busy: number };
    if (busy !== 0) throw new Error('The write-ahead log is in use and cannot be emptied.');
  }

  #ask(query: Query): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#thread.run({ ask: 'first', query, settle: () => undefined, resolve, reject });
    });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
