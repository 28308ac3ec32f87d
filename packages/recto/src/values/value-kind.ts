/**
 * How a value is stored, compared and rendered. A field type chooses a kind; a database dialect stores each kind.
 * There are few kinds, so that both databases can agree on all of them.
 */
export type ScalarKind = 'text' | 'integer' | 'bigint' | 'float' | 'decimal' | 'boolean' | 'datetime' | 'date' | 'time';

export type ValueKind = ScalarKind | 'json';

/**
 * A value in its one canonical form:
 * text → string · integer → safe integer · bigint → bigint (64 bit) · float → finite number ·
 * decimal → string without exponent or superfluous zeros (`-12.5`) · boolean ·
 * datetime → `2026-11-21T10:00:00.000Z` · date → `2026-11-21` · time → `10:00:00` or `10:00:00.250`.
 */
export type Scalar = string | number | bigint | boolean;

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A kind of scalar, independent of any database. */
export interface Kind {
  /** A value of a JSON body or of a rule's literal in canonical form; undefined when it is not of this kind. */
  fromJson(value: unknown): Scalar | undefined;
  /** The text of a query parameter in canonical form; undefined when it is not of this kind. */
  fromText(text: string): Scalar | undefined;
  /** Negative, zero or positive. Text compares by code point, which both databases are configured to do. */
  compare(a: Scalar, b: Scalar): number;
  /** Whether `<` and the like are defined for this kind. */
  readonly ordered: boolean;
}
