import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { copyTable } from '../../database/unfinished-copy.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** The progress of one table. */
export interface TableProgress {
  readonly rows: number;
  /** The checksum of the rows copied so far. */
  readonly checksum: string;
  readonly done: boolean;
}

export const notBegun: TableProgress = { rows: 0, checksum: '', done: false };

const table = sql.id(copyTable);

const creation = `CREATE TABLE ${copyTable} (
  name text NOT NULL PRIMARY KEY,
  copied bigint NOT NULL,
  checksum text NOT NULL,
  done integer NOT NULL
)`;

/** The row that identifies the copy, not the progress of a table. */
const planRow = '';

/** The progress of a copy, stored in the target in the same transactions as the rows. */
export class CopyProgress {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** `plan` identifies everything to be copied. */
  async begin(transaction: Transaction, plan: string): Promise<void> {
    await transaction.run({ sql: creation, parameters: [] });
    await this.note(transaction, planRow, { rows: 0, checksum: plan, done: false }, notBegun);
  }

  /** The argument of `begin`. */
  async plan(executor: Executor): Promise<string> {
    return (await this.of(executor, planRow)).checksum;
  }

  async of(executor: Executor, name: string): Promise<TableProgress> {
    const row = await executor.first<{ copied: unknown; checksum: string; done: unknown }>(
      compiledQuery(sql`select copied, checksum, done from ${table} where name = ${name}`, this.#dialect),
    );
    if (row === undefined) return notBegun;
    return { rows: Number(row.copied), checksum: row.checksum, done: Number(row.done) === 1 };
  }

  /** Advances from `before`. Throws when another copy has advanced meanwhile. */
  async note(transaction: Transaction, name: string, now: TableProgress, before: TableProgress): Promise<void> {
    const found = await this.of(transaction, name);
    if (!Bun.deepEquals(found, before)) throw new TransferRefused('Another copy into the same database is running.');
    const [done, columns] = [now.done ? 1 : 0, sql`name, copied, checksum, done`];
    await transaction.run(
      compiledQuery(
        sql`insert into ${table} (${columns}) values (${name}, ${now.rows}, ${now.checksum}, ${done})
          on conflict (name) do update set copied = excluded.copied, checksum = excluded.checksum, done = excluded.done`,
        this.#dialect,
      ),
    );
  }
}
