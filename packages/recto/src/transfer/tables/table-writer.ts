import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { rowColumn } from '../../database/schema-dialect.ts';
import { indexedWords } from '../../migrations/storage/stored-structure.ts';
import type { StoredTable, TableRow } from './stored-table.ts';

/** The number of values in a statement, well below the limit of every database. */
const mostValues = 16_000;
const mostRows = 512;

/** Writes rows to one table, and their words to its search index. */
export class TableWriter {
  readonly #dialect: Dialect;
  readonly #table: StoredTable;
  readonly #inserts = new Map<number, string>();
  readonly #most: number;

  constructor(dialect: Dialect, table: StoredTable) {
    this.#dialect = dialect;
    this.#table = table;
    this.#most = Math.min(mostRows, powerOfTwo(mostValues / table.columns.length));
  }

  async write(transaction: Transaction, rows: readonly TableRow[]): Promise<void> {
    // Row counts are powers of two, so that there are few statements and they stay prepared.
    for (let done = 0; done < rows.length; ) {
      const count = Math.min(this.#most, powerOfTwo(rows.length - done));
      const some = rows.slice(done, done + count);
      const parameters = some.flatMap((row) => this.#encoded(row));
      await transaction.run({ sql: this.#insert(count), parameters });
      await this.#index(transaction, some);
      done += count;
    }
  }

  #encoded(row: TableRow): readonly SqlValue[] {
    return this.#table.columns.map(({ kind }, index) => {
      const value = row[index] ?? null;
      return value === null ? null : this.#dialect.encode(kind, value);
    });
  }

  #insert(count: number): string {
    const known = this.#inserts.get(count);
    if (known !== undefined) return known;
    const { storedName } = this.#dialect.schema;
    const { name, columns } = this.#table;
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    const names = sql.join(columns.map((column) => sql.id(storedName(column.name))));
    const rows = sql.join(Array.from({ length: count }, () => row));
    const statement = sql`insert into ${sql.id(storedName(name))} (${names}) values ${rows}`;
    const text = compiledQuery(statement, this.#dialect).sql;
    this.#inserts.set(count, text);
    return text;
  }

  async #index(transaction: Transaction, rows: readonly TableRow[]): Promise<void> {
    const { name, columns, search } = this.#table;
    if (search === undefined) return;
    const placeOf = (wanted: string): number => columns.findIndex((column) => column.name === wanted);
    const [number, places] = [placeOf(rowColumn), search.columns.map(placeOf)];
    const records = rows.map((row) => ({
      row: Number(row[number]),
      words: places.map((place, index) => indexedWords(search.structures[search.columns[index] ?? ''], row[place])),
    }));
    for (const query of this.#dialect.search.indexNew(name, search.fields, records)) await transaction.run(query);
  }
}

const powerOfTwo = (most: number): number => 2 ** Math.floor(Math.log2(Math.max(1, most)));
