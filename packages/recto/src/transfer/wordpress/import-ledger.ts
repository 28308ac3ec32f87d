import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Database, Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { ensureTables } from '../../database/engine-tables.ts';

/** Which record each entry of another system became, so that none is imported twice. */
export const importsTable = `CREATE TABLE IF NOT EXISTS recto_imports (
  source text NOT NULL,
  kind text NOT NULL,
  external_id text NOT NULL,
  record_id text NOT NULL,
  PRIMARY KEY (source, kind, external_id)
)`;

const imports = sql.id('recto_imports');

/** What has been imported from one source. Written in the transactions that store the records, so that it is never ahead of them or behind. */
export class ImportLedger {
  readonly #source: string;
  readonly #dialect: Dialect;

  /** `source` names a site, the same each time. */
  static async open(database: Database, source: string): Promise<ImportLedger> {
    await ensureTables(database, [importsTable]);
    return new ImportLedger(source, database.dialect);
  }

  private constructor(source: string, dialect: Dialect) {
    this.#source = source;
    this.#dialect = dialect;
  }

  /** The id of the record that an entry became; it may have been deleted since. */
  async find(executor: Executor, kind: string, externalId: string): Promise<string | undefined> {
    const row = await executor.first<{ record_id: string }>(
      compiledQuery(
        sql`select record_id from ${imports} where source = ${this.#source} and kind = ${kind} and external_id = ${externalId}`,
        this.#dialect,
      ),
    );
    return row?.record_id;
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
