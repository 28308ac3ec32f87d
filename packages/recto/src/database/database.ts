import type { MaybePromise } from '../base/maybe-promise.ts';
import type { Dialect } from './dialect.ts';
import type { AppendedRow } from './engine/appended-row.ts';
import type { Query } from './query.ts';

export type { Query } from './query.ts';

/** Called with the time of each statement, in seconds. */
export type Observe = (seconds: number) => void;

export interface Executor {
  /** The rows as objects. */
  rows<Row>(query: Query): MaybePromise<readonly Row[]>;
  /** The first row, or undefined. */
  first<Row>(query: Query): MaybePromise<Row | undefined>;
  /** The number of rows changed. */
  run(query: Query): MaybePromise<number>;
}

/** What happens inside one transaction. It sees its own writes; nobody else does before the commit. */
export interface Transaction extends Executor {
  /**
   * Runs statements in this order, none of which needs the result of another: they are sent together. Fails of what the
   * first of them fails of.
   */
  runAll(queries: readonly Query[]): MaybePromise<void>;
  /**
   * The first row of a statement that asks what only changes of tables change. Transactions that share a commit may ask it once
   * for all of them.
   */
  fact<Row>(query: Query): MaybePromise<Row | undefined>;
  /**
   * The first row of a statement that is the transaction's last: it takes no further ones. Others that share its commit need not
   * wait for the answer.
   */
  last<Row>(query: Query): MaybePromise<Row | undefined>;
  /** The records behind this name (a content type's singular name, `recto:auth` …) are changed by this transaction: its generation goes up with the commit. */
  touch(name: string): void;
  /**
   * Adds a row to a table whose rows the database numbers. It is written right before the commit. Who has read all rows up to a
   * `Dialect.settledNumber` never finds another one below it. May be called behind `last`.
   */
  append(row: AppendedRow): void;
}

/** What runs in a transaction. `isLast`: nothing else follows in it. */
export type TransactionWork<T> = (transaction: Transaction, isLast?: boolean) => Promise<T>;

/**
 * How often the records behind a name have changed, by this process or another.
 * An answer remembered with a generation is stale as soon as the number differs.
 */
export interface Generations {
  /**
   * Brings the numbers up to date with what other connections and processes committed. Call once at each look. What another machine
   * has committed it may show a moment later, unless asked for `now`: then all that was committed before the call counts.
   */
  refresh(how?: 'now'): MaybePromise<void>;
  /** The generation of a name, as of the last `refresh`; 0 for one that never changed. */
  of(name: string): number;
}

/** A standby of the database that reads are sent to. */
export interface ReplicaStatus {
  /** Without what is secret: `db2.example.com:5432/recto`. */
  readonly place: string;
  /** Why no reads are sent there at present; null while it serves. */
  readonly leftOut: string | null;
  /** How long it has been without what the database already had; null where it is unknown. */
  readonly secondsBehind: number | null;
  /** How many reads it has answered. */
  readonly reads: number;
}

/** Where the reads of `Database.reader` go. */
export interface ReadPlaces {
  /** How many the database itself has answered. */
  readonly primaryReads: number;
  readonly replicas: readonly ReplicaStatus[];
}

/**
 * What a statement reads: one record by a unique key, with what is part of it; records that words occur in; those that a
 * request's own filter finds through relations, which can cost the product of several tables; rows up to a number that the
 * database itself has said to be settled, which a copy of it may lack; or any others.
 */
export type ReadKind = 'key' | 'search' | 'related' | 'settled' | 'records';

/** One database. Plain calls read what is committed; writes go through `transaction`. */
export interface Database extends Executor {
  readonly dialect: Dialect;
  readonly generations: Generations;
  /**
   * Runs `work` in a transaction and resolves after its commit is durable, and with it all that was committed before (which
   * reads may show a moment earlier); rolls back and rejects when `work` throws.
   * `work` must await nothing but this transaction's own calls: waiting transactions may share its commit. It must be fit to
   * be run again: where it met another transaction, what it did is undone and it is.
   * A full disk, a busy or read-only database reject with a 503 `Problem`.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /**
   * Called before content is added, within a transaction or outside: throws the 503 of a full disk where what is left of it is
   * kept for deletes. Absent where the disk is another machine's.
   */
  readonly requireRoom?: (() => void) | undefined;
  /**
   * Runs `work` on one state of the database, that of its first read: what is committed meanwhile, it does not see and
   * does not hold up. For reading alone.
   */
  snapshot<T>(work: (reader: Executor) => Promise<T>): Promise<T>;
  /**
   * Reads the records behind these names (and nothing else) outside of any transaction. May be answered by a copy of the
   * database that shows all which this process knows to be committed to them: at least what `generations` count, once
   * refreshed. What another machine has just committed it may show later than a plain call would. For
   * responses; what something else is decided by is asked of the database itself. Where a statement would hold others up, its
   * result is a promise; `kind` (default: `records`) helps to know which do.
   */
  reader(names: readonly string[], kind?: ReadKind): Pick<Executor, 'rows' | 'first'>;
  /** Where there are copies to read from. */
  readonly readPlaces?: ReadPlaces | undefined;
  /**
   * Calls `listener` soon after each commit of this process, once it is durable, and after those of other processes as
   * they are found; possibly also without one. Returns what ends that.
   */
  onCommit(listener: () => void): () => void;
  /** Resolves when the database answers; rejects otherwise. */
  ping(): Promise<void>;
  /** Waits for running transactions, then closes. */
  close(): Promise<void>;
}
