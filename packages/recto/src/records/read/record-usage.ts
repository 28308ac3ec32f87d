import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import { type ContentType, type ContentTypes, type Field, junctionColumns } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { isToOne, junctionOf } from '../../definition/stored-field.ts';
import { linksIn } from '../../definition/structure/inner-links.ts';
import { offsetOf, type Paging } from '../../query/query-text.ts';
import { joinPaths } from '../../values/field-path.ts';
import { type Answer, answerOf } from '../answers/answer.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { type InnerReferrer, innerReferrers, referrers, refersByField } from '../plans/referrers.ts';
import { shownInnerReferrers, standsIn } from '../plans/shown-uses.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { type PlanContext, relatedRows } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';
import { decodeRow, RecordStatements } from '../statements/record-statements.ts';

/** Which record, for an editor or admin. */
export interface UsageRequest {
  readonly type: ContentType;
  readonly id: string;
  readonly caller: Caller;
}

/** A record that refers to another. */
interface UsageRow {
  /** The singular name of its type. */
  readonly type: string;
  readonly id: string;
  /** The field of the type. */
  readonly field: string;
}

/**
 * A page of the records that refer to a record, with the places where they do: by relations that are columns, by relations to
 * many, and by relations inside structured fields. One statement finds them, among the records that admin reads show the caller.
 */
export async function recordUsage(context: ReadContext, request: UsageRequest, paging: Paging): Promise<Answer> {
  const { type, id, caller } = request;
  const { plans, database, types } = context;
  const view = viewFor('admin', caller, types);
  const { rows: plan, total: count } = plans.get(`usage|${type.singular}|${view.key}`, () =>
    usagePlans(context, type, view),
  );
  const rows = async <Row>(wanted: Plan, values: readonly SqlValue[]) =>
    database.rows<Row>(wanted.bind(new RequestBindings(caller, values)));
  const ids = readSources(types, type, view).map(() => id);
  const found = await rows<UsageRow>(plan, [...ids, paging.pageSize, offsetOf(paging)]);
  const [counted] = await rows<{ total: number | bigint }>(count, ids);
  const items = [];
  for (const row of found)
    items.push({ type: row.type, id: row.id, field: row.field, places: await places(context, row, request) });
  const { page, pageSize } = paging;
  return answerOf(JSON.stringify({ items, total: Number(counted?.total ?? 0), page, page_size: pageSize }));
}

/** Where in its field a record refers to another: the field itself, or paths into its value. */
async function places(
  context: ReadContext,
  row: UsageRow,
  { type, id, caller }: UsageRequest,
): Promise<readonly string[]> {
  const owner = context.types.get(row.type);
  const field = owner.field.get(row.field);
  if (field?.structure === undefined) return [row.field];
  const { database } = context;
  const stored = await database.first<Record<string, SqlValue>>(new RecordStatements(context).row(owner, row.id));
  if (stored === undefined) return [];
  const value = decodeRow(owner, stored, database.dialect)[field.name];
  const inner = shownInnerReferrers(context.types, type, viewFor('admin', caller, context.types));
  const paths = new Set(inner.filter((each) => each.owner === owner && each.field === field).map(({ path }) => path));
  return linksIn(field, value)
    .filter((link) => link.target === type.singular && link.id === id && paths.has(link.path))
    .map(({ place }) => joinPaths(field.name, place));
}

/** A field of a type whose values can refer to records of another. */
export interface Source {
  readonly owner: ContentType;
  readonly field: Field;
}

/** Those of the fields that a view shows, and not only what is private inside them. */
function readSources(types: ContentTypes, type: ContentType, view: ReadView): readonly Source[] {
  const inner = new Set(shownInnerReferrers(types, type, view).map(({ field }) => field));
  return sources(types, type).filter(
    ({ owner, field }) =>
      readableFields(owner, view).includes(field) && (field.structure === undefined || inner.has(field)),
  );
}

/** The fields whose values can refer to records of a type. */
export function sources(types: ContentTypes, type: ContentType): readonly Source[] {
  const inner = new Map(
    innerReferrers(types, type).map(({ owner, field }) => [`${owner.singular} ${field.name}`, { owner, field }]),
  );
  return [...referrers(types, type), ...inner.values()];
}

function usagePlans(
  context: ReadContext,
  type: ContentType,
  view: ReadView,
): { readonly rows: Plan; readonly total: Plan } {
  const { dialect } = context.database;
  const build = (places: ValuePlaces): RawBuilder<unknown> => {
    const plan: PlanContext = { dialect, authenticated: true, reads: new ReadsCollector() };
    const parts = readSources(context.types, type, view).map((source) =>
      usageOf(context.types, source, type, view, plan, places),
    );
    if (parts.length === 0) return sql`select '' as "type", '' as "id", '' as "field" where 1 = 0`;
    return sql.join(parts, sql` union all `);
  };
  const places = new ValuePlaces();
  const rows = build(places);
  const page = sql`order by "type", "id", "field" limit ${places.take()} offset ${places.take()}`;
  return {
    rows: new Plan(sql`select * from (${rows}) as "usage" ${page}`, dialect),
    total: new Plan(sql`select count(*) as "total" from (${build(new ValuePlaces())}) as "usage"`, dialect),
  };
}

function usageOf(
  types: ContentTypes,
  { owner, field }: Source,
  target: ContentType,
  view: ReadView,
  context: PlanContext,
  places: ValuePlaces,
) {
  const row = 't';
  const shown = relatedRows(owner, view, row, context);
  const names = sql`${sql.lit(owner.singular)} as "type", ${column(row, 'id')} as "id", ${sql.lit(field.name)} as "field"`;
  const isUser = isUserCondition({ owner, field }, target, row, places, shownInnerReferrers(types, target, view));
  return sql`select ${names} from ${tableAs(owner.table, row)} where ${allOf([isUser, shown])}`;
}

/** Whether the record in a row refers to the one whose id is the next value. */
function isUserCondition(
  { owner, field }: Source,
  target: ContentType,
  row: string,
  places: ValuePlaces,
  inner: readonly InnerReferrer[],
) {
  if (isToOne(field)) return refersByField({ owner, field }, row, places.take());
  const id = column(row, 'id');
  const junction = junctionOf(field);
  if (junction !== undefined) {
    const { source, target: to } = junctionColumns;
    return sql<boolean>`${id} in (select ${sql.id(source)} from ${sql.id(junction)} where ${sql.id(to)} = ${places.take()})`;
  }
  const leads = sql`"target_type" = ${sql.lit(target.singular)} and "target" = ${places.take()}`;
  const link = 'link';
  const isOwn = standsIn(
    inner.filter((each) => each.owner === owner && each.field === field),
    link,
  );
  return sql<boolean>`${id} in (select "record" from ${tableAs('recto_links', link)} where ${leads} and ${isOwn})`;
}
