import type { Kysely } from 'kysely';
import { queryOf } from '../../database/compiled-query.ts';
import type { Database, Eventually, Query, Transaction } from '../../database/database.ts';
import { then } from '../../records/eventually.ts';
import type { Reply } from '../reply.ts';

/** How long an answer is kept, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000;

/** Bytes of the largest body that is kept. */
export const largestBody = 256 * 1024;

/** A request that may come once more. Both texts are hashes. */
export interface RepeatableRequest {
  /** Of who asks, and of their key. */
  readonly id: string;
  /** Of what is asked. */
  readonly fingerprint: string;
}

export interface KeptReply extends Omit<Reply, 'status'> {
  readonly fingerprint: string;
  /** Null: the answer was too large to be kept; its headers are there. */
  readonly status: number | null;
}

interface Tables {
  readonly recto_idempotency_keys: {
    readonly id: string;
    readonly fingerprint: string;
    /** Milliseconds since 1970. */
    readonly expires_at: number;
    readonly status: number | null;
    readonly headers: string;
    readonly body: string | null;
  };
}

const table = 'recto_idempotency_keys';

/** Rows that one transaction clears away, so that it does not hold up others. */
const clearedAtOnce = 500;

/** The answers to requests with an `Idempotency-Key`, in the database, where every process and machine finds them. */
export class ReplyStore {
  readonly #database: Database;
  readonly #builder: Kysely<Tables>;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    // The builder only compiles; which tables it may name is known here and not there.
    this.#builder = database.dialect.builder as unknown as Kysely<Tables>;
    this.#now = now;
  }

  find(id: string): Eventually<KeptReply | undefined> {
    const statement = this.#builder
      .selectFrom(table)
      .select(['fingerprint', 'status', 'headers', 'body'])
      .where('id', '=', id)
      .where('expires_at', '>', this.#now());
    const row = this.#database.first<Omit<KeptReply, 'headers'> & { readonly headers: string }>(toQuery(statement));
    return then(row, (found) => (found === undefined ? undefined : { ...found, headers: JSON.parse(found.headers) }));
  }

  /** Takes a key for a transaction, until it ends; false when the key has been used. Waits for a transaction that has taken it. */
  async claim(transaction: Transaction, { id, fingerprint }: RepeatableRequest): Promise<boolean> {
    const now = this.#now();
    const values = { fingerprint, expires_at: now + keptFor, status: null, headers: '{}', body: null };
    const statement = this.#builder
      .insertInto(table)
      .values({ id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values).where(`${table}.expires_at`, '<=', now));
    return (await transaction.run(toQuery(statement))) > 0;
  }

  /** Keeps the answer to the request that has taken the key in this transaction. */
  async keep(transaction: Transaction, id: string, { status, headers, body }: Reply): Promise<void> {
    const fits = body === null || Buffer.byteLength(body) <= largestBody;
    const kept = { status: fits ? status : null, headers: JSON.stringify(headers), body: fits ? body : null };
    await transaction.run(toQuery(this.#builder.updateTable(table).set(kept).where('id', '=', id)));
  }

  /** Clears away what has expired, by its index and in small transactions. */
  async clear(): Promise<void> {
    const expired = this.#builder
      .selectFrom(table)
      .select('id')
      .where('expires_at', '<=', this.#now())
      .orderBy('expires_at')
      .limit(clearedAtOnce);
    const statement = toQuery(this.#builder.deleteFrom(table).where('id', 'in', expired));
    let cleared = clearedAtOnce;
    while (cleared === clearedAtOnce) {
      cleared = await this.#database.transaction(async (transaction) => transaction.run(statement));
    }
  }
}

const toQuery = (statement: { compile(): Parameters<typeof queryOf>[0] }): Query => queryOf(statement.compile());
