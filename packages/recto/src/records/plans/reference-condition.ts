import { type Expression, type RawBuilder, sql } from 'kysely';
import { idLength } from '../../database/schema-dialect.ts';
import type { Field } from '../../definition/content-type.ts';
import { isFileField } from '../../definition/field-type.ts';
import { column } from './sql-parts.ts';

/**
 * Whether the row of `alias` has this id in the column of a field. A column of files may hold addresses besides, and its index
 * is on the rows that may hold ids alone, so the condition has that in it as well.
 */
export function columnHasId(field: Field, alias: string, id: Expression<unknown>): RawBuilder<boolean> {
  const own = column(alias, field.name);
  if (!isFileField(field)) return sql<boolean>`${own} = ${id}`;
  return sql<boolean>`(${own} = ${id} and length(${own}) = ${sql.lit(idLength)})`;
}
