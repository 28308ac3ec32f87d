import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { fieldsByLanguage } from '../../definition/stored-field.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { relatedRows } from '../plans/visibility.ts';
import { sources } from '../read/record-usage.ts';
import type { ReadContext } from '../select/read-context.ts';
import { decodeRow } from '../statements/record-statements.ts';
import { draftIn, draftsOf } from './draft.ts';

/** A record whose draft refers to another record. */
export interface DraftUse {
  readonly type: string;
  readonly id: string;
  /** The fields of the draft that do. */
  readonly fields: readonly string[];
}

/** The most that are listed of each type. */
const mostListed = 100;

/**
 * The records whose drafts refer to a record, of those that admin reads show the caller. Drafts have no links of their own: all of
 * them are read, in a thread.
 */
export async function draftUses(
  context: ReadContext,
  { type, id, caller }: { readonly type: ContentType; readonly id: string; readonly caller: Caller },
): Promise<readonly DraftUse[]> {
  const fields = Map.groupBy(sources(context.types, type), ({ owner }) => owner);
  const view = viewFor('admin', caller, context.types);
  const uses: DraftUse[] = [];
  for (const [owner, referring] of fields) {
    const drafts = draftsOf(owner);
    if (drafts === undefined) continue;
    if (!readableFields(owner, view).includes(drafts.field)) continue;
    const plan = context.plans.get(`draft-uses|${owner.singular}|${view.key}`, () =>
      draftsPlan(context, owner, view, drafts.field),
    );
    const reader = context.database.reader([owner.singular], 'related');
    const rows = await reader.rows<Record<string, SqlValue>>(plan.bind(new RequestBindings(caller, [`%${id}%`])));
    const found = new Map<string, ReadonlySet<string>>();
    for (const row of rows) {
      const changes = draftIn(drafts, decodeRow(owner, row, context.database.dialect))?.changes ?? {};
      const names = referring
        .filter(({ field }) => readableFields(owner, view).includes(field) && mentions(changes[field.name], id))
        .map(({ field }) => field.name);
      const record = String(row.id);
      if (names.length > 0) found.set(record, new Set([...(found.get(record) ?? []), ...names]));
    }
    for (const [record, names] of found) uses.push({ type: owner.singular, id: record, fields: [...names] });
  }
  return uses;
}

/** An id is like no other text. */
const mentions = (value: unknown, id: string): boolean => value !== undefined && JSON.stringify(value).includes(id);

/** The drafts that hold a text, of all languages. */
function draftsPlan({ database: { dialect } }: ReadContext, owner: ContentType, view: ReadView, field: Field): Plan {
  const [row, other] = ['t', 'l'];
  const { name } = field;
  const places = new ValuePlaces();
  const text = places.take();
  const shown = relatedRows(owner, view, row, { dialect, authenticated: true, reads: new ReadsCollector() });
  const drafts = (draft: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> => {
    const isMeant = sql<boolean>`${draft} is not null and cast(${draft} as text) like ${text}`;
    return sql`select ${column(row, 'id')} as "id", ${draft} as ${sql.id(name)} from ${from} where ${allOf([isMeant, shown])}`;
  };
  const base = owner.shownIn?.base ?? owner;
  const own = drafts(column(row, name), tableAs(base.table, row));
  const all = fieldsByLanguage(base).some((each) => each.name === name)
    ? sql`${own} union all ${drafts(
        column(other, name),
        sql`${tableAs(languagesTable(base), other)} join ${tableAs(base.table, row)}
          on ${column(row, 'id')} = ${column(other, languageColumns.row)}`,
      )}`
    : own;
  return new Plan(sql`select * from (${all}) as "drafts" order by "id" limit ${sql.lit(mostListed)}`, dialect);
}
