import type { Query } from '../database.ts';
import type { DatabaseFault } from '../dialect.ts';
import type { ThreadConnection } from './sqlite-file.ts';
import type { StatementTime } from './statement-time.ts';

/** Messages to a thread: first how to open the file, then statements, at last that it is to end. */
export type ToThread = { readonly open: ThreadConnection } | { readonly run: ThreadStatement } | 'close';

/** A statement to run. Its outcome has the same number. */
export interface ThreadStatement {
  readonly number: number;
  readonly ask: Ask;
  readonly query: Query;
}

/** For all rows, or for the first one (undefined where there is none). */
export type Ask = 'rows' | 'first';

export interface ThreadOutcome {
  readonly number: number;
  readonly time: StatementTime;
  readonly result: { readonly value: unknown } | { readonly failure: ThreadFailure };
}

/** An error as a message carries it, without its class and other properties. */
export interface ThreadFailure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** SQLite's code, such as `SQLITE_BUSY`. */
  readonly code: string | undefined;
  /** What it means; undefined for a bug. */
  readonly fault: DatabaseFault | undefined;
}
