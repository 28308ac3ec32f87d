import { type Expression, type RawBuilder, sql } from 'kysely';
import type { JsonValues } from '../json-values.ts';

/** Names of fields hold no quotes. */
const path = (name: string) => sql.lit(`$."${name}"`);

/** A value is JSON text (https://sqlite.org/json1.html#the_and_operators). */
export const sqliteJsonValues: JsonValues = {
  of: (column) => sql`${column}`,
  items: (value, alias) =>
    sql`json_each(case json_type(${value}) when 'array' then ${value} else '[]' end) as ${sql.id(alias)}`,
  // `json_each` has the text itself of a text, and numbers for true and false.
  item: (alias, isObject) =>
    isObject
      ? sql`${sql.id(alias, 'value')}`
      : sql`(case ${sql.id(alias, 'type')} when 'text' then json_quote(${sql.id(alias, 'value')}) when 'true' then 'true'
          when 'false' then 'false' else ${sql.id(alias, 'value')} end)`,
  isArray: (value) => sql`(json_type(${value}) = 'array')`,
  isObject: (value) => sql`(json_type(${value}) = 'object')`,
  member: (value, name) => sql`(${value} -> ${path(name)})`,
  memberText: (value, name) => sql`(${value} ->> ${path(name)})`,
  itemText: (item) => sql`(${item} ->> '$')`,
  // Each `->` would look for its member, whose text then is read once more.
  changed: (value, removed, set) => {
    if (removed.length + set.length === 0) return sql`json(${value})`;
    const without = called('json_remove', value, removed.map(path));
    const pairs = set.flatMap(([name, member]) => [path(name), member]);
    return called('json_set', without, pairs);
  },
  shown: (value) => sql`json(${value})`,
};

/** A function takes at most 1,000 arguments (https://sqlite.org/limits.html). */
const argumentsPerCall = 800;

/** A JSON function of an object and any number of other arguments, called as often as they need. */
function called(
  name: 'json_remove' | 'json_set',
  object: Expression<unknown>,
  others: readonly Expression<unknown>[],
): RawBuilder<unknown> {
  let made = sql`${object}`;
  for (let start = 0; start < others.length; start += argumentsPerCall) {
    made = sql`${sql.raw(name)}(${sql.join([made, ...others.slice(start, start + argumentsPerCall)])})`;
  }
  return made;
}
