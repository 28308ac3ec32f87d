import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Query, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { type UploadPartRow, type UploadRow, uploadPartsTable, uploadsTable } from './media-tables.ts';

const uploads = sql.id(uploadsTable.name);
const parts = sql.id(uploadPartsTable.name);

/** The rows of uploads that can be resumed, and of what has arrived of them. */
export class UploadStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  async insert(transaction: Transaction, row: UploadRow): Promise<void> {
    const { id, owner, size, metadata, media, created_at, expires_at } = row;
    await transaction.run(
      this.#query(
        sql`insert into ${uploads} (id, owner, size, metadata, media, created_at, expires_at)
          values (${id}, ${owner}, ${size}, ${metadata}, ${media}, ${created_at}, ${expires_at})`,
      ),
    );
  }

  /** How many uploads a caller has begun and not completed, and the sum of the sizes that they announce. */
  async unfinished(executor: Executor, owner: string): Promise<{ readonly count: number; readonly bytes: number }> {
    const row = await executor.first<{ count: number | string; bytes: number | string | null }>(
      this.#query(
        sql`select count(*) as count, sum(size) as bytes from ${uploads} where owner = ${owner} and media is null`,
      ),
    );
    // PostgreSQL returns large numbers as text.
    return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) };
  }

  async find(executor: Executor, id: string): Promise<UploadRow | undefined> {
    const row = await executor.first<UploadRow>(this.#query(sql`select * from ${uploads} where id = ${id}`));
    return row === undefined ? undefined : { ...row, size: Number(row.size), created_at: Number(row.created_at) };
  }

  /** In the order of their bytes. */
  async parts(executor: Executor, upload: string): Promise<readonly UploadPartRow[]> {
    const rows = await executor.rows<UploadPartRow>(
      this.#query(sql`select * from ${parts} where upload = ${upload} order by start`),
    );
    return rows.map((row) => ({ ...row, start: Number(row.start) }));
  }

  /** False where another request has stored the bytes of that place, or all of them. */
  async addPart(transaction: Transaction, { upload, start, size, storage_key }: UploadPartRow): Promise<boolean> {
    // Locks the upload: whoever completes it removes its parts, after which their places would be free again.
    const open = await transaction.run(
      this.#query(sql`update ${uploads} set expires_at = expires_at where id = ${upload} and media is null`),
    );
    if (open === 0) return false;
    const added = await transaction.run(
      this.#query(
        sql`insert into ${parts} (upload, start, size, storage_key) values (${upload}, ${start}, ${size}, ${storage_key})
          on conflict (upload, start) do nothing`,
      ),
    );
    return added > 0;
  }

  /** Names the record of a complete upload; false where there is one already. */
  async complete(transaction: Transaction, id: string, media: string): Promise<boolean> {
    const changed = await transaction.run(
      this.#query(sql`update ${uploads} set media = ${media} where id = ${id} and media is null`),
    );
    return changed > 0;
  }

  async removeParts(transaction: Transaction, upload: string): Promise<void> {
    await transaction.run(this.#query(sql`delete from ${parts} where upload = ${upload}`));
  }

  async remove(transaction: Transaction, id: string): Promise<void> {
    await this.removeParts(transaction, id);
    await transaction.run(this.#query(sql`delete from ${uploads} where id = ${id}`));
  }

  async expired(executor: Executor, now: number, most: number): Promise<readonly string[]> {
    const rows = await executor.rows<{ id: string }>(
      this.#query(sql`select id from ${uploads} where expires_at <= ${now} limit ${sql.lit(most)}`),
    );
    return rows.map(({ id }) => id);
  }

  /** The keys of all pieces that rows name. */
  async pieces(executor: Executor): Promise<ReadonlySet<string>> {
    const rows = await executor.rows<{ storage_key: string }>(this.#query(sql`select storage_key from ${parts}`));
    return new Set(rows.map(({ storage_key }) => storage_key));
  }

  #query(statement: RawBuilder<unknown>): Query {
    return compiledQuery(statement, this.#dialect);
  }
}
