import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Field } from '../../definition/content-type.ts';
import { storedColumn } from '../../definition/stored-field.ts';
import { column } from './sql-parts.ts';

/**
 * The value of a field in the row `alias` of its type. Every statement reads fields through this function: what it shows,
 * filters by, sorts by and adds up are the same values.
 */
export function fieldValue(field: Field, alias: string): RawBuilder<unknown> {
  const name = storedColumn(field);
  if (name === undefined) throw new TypeError(`${field.name} is a relation to many, which has no value of its own.`);
  return column(alias, name);
}

/** Sets a field in an UPDATE of its type's table. */
export const fieldAssignment = (field: Field, value: Expression<unknown>): RawBuilder<unknown> =>
  sql`${sql.id(storedColumn(field) ?? field.name)} = ${value}`;
