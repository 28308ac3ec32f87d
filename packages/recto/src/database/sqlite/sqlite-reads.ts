import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { Executor, Query, ReadKind } from '../database.ts';
import { ReadCosts } from './read-costs.ts';
import { ReadPool } from './read-pool.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteReaderOptions } from './sqlite-file.ts';
import { type StatementTime, startTiming } from './statement-time.ts';
import type { Ask } from './thread-messages.ts';

export interface SqliteReadsOptions extends SqliteReaderOptions {
  /** The connection of this process's own thread; throws when the database is closed. */
  readonly connection: () => SqliteConnection;
  /** True: nothing is run here that could be run in a thread. */
  readonly onlyThreads: boolean;
}

/** In a file of so many pages (4 KiB each), statements are quick until a run was slow. */
const smallPages = 1024;

const pageCount: Query = { sql: 'PRAGMA page_count', parameters: [] };

/**
 * Reads records for responses. Quick statements run inline, since the way to a thread and back costs more than most of them.
 * All others run in threads, since everything that this process does would wait for them.
 */
export class SqliteReads {
  readonly #options: SqliteReadsOptions;
  readonly #costs = new ReadCosts();
  readonly #pool: ReadPool;
  #small = true;
  readonly #readers: Readonly<Record<ReadKind, Pick<Executor, 'rows' | 'first'>>>;

  constructor(options: SqliteReadsOptions) {
    this.#options = options;
    this.#pool = new ReadPool(options);
    this.#readers = {
      key: this.#reader('key'),
      search: this.#reader('search'),
      related: this.#reader('related'),
      settled: this.#reader('records'),
      records: this.#reader('records'),
    };
  }

  of(kind: ReadKind): Pick<Executor, 'rows' | 'first'> {
    return this.#readers[kind];
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  #reader(kind: ReadKind): Pick<Executor, 'rows' | 'first'> {
    return {
      // Whoever asks knows the columns of the statement; nothing here can.
      rows: <Row>(query: Query) => this.#read('rows', query, kind) as MaybePromise<readonly Row[]>,
      first: <Row>(query: Query) => this.#read('first', query, kind) as MaybePromise<Row | undefined>,
    };
  }

  #read(ask: Ask, query: Query, kind: ReadKind): MaybePromise<unknown> {
    const connection = this.#options.connection();
    const { sql } = query;
    const bounded = kind === 'key' || this.#isSmall(connection);
    // What a search or a path through relations costs depends on its values above all; of the latter, in small files too.
    const depends = kind === 'related' || (kind === 'search' && !bounded);
    const maybeQuick = !this.#options.onlyThreads && !depends;
    const inline = maybeQuick && this.#costs.isQuick(sql, bounded);
    const observe = ({ worked }: StatementTime): void => this.#costs.took(sql, worked, { bounded, inline });
    if (!inline) {
      const duration = kind === 'search' || kind === 'related' ? 'long' : this.#costs.duration(sql);
      return this.#pool.run({ ask, query, duration, observe });
    }
    const time = startTiming();
    const value = ask === 'rows' ? connection.rows(query) : connection.first(query);
    observe(time());
    return value;
  }

  /** A file that has grown is not asked again: files seldom shrink, and quick statements are known by then. */
  #isSmall(connection: SqliteConnection): boolean {
    if (this.#small) this.#small = (connection.first<{ page_count: number }>(pageCount)?.page_count ?? 0) <= smallPages;
    return this.#small;
  }
}
