import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { Cache } from '../../base/cache.ts';
import { anonymous, system } from '../../base/caller.ts';
import { Problem } from '../../base/problem.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import type { ScheduledUpdate } from '../../definition/protocol.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs } from '../plans/sql-parts.ts';
import { protocolConditions } from '../plans/visibility.ts';
import type { Records } from '../records.ts';

interface Scheduled {
  /** In the language that the time is of. */
  readonly records: Records;
  readonly type: ContentType;
  readonly update: ScheduledUpdate;
}

interface DueRow {
  readonly id: string;
  readonly at: string;
}

/** What was found the last time that a type was looked through. */
interface Look {
  readonly generation: number;
  /** Canonical datetime; null: nothing is planned. */
  readonly next: string | null;
}

export interface FailedUpdate {
  readonly type: string;
  readonly id: string;
  /** Canonical datetime at which it was due. */
  readonly at: string;
  readonly error: unknown;
}

/** Which time of a record is meant: each language may have one. */
const keyOf = ({ type }: Scheduled, { id }: DueRow): string => `${id}|${type.shownIn?.read.key ?? ''}`;

const recordsIn = (records: Records, language: Language): Records =>
  records.inLanguage(readLanguage(records.types.languages, language, false, 'admin'));

/** Rows that are looked up at a time. */
const slice = 100;

/**
 * The updates that records undergo by themselves at a time that they hold. Each is an editor's update in a transaction
 * that takes the row first, so that of several processes one makes it. What cannot be made is reported once, and stands until
 * somebody changes the record.
 */
export class ScheduledUpdates {
  readonly #records: Records;
  readonly #failed: (failure: FailedUpdate) => void;
  readonly #scheduled: readonly Scheduled[];
  readonly #looks = new Map<ContentType, Look>();
  /** When each record that could not be updated was due, by its id. One that is forgotten is tried, and reported, once more. */
  readonly #given = new Cache<string>({ entries: 10_000 });

