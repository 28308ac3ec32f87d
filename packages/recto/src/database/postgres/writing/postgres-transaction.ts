import type { ReservedSQL } from 'bun';
import type { Observe, Query, Transaction } from '../../database.ts';
import type { AppendedRow } from '../../engine/appended-row.ts';
import { type Result, runQuery } from '../postgres-client.ts';

/** One transaction as its work sees it, on a connection that may carry others before and after it. */
export class PostgresTransaction implements Transaction {
  readonly touched = new Set<string>();
  readonly appended: AppendedRow[] = [];
  readonly #connection: ReservedSQL;
  readonly #facts: Map<string, Promise<unknown>>;
  readonly #observe: Observe | undefined;
  readonly #allSent = Promise.withResolvers<void>();
  #fault: unknown;
  #ended = false;
  /** Marks what is planned after tables have changed; within one transaction a stale plan cannot be made anew. */
  #changed: string | undefined;

  /** `facts` are those that transactions of the same commit have read. */
  constructor(connection: ReservedSQL, facts: Map<string, Promise<unknown>>, observe: Observe | undefined) {
    this.#connection = connection;
    this.#facts = facts;
    this.#observe = observe;
  }

  /** What the first statement that failed has failed of: the server takes no further ones. */
  get fault(): unknown {
    return this.#fault;
  }

  /** Resolves when the last statement is sent; never where none is said to be the last. */
  get allSent(): Promise<void> {
    return this.#allSent.promise;
  }

  /** Whether it has made, changed or removed tables. */
  get changedTables(): boolean {
    return this.#changed !== undefined;
  }

  rows<Row>(query: Query): Promise<readonly Row[]> {
    return this.#use<Row>(query);
  }

  async first<Row>(query: Query): Promise<Row | undefined> {
    return (await this.#use<Row>(query))[0];
  }

  async run(query: Query): Promise<number> {
    return (await this.#use(query)).affectedRows;
  }

  async runAll(queries: readonly Query[]): Promise<void> {
    // Sent together: the server does one after the other, and nothing behind one that has failed.
    await Promise.all(queries.map((query) => this.#use(query)));
  }

  fact<Row>(query: Query): Promise<Row | undefined> {
    if (this.changedTables) return this.first<Row>(query);
    const key = [query.sql, ...query.parameters].join('\n');
    // The same statement returns the same kind of row.
    const known = this.#facts.get(key) as Promise<Row | undefined> | undefined;
    if (known !== undefined) return known;
    const asked = this.first<Row>(query);
    this.#facts.set(key, asked);
    // Undone to before it, the next one may read something else.
    asked.catch(() => this.#facts.delete(key));
    return asked;
  }

  last<Row>(query: Query): Promise<Row | undefined> {
    const row = this.first<Row>(query);
    this.#ended = true;
    this.#allSent.resolve();
    return row;
  }

  touch(name: string): void {
    this.touched.add(name);
  }

  append(row: AppendedRow): void {
    this.appended.push(row);
  }

  end(): void {
    this.#ended = true;
  }

  #fresh({ sql, parameters }: Query): Query {
    return { sql: this.#changed === undefined ? sql : `${sql} /* ${this.#changed} */`, parameters };
  }

  async #use<Row>(query: Query): Promise<Result<Row>> {
    // The connection may carry someone else's transaction by now.
    if (this.#ended) throw new Error('A transaction was used after its end.');
    try {
      const result = await runQuery<Row>(this.#connection, this.#fresh(query), this.#observe);
      if (/^(?:ALTER|CREATE|DROP) /.test(result.command ?? '')) this.#changed = crypto.randomUUID();
      return result;
    } catch (error) {
      this.#fault ??= error;
      throw error;
    }
  }
}
