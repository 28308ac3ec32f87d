import { type Expression, type RawBuilder, sql } from 'kysely';
import type { RuleDialect } from '../../rules/rule-dialect.ts';
import { encodePostgres } from './postgres-values.ts';

/** The value at a path of object keys: `->` with a text never looks into an array, which `#>` would. */
function at(column: Expression<unknown>, path: readonly string[]): RawBuilder<unknown> {
  const steps = path.map((key) => sql` -> ${sql.lit(key)}::text`);
  return sql`(${column}::jsonb${sql.join(steps, sql``)})`;
}

/** The text of a JSON string, by code point as every text. */
const textOf = (value: RawBuilder<unknown>): RawBuilder<string> => sql`((${value} #>> '{}') collate "C")`;

/** A JSON value where it is of that kind. */
function scalarOf(value: RawBuilder<unknown>, kind: 'text' | 'float' | 'boolean'): RawBuilder<unknown> {
  const type = sql`jsonb_typeof(${value})`;
  switch (kind) {
    case 'text':
      return sql`case ${type} when 'string' then ${textOf(value)} end`;
    case 'float':
      return sql`case ${type} when 'number' then ${value}::double precision end`;
    case 'boolean':
      return sql`case ${type} when 'boolean' then ${value}::boolean end`;
  }
}

/** What the rule language means, in PostgreSQL's words. */
export const postgresRuleDialect: RuleDialect = {
  encode: encodePostgres,
  // It makes a plan for all values by itself, where one that is made for each promises no less work.
  plannedOnce: (value) => sql`${value}`,
  same: (left, right) => sql`(${left} is not distinct from ${right})`,
  // `is not distinct from` can use no index.
  columnIs: (column, bound) =>
    sql`(${column} = ${bound} and ${column} is not null and ${bound}::text is not null or ${column} is null and ${bound}::text is null)`,
  // The statistics say how many.
  ofMany: (comparison) => sql`${comparison}`,
  // By the collation "C", letter case is that of A to Z.
  like: (text, pattern) => sql`((${text} collate "C") ilike ${pattern} escape '\\')`,
  lower: (text) => sql`(lower(${text} collate "C"))`,
  textLength: (text) => sql`char_length(${text})::bigint`,
  jsonScalar: (column, path, kind) => scalarOf(at(column, path), kind),
  jsonItems: (column, path, alias) => {
    // Without `strict`, a path goes through an array by its items.
    const keys = path.map((key) => `."${key}"`).join('');
    const item = sql.id(alias, 'value');
    return {
      rows: sql`jsonb_path_query(${column}::jsonb, ${sql.lit(`$${keys}[*]`)}::jsonpath) as ${sql.id(alias)}("value")`,
      condition: sql`jsonb_typeof(${item}) <> 'null'`,
      value: (kind) => scalarOf(item, kind),
    };
  },
  jsonIsSet: (column, path) => sql`(coalesce(jsonb_typeof(${at(column, path)}), 'null') <> 'null')`,
  jsonLength: (column, path) => {
    const value = at(column, path);
    const length = sql`case jsonb_typeof(${value}) when 'array' then jsonb_array_length(${value}) when 'string' then char_length(${textOf(value)}) else 0 end`;
    // A number that it is compared with may be beyond 32 bits.
    return sql`(${length})::bigint`;
  },
  truth: (bound) => sql`(${bound} = 1)`,
};
