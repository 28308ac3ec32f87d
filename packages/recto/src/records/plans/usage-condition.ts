import { type RawBuilder, sql } from 'kysely';
import { type ContentType, type ContentTypes, junctionColumns } from '../../definition/content-type.ts';
import { columnHasId } from './reference-condition.ts';
import { innerReferrers, referrers } from './referrers.ts';
import { column, tableAs } from './sql-parts.ts';
import type { PlanContext } from './visibility.ts';

/** Whether some record refers to the row of `alias`, by a relation of its own or inside a structured field. */
export function isUsed(
  types: ContentTypes,
  type: ContentType,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> {
  const id = column(alias, 'id');
  const row = 'user';
  const ways = referrers(types, type).flatMap(({ owner, field }) => {
    context.reads.type(owner.singular);
    const { place } = field;
    if (place.shape === 'to_many') {
      const target = column(row, junctionColumns.target);
      return [sql`exists (select 1 from ${tableAs(place.junction, row)} where ${target} = ${id})`];
    }
    return [sql`exists (select 1 from ${tableAs(owner.table, row)} where ${columnHasId(field, row, id)})`];
  });
  const inner = innerReferrers(types, type);
  for (const { owner } of inner) context.reads.type(owner.singular);
  if (inner.length > 0) {
    const leads = sql`${column(row, 'target_type')} = ${sql.lit(type.singular)} and ${column(row, 'target')} = ${id}`;
    ways.push(sql`exists (select 1 from ${tableAs('recto_links', row)} where ${leads})`);
  }
  return ways.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}
