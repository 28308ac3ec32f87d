import { sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { Dialect } from '../database/dialect.ts';
import { type ImportRow, importsTable } from './imports-table.ts';

export type LedgerEntry = Pick<ImportRow, 'kind' | 'external_id' | 'record_id'>;

const imports = sql.id(importsTable.name);

/** The entries imported from one source. Written in the same transactions as the records, so that both always agree. */
export class ImportLedger {
  readonly #source: string;
  readonly #dialect: Dialect;

  /** `source` names a site, the same each time. */
  constructor(dialect: Dialect, source: string) {
    this.#source = source;
    this.#dialect = dialect;
  }

  /** The record id of an entry; the record may have been deleted since. */
  async find(executor: Executor, kind: string, externalId: string): Promise<string | undefined> {
    const row = await executor.first<{ record_id: string }>(
      compiledQuery(
        sql`select record_id from ${imports} where source = ${this.#source} and kind = ${kind} and external_id = ${externalId}`,
        this.#dialect,
      ),
    );
    return row?.record_id;
  }

  /** Up to `limit` entries in the order of their kinds and ids, behind the last one of the page before; absent: from the first. */
  async page(executor: Executor, after: LedgerEntry | undefined, limit: number): Promise<readonly LedgerEntry[]> {
    const behind =
      after === undefined
        ? sql``
        : sql`and (kind > ${after.kind} or (kind = ${after.kind} and external_id > ${after.external_id}))`;
    return executor.rows<LedgerEntry>(
      compiledQuery(
        sql`select kind, external_id, record_id from ${imports} where source = ${this.#source} ${behind}
          order by kind, external_id limit ${limit}`,
        this.#dialect,
      ),
    );
  }

  async note(transaction: Transaction, kind: string, externalId: string, recordId: string): Promise<void> {
    await transaction.run(
      compiledQuery(
        sql`insert into ${imports} (source, kind, external_id, record_id)
          values (${this.#source}, ${kind}, ${externalId}, ${recordId})
          on conflict (source, kind, external_id) do update set record_id = excluded.record_id`,
        this.#dialect,
      ),
    );
  }
}
