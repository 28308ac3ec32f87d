import { type RawBuilder, sql } from 'kysely';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { slugFieldOf } from '../../definition/slug-field.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import { requireAccess, ruleParameters } from '../plans/access.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable, type PlanContext } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';
import { formerSlugKey } from '../statements/former-slug-statements.ts';

/** A read of a record by a slug that no record has which the caller may see. */
export interface MovedRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly slug: string;
  /** The raw query string. */
  readonly search: string;
}

/** A former slug of a record, and the one that it has now. */
export interface FormerSlug {
  readonly id: string;
  readonly former: string;
  readonly slug: string;
  /** Canonical datetime. */
  readonly moved_at: string;
}

export interface SomeFormerSlugs {
  /** The one that they come after; empty: none. */
  readonly after: string;
  readonly offset: number;
  readonly limit: number;
}

interface FormerSlugPlan {
  readonly plan: Plan;
  readonly reads: PlanReads;
}

const former = 'f';
const record = 't0';
const other = 'o';

/** The slug that the record has now; undefined where there is none that `get` shows the caller. */
export async function movedTo(context: ReadContext, { type, caller, slug, search }: MovedRequest) {
  const field = slugFieldOf(type);
  if (field === undefined) return undefined;
  const { types } = context;
  const view = viewFor('get', caller, types);
  const { parameters } = readRecordQuery(search, { type, types, view }, ruleParameters(type, view, 'get'), 'read');
  const built = planned(context, type, caller, 'moved', (plan) => {
    const places = new ValuePlaces();
    const conditions = [
      ...ofType(places),
      sql`${column(former, 'slug')} = ${places.take()}`,
      ...leadsOn(type, field, plan),
    ];
    return sql`select ${fieldValue(field, record)} as "slug" ${from(type)} where ${allOf(conditions)}
      order by ${column(former, 'moved_at')} desc limit 1`;
  });
  const values = [type.singular, formerSlugKey(type, field), slug];
  const row = await readerOf(context, type, built).first<{ slug: string }>(
    built.plan.bind(new RequestBindings(caller, values, parameters)),
  );
  return row?.slug;
}

/** How many former slugs of a type lead to a record that `get` shows the caller. */
export async function countFormerSlugs(context: ReadContext, type: ContentType, caller: Caller): Promise<number> {
  const field = listedField(type, caller);
  const built = planned(context, type, caller, 'count', (plan) => {
    const conditions = [...ofType(new ValuePlaces()), ...leadsOn(type, field, plan), notTaken(type, field, plan)];
    return sql`select count(*) as "total" ${from(type)} where ${allOf(conditions)}`;
  });
  const bindings = new RequestBindings(caller, [type.singular, formerSlugKey(type, field)]);
  const row = await readerOf(context, type, built).first<{ total: number | bigint }>(built.plan.bind(bindings));
  return Number(row?.total ?? 0);
}

/** Former slugs of a type, in their order. */
export async function listFormerSlugs(
  context: ReadContext,
  type: ContentType,
  caller: Caller,
  { after, offset, limit }: SomeFormerSlugs,
): Promise<readonly FormerSlug[]> {
  const field = listedField(type, caller);
  const built = planned(context, type, caller, 'list', (plan) => {
    const places = new ValuePlaces();
    const slug = column(former, 'slug');
    const conditions = [
      ...ofType(places),
      sql`${slug} > ${places.take()}`,
      ...leadsOn(type, field, plan),
      notTaken(type, field, plan),
    ];
    return sql`select ${column(record, 'id')} as "id", ${slug} as "former", ${fieldValue(field, record)} as "slug",
      ${column(former, 'moved_at')} as "moved_at" ${from(type)} where ${allOf(conditions)}
      order by ${slug} limit ${places.take()} offset ${places.take()}`;
  });
  const bindings = new RequestBindings(caller, [type.singular, formerSlugKey(type, field), after, limit, offset]);
  return readerOf(context, type, built).rows<FormerSlug>(built.plan.bind(bindings));
}

function listedField(type: ContentType, caller: Caller): Field {
  requireAccess(type.endpoints.get.access, caller);
  const field = slugFieldOf(type);
  if (field === undefined) throw new Error(`Records of "${type.singular}" have no slugs.`);
  return field;
}

function planned(
  { plans, database }: ReadContext,
  type: ContentType,
  caller: Caller,
  name: string,
  build: (context: PlanContext) => RawBuilder<unknown>,
): FormerSlugPlan {
  const authenticated = isAuthenticated(caller);
  return plans.get(`former-slugs|${name}|${type.singular}|${authenticated}`, () => {
    const reads = new ReadsCollector();
    const { dialect } = database;
    return { plan: new Plan(build({ dialect, authenticated, reads }), dialect), reads: reads.done() };
  });
}

const readerOf = ({ database }: ReadContext, type: ContentType, { reads }: FormerSlugPlan) =>
  database.reader([type.singular, ...reads.types], 'records');

const from = (type: ContentType): RawBuilder<unknown> =>
  sql`from ${tableAs('recto_former_slugs', former)} join ${tableAs(type.table, record)} on ${column(record, 'id')} = ${column(former, 'record')}`;

const ofType = (places: ValuePlaces): RawBuilder<boolean>[] => [
  sql`${column(former, 'type')} = ${places.take()}`,
  sql`${column(former, 'field')} = ${places.take()}`,
];

/** The record is visible to the caller, by another slug. */
const leadsOn = (type: ContentType, field: Field, context: PlanContext): RawBuilder<boolean>[] => [
  sql`${fieldValue(field, record)} <> ${column(former, 'slug')}`,
  gettable(type, record, context),
];

/** No record that the caller sees has the slug now. */
const notTaken = (type: ContentType, field: Field, context: PlanContext): RawBuilder<boolean> =>
  sql`not exists (select 1 from ${tableAs(type.table, other)}
    where ${fieldValue(field, other)} = ${column(former, 'slug')} and ${gettable(type, other, context)})`;
