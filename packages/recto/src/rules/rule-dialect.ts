import type { Expression, RawBuilder } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { Scalar, ScalarKind } from '../values/value-kind.ts';

/** Rows of JSON items, as parts of a statement. */
export interface JsonItems {
  /** What to select from, the column's row before it. */
  readonly rows: RawBuilder<unknown>;
  readonly condition: RawBuilder<boolean>;
  /** The item where it is of that kind, else null. */
  value(kind: 'text' | 'float' | 'boolean'): RawBuilder<unknown>;
}

/** The SQL that differs between databases. Every method has the same meaning on every database. */
export interface RuleDialect {
  /** A canonical scalar as this database stores it, so that stored and bound values compare. */
  encode(kind: ScalarKind, value: Scalar): SqlValue;
  /** A bound value that the database does not look at to plan: the statement is planned once for all of them. */
  plannedOnce(value: Expression<unknown>): RawBuilder<unknown>;
  /** Equality in which null equals null; never null itself. */
  same(left: Expression<unknown>, right: Expression<unknown>): RawBuilder<boolean>;
  /** As `same`, of a column of the row itself and a bound value, in a form that an index on the column can serve. */
  columnIs(column: Expression<unknown>, bound: Expression<unknown>): RawBuilder<boolean>;
  /**
   * The same comparison, which may be null, marked as one that many records pass. For a planner without statistics: an
   * index on the list's other conditions finds fewer records.
   */
  ofMany(comparison: Expression<unknown>): RawBuilder<boolean>;
  /** SQL LIKE with `%`, `_` and the escape character `\`, letter case ignored for A to Z only; null when a side is null. */
  like(text: Expression<unknown>, pattern: Expression<unknown>): RawBuilder<boolean | null>;
  /** A to Z in lower case; null for null. */
  lower(text: Expression<unknown>): RawBuilder<string | null>;
  /** Length in Unicode code points; null for null. */
  textLength(text: Expression<unknown>): RawBuilder<number | null>;
  /** The scalar at a path of object keys in a JSON column where the JSON value there is of that kind, else null. */
  jsonScalar(
    column: Expression<unknown>,
    path: readonly string[],
    kind: 'text' | 'float' | 'boolean',
  ): RawBuilder<unknown>;
  /** Whether there is anything but JSON null at the path (empty path: the column itself). Never null. */
  jsonIsSet(column: Expression<unknown>, path: readonly string[]): RawBuilder<boolean>;
  /**
   * The items at a path of object keys in a JSON column, where an array on the way, the last value included, stands for its
   * items. Null is no item. `alias` begins the names of the rows.
   */
  jsonItems(column: Expression<unknown>, path: readonly string[], alias: string): JsonItems;
  /** Elements of the array, or code points of the string, at the path; 0 for anything else. Never null. */
  jsonLength(column: Expression<unknown>, path: readonly string[]): RawBuilder<number>;
  /** A bound 1 or 0 as a condition. */
  truth(bound: Expression<unknown>): RawBuilder<boolean>;
}
