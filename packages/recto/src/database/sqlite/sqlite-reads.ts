import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Executor, Query, ReadSize } from '../database.ts';
import { ReadCosts } from './read-costs.ts';
import { ReadLanes } from './read-lanes.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteReaderOptions } from './sqlite-file.ts';
import { isSearch } from './sqlite-search.ts';
import { type StatementTime, startTiming } from './statement-time.ts';
import type { Ask } from './thread-messages.ts';

export interface SqliteReadsOptions extends SqliteReaderOptions {
  /** The connection of this process's own thread; throws when the database is closed. */
  readonly connection: () => SqliteConnection;
  /** True: nothing is run here that could be run in a thread. */
  readonly onlyThreads: boolean;
}

/** Pages (4 KiB each) of a file in which no statement finds enough to be slow, unless it shows otherwise. */
const smallPages = 1024;

const pageCount: Query = { sql: 'PRAGMA page_count', parameters: [] };

/**
 * Reads records for responses. What is quick runs here, at once, since the way to a thread and back costs more
 * than most statements; what may take long runs in a thread, since all that this process does would wait for it.
 */
export class SqliteReads {
  readonly #options: SqliteReadsOptions;
  readonly #costs = new ReadCosts();
  readonly #lanes: ReadLanes;
  #small = true;
  readonly #readers: Readonly<Record<ReadSize, Pick<Executor, 'rows' | 'first'>>>;

  constructor(options: SqliteReadsOptions) {
    this.#options = options;
    this.#lanes = new ReadLanes(options);
    this.#readers = { record: this.#reader('record'), records: this.#reader('records') };
  }

  of(size: ReadSize): Pick<Executor, 'rows' | 'first'> {
    return this.#readers[size];
  }

  close(): Promise<void> {
    return this.#lanes.close();
  }

  #reader(size: ReadSize): Pick<Executor, 'rows' | 'first'> {
    return {
      // Whoever asks knows the columns of the statement; nothing here can.
      rows: <Row>(query: Query) => this.#read('rows', query, size) as MaybePromise<readonly Row[]>,
      first: <Row>(query: Query) => this.#read('first', query, size) as MaybePromise<Row | undefined>,
    };
  }

  #read(ask: Ask, query: Query, size: ReadSize): MaybePromise<unknown> {
    const connection = this.#options.connection();
    const { sql } = query;
    const small = size === 'record' || this.#isSmall(connection);
    // What a search costs depends on its words above all.
    const trusted = !this.#options.onlyThreads && (small || !isSearch(sql)) && this.#costs.isTrusted(sql, small);
    const observe = ({ worked }: StatementTime): void => this.#costs.took(sql, worked, { bounded: small, trusted });
    if (!trusted) return this.#lanes.run({ ask, query, expected: this.#costs.expected(sql), observe });
    const time = startTiming();
    const value = ask === 'rows' ? connection.rows(query) : connection.first(query);
    observe(time());
    return value;
  }

  /** A file that has grown is not asked again: files seldom shrink, and what is quick in it has shown so by then. */
  #isSmall(connection: SqliteConnection): boolean {
    if (this.#small) this.#small = (connection.first<{ page_count: number }>(pageCount)?.page_count ?? 0) <= smallPages;
    return this.#small;
  }
}
