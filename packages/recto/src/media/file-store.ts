import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { type FileRow, filesTable, picturesTable, trashTable } from './media-tables.ts';

const files = sql.id(filesTable.name);
const trash = sql.id(trashTable.name);
const pictures = sql.id(picturesTable.name);

/** A file in the storage that no row names yet. */
export interface StoredUpload {
  readonly key: string;
  readonly hash: string;
  readonly size: number;
}

/** The rows of stored files. Those of a content are written in the same transactions as the records that have it. */
export class FileStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Makes an upload the file of its content, unless there is one already; returns the key of the file that counts. */
  async claim(transaction: Transaction, { key, hash, size }: StoredUpload, now: number): Promise<string> {
    await transaction.run(
      this.#query(
        sql`insert into ${files} (hash, storage_key, size, created_at) values (${hash}, ${key}, ${size}, ${now})
          on conflict (hash) do nothing`,
      ),
    );
    const kept = await this.find(transaction, hash);
    if (kept === undefined) throw new Error('A file was not found that had just been stored.');
    return kept.storage_key;
  }

  async find(executor: Executor, hash: string): Promise<FileRow | undefined> {
    return executor.first<FileRow>(this.#query(sql`select * from ${files} where hash = ${hash}`));
  }

  /** Whether the storage's file is the one of its content. */
  async hasKey(executor: Executor, key: string): Promise<boolean> {
    return (await executor.first(this.#query(sql`select hash from ${files} where storage_key = ${key}`))) !== undefined;
  }

  /** Files after a hash, in the order of their hashes. */
  async page(executor: Executor, after: string, most: number): Promise<readonly FileRow[]> {
    return executor.rows<FileRow>(
      this.#query(sql`select * from ${files} where hash > ${after} order by hash limit ${sql.lit(most)}`),
    );
  }

  /** Files whose content neither a record of the table nor an account has. */
  async unused(executor: Executor, table: string, most: number): Promise<readonly FileRow[]> {
    return executor.rows<FileRow>(
      this.#query(
        sql`select * from ${files} as f where not exists (select 1 from ${sql.id(table)} as m where m.hash = f.hash)
          and not exists (select 1 from ${pictures} as p where p.hash = f.hash)
          limit ${sql.lit(most)}`,
      ),
    );
  }

  /** Gives a file up that nothing has: its row goes, and its key is kept until the storage has removed it. False where something has it after all. */
  async discard(
    transaction: Transaction,
    table: string,
    { hash, storage_key: key }: FileRow,
    now: number,
  ): Promise<boolean> {
    const gone = await transaction.run(
      this.#query(
        sql`delete from ${files} where hash = ${hash} and storage_key = ${key}
          and not exists (select 1 from ${sql.id(table)} as m where m.hash = ${hash})
          and not exists (select 1 from ${pictures} as p where p.hash = ${hash})`,
      ),
    );
    if (gone === 0) return false;
    await transaction.run(
      this.#query(
        sql`insert into ${trash} (storage_key, created_at) values (${key}, ${now}) on conflict (storage_key) do nothing`,
      ),
    );
    return true;
  }

  async discarded(executor: Executor, most: number): Promise<readonly string[]> {
    const rows = await executor.rows<{ storage_key: string }>(
      this.#query(sql`select storage_key from ${trash} order by created_at limit ${sql.lit(most)}`),
    );
    return rows.map(({ storage_key }) => storage_key);
  }

  async forget(transaction: Transaction, key: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from ${trash} where storage_key = ${key}`));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}
