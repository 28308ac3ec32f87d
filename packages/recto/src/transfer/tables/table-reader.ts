import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { StoredTable, TableRow } from './stored-table.ts';

/** The rows in memory at a time, and their approximate characters; exceeded briefly when row sizes change abruptly. */
const mostRows = 1024;
const wantedSize = 1024 * 1024;

/** Reads a table in slices, in the order of its key. */
export class TableReader {
  readonly #executor: Executor;
  readonly #dialect: Dialect;
  readonly #table: StoredTable;
  /** The columns that exist: an earlier version may have created the table. */
  readonly #present: ReadonlySet<string>;
  /** The key values after which the next slice begins. */
  #position: readonly (string | number)[] | undefined;
  #limit = 64;

  static async open(executor: Executor, dialect: Dialect, table: StoredTable): Promise<TableReader> {
    const { schema } = dialect;
    const columns = await executor.rows<{ name: string }>(schema.columns(table.name));
    return new TableReader(executor, dialect, table, new Set(columns.map(({ name }) => name)));
  }

  private constructor(executor: Executor, dialect: Dialect, table: StoredTable, present: ReadonlySet<string>) {
    this.#executor = executor;
    this.#dialect = dialect;
    this.#table = table;
    this.#present = present;
  }

  /** How many rows there are. */
  async count(): Promise<number> {
    if (this.#present.size === 0) return 0;
    const statement = sql`select count(*) as "rows" from ${this.#id(this.#table.name)}`;
    const row = await this.#executor.first<{ rows: unknown }>(compiledQuery(statement, this.#dialect));
    return Number(row?.rows ?? 0);
  }

  /** The next rows, `most` at most; undefined at the end. */
  async next(most = mostRows): Promise<readonly TableRow[] | undefined> {
    if (this.#present.size === 0) return undefined;
    const limit = Math.min(this.#limit, most);
    const stored = await this.#executor.rows<Readonly<Record<string, SqlValue>>>(this.#select(limit));
    const end = stored.at(-1);
    if (end === undefined) return undefined;
    const size = stored.reduce((sum, row) => sum + sizeOf(row), 0);
    this.#limit = Math.max(1, Math.min(mostRows, 2 * this.#limit, Math.floor((wantedSize * stored.length) / size)));
    // Columns of a key are text and integers within the exact range.
    this.#position = this.#table.key.map((name) => end[name] as string | number);
    return stored.map((row) => this.#canonical(row));
  }

  #select(limit: number) {
    const { name, key, columns } = this.#table;
    const names = columns.filter((column) => this.#has(column.name)).map((column) => this.#id(column.name));
    const keys = sql.join(key.map((column) => this.#id(column)));
    const behind =
      this.#position === undefined
        ? sql``
        : sql`where (${keys}) > (${sql.join(this.#position.map((value) => sql`${value}`))})`;
    return compiledQuery(
      sql`select ${sql.join(names)} from ${this.#id(name)} ${behind} order by ${keys} limit ${limit}`,
      this.#dialect,
    );
  }

  #canonical(row: Readonly<Record<string, SqlValue>>): TableRow {
    return this.#table.columns.map(({ name, kind }) => {
      const stored = row[name] ?? null;
      return stored === null ? null : this.#dialect.decode(kind, stored);
    });
  }

  #has(column: string): boolean {
    return this.#present.has(this.#dialect.schema.storedName(column));
  }

  #id(name: string) {
    return sql.id(this.#dialect.schema.storedName(name));
  }
}

/** About how many characters a row has. */
const sizeOf = (row: Readonly<Record<string, SqlValue>>): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
