import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { mostIds, truncationMark } from '../answers/truncated-lists.ts';
import { column } from '../plans/sql-parts.ts';
import { type RelatedRows, selectRelated } from './related-rows.ts';

/**
 * The JSON array of a relation's ids. If there are more than are shown, it has one more, and the last element is the mark, with
 * `total`: a text, the number of all, or a reference by which it is found later. Every list is read with a limit: to look
 * first whether it is too long costs the short ones, which nearly all are, more than a sort with a limit does.
 */
export function idsJson(
  related: RelatedRows,
  alias: string,
  dialect: Dialect,
  total: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const id = dialect.json('text', column(alias, 'id'));
  const ids = dialect.jsonRows(id);
  const ordered = sql`${idRows(related)} order by ${related.order}`;
  const marked = sql`substr(${ids}, 1, length(${ids}) - 1) || ${sql.lit(`,${truncationMark}`)} || ${total} || '"]'`;
  const list = sql`(select case when count(*) <= ${sql.lit(mostIds)} then ${ids} else ${marked} end
    from (${ordered} limit ${sql.lit(mostIds + 1)}) as ${sql.id(alias)})`;
  return dialect.json('json', list);
}

/** The ids of a relation, as rows of `id`. */
export const idRows = (related: RelatedRows): RawBuilder<unknown> => selectRelated(related, sql`${related.id} as "id"`);

/** What `idsJson` takes for a list of the record in row `alias`, whose number is found later. No part of a reference has a dot. */
export const referenceTo = (type: ContentType, field: Field, alias: string): RawBuilder<unknown> =>
  sql`${sql.lit(`${type.singular}.${field.name}.`)} || ${column(alias, 'id')}`;
