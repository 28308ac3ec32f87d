import { type RawBuilder, sql } from 'kysely';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { forbidden, notFound } from '../../base/problem.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { TreeColumns } from '../../definition/protocol.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { readableField } from '../../query/read-view.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import { type Answer, type AnswerBudget, answerOf, withinBudget } from '../answers/answer.ts';
import { mayLink } from '../answers/record-links.ts';
import { ruleParameters } from '../plans/access.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { type PlanContext, relatedRows } from '../plans/visibility.ts';
import { followLinks } from '../select/followed-links.ts';
import { Projection } from '../select/projection.ts';
import type { ReadContext } from '../select/read-context.ts';
import { weighOnce } from '../select/response-size-limit.ts';
import { buildWeightPlan } from '../select/response-size-plan.ts';

export interface WalkRequest {
  readonly type: ContentType;
  readonly view: 'get' | 'admin';
  readonly caller: Caller;
  readonly id: string;
  /** The raw query string. */
  readonly search: string;
  readonly way: 'ancestors' | 'subtree';
}

/** The most records that a walk returns; `total` counts all. */
export const longestWalk = 1000;

/**
 * The records above one, from the root down, or the record and those below it, level by level. The walk goes through
 * only records that this caller may see: records beyond a hidden one would reveal it. Access has been checked.
 */
export async function walkTree(context: ReadContext, request: WalkRequest): Promise<Answer> {
  const { type, caller, id, search, way } = request;
  const { types, database, plans } = context;
  const view = viewFor(request.view, caller, types);
  const tree = type.facts.tree;
  if (tree === undefined) throw new Error(`The records of ${type.singular} form no tree.`);
  // Public routes are not there where `get` does not show the parent.
  if (view.audience === 'admin' && readableField(type, view, tree.parent) === undefined)
    throw forbidden('insufficient_role', `Your role does not read what a ${type.singular} stands below.`);
  if (!isId(id)) throw notFound();
  const { parameters } = readRecordQuery(search, { type, types, view }, ruleParameters(type, view, 'get'), 'other');
  const authenticated = isAuthenticated(caller);
  const plan = plans.get(`walk|${type.singular}|${view.key}|${way}|${authenticated}`, () =>
    buildWalk({ type, types, view, way, authenticated, tree }, database.dialect, context.budget),
  );
  const bindings = new RequestBindings(caller, [id], parameters);
  const reader = database.reader(plan.reads.types);
  await weighOnce({ plan: plan.weight, bindings, reader }, context.budget);
  const row = await reader.first<{ items: string; total: number | bigint }>(plan.body.bind(bindings));
  const found = Number(row?.total ?? 0);
  if (row === undefined || found === 0) throw notFound();
  const text = `{"items":${row.items},"total":${way === 'ancestors' ? found - 1 : found}}`;
  const answer = answerOf(withinBudget(text, context.budget));
  const isFollowed = view.audience === 'public' && mayLink(text);
  return isFollowed ? followLinks(context, { ...answer, linked: true }, caller) : answer;
}

interface Walk extends Pick<WalkRequest, 'type' | 'way'> {
  readonly view: ReadView;
  readonly types: ContentTypes;
  readonly authenticated: boolean;
  readonly tree: TreeColumns;
}

interface WalkPlan {
  readonly body: Plan;
  readonly weight: Plan;
  readonly reads: PlanReads;
}

/** One row: `items`, and `total` of the rows walked through, the first one included. */
function buildWalk(walk: Walk, dialect: Dialect, budget: AnswerBudget): WalkPlan {
  const { type, types, view, way, authenticated, tree } = walk;
  const context: PlanContext = { dialect, authenticated, reads: new ReadsCollector() };
  const visible = (alias: string): RawBuilder<boolean> => relatedRows(type, view, alias, context);
  const at = (name: string) => column('walk', name);
  const next =
    way === 'ancestors' ? sql`${column('n', 'id')} = ${at('parent')}` : sql`${column('n', tree.parent)} = ${at('id')}`;
  const row = (alias: string) => sql`${column(alias, 'id')}, ${column(alias, tree.parent)}`;
  const rows = sql`with recursive "walk" ("id", "parent", "level") as (
    select ${row('t')}, 0 from ${tableAs(type.table, 't')}
      where ${column('t', 'id')} = ${new ValuePlaces().take()} and ${visible('t')}
    union all
    select ${row('n')}, ${at('level')} + 1 from ${tableAs(type.table, 'n')} join "walk" on ${next} where ${visible('n')})`;
  const order =
    way === 'ancestors'
      ? [dialect.order(at('level'), 'desc')]
      : [at('level'), ...placesIn(type, view, tree), column('t0', 'id')].map((term) => dialect.order(term, 'asc'));
  const page = (
    columns: RawBuilder<unknown>,
  ) => sql`select ${columns} from "walk" join ${tableAs(type.table, 't0')} on ${column('t0', 'id')} = ${at('id')}
    where ${at('level')} >= ${sql.lit(way === 'ancestors' ? 1 : 0)} order by ${sql.join(order)} limit ${sql.lit(longestWalk)}`;
  const record = new Projection(types, context).record(type, 't0', view);
  const items = dialect.jsonArrayText(record, sql`(${page(sql`${sql.id('t0')}.*`)}) as ${sql.id('t0')}`);
  const body = new Plan(sql`${rows} select ${items} as "items", (select count(*) from "walk") as "total"`, dialect);
  const keys = sql`${rows} ${page(column('t0', dialect.pageKey))}`;
  const weight = buildWeightPlan({ type, types, view, include: [], fields: null, keys }, context, budget);
  return { body, weight, reads: context.reads.done() };
}

/** By what records of a level are ordered: their places, unless a role does not read these. Definitions see to it that public routes do. */
const placesIn = (type: ContentType, view: ReadView, { position }: TreeColumns): RawBuilder<unknown>[] =>
  view.audience === 'public' || readableField(type, view, position) !== undefined ? [column('t0', position)] : [];
