import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { anonymous } from '../../base/caller.ts';
import type { Database, Query, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { defineEngineTable, plainInteger, plainText } from '../../database/engine/engine-table.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ValuePlaces } from '../plans/sql-parts.ts';

/** How long an answer is kept, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000;

/** Bytes of the largest body that is kept. */
export const largestBody = 256 * 1024;

/** A request that may come once more. Both texts are hashes. */
export interface RepeatableRequest {
  /** Of who asks, and of their key. */
  readonly id: string;
  /** Of what is asked, and after a dot of the rights of who asks. */
  readonly fingerprint: string;
}

/** The response to a request. */
interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface KeptReply extends Omit<StoredReply, 'status'> {
  readonly fingerprint: string;
  /** Null: the answer was too large to be kept; its headers are there. */
  readonly status: number | null;
}

/** Rows that one transaction clears away, so that it does not hold up others. */
const clearedAtOnce = 500;

/** The answers to requests with an `Idempotency-Key`, in the database, where every process and machine finds them. */
export class ReplyStore {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #plans: ReturnType<typeof plansFor>;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
    this.#plans = plansFor(database.dialect);
  }

  /** The answer that is kept under an id, once it is durable. */
  async find(id: string): Promise<KeptReply | undefined> {
    const found = await this.#database.first<Pick<ReplyRow, 'fingerprint' | 'status' | 'headers' | 'body'>>(
      bind(this.#plans.find, id, this.#now()),
    );
    if (found === undefined) return undefined;
    // It may have been committed this moment, or its flush may have failed: then the first caller has no answer yet.
    await this.#database.transaction(async () => undefined);
    return { ...found, headers: JSON.parse(found.headers) };
  }

  /** Takes a key for a transaction, until it ends; false when the key has been used. Waits for a transaction that has taken it. */
  async claim(transaction: Transaction, { id, fingerprint }: RepeatableRequest): Promise<boolean> {
    const now = this.#now();
    return (await transaction.run(bind(this.#plans.claim, id, fingerprint, now + keptFor, now))) > 0;
  }

  /** Keeps the answer to the request that has taken the key in this transaction. */
  async keep(transaction: Transaction, id: string, { status, headers, body }: StoredReply): Promise<void> {
    const fits = body === null || Buffer.byteLength(body) <= largestBody;
    const kept = [fits ? status : null, JSON.stringify(headers), fits ? body : null];
    await transaction.run(bind(this.#plans.keep, ...kept, id));
  }

  /** Clears away what has expired, by its index and in small transactions. Ends early when `signal` is aborted. */
  async clear(signal?: AbortSignal): Promise<void> {
    const statement = bind(this.#plans.clear, this.#now());
    let cleared = clearedAtOnce;
    while (cleared === clearedAtOnce && signal?.aborted !== true) {
      cleared = await this.#database.transaction(async (transaction) => transaction.run(statement));
    }
  }
}

const bind = (plan: Plan, ...values: readonly SqlValue[]): Query => plan.bind(new RequestBindings(anonymous, values));

/** Compiled once: compiling costs more than running them. */
function plansFor(dialect: Dialect) {
  const [find, claim, keep, clear] = [new ValuePlaces(), new ValuePlaces(), new ValuePlaces(), new ValuePlaces()];
  const statements = {
    find: sql`select "fingerprint", "status", "headers", "body" from "recto_idempotency_keys"
      where "id" = ${find.take()} and "expires_at" > ${find.take()}`,
    // One that has expired is as good as none.
    claim: sql`insert into "recto_idempotency_keys" ("id", "fingerprint", "expires_at", "headers")
      values (${claim.take()}, ${claim.take()}, ${claim.take()}, '{}')
      on conflict ("id") do update set "fingerprint" = excluded."fingerprint", "expires_at" = excluded."expires_at",
        "status" = null, "body" = null
      where "recto_idempotency_keys"."expires_at" <= ${claim.take()}`,
    keep: sql`update "recto_idempotency_keys" set "status" = ${keep.take()}, "headers" = ${keep.take()},
      "body" = ${keep.take()} where "id" = ${keep.take()}`,
    clear: sql`delete from "recto_idempotency_keys" where "id" in (select "id" from "recto_idempotency_keys"
      where "expires_at" <= ${clear.take()} order by "expires_at" limit ${sql.lit(clearedAtOnce)})`,
  };
  return {
    find: new Plan(statements.find, dialect),
    claim: new Plan(statements.claim, dialect),
    keep: new Plan(statements.keep, dialect),
    clear: new Plan(statements.clear, dialect),
  };
}

export interface ReplyRow {
  readonly id: string;
  readonly fingerprint: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
  readonly status: number | null;
  readonly headers: string;
  readonly body: string | null;
}

/** Responses to requests that may be repeated. */
export const replyTable = defineEngineTable<ReplyRow>({
  name: 'recto_idempotency_keys',
  key: ['id'],
  columns: {
    id: plainText,
    fingerprint: plainText,
    expires_at: { kind: 'integer', type: 'bigint' },
    status: { ...plainInteger, nullable: true },
    headers: plainText,
    body: { ...plainText, nullable: true },
  },
  indexes: [{ name: 'recto_idempotency_keys$expires_at$index', columns: ['expires_at'] }],
  migrations: [],
});
