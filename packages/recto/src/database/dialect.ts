import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { RuleDialect } from '../rules/rule-dialect.ts';
import type { JsonValue, Scalar, ScalarKind, ValueKind } from '../values/value-kind.ts';
import type { NumberedTable } from './engine/appended-row.ts';
import type { JsonValues } from './json-values.ts';
import type { Query } from './query.ts';
import type { SchemaDialect } from './schema-dialect.ts';

/** Tables whose columns are known only at run time. */
export type AnyTables = Record<string, Record<string, unknown>>;

/** All differences between databases. Nothing above asks which one it is. */
export interface Dialect {
  /** For messages and `/health` alone. */
  readonly name: string;
  /** Row `mark`: another text as soon as a service has changed records. */
  readonly changeMark: Query;
  /** Row `version`: the version of the database, for people. */
  readonly version: Query;
  /** A query builder that only compiles; run what it compiles with an `Executor`. */
  readonly builder: Kysely<AnyTables>;
  readonly rules: RuleDialect;
  readonly search: SearchDialect;
  readonly aggregates: AggregateDialect;
  readonly schema: SchemaDialect;

  /** The column type that holds a kind. */
  columnType(kind: ValueKind): string;
  /** A canonical value as it is bound or stored. */
  encode(kind: ValueKind, value: Scalar | JsonValue): SqlValue;
  /** What a row's column gave, in canonical form. */
  decode(kind: ValueKind, stored: SqlValue): Scalar | JsonValue;

