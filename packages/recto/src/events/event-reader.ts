import { sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { EventRange } from './event-range.ts';
import { type ReaderRow, readersTable } from './event-tables.ts';
import type { FullEvent } from './logged-event.ts';

/** Does what a reader does with events, in the transaction that moves its position: both happen, or neither. */
export type EventWork = (transaction: Transaction, events: readonly FullEvent[]) => Promise<void>;

/** The log, as its readers use it. */
export interface ReadableLog {
  last(): Promise<number>;
  read(range: EventRange): Promise<readonly FullEvent[]>;
  onEvents(listener: () => void): () => void;
}

const table = sql.table(readersTable.name);

/** Events that are dealt with in one transaction. */
const slice = 100;

/**
 * A reader of the log whose position is stored, so that it goes on where it was after a restart, in whichever process. Several
 * processes may run the same one: each part of the log is dealt with by one of them.
 */
export class EventReader {
  readonly name: string;
  readonly #log: ReadableLog;
  readonly #database: Database;

  constructor(log: ReadableLog, database: Database, name: string) {
    this.#log = log;
    this.#database = database;
    this.name = name;
  }

  /** The number of the last event that it has dealt with; undefined for a reader that has not begun. */
  async position(): Promise<number | undefined> {
    const { dialect } = this.#database;
    const query = compiledQuery(sql`select "position" from ${table} where "name" = ${this.name}`, dialect);
    const row = await this.#database.first<Pick<ReaderRow, 'position'>>(query);
    return row === undefined ? undefined : Number(row.position);
  }

  /** Begins behind an event, if the reader has not begun: default, behind the last one. Returns its position. */
  async begin(after?: number): Promise<number> {
    const known = await this.position();
    if (known !== undefined) return known;
    const position = after ?? (await this.#log.last());
    const now = new Date().toISOString();
    const insert = sql`insert into ${table} ("name", "position", "moved_at") values (${this.name}, ${position}, ${now}) on conflict do nothing`;
    await this.#run(insert);
    return (await this.position()) ?? position;
  }

  /**
   * Deals with the next events. Returns false where there are none. `work` may run again, so it changes nothing but the database;
   * if it throws, the position stays.
   */
  async step(work: EventWork): Promise<boolean> {
    const position = await this.begin();
    const events = await this.#log.read({ after: position, limit: slice });
    const last = events.at(-1);
    if (last === undefined) return false;
    await this.#database.transaction(async (transaction) => {
      // Where another process has moved it meanwhile, that one has dealt with these events.
      if (await this.moveIn(transaction, position, last.seq)) await work(transaction, events);
    });
    return true;
  }

  /** Moves the position, for work that is done outside of the database. Returns false where it is no longer at `from`. */
  async move(from: number, to: number): Promise<boolean> {
    return this.#database.transaction((transaction) => this.moveIn(transaction, from, to));
  }

  /** Ends the reader: the log is no longer kept for it. */
  async remove(): Promise<void> {
    await this.#run(sql`delete from ${table} where "name" = ${this.name}`);
  }

  /** Takes all steps that there are, and more as soon as there are new events, until `signal` is aborted. Rejects if a step does. */
  async follow(work: EventWork, signal: AbortSignal): Promise<void> {
    let news = Promise.withResolvers<void>();
    const wake = () => news.resolve();
    const stop = this.#log.onEvents(wake);
    signal.addEventListener('abort', wake);
    try {
      while (!signal.aborted) {
        news = Promise.withResolvers<void>();
        while (!signal.aborted && (await this.step(work)));
        if (!signal.aborted) await news.promise;
      }
    } finally {
      signal.removeEventListener('abort', wake);
      stop();
    }
  }

  /** The same as part of a transaction, for work of which only the last step is done in the database. */
  async moveIn(transaction: Transaction, from: number, to: number): Promise<boolean> {
    const now = new Date().toISOString();
    const update = sql`update ${table} set "position" = ${to}, "moved_at" = ${now} where "name" = ${this.name} and "position" = ${from}`;
    return (await transaction.run(compiledQuery(update, this.#database.dialect))) === 1;
  }

  async #run(statement: Parameters<typeof compiledQuery>[0]): Promise<void> {
    await this.#database.transaction((transaction) =>
      Promise.resolve(transaction.run(compiledQuery(statement, this.#database.dialect))),
    );
  }
}
