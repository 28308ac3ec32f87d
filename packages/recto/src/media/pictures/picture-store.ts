import { sql } from 'kysely';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { accountsTable } from '../../definition/profile/profile-type.ts';
import { filesTable, picturesTable } from '../media-tables.ts';

const pictures = sql.id(picturesTable.name);
const files = sql.id(filesTable.name);
const people = sql.id(accountsTable);

/** The picture of an account, and where its bytes are stored. */
export interface StoredPicture {
  readonly account: string;
  readonly hash: string;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/** The statements on the pictures of accounts. Their files are those of `FileStore`, so that all that is done with files is done with them. */
export class PictureStore {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Those of so many accounts, of a tenant where `within` names one; accounts without a picture are not among them. */
  async ofAccounts(
    executor: Executor,
    accounts: readonly string[],
    within: string | undefined,
  ): Promise<readonly StoredPicture[]> {
    if (accounts.length === 0) return [];
    const tenant = within === undefined ? sql`` : sql` and a.tenant_id = ${within}`;
    const select = sql`select p.account, p.hash, f.storage_key, f.size from ${pictures} as p
      inner join ${files} as f on f.hash = p.hash
      inner join ${people} as a on a.id = p.account
      where p.account in (${sql.join(accounts)})${tenant} order by p.account`;
    const rows = await executor.rows<{ account: string; hash: string; storage_key: string; size: number | bigint }>(
      compiledQuery(select, this.#dialect),
    );
    return rows.map(({ account, hash, storage_key: key, size }) => ({ account, hash, key, size: Number(size) }));
  }

  /** Gives an account a picture, in the place of the one that it has. */
  async put(transaction: Transaction, account: string, hash: string, now: number): Promise<void> {
    const upsert = sql`insert into ${pictures} (account, hash, created_at) values (${account}, ${hash}, ${now})
      on conflict (account) do update set hash = ${hash}, created_at = ${now}`;
    await transaction.run(compiledQuery(upsert, this.#dialect));
  }

  /** Whether there was one. */
  async remove(transaction: Transaction, account: string): Promise<boolean> {
    const statement = sql`delete from ${pictures} where account = ${account}`;
    return (await transaction.run(compiledQuery(statement, this.#dialect))) > 0;
  }
}
