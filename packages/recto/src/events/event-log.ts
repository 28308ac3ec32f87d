import { type RawBuilder, sql } from 'kysely';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database, Executor } from '../database/database.ts';
import type { EventRange } from './event-range.ts';
import { EventReader } from './event-reader.ts';
import { type EventRow, eventsTable } from './event-tables.ts';
import { type FullEvent, fullEventOf } from './logged-event.ts';
import { NewEvents } from './new-events.ts';

const table = sql.table(eventsTable.name);
const columns = sql.join(Object.keys(eventsTable.columns).map((name) => sql.id(name)));

/**
 * The log of all committed changes. Whoever has read up to a number finds everything that is committed later behind it. Reading
 * is not a part of any transaction: the events of others would be in the way of it.
 */
export class EventLog {
  readonly #database: Database;
  readonly #news: NewEvents;

  constructor(database: Database) {
    this.#database = database;
    this.#news = new NewEvents(database, () => this.last());
  }

  /** The number of the last event; 0 for none. */
  last(): Promise<number> {
    return this.#seq(sql`select max("seq") as "seq" from ${table}`);
  }

  /** The number of the first event that is still kept; 0 for none. */
  first(): Promise<number> {
    return this.#seq(sql`select min("seq") as "seq" from ${table}`);
  }

  /** Events in their order, or from the newest one back. */
  async read(
    { after, before, limit, where = [] }: EventRange,
    reader: Pick<Executor, 'rows'> = this.#database,
  ): Promise<readonly FullEvent[]> {
    const bounds = [
      ...(after === null ? [] : [sql`"seq" > ${after}`]),
      ...(before === undefined ? [] : [sql`"seq" < ${before}`]),
    ];
    const conditions = [...bounds, ...where];
    const filter = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const direction = sql.raw(after === null ? 'desc' : 'asc');
    const select = sql`select ${columns} from ${table} ${filter} order by "seq" ${direction} limit ${limit}`;
    const rows = await reader.rows<EventRow>(compiledQuery(select, this.#database.dialect));
    return rows.map(fullEventOf);
  }

  /** Events for a response. A search through a long log holds up nobody; `names` are those of all types and of accounts. */
  readForResponse(range: EventRange, names: readonly string[]): Promise<readonly FullEvent[]> {
    return this.read(range, this.#database.reader(names));
  }

  /** A reader whose position is stored under its name. */
  reader(name: string): EventReader {
    return new EventReader(this, this.#database, name);
  }

  /** Calls `listener` soon after events are committed, by any process. Returns what ends that. */
  onEvents(listener: () => void): () => void {
    return this.#news.add(listener);
  }

  async #seq(statement: RawBuilder<unknown>): Promise<number> {
    const row = await this.#database.first<{ seq: number | null }>(compiledQuery(statement, this.#database.dialect));
    return Number(row?.seq ?? 0);
  }
}
