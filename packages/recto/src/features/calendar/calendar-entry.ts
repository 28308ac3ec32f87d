/** What something in the calendar is: a status that changes by itself, a release that is published, or a date by which something is due. */
export const entryKinds = ['status', 'release', 'due'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** Something that happens at a time. */
export interface CalendarEntry {
  readonly kind: EntryKind;
  /** Canonical datetime. */
  readonly at: string;
  /** The singular name of a content type; null for a release. */
  readonly type: string | null;
  /** Of the record or the release. */
  readonly id: string;
  /** What it is called; null where nothing that the caller reads says so. */
  readonly title: string | null;
  /** The tag of the language whose status changes; null: the default language. */
  readonly language: string | null;
  /** The state now; null where the caller does not read it. */
  readonly status: string | null;
  /** The state that it comes into at that time; null: none. */
  readonly becomes: string | null;
}

/** What a source has on some days. */
export interface FoundEntries {
  /** In their order, and of each day at most as many as were asked for. */
  readonly entries: readonly CalendarEntry[];
  /** How many there are on each of the days. */
  readonly totals: readonly number[];
}

/** A day of a time zone, as a range of instants. */
export interface CalendarDay {
  /** `2026-03-29` */
  readonly date: string;
  /** Canonical datetimes; `to` is not part of the day. */
  readonly from: string;
  readonly to: string;
}

/** One thing that puts entries into the calendar, as one caller sees it. */
export interface CalendarSource {
  readonly kind: EntryKind;
  /** The singular name of a content type; null: none. */
  readonly type: string | null;
  /** What there is on days that follow one another, each with its first `perDay` entries at most. */
  read(days: readonly CalendarDay[], perDay: number): Promise<FoundEntries>;
}

export const byTime = (a: CalendarEntry, b: CalendarEntry): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** The place of the day that an instant is on; -1: on none. */
export const dayOf = (days: readonly CalendarDay[], at: string): number =>
  days.findIndex(({ from, to }) => from <= at && at < to);
