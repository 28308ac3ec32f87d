import type { AuthenticatedCaller } from '../../base/caller.ts';
import { truncate } from '../../base/truncate.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { adminView, rightsOf } from '../../definition/rights/read-view.ts';
import { readableField } from '../../query/read-view.ts';
import type { Records } from '../../records/records.ts';
import {
  type CalendarDay,
  type CalendarEntry,
  type CalendarSource,
  dayOf,
  type EntryKind,
  type FoundEntries,
} from './calendar-entry.ts';
import { recordTitleField } from './record-title-field.ts';

/** A field of a type that holds a time for the calendar. */
interface TimeField {
  readonly type: ContentType;
  readonly kind: EntryKind;
  readonly name: string;
  /** The field of the state, and what it becomes at the time. */
  readonly state: string | undefined;
  readonly becomes: string | null;
}

/** Where protocols keep such times. */
function timeFields(type: ContentType): readonly TimeField[] {
  return type.protocols.flatMap(({ protocol, options }): readonly TimeField[] => {
    const update = protocol.scheduled?.(options);
    if (update !== undefined) {
      const [[state, value] = []] = Object.entries(update.sets);
      return [{ type, kind: 'status', name: update.at, state, becomes: typeof value === 'string' ? value : null }];
    }
    const due = protocol.name === 'assignable' ? type.field.get('due_at') : undefined;
    return due === undefined ? [] : [{ type, kind: 'due', name: due.name, state: undefined, becomes: null }];
  });
}

/**
 * The times that records hold, as the caller's admin lists show them: of each type whose list they get and whose time they read, and of each
 * language where languages have times of their own.
 */
export function recordTimes(records: Records, caller: AuthenticatedCaller): readonly CalendarSource[] {
  const { types } = records;
  return types.all.flatMap(timeFields).flatMap((field) => {
    const own = types.languages.others.filter(() => field.type.field.get(field.name)?.localized === true);
    const sources = [undefined, ...own].map((language) => new RecordTimes(records, caller, field, language));
    return sources.filter((source) => source.isOpen);
  });
}

/** Whether a type has times for the calendar that a caller's lists show. */
export function hasRecordTimes(types: ContentTypes, caller: AuthenticatedCaller, type: ContentType): boolean {
  const view = adminView(rightsOf(caller, types.roles));
  if (view.rights.of(type).rows.list === 'none') return false;
  return timeFields(type).some(({ name }) => readableField(type, view, name) !== undefined);
}

type Listed = Readonly<Record<string, unknown>>;

interface ListedPage {
  readonly items: readonly Listed[];
  readonly total: number;
}

/** The parameters of an admin list with the records whose time is in a range, by that time. */
export const timesQuery = (asked: {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly fields: readonly string[];
  readonly size: number;
}): Readonly<Record<string, string>> => ({
  filter: `${asked.name} >= "${asked.from}" && ${asked.name} < "${asked.to}"`,
  ...{ sort: `${asked.name}:asc`, fields: [...new Set(asked.fields)].join(), page_size: String(asked.size) },
});

class RecordTimes implements CalendarSource {
  readonly #base: Records;
  readonly #records: Records;
  readonly #caller: AuthenticatedCaller;
  readonly #type: ContentType;
  readonly #field: TimeField;
  readonly #language: string | null;
  readonly #state: string | undefined;
  readonly #title: string | undefined;
  readonly isOpen: boolean;

  constructor(base: Records, caller: AuthenticatedCaller, field: TimeField, language: Language | undefined) {
    const { types } = base;
    const read = language === undefined ? undefined : readLanguage(types.languages, language, false, 'admin');
    const view = adminView(rightsOf(caller, types.roles));
    this.#base = base;
    this.#records = base.inLanguage(read);
    this.#caller = language === undefined ? caller : { ...caller, language: language.tag };
    this.#field = field;
    this.#type = this.#records.types.get(field.type.singular);
    this.#language = language?.tag ?? null;
    const { state } = field;
    this.#state = state !== undefined && readableField(this.#type, view, state) !== undefined ? state : undefined;
    this.#title = recordTitleField(this.#type, view)?.name;
    this.isOpen = hasRecordTimes(types, caller, field.type);
  }

