import type { Expression, RawBuilder } from 'kysely';

/** Reading what is inside a JSON column, to build other JSON of it. A "value" is an expression that one of these made. */
export interface JsonValues {
  /** The value of a column. */
  of(column: Expression<unknown>): RawBuilder<unknown>;
  /** A FROM term: the items of an array in their order, each in column `value` of the alias; none for anything else. */
  items(value: Expression<unknown>, alias: string): RawBuilder<unknown>;
  isArray(value: Expression<unknown>): RawBuilder<boolean>;
  isObject(value: Expression<unknown>): RawBuilder<boolean>;
  /** The value of an object's member. */
  member(value: Expression<unknown>, name: string): RawBuilder<unknown>;
  /** The text of an object's member; null where it is none. */
  memberText(value: Expression<unknown>, name: string): RawBuilder<string | null>;
  /** The text of an item of an array. */
  itemText(item: Expression<unknown>): RawBuilder<string | null>;
  /** A value as one of the answer, as `Dialect.json` makes it of a column. */
  shown(value: Expression<unknown>): RawBuilder<unknown>;
}
