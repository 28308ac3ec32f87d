/** The words of a field that a note is about, with some of what stands around them, by which they are found again. */
export interface Quote {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** What somebody has written beside a record. Times are milliseconds since 1970. */
export interface Note {
  readonly id: string;
  /** The singular name of a content type. */
  readonly type: string;
  readonly record: string;
  /** Null for notes on records that belong to a tenant themselves, and for those of nobody's tenant. */
  readonly tenant: string | null;
  /** A path such as `body[2].title`; null: the whole record. */
  readonly field: string | null;
  /** The language that it is about; null: all of them. */
  readonly language: string | null;
  readonly quote: Quote | null;
  readonly text: string;
  /** Accounts. */
  readonly mentions: readonly string[];
  /** The first note of the thread that it replies in; null for a first note. */
  readonly parent: string | null;
  readonly author: string;
  readonly createdAt: number;
  /** Null: it is as it was first written. */
  readonly updatedAt: number | null;
  /** Of a first note, when its thread was closed. */
  readonly resolvedAt: number | null;
  readonly resolvedBy: string | null;
}

export const longestNote = 5_000;
export const longestPath = 200;
export const longestQuote = 500;
/** Of what stands before and after a quote. */
export const longestContext = 64;
export const mostMentions = 20;
/** The most notes of one record. */
export const mostNotes = 1_000;
