import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor } from '../database/database.ts';
import type { EventRange } from './event-range.ts';
import { EventReader } from './event-reader.ts';
import { type EventRow, eventsTable } from './event-tables.ts';
import { type FullEvent, fullEventOf } from './logged-event.ts';
import { NewEvents } from './new-events.ts';
import { heldBack } from './reader-state.ts';

const table = sql.table(eventsTable.name);
const columns = sql.join(Object.keys(eventsTable.columns).map((name) => sql.id(name)));

/**
 * The log of all committed changes, as far as it is settled (`Dialect.settledNumber`): whoever has read up to a number finds
 * everything that is committed later behind it. Reading is not a part of any transaction: the events of others would be in the way
 * of it.
 */
export class EventLog {
  readonly #database: Database;
  readonly #news: NewEvents;

  constructor(database: Database) {
    this.#database = database;
    this.#news = new NewEvents(database, () => this.last());
  }

  /** The number of the last event that is settled; 0 for none. */
  async last(): Promise<number> {
    return this.#seq(sql`select max("seq") as "seq" from ${table} where "seq" <= ${await this.#settled()}`);
  }

  /** The number of the first event that is still kept; 0 for none. */
  first(): Promise<number> {
    return this.#seq(sql`select min("seq") as "seq" from ${table}`);
  }

  /** Whether the log has all events behind a number that someone was given. */
  async reaches(after: number): Promise<boolean> {
    // Not only settled ones: what was settled for another process is waited for here once more, at times.
    const newest = await this.#seq(sql`select max("seq") as "seq" from ${table}`);
    return after <= newest && after + 1 >= (await this.first());
  }

  /** Events in their order, or from the newest one back. */
  async read(
    { after, before, through, limit, where = [] }: EventRange,
    reader: Pick<Executor, 'rows'> = this.#database,
  ): Promise<readonly FullEvent[]> {
    const end = through ?? (await this.#settled());
    if (after !== null && end <= after) return [];
    const bounds = [
      sql`"seq" <= ${end}`,
      ...(after === null ? [] : [sql`"seq" > ${after}`]),
      ...(before === undefined ? [] : [sql`"seq" < ${before}`]),
    ];
    const filter = sql.join([...bounds, ...where], sql` and `);
    const direction = sql.raw(after === null ? 'desc' : 'asc');
    const select = sql`select ${columns} from ${table} where ${filter} order by "seq" ${direction} limit ${limit}`;
    const rows = await reader.rows<EventRow>(compiledQuery(select, this.#database.dialect));
    // Who reads an event and then its record must not get that from a cache of before the change.
    if (rows.length > 0) await this.#database.generations.refresh('now');
    return rows.map(fullEventOf);
  }

  /** Events for a response. A search through a long log holds up nobody; `names` are those of all types and of accounts. */
  readForResponse(range: EventRange, names: readonly string[]): Promise<readonly FullEvent[]> {
    return this.read(range, this.#database.reader(names, 'settled'));
  }

  /** For how many seconds the oldest transaction has run that new events wait for; 0 for none. */
  async heldBackSeconds(): Promise<number> {
    const held = await heldBack(this.#database, this.#database.dialect);
    return held?.seconds ?? 0;
  }

  /** A reader whose position is stored under its name. */
  reader(name: string): EventReader {
    return new EventReader(this, this.#database, name);
  }

  /** Calls `listener` soon after events are committed, by any process. Returns what ends that. */
  onEvents(listener: () => void): () => void {
    return this.#news.add(listener);
  }

  async #settled(): Promise<number> {
    const query = this.#database.dialect.settledNumber(eventsTable);
    const row = await this.#database.first<{ settled: number | null }>(query);
    return Number(row?.settled ?? 0);
  }

  async #seq(statement: RawBuilder<unknown>): Promise<number> {
    const row = await this.#database.first<{ seq: number | null }>(compiledQuery(statement, this.#database.dialect));
    return Number(row?.seq ?? 0);
  }
}
