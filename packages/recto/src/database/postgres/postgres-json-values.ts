import { sql } from 'kysely';
import type { JsonValues } from '../json-values.ts';

/** A value is `json`, not `jsonb`: members keep their order, and numbers their digits. */
export const postgresJsonValues: JsonValues = {
  of: (column) => sql`(${column})::json`,
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
  shown: (value) => sql`(${value})::text`,
};
