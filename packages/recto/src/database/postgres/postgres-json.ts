import { type Expression, type RawBuilder, sql } from 'kysely';
import type { ValueKind } from '../../values/value-kind.ts';

/**
 * JSON is put together as text: each value is the JSON text of it, or null, and takes its place by concatenation. The
 * functions that build `json` take twice the time, write spaces between tokens, and take 100 arguments at most.
 */
export function postgresJson(kind: ValueKind, column: Expression<unknown>): RawBuilder<unknown> {
  switch (kind) {
    case 'text':
    case 'datetime':
    case 'date':
    case 'time':
      return sql`to_json(${column})::text`;
    case 'decimal':
      return sql`('"' || trim_scale(${column}) || '"')`;
    case 'bigint':
      return sql`('"' || ${column} || '"')`;
    case 'integer':
    case 'float':
    case 'boolean':
      return sql`${column}::text`;
    case 'json':
      return sql`${column}`;
  }
}

export const postgresJsonConstant = (value: string | readonly string[]): RawBuilder<unknown> =>
  sql.lit(JSON.stringify(value));

export const postgresJsonText = (column: Expression<unknown>): RawBuilder<string> => sql`to_json(${column})::text`;

type Entry = readonly [name: string, value: Expression<unknown>];

export function postgresJsonObject(entries: readonly Entry[]): RawBuilder<string> {
  if (entries.length === 0) return sql`'{}'`;
  const members = entries.map(
    ([name, value]) => sql`${sql.lit(`${JSON.stringify(name)}:`)} || coalesce(${value}, 'null')`,
  );
  return sql`('{' || array_to_string(array[${sql.join(members)}], ',') || '}')`;
}

export const postgresJsonRows = (value: Expression<unknown>): RawBuilder<string> =>
  sql`('[' || coalesce(string_agg(coalesce(${value}, 'null'), ','), '') || ']')`;

/** Rows reach an aggregate in the order of the subquery that they come from, which its ORDER BY keeps from being merged. */
export function postgresJsonArray(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<string> {
  return sql`(select ${postgresJsonRows(value)} from ${from})`;
}

export function postgresJsonOne(value: Expression<unknown>, from: Expression<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from ${from})`;
}

/** A scalar contains no array, so that only an array can contain one of the text alone. */
export function postgresJsonHasText(column: Expression<unknown>, text: Expression<unknown>): RawBuilder<boolean> {
  return sql`coalesce(${column}::jsonb @> jsonb_build_array(${text}::text), false)`;
}

export const postgresJsonHasAnyText = (column: Expression<unknown>, texts: Expression<unknown>): RawBuilder<boolean> =>
  sql`coalesce(jsonb_typeof(${column}::jsonb) = 'array'
    and ${column}::jsonb ?| array(select jsonb_array_elements_text((${texts}::text)::jsonb)), false)`;

export const postgresJsonTexts = (column: Expression<unknown>, alias: string): RawBuilder<unknown> =>
  sql`jsonb_array_elements_text(${column}::jsonb) as ${sql.id(alias)} ("value")`;
