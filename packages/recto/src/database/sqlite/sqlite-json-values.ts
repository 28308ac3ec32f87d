import { sql } from 'kysely';
import type { JsonValues } from '../json-values.ts';

/** Names of fields hold no quotes. */
const path = (name: string) => sql.lit(`$."${name}"`);

/** A value is JSON text (https://sqlite.org/json1.html#the_and_operators). */
export const sqliteJsonValues: JsonValues = {
  of: (column) => sql`${column}`,
  items: (value, alias) =>
    sql`json_each(case json_type(${value}) when 'array' then ${value} else '[]' end) as ${sql.id(alias)}`,
  isArray: (value) => sql`(json_type(${value}) = 'array')`,
  isObject: (value) => sql`(json_type(${value}) = 'object')`,
  member: (value, name) => sql`(${value} -> ${path(name)})`,
  memberText: (value, name) => sql`(${value} ->> ${path(name)})`,
  // Of a text, `json_each` gives the text itself.
  itemText: (item) => sql`${item}`,
  shown: (value) => sql`json(${value})`,
};
