import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database } from '../database/database.ts';
import { eventsTable, readersTable } from './event-tables.ts';

const dayMs = 86_400_000;

/** How long the log is kept for a reader that is behind, as a multiple of how long it is kept anyway. */
const patience = 2;

/** For how long values of before a change are kept, in days: streams go on after a pause of that length. */
export const imageDays = 1;

/** Rows of one transaction: other writers wait for it. */
const slice = 500;

const events = sql.table(eventsTable.name);
const readers = sql.table(readersTable.name);

/**
 * Removes old events. Those that a reader has not dealt with are kept, for twice as long at most. The last event always stays:
 * on SQLite, numbers go on from there.
 */
export class EventPruner {
  readonly #database: Database;
  readonly #keepDays: number;
  /** No event up to this one has values of before the change. */
  #cleared = 0;

  constructor(database: Database, keepDays: number) {
    this.#database = database;
    this.#keepDays = keepDays;
  }

  /** Removes what is too old at `now` (canonical datetime). Ends early when `signal` is aborted. */
  async run(now: string, signal?: AbortSignal): Promise<void> {
    const before = (days: number): string => new Date(Date.parse(now) - days * dayMs).toISOString();
    const slowest = await this.#number(sql`select min("position") as "value" from ${readers}`);
    const aged = await this.#lastBefore(before(this.#keepDays));
    const overdue = await this.#lastBefore(before(this.#keepDays * patience));
    const end = Math.max(overdue, slowest === null ? aged : Math.min(aged, slowest));
    const first = await this.#number(sql`select min("seq") as "value" from ${events}`);
    await this.#inSlices({ first, end }, signal, (part) => sql`delete from ${events} where ${part}`);
    await this.#clearImages(await this.#lastBefore(before(imageDays)), signal);
  }

  async #clearImages(end: number, signal: AbortSignal | undefined): Promise<void> {
    if (end <= this.#cleared) return;
    const first = await this.#number(
      sql`select min("seq") as "value" from ${events} where "before" is not null and "seq" > ${this.#cleared} and "seq" <= ${end}`,
    );
    await this.#inSlices(
      { first, end },
      signal,
      (part) => sql`update ${events} set "before" = null where ${part} and "before" is not null`,
    );
    if (signal?.aborted !== true) this.#cleared = end;
  }

  async #inSlices(
    { first, end }: { readonly first: number | null; readonly end: number },
    signal: AbortSignal | undefined,
    statement: (part: RawBuilder<boolean>) => RawBuilder<unknown>,
  ): Promise<void> {
    if (first === null) return;
    for (let from = first - 1; from < end && signal?.aborted !== true; from += slice) {
      const part = sql<boolean>`"seq" > ${from} and "seq" <= ${Math.min(from + slice, end)}`;
      const query = compiledQuery(statement(part), this.#database.dialect);
      await this.#database.transaction(async (transaction) => void (await transaction.run(query)));
    }
  }

  /**
   * The number of the last event before a time that is not the last of all; 0 for none. Times rise with the numbers, more or less:
   * the time of a request is earlier than its commit, and clocks differ.
   */
  async #lastBefore(time: string): Promise<number> {
    let low = 0;
    let high = ((await this.#number(sql`select max("seq") as "value" from ${events}`)) ?? 0) - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const row = await this.#database.first<{ at: string }>(
        this.#query(sql`select "at" from ${events} where "seq" <= ${middle} order by "seq" desc limit 1`),
      );
      if (row === undefined || row.at < time) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  async #number(statement: RawBuilder<unknown>): Promise<number | null> {
    const row = await this.#database.first<{ value: number | null }>(this.#query(statement));
    return row?.value === undefined || row.value === null ? null : Number(row.value);
  }

  #query(statement: RawBuilder<unknown>) {
    return compiledQuery(statement, this.#database.dialect);
  }
}