  constructor(records: Records, failed: (failure: FailedUpdate) => void) {
    this.#records = records;
    this.#failed = failed;
    this.#scheduled = records.types.all.flatMap((type) =>
      type.protocols.flatMap(({ protocol, options }) => {
        const update = protocol.scheduled?.(options);
        if (update === undefined) return [];
        const others = type.field.get(update.at)?.localized === true ? records.types.languages.others : [];
        return [records, ...others.map((language) => recordsIn(records, language))].map((own) => ({
          records: own,
          type: own.types.get(type.singular),
          update,
        }));
      }),
    );
  }

  /**
   * Makes all updates that are due at `now` (canonical datetime), and returns when the next one is, null for none. A type
   * is only looked through when its records have changed or a time has come. Ends early when `signal` is aborted.
   */
  async run(now: string, signal?: AbortSignal): Promise<string | null> {
    const { generations } = this.#records.database;
    await generations.refresh();
    let next: string | null = null;
    for (const scheduled of this.#scheduled) {
      const { type } = scheduled;
      const generation = generations.of(type.singular);
      const known = this.#looks.get(type);
      const current = known?.generation === generation && (known.next === null || known.next > now);
      const look = current ? known : { generation, next: await this.#updateDue(scheduled, now, signal) };
      this.#looks.set(type, look);
      if (look.next !== null && (next === null || look.next < next)) next = look.next;
    }
    return next;
  }

  /**
   * When the next update is due, which is `now` where one is due by then; null for none. A type is only looked through when its
   * records have changed or a time has come.
   */
  async dueAt(now: string): Promise<string | null> {
    const { generations } = this.#records.database;
    await generations.refresh();
    let due: string | null = null;
    for (const scheduled of this.#scheduled) {
      const { type } = scheduled;
      const generation = generations.of(type.singular);
      const known = this.#looks.get(type);
      const current = known?.generation === generation && (known.next === null || known.next > now);
      const next = current ? known.next : await this.#dueOf(scheduled, now);
      // One that is due stays to be found until it is made.
      if (!current && next !== now) this.#looks.set(type, { generation, next });
      if (next !== null && (due === null || next < due)) due = next;
    }
    return due;
  }

  async #dueOf(scheduled: Scheduled, now: string): Promise<string | null> {
    let last: DueRow | undefined;
    do {
      const rows: readonly DueRow[] = await this.#due(scheduled, now, last);
      if (rows.some((row) => this.#given.get(keyOf(scheduled, row)) !== row.at)) return now;
      last = rows.length < slice ? undefined : rows.at(-1);
    } while (last !== undefined);
    return this.#next(scheduled, now);
  }

  /** When the next one of the type is due after `now`. */
  async #updateDue(scheduled: Scheduled, now: string, signal: AbortSignal | undefined): Promise<string | null> {
    let last: DueRow | undefined;
    do {
      const rows: readonly DueRow[] = await this.#due(scheduled, now, last);
      for (const row of rows) {
        if (signal?.aborted === true) return row.at;
        if (this.#given.get(keyOf(scheduled, row)) !== row.at) await this.#attempt(scheduled, row, now);
      }
      last = rows.length < slice ? undefined : rows.at(-1);
    } while (last !== undefined);
    return this.#next(scheduled, now);
  }

  async #attempt(scheduled: Scheduled, row: DueRow, now: string): Promise<void> {
    const { id, at } = row;
    try {
      await this.#update(scheduled, id, now);
      this.#given.delete(keyOf(scheduled, row));
    } catch (error) {
      // A database that is busy or away takes it at another time.
      if (error instanceof Problem && error.status === 503) throw error;
      this.#given.set(keyOf(scheduled, row), at);
      this.#failed({ type: scheduled.type.singular, id, at, error });
    }
  }

  async #update({ records, type, update }: Scheduled, id: string, now: string): Promise<void> {
    const request = { type, admin: true, caller: system, search: '', id, ifMatch: null, payload: update.sets };
    const act = () => ({ [update.at]: null });
    const write = await records.prepareUpdate({ ...request, action: 'schedule', act });
    const at = sql.id(update.at);
    // Takes the row for this transaction, if it is due still: another process may have been first.
    const { base, read } = type.shownIn ?? {};
    const isMeant =
      read === undefined
        ? sql`"id" = ${id}`
        : sql`${sql.id(languageColumns.row)} = ${id} and ${sql.id(languageColumns.language)} = ${read.language.tag}`;
    const table = base === undefined ? type.table : languagesTable(base);
    const take = this.#query(
      sql`update ${sql.id(table)} set ${at} = ${at} where ${isMeant} and ${at} <= ${this.#encoded(now)}`,
    );
    const run = async (transaction: Transaction): Promise<void> => {
      if ((await transaction.run(take)) === 1) await write.run(transaction);
    };
    await records.runInTransaction({ type, run });
  }

  /** The rows that are due, but for those that are hidden from everyone, in their order. */
  async #due({ records, type, update }: Scheduled, now: string, after: DueRow | undefined): Promise<readonly DueRow[]> {
    const { database } = records;
    const { dialect } = database;
    const context = { dialect, authenticated: true, reads: new ReadsCollector() };
    const [at, id] = [column('t', update.at), column('t', 'id')];
    const conditions: RawBuilder<unknown>[] = [sql`${at} <= ${this.#encoded(now)}`];
    if (after !== undefined) conditions.push(sql`(${at}, ${id}) > (${this.#encoded(after.at)}, ${after.id})`);
    conditions.push(...protocolConditions(type, 't', context, 'admin'));
    const select = sql`select ${id} as "id", ${at} as "at" from ${tableAs(type.table, 't')}
      where ${allOf(conditions)} order by ${at}, ${id} limit ${sql.lit(slice)}`;
    const query = new Plan(select, dialect).bind(new RequestBindings(anonymous, []));
    const rows = await database.rows<{ id: string; at: SqlValue }>(query);
    return rows.map((row) => ({ id: row.id, at: String(dialect.decode('datetime', row.at)) }));
  }

  async #next({ records, type, update }: Scheduled, now: string): Promise<string | null> {
    const { database } = records;
    const at = sql.id(update.at);
    const select = sql`select min(${at}) as "next" from ${sql.id(type.table)} where ${at} > ${this.#encoded(now)}`;
    const query = new Plan(select, database.dialect).bind(new RequestBindings(anonymous, []));
    const next = (await database.first<{ next: SqlValue }>(query))?.next ?? null;
    return next === null ? null : String(database.dialect.decode('datetime', next));
  }

  #encoded(time: string): SqlValue {
    return this.#records.database.dialect.encode('datetime', time);
  }

  #query(statement: RawBuilder<unknown>) {
    return compiledQuery(statement, this.#records.database.dialect);
  }
}
