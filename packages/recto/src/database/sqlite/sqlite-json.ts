import { type Expression, type RawBuilder, sql } from 'kysely';
import type { ValueKind } from '../../values/value-kind.ts';

/**
 * SQLite takes an argument of `json_object` for JSON only where it comes straight from another JSON function; a
 * subquery's value is plain text again (https://sqlite.org/json1.html#the_json_subtype). Hence `json(…)` around each.
 */
export function sqliteJson(kind: ValueKind, column: Expression<unknown>): RawBuilder<unknown> {
  switch (kind) {
    case 'json':
      return sql`json(${column})`;
    case 'boolean':
      return sql`json(case ${column} when 1 then 'true' when 0 then 'false' end)`;
    case 'decimal':
      return sql`substr(${column}, instr(${column}, ' ') + 1)`;
    case 'bigint':
      return sql`cast(${column} as text)`;
    case 'text':
    case 'integer':
    case 'float':
    case 'datetime':
    case 'date':
    case 'time':
      return sql`${column}`;
  }
}

export const sqliteJsonConstant = (value: string | readonly string[]): RawBuilder<unknown> =>
  typeof value === 'string' ? sql.lit(value) : sql`json_array(${sql.join(value.map((text) => sql.lit(text)))})`;

export const sqliteJsonText = (column: Expression<unknown>): RawBuilder<string> => sql`json_quote(${column})`;

type Entry = readonly [name: string, value: Expression<unknown>];

/** A function takes at most 1,000 arguments (https://sqlite.org/limits.html), two for each entry. */
const entriesPerCall = 400;

export function sqliteJsonObject(entries: readonly Entry[]): RawBuilder<string> {
  if (entries.length <= entriesPerCall) return objectCall(entries);
  const calls: RawBuilder<string>[] = [];
  for (let start = 0; start < entries.length; start += entriesPerCall) {
    calls.push(objectCall(entries.slice(start, start + entriesPerCall)));
  }
  // Each `{…}` loses its braces, which no JSON function could take from it without reading it anew.
  const insides = calls.map((call) => sql`substr(${call}, 2, length(${call}) - 2)`);
  return sql`json('{' || ${sql.join(insides, sql` || ',' || `)} || '}')`;
}

function objectCall(entries: readonly Entry[]): RawBuilder<string> {
  return sql`json_object(${sql.join(entries.flatMap(([name, value]) => [sql.lit(name), value]))})`;
}

export const sqliteJsonRows = (value: Expression<unknown>): RawBuilder<string> => sql`json_group_array(${value})`;

export function sqliteJsonArray(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<string> {
  return sql`(select ${sqliteJsonRows(value)} from ${from})`;
}

export function sqliteJsonOne(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<unknown> {
  return sql`json((select ${value} from ${from}))`;
}

export function sqliteJsonHasText(column: Expression<unknown>, text: Expression<unknown>): RawBuilder<boolean> {
  const isArray = sql`json_type(${column}) = 'array'`;
  return sql`exists (select 1 from json_each(${column}) where ${isArray} and "type" = 'text' and "value" = ${text})`;
}

export function sqliteJsonHasAnyText(column: Expression<unknown>, texts: Expression<unknown>): RawBuilder<boolean> {
  const isArray = sql`json_type(${column}) = 'array'`;
  const wanted = sql`select "value" from json_each(${texts})`;
  return sql`exists (select 1 from json_each(${column}) where ${isArray} and "type" = 'text' and "value" in (${wanted}))`;
}

export const sqliteJsonTexts = (column: Expression<unknown>, alias: string): RawBuilder<unknown> =>
  sql`json_each(${column}) as ${sql.id(alias)}`;
