import { sql } from 'kysely';
import type { JsonValues } from '../json-values.ts';

/** A value is `json`, not `jsonb`: members keep their order, and numbers their digits. */
export const postgresJsonValues: JsonValues = {
  of: (column) => sql`(${column})::json`,
  items: (value, alias) =>
    sql`json_array_elements(case json_typeof(${value}) when 'array' then ${value} else '[]'::json end) as ${sql.id(alias)} ("value")`,
  isArray: (value) => sql`coalesce(json_typeof(${value}) = 'array', false)`,
  isObject: (value) => sql`coalesce(json_typeof(${value}) = 'object', false)`,
  member: (value, name) => sql`(${value} -> ${sql.lit(name)})`,
  memberText: (value, name) => sql`(${value} ->> ${sql.lit(name)})`,
  itemText: (item) => sql`(${item} #>> '{}')`,
  shown: (value) => sql`(${value})::text`,
};
