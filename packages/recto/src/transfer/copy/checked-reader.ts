import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { StoredTable, TableRow } from '../tables/stored-table.ts';
import { TableReader } from '../tables/table-reader.ts';
import { TableChecksum } from './table-checksum.ts';

/** Reads a table and computes its checksum. */
export class CheckedReader {
  readonly checksum = new TableChecksum();
  readonly #reader: TableReader;

  static async open(executor: Executor, dialect: Dialect, table: StoredTable): Promise<CheckedReader> {
    return new CheckedReader(await TableReader.open(executor, dialect, table));
  }

  private constructor(reader: TableReader) {
    this.#reader = reader;
  }

  count(): Promise<number> {
    return this.#reader.count();
  }

  async next(most?: number): Promise<readonly TableRow[] | undefined> {
    const rows = await this.#reader.next(most);
    for (const row of rows ?? []) this.checksum.add(row);
    return rows;
  }
}
