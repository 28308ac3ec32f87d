import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { JsonItems, RuleDialect } from '../../rules/rule-dialect.ts';
import { sortableDecimal } from '../../values/decimal.ts';
import type { Scalar, ScalarKind } from '../../values/value-kind.ts';

/** SQLite has no boolean and no exact decimal: the first is 1 or 0, the second a text that sorts as the number does. */
function encode(kind: ScalarKind, value: Scalar): SqlValue {
  if (kind === 'decimal') return sortableDecimal(String(value));
  return typeof value === 'boolean' ? Number(value) : value;
}

/** A path as SQLite's JSON functions read it; a quoted key may hold any character but a quote, which the rule language never lets in. */
const jsonPath = (path: readonly string[]) => sql.val(`$${path.map((key) => `."${key}"`).join('')}`);

/** An array for `json_each`, of the JSON value there: itself or the one item. Null where there is none. */
const asArray = (value: RawBuilder<unknown>, type: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case ${type} when 'array' then ${value} else '[' || ${value} || ']' end`;

/** A `json_each` for the column and one for each key, each of which reads the one before it. */
function jsonItems(column: Expression<unknown>, path: readonly string[], alias: string): JsonItems {
  const rowOf = (place: number) => `${alias}_${place}`;
  const root = asArray(sql`${column}`, sql`json_type(${column})`);
  const steps = path.map((key, place) => {
    const [value, type] = [sql.id(rowOf(place), 'value'), sql.id(rowOf(place), 'type')];
    const at = jsonPath([key]);
    const inner = asArray(sql`(${value} -> ${at})`, sql`json_type(${value}, ${at})`);
    // The value of a string is its text and no JSON.
    return sql`case ${type} when 'object' then ${inner} end`;
  });
  const rows = [root, ...steps].map((array, place) => sql`json_each(${array}) as ${sql.id(rowOf(place))}`);
  const [value, type] = [sql.id(rowOf(path.length), 'value'), sql.id(rowOf(path.length), 'type')];
  return {
    rows: sql.join(rows),
    condition: sql`${type} <> 'null'`,
    value: (kind) => {
      switch (kind) {
        case 'text':
          return sql`case ${type} when 'text' then ${value} end`;
        case 'float':
          return sql`case when ${type} in ('integer', 'real') then cast(${value} as real) end`;
        case 'boolean':
          return sql`case ${type} when 'true' then 1 when 'false' then 0 end`;
      }
    },
  };
}

/** What the rule language means, in SQLite's words. */
export const sqliteRuleDialect: RuleDialect = {
  encode,
  // SQLite compiles a statement anew at each binding where it looked at the value, as it does for limits and for equality: a
  // filter through relations took three times as long, and the list of a role's own records twice. A sign before the value
  // keeps it from looking.
  plannedOnce: (value) => sql`+${value}`,
  same: (left, right) => sql`(${left} is ${right})`,
  columnIs: (column, bound) => sql`(${column} is ${bound})`,
  // Otherwise ten records are taken to have it (https://sqlite.org/lang_corefunc.html#likelihood), or as many as samples show.
  ofMany: (comparison) => sql`likelihood(${comparison}, 0.1)`,
  like: (text, pattern) => sql`(${text} like ${pattern} escape '\\')`,
  lower: (text) => sql`lower(${text})`,
  textLength: (text) => sql`length(${text})`,
  jsonScalar: (column, path, kind) => {
    const at = jsonPath(path);
    const type = sql`json_type(${column}, ${at})`;
    switch (kind) {
      case 'text':
        return sql`case ${type} when 'text' then json_extract(${column}, ${at}) end`;
      case 'float':
        // A large integer becomes the double that any other reader of JSON takes it for.
        return sql`case when ${type} in ('integer', 'real') then cast(json_extract(${column}, ${at}) as real) end`;
      case 'boolean':
        return sql`case ${type} when 'true' then 1 when 'false' then 0 end`;
    }
  },
  jsonItems,
  jsonIsSet: (column, path) => sql`(coalesce(json_type(${column}, ${jsonPath(path)}), 'null') <> 'null')`,
  jsonLength: (column, path) => {
    const at = jsonPath(path);
    const ofText = sql`length(json_extract(${column}, ${at}))`;
    return sql`case json_type(${column}, ${at}) when 'array' then json_array_length(${column}, ${at}) when 'text' then ${ofText} else 0 end`;
  },
  truth: (bound) => sql`(${bound} = 1)`,
};
