import { sql } from 'kysely';
import type { JsonValues } from '../json-values.ts';
import { postgresJsonObject } from './postgres-json.ts';

/** Each of them copies what stands before it. */
const mostConcatenated = 16;

/** A value is `json`, not `jsonb`: members keep their order, and numbers their digits. */
export const postgresJsonValues: JsonValues = {
  of: (column) => sql`(${column})::json`,
  // A cast reads all of the text.
  once: (column, alias, build) =>
    sql`(select ${build(sql`${sql.id(alias, 'value')}`)} from (select (${column})::json as "value" offset 0) as ${sql.id(alias)})`,
  items: (value, alias) =>
    sql`json_array_elements(case json_typeof(${value}) when 'array' then ${value} else '[]'::json end) as ${sql.id(alias)} ("value")`,
  item: (alias) => sql`${sql.id(alias, 'value')}`,
  isArray: (value) => sql`coalesce(json_typeof(${value}) = 'array', false)`,
  isObject: (value) => sql`coalesce(json_typeof(${value}) = 'object', false)`,
  member: (value, name) => sql`(${value} -> ${sql.lit(name)})`,
  memberText: (value, name) => sql`(${value} ->> ${sql.lit(name)})`,
  itemText: (item) => sql`(${item} #>> '{}')`,
  // Each `->` reads all of an object.
  objects: (value, alias, names) => {
    const columns = names.map((name) => sql`${sql.id(name)} json`);
    const array = sql`case json_typeof(${value}) when 'array' then ${value} else '[]'::json end`;
    return sql`json_to_recordset(${array}) as ${sql.id(alias)} (${sql.join(columns)})`;
  },
  // Of a few short texts, this takes half the time of an array of them.
  object: (entries) => {
    if (entries.length === 0 || entries.length > mostConcatenated) return postgresJsonObject(entries);
    const members = entries.map(
      ([name, value], at) =>
        sql`${sql.lit(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)} || coalesce(${value}, 'null')`,
    );
    return sql`(${sql.join(members, sql` || `)} || '}')`;
  },
  shown: (value) => sql`(${value})::text`,
};