  /** A column as a JSON value of the answer: booleans as `true`, decimals and bigints as strings, JSON as it is. */
  json(kind: ValueKind, column: Expression<unknown>): RawBuilder<unknown>;
  /** As `json` of what is the same for all rows, and so need not be parsed for each: a text, or texts. */
  jsonConstant(value: string | readonly string[]): RawBuilder<unknown>;
  /** A column of text as the text of a JSON string. */
  jsonText(column: Expression<unknown>): RawBuilder<string>;
  /** `{"name": value, …}` as JSON text; values come from `json`, `jsonObject` or `jsonArray`. */
  jsonObject(entries: readonly (readonly [name: string, value: Expression<unknown>])[]): RawBuilder<string>;
  /** A scalar subquery: the JSON array of `value` over the rows of `from`, in their order (`[]` for none). `from` is a subquery with alias. */
  jsonArray(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<string>;
  /** An aggregate: the JSON array of `value` over the rows of the statement's FROM, in their order (`[]` for none), as plain text. */
  jsonRows(value: Expression<unknown>): RawBuilder<string>;
  /** As `jsonArray`, for a statement's own answer: plain text, which is cheaper and must not be put into another JSON value. */
  jsonArrayText(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<string>;
  /** A scalar subquery: the JSON object `value` of the one row of `from` (a table and its conditions), null where there is none. */
  jsonOne(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<unknown>;
  /** Whether a JSON column is an array that has the text as one of its elements; false for null. */
  jsonHasText(column: Expression<unknown>, text: Expression<unknown>): RawBuilder<boolean>;
  readonly jsonValues: JsonValues;
  /** As `jsonHasText`, of any of the texts in a bound JSON array. */
  jsonHasAnyText(column: Expression<unknown>, texts: Expression<unknown>): RawBuilder<boolean>;
  /** A FROM, to be joined with the table of a JSON column of arrays of texts: each element as `value` of `alias`. */
  jsonTexts(column: Expression<unknown>, alias: string): RawBuilder<unknown>;
  /** One statement that writes one row and responds with `body` about the row as written; no row where nothing was written. */
  returning(write: RowWrite): RawBuilder<unknown>;
  /** Follows a SELECT of rows that are about to be changed: leaves out those that another transaction is changing. */
  readonly skipLocked: RawBuilder<unknown>;
  /** The column by which the rows of a page are found again: one that every index of a record table holds. */
  readonly pageKey: string;
  /**
   * A FROM: the rows of `table` whose `pageKey`s the subquery `page` gives, as `alias`, in its order. What else it gives has alias
   * `page`. `key`: another unique column by which they are found.
   */
  pageRows(table: string, alias: string, page: Expression<unknown>, key?: string): RawBuilder<unknown>;
  /** A FROM: the rows of `table` whose `column` is one of the `keys` (a SELECT of `key`), as `alias`. The database begins at the keys. */
  rowsWith(table: string, alias: string, column: string, keys: Expression<unknown>): RawBuilder<unknown>;
  /** A FROM: each row of `rows`, a table with alias, beside each `value` of a SELECT that may read that row, as `alias`. */
  withEach(rows: Expression<unknown>, select: Expression<unknown>, alias: string): RawBuilder<unknown>;
  /** An ORDER BY term; nulls first when ascending, last when descending, text by code point. */
  order(column: Expression<unknown>, direction: 'asc' | 'desc'): RawBuilder<unknown>;
  /** What texts are sorted by in natural order: see `naturalOrder`. */
  naturalOrder(text: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Row `settled`: what is committed later has a greater number in this table, and a statement that begins after this one sees all
   * rows up to it. For the database itself, outside of any transaction.
   */
  settledNumber(table: NumberedTable): Query;
  /**
   * Row `seconds`: for how long the oldest transaction has run that keeps `settledNumber` from rising, null where that is unknown;
   * no row where there is none, a null query where there never is. `pid` is the server's process.
   */
  oldestNumbering(table: NumberedTable): Query | null;
  /** A stored table, also where the statement declares another one of its name. */
  stored(table: string): RawBuilder<unknown>;
  /** The statement with the declarations of the tables that it reads and that are not stored; absent: there are none of these. */
  readonly declare?: (statement: string) => string;
  /** What a failed statement means, where it is one of the errors that a caller is given. */
  fault(error: unknown): DatabaseFault | undefined;
}

/** Sums that are exact, whatever the database can compute with. */
export interface AggregateDialect {
  /** What of a number is added up. */
  addend(kind: ScalarKind, column: Expression<unknown>): RawBuilder<unknown>;
  /** An aggregate over addends: a text that `total` reads; null where there are none but nulls. */
  sum(kind: ScalarKind, addend: Expression<unknown>): RawBuilder<string | null>;
  /** The sum: exact and in plain notation, of floats as JavaScript reads a number. */
  total(kind: ScalarKind, text: string): string;
  /** A SELECT whose values are computed once for each row, however often an aggregate over it reads them. */
  computedOnce(select: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A FROM: the rows of a bound JSON array of arrays of texts, which compare by code point. */
  textRows(json: Expression<unknown>, alias: string, columns: readonly string[]): RawBuilder<unknown>;
}

/** A write as `Dialect.returning` takes it. */
export interface RowWrite {
  /** An INSERT or UPDATE of one row, without RETURNING. */
  readonly statement: RawBuilder<unknown>;
  readonly table: string;
  /** JSON text, which reads the row by the alias that it is given. What it sees of other rows and tables is undefined where they depend on this one. */
  readonly body: (alias: string) => Expression<string>;
  /** Of a new row: places for what `SearchDialect.entry` makes, null where that is null. Null: the statement indexes nothing. */
  readonly entry: readonly (Expression<unknown> | null)[] | null;
}

export type DatabaseFault =
  | { readonly kind: 'unique'; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: 'reference'; readonly table: string | undefined }
  | { readonly kind: 'busy' | 'full' | 'read_only' | 'damaged' | 'unreachable' }
  /** The statement itself: more than the database reads in one. */
  | { readonly kind: 'too_large' };

/** A record by its row number, with one text of folded words per searchable field. */
export interface NewEntry {
  readonly row: SqlValue;
  readonly words: readonly string[];
}

/** Full-text search over the words that `query/search-words.ts` makes of texts, the same on every database. */
export interface SearchDialect {
  /** Statements that index one record's texts anew: one text of folded words per searchable field. */
  index(
    table: string,
    columns: readonly string[],
    id: string,
    words: readonly string[],
  ): readonly { sql: string; parameters: readonly SqlValue[] }[];
  /** Statements that index records of which the index holds nothing yet, in a table that no other transaction writes to. */
  indexNew(
    table: string,
    columns: readonly string[],
    records: readonly NewEntry[],
  ): readonly { sql: string; parameters: readonly SqlValue[] }[];
  /** The values by which the words of a new row are indexed by `Dialect.returning`; absent: that takes a statement of its own. */
  entry?(columns: readonly string[], words: readonly string[]): readonly SqlValue[];
  /** Statements that take a record out of the index. To be run before the record itself is deleted. */
  remove(table: string, id: string): readonly { sql: string; parameters: readonly SqlValue[] }[];
  /**
   * Condition: all words of the bound query stand in the given columns together (not necessarily one column).
   * `query` is bound with what `match` makes of the words.
   */
  matches(table: string, alias: string, columns: readonly string[], query: Expression<unknown>): RawBuilder<boolean>;
  /** A FROM with the rows of the table, as `alias`, that `matches` holds for, each with its entry in the index. */
  found(table: string, alias: string, query: Expression<unknown>): RawBuilder<unknown>;
  /** As `found`, one row after the other in the order of `row`, their number: for a statement that soon has enough of them. */
  foundInOrder(
    table: string,
    alias: string,
    query: Expression<unknown>,
  ): { readonly from: RawBuilder<unknown>; readonly row: RawBuilder<unknown> };
  /** Condition without a row: so many rows match that some of them are found sooner by `foundInOrder`. Absent: they always are. */
  matchesMany?(table: string, query: Expression<unknown>): RawBuilder<boolean>;
  /** As `matches`, over the rows of `found`. */
  foundMatches(table: string, alias: string, query: Expression<unknown>): RawBuilder<boolean>;
  /** The value to bind for a search: every word must occur, the last one as a prefix unless `isWhole`, in any of the columns. */
  match(columns: readonly string[], words: readonly string[], isWhole?: boolean): SqlValue;
}
