import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { relatedRows } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';
import type { SiteAddresses } from './html-links.ts';
import { linkColumns, linkFields, linksInRow, textIsLike } from './link-texts.ts';

/** A record whose texts link to another, and where. */
export interface LinkingRecord {
  /** The singular name of its type. */
  readonly type: string;
  readonly id: string;
  /** Where the links stand: `body`, `sections[2].text`. */
  readonly places: readonly string[];
}

export interface LinkedAsked {
  readonly type: ContentType;
  readonly id: string;
  /** Its slug, if the caller reads it. */
  readonly slug: string | null;
  readonly caller: Caller;
}

/** The most that are listed. */
export const mostLinking = 100;
const mostPlaces = 5;

const row = 't';

/**
 * The records whose texts link to a record, by `data-record` or by an address of the site, of those that admin reads show the caller. Texts
 * have no index of their links: those of all records are looked through, in a thread.
 */
export async function linksToRecord(
  context: ReadContext,
  { type, id, slug, caller }: LinkedAsked,
  site: SiteAddresses,
): Promise<readonly LinkingRecord[]> {
  const { types, database, plans } = context;
  const view = viewFor('admin', caller, types);
  const found: LinkingRecord[] = [];
  const values = [`%${id}%`, slug === null ? `%${id}%` : `%/${slug}%`];
  for (const owner of types.all) {
    const fields = linkFields(owner, view);
    if (fields.length === 0 || found.length >= mostLinking) continue;
    const plan = plans.get(`links-to|${owner.singular}|${view.key}`, () => linkingPlan(context, owner, view));
    const reader = database.reader([owner.singular], 'related');
    const bindings = new RequestBindings(
      caller,
      fields.flatMap(() => values),
    );
    for (const stored of await reader.rows<Record<string, SqlValue>>(plan.bind(bindings))) {
      if (owner === type && stored.id === id) continue;
      const links = linksInRow(fields, stored, view, database.dialect).filter(({ href, record }) => {
        if (record !== null) return record.id === id && record.plural === type.plural;
        const address = slug === null ? undefined : site.read(href);
        return address?.plural === type.plural && address.slug === slug;
      });
      const places = [...new Set(links.map(({ place }) => place))].slice(0, mostPlaces);
      if (places.length > 0) found.push({ type: owner.singular, id: String(stored.id), places });
    }
  }
  return found.slice(0, mostLinking);
}

/** For each field two patterns: a row in which one of them is like one of its patterns. */
function linkingPlan({ database: { dialect } }: ReadContext, owner: ContentType, view: ReadView): Plan {
  const places = new ValuePlaces();
  const fields = linkFields(owner, view);
  const ways = fields.flatMap((field) => [
    textIsLike(field, row, sql`${places.take()}`),
    textIsLike(field, row, sql`${places.take()}`),
  ]);
  const context = { dialect, authenticated: true, reads: new ReadsCollector() };
  const conditions = [sql<boolean>`(${sql.join(ways, sql` or `)})`, relatedRows(owner, view, row, context)];
  return new Plan(
    sql`select ${column(row, 'id')} as "id", ${linkColumns(fields, row)} from ${tableAs(owner.table, row)}
      where ${allOf(conditions)} order by ${column(row, 'id')} limit ${sql.lit(mostLinking * 2)}`,
    dialect,
  );
}
