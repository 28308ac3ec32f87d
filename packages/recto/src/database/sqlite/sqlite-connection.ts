import type { Database as BunDatabase, SQLQueryBindings, Statement } from 'bun:sqlite';
import { Cache } from '../../base/cache.ts';
import type { Observe, Query } from '../database.ts';
import { outageProblem, shuttingDown } from '../outage-problem.ts';
import { sqliteFault } from './sqlite-fault.ts';

interface Prepared {
  readonly statement: Statement<unknown, SQLQueryBindings[]>;
  /** Turns back into numbers what had to be read as bigint for the sake of another column; null: nothing to do. */
  readonly mend: ((row: unknown) => unknown) | null;
}

/**
 * What stays prepared on a connection; the rest is prepared again when it comes back. Callers choose which statements there
 * are, and SQLite's program of one takes 10 to 17 bytes for each character of its text.
 */
export interface KeptStatements {
  readonly statements: number;
  readonly characters: number;
}

/** Some 45 MB at most. */
const most: KeptStatements = { statements: 5_000, characters: 3_000_000 };

/**
 * One connection to a SQLite file. Every call runs at once and blocks until it is done.
 * An outage of the database throws a 503 `Problem`; a broken constraint or a bug throws SQLite's error.
 */
export class SqliteConnection {
  readonly #database: BunDatabase;
  readonly #prepared: Cache<Prepared>;
  readonly #observe: Observe | undefined;
  #closed = false;

  constructor(database: BunDatabase, observe?: Observe, kept = most) {
    this.#database = database;
    this.#observe = observe;
    this.#prepared = new Cache({
      entries: kept.statements,
      size: { most: kept.characters, of: (_, text) => text.length + 100 },
      dispose: ({ statement }) => statement.finalize(),
    });
  }

  rows<Row>(query: Query): readonly Row[] {
    return this.#use(query, ({ statement, mend }) => {
      const rows = statement.all(...bindable(query));
      // The caller knows its statement's columns; nothing here can.
      return (mend === null ? rows : rows.map(mend)) as Row[];
    });
  }

  first<Row>(query: Query): Row | undefined {
    return this.#use(query, ({ statement, mend }) => {
      const row = statement.get(...bindable(query));
      if (row === null) return undefined;
      // As in `rows`.
      return (mend === null ? row : mend(row)) as Row;
    });
  }

  run(query: Query): number {
    if (query.once === true) return this.#observed(() => this.#database.run(query.sql, bindable(query)).changes);
    return this.#use(query, ({ statement }) => statement.run(...bindable(query)).changes);
  }

  /** Runs a statement that has no values and answers nothing of interest. */
  execute(sql: string): void {
    this.#use({ sql, parameters: [] }, ({ statement }) => statement.run());
  }

  /** What is prepared at this moment. */
  get prepared(): { readonly statements: number; readonly characters: number } {
    return { statements: this.#prepared.size, characters: this.#prepared.calculatedSize };
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  close(): void {
    this.#closed = true;
    this.#prepared.clear();
    this.#database.close();
  }

  #use<T>(query: Query, work: (prepared: Prepared) => T): T {
    return this.#observed(() => work(this.#prepare(query.sql)));
  }

  #observed<T>(work: () => T): T {
    const started = this.#observe === undefined ? 0 : performance.now();
    try {
      return work();
    } catch (error) {
      throw this.#closed ? shuttingDown() : outageProblem(sqliteFault(error), error);
    } finally {
      this.#observe?.((performance.now() - started) / 1000);
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare<unknown, SQLQueryBindings[]>(sql);
    const prepared = { statement, mend: exactBigints(statement) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * A column declared BIGINT is read exactly, as bigint. The runtime can only switch a whole statement to bigints,
 * so the statement's other columns are turned back.
 */
function exactBigints(statement: Statement<unknown, SQLQueryBindings[]>): Prepared['mend'] {
  const declared = statement.declaredTypes;
  if (!declared.includes('BIGINT')) return null;
  statement.safeIntegers(true);
  const plain = statement.columnNames.filter((_, index) => declared[index] !== 'BIGINT');
  return (row) => {
    // A row of `all` or `get` is an object with the columns as its own properties.
    const values = row as Record<string, unknown>;
    for (const name of plain) {
      const value = values[name];
      if (typeof value === 'bigint') values[name] = Number(value);
    }
    return values;
  };
}

/** The driver's type has a mutable array; it does not write to it. */
const bindable = (query: Query): SQLQueryBindings[] => query.parameters as SQLQueryBindings[];
