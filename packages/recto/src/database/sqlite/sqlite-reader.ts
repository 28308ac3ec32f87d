import type { Database as BunDatabase, Statement } from 'bun:sqlite';
import { statSync } from 'node:fs';
import type { Observe, Query } from '../database.ts';
import { longestLog } from './longest-log.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import type { SharedState } from './sqlite-shared-state.ts';

/** How long statements share one state of the file, in milliseconds; also how close they must follow each other to do so. */
const heldForMs = 2;

interface ReaderOptions {
  /** The database file. */
  readonly path: string;
  readonly shared: SharedState | undefined;
  readonly observe?: Observe | undefined;
}

/**
 * The connection that reads what is committed. SQLite locks the file for each statement and looks whether it has changed, which
 * takes longer than finding a record in it. Where statements follow each other closely, they run in one transaction
 * instead, for as long as no process of this machine has committed anything: each still sees all that was acknowledged to
 * anyone before. Where no memory can be shared, each statement looks for itself.
 */
export class SqliteReader extends SqliteConnection {
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #log: string;
  readonly #shared: SharedState | undefined;
  #commits = -1;
  /** By `performance.now()`. */
  #readAt = Number.NEGATIVE_INFINITY;
  #heldUntil = 0;
  #holds = false;
  #timer: Timer | undefined;
  readonly #letGo = (): void => this.release();

  constructor(database: BunDatabase, { path, shared, observe }: ReaderOptions) {
    super(database, observe);
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
    this.#log = `${path}-wal`;
    this.#shared = shared;
  }

  override rows<Row>(query: Query): readonly Row[] {
    this.#enter();
    return super.rows<Row>(query);
  }

  override first<Row>(query: Query): Row | undefined {
    this.#enter();
    return super.first<Row>(query);
  }

  /** Lets go of the state that is held, so that the log can begin anew. */
  release(): void {
    if (!this.#holds) return;
    this.#holds = false;
    clearTimeout(this.#timer);
    try {
      this.#commit.run();
    } catch {
      // The file fails. The next statement gets the error.
    }
  }

  override close(): void {
    clearTimeout(this.#timer);
    this.#begin.finalize();
    this.#commit.finalize();
    super.close();
  }

  #enter(): void {
    // Read before a state is taken: what is committed from here on moves the number.
    const commits = this.#shared?.commits();
    if (commits === undefined) return;
    const now = performance.now();
    if (this.#holds) {
      if (commits === this.#commits && now < this.#heldUntil) return;
      this.release();
    }
    const follows = commits === this.#commits && now - this.#readAt < heldForMs;
    this.#commits = commits;
    this.#readAt = now;
    if (follows) this.#hold(now);
  }

  #hold(now: number): void {
    // The log begins anew only when nobody reads from it, and under load some process always would.
    if (logBytes(this.#log) > longestLog) return;
    try {
      if (!this.inTransaction) this.#begin.run();
    } catch {
      // The file fails, or is closed. The statement gets the error.
      return;
    }
    this.#holds = true;
    this.#heldUntil = now + heldForMs;
    this.#timer = setTimeout(this.#letGo, heldForMs);
  }
}

const logBytes = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
