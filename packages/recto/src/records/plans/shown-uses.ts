import { type RawBuilder, sql } from 'kysely';
import { type ContentType, type ContentTypes, junctionColumns } from '../../definition/content-type.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import { fullView, type ReadView } from '../../definition/rights/read-view.ts';
import { junctionOf } from '../../definition/stored-field.ts';
import { type InnerReferrer, innerReferrers, isUsed, type Referrer, referrers, refersByField } from './referrers.ts';
import { column, tableAs } from './sql-parts.ts';
import { type PlanContext, relatedRows } from './visibility.ts';

// Which records refer to another, as far as a view shows these records and the relations by which they do.

const linksTable = 'recto_links';

/** The relations of records themselves. */
const shownReferrers = (types: ContentTypes, type: ContentType, view: ReadView): readonly Referrer[] =>
  referrers(types, type).filter(({ owner, field }) => readableFields(owner, view).includes(field));

/** The relations inside structured fields. */
export const shownInnerReferrers = (types: ContentTypes, type: ContentType, view: ReadView): readonly InnerReferrer[] =>
  innerReferrers(types, type).filter(
    ({ owner, field, isPrivate }) => readableFields(owner, view).includes(field) && (!isPrivate || readsPrivate(view)),
  );

/** Whether the link in row `alias` of the table of links stands in one of these relations. */
export function standsIn(inner: readonly InnerReferrer[], alias: string): RawBuilder<boolean> {
  const isAt = (name: string, value: string) => sql`${column(alias, name)} = ${sql.lit(value)}`;
  const ways = inner.map(
    ({ owner, field, path }) =>
      sql`(${isAt('type', owner.singular)} and ${isAt('field', field.name)} and ${isAt('path', path)})`,
  );
  return sql`(${sql.join(ways, sql` or `)})`;
}

/** Whether a record that the view shows refers to the row of `alias`, by a relation that it shows. */
export function isUsedInView(
  types: ContentTypes,
  type: ContentType,
  alias: string,
  { view, context }: { readonly view: ReadView; readonly context: PlanContext },
): RawBuilder<boolean> {
  // Without a look at the records: the view shows them all.
  if (view.key === fullView.key) return isUsed(types, type, alias, context);
  const id = column(alias, 'id');
  const [link, owning] = ['user', 'owner'];
  const shown = (owner: ContentType): RawBuilder<boolean> => {
    context.reads.type(owner.singular);
    return relatedRows(owner, view, owning, context);
  };
  const ways = shownReferrers(types, type, view).map(({ owner, field }) => {
    const junction = junctionOf(field);
    if (junction === undefined)
      return sql`exists (select 1 from ${tableAs(owner.table, owning)}
        where ${refersByField({ owner, field }, owning, id)} and ${shown(owner)})`;
    return sql`exists (select 1 from ${tableAs(junction, link)}, ${tableAs(owner.table, owning)}
      where ${column(link, junctionColumns.target)} = ${id}
        and ${column(owning, 'id')} = ${column(link, junctionColumns.source)} and ${shown(owner)})`;
  });
  const leads = sql`${column(link, 'target_type')} = ${sql.lit(type.singular)} and ${column(link, 'target')} = ${id}`;
  for (const [owner, inner] of Map.groupBy(shownInnerReferrers(types, type, view), (each) => each.owner)) {
    ways.push(sql`exists (select 1 from ${tableAs(linksTable, link)}, ${tableAs(owner.table, owning)}
      where ${leads} and ${standsIn(inner, link)} and ${column(owning, 'id')} = ${column(link, 'record')}
        and ${shown(owner)})`);
  }
  return ways.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}