  get kind(): EntryKind {
    return this.#field.kind;
  }

  get type(): string {
    return this.#type.singular;
  }

  async read(days: readonly CalendarDay[], perDay: number): Promise<FoundEntries> {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined || !(await this.#hasRecords())) return nothingOn(days);
    const { maxPageSize } = this.#records.limits;
    const all = await this.#page({ from: first.from, to: last.to }, maxPageSize, 'uncounted');
    if (all.items.length < maxPageSize) {
      const byDay = days.map((): Listed[] => []);
      for (const item of all.items) byDay[dayOf(days, String(item[this.#field.name]))]?.push(item);
      const items = byDay.flatMap((own) => own.slice(0, perDay));
      return { entries: await this.#entries(items), totals: byDay.map(({ length }) => length) };
    }
    // The first of each day, whatever the days before it have: each is a short range of the index.
    const most = Math.min(perDay, maxPageSize);
    const pages = await Promise.all(days.map((day) => this.#page(day, most)));
    const entries = await this.#entries(pages.flatMap(({ items }) => items));
    return { entries, totals: pages.map(({ total }) => total) };
  }

  /** A single type has its record once somebody has asked for it, which the calendar does not. */
  #hasRecords(): Promise<boolean> | true {
    return this.#type.kind !== 'single' || this.#base.hasSingle(this.#field.type, this.#caller);
  }

  async #page(
    { from, to }: Pick<CalendarDay, 'from' | 'to'>,
    size: number,
    counting: 'counted' | 'uncounted' = 'counted',
  ): Promise<ListedPage> {
    const { name } = this.#field;
    const fields = ['id', name, this.#state, this.#title].filter((each) => each !== undefined);
    const query = new URLSearchParams(timesQuery({ name, from, to, fields, size }));
    if (counting === 'uncounted') query.set('skip_total', 'true');
    return this.#list(this.#records, query, this.#caller);
  }

  async #list(records: Records, query: URLSearchParams, caller: AuthenticatedCaller): Promise<ListedPage> {
    const type = records.types.get(this.#type.singular);
    const { body } = await records.list(type, 'admin', caller, query.toString());
    // An answer of a list is a page.
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as ListedPage;
  }

  async #entries(items: readonly Listed[]): Promise<readonly CalendarEntry[]> {
    const nameless = items.filter((item) => this.#titleOf(item) === null).map(({ id }) => String(id));
    const others = this.#language === null ? noTitles : await this.#defaultTitles(nameless);
    const { kind, name, becomes } = this.#field;
    return items.map((item) => {
      const id = String(item.id);
      const title = this.#titleOf(item) ?? others.get(id) ?? null;
      const state = item[this.#state ?? ''];
      const status = typeof state === 'string' ? state : null;
      const about = { type: this.type, id, title, language: this.#language };
      return { kind, at: String(item[name]), ...about, status, becomes };
    });
  }

  #titleOf(item: Listed): string | null {
    const value = item[this.#title ?? ''];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    return text === '' ? null : truncate(text, longestTitle);
  }

  /** What records are called that have no name in the language. */
  async #defaultTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const titles = new Map<string, string>();
    if (this.#title === undefined) return titles;
    const { maxPageSize } = this.#base.limits;
    for (let from = 0; from < ids.length; from += maxPageSize) {
      const some = ids.slice(from, from + maxPageSize).map((id) => JSON.stringify(id));
      const filter = `id in [${some.join(', ')}]`;
      const query = { filter, fields: `id,${this.#title}`, page_size: String(maxPageSize), skip_total: 'true' };
      const { language: _, ...caller } = this.#caller;
      const { items } = await this.#list(this.#base, new URLSearchParams(query), caller);
      for (const item of items) {
        const title = this.#titleOf(item);
        if (title !== null) titles.set(String(item.id), title);
      }
    }
    return titles;
  }
}

const longestTitle = 200;
const noTitles: ReadonlyMap<string, string> = new Map();
const nothingOn = (days: readonly CalendarDay[]): FoundEntries => ({ entries: [], totals: days.map(() => 0) });
