import type { Expression, RawBuilder } from 'kysely';

/** Reading what is inside a JSON column, to build other JSON of it. A "value" is an expression that one of these made. */
export interface JsonValues {
  /** The value of a column. */
  of(column: Expression<unknown>): RawBuilder<unknown>;
  /** A FROM term: the items of an array in their order; none for anything else. */
  items(value: Expression<unknown>, alias: string): RawBuilder<unknown>;
  /** The value of an item. `isObject`: it is known to be an object. */
  item(alias: string, isObject: boolean): RawBuilder<unknown>;
  isArray(value: Expression<unknown>): RawBuilder<boolean>;
  isObject(value: Expression<unknown>): RawBuilder<boolean>;
  /** The value of an object's member. */
  member(value: Expression<unknown>, name: string): RawBuilder<unknown>;
  /** The text of an object's member; null where it is none. */
  memberText(value: Expression<unknown>, name: string): RawBuilder<string | null>;
  /** The text of an item of an array. */
  itemText(item: Expression<unknown>): RawBuilder<string | null>;
  /**
   * An object without some members, and with others that are given as the answer has them. Absent where building an object of
   * its members is as fast.
   */
  readonly changed?: (
    value: Expression<unknown>,
    removed: readonly string[],
    set: readonly (readonly [name: string, value: Expression<unknown>])[],
  ) => RawBuilder<unknown>;
  /**
   * A FROM term: the objects of an array in their order, with these members as columns of the alias, each of them a value. It
   * fails for an array with anything else in it. Absent where members are read from an object as fast.
   */
  readonly objects?: (value: Expression<unknown>, alias: string, names: readonly string[]) => RawBuilder<unknown>;
  /** A value as one of the answer, as `Dialect.json` makes it of a column. */
  shown(value: Expression<unknown>): RawBuilder<unknown>;
}
