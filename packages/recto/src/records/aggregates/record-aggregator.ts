import { type Caller, isAuthenticated, tenantAsked } from '../../base/caller.ts';
import { badRequest } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { readAggregateQuery } from '../../query/aggregate-query.ts';
import type { GroupKey } from '../../query/group-key.ts';
import { unitPieces, weekPieces } from '../../values/calendar-unit.ts';
import { type Answer, answerOf, tooLarge, withinBudget } from '../answers/answer.ts';
import type { ElementSpellings } from '../list/element-spellings.ts';
import { ruleParameters } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';
import { callerKey } from '../plans/plan-reads.ts';
import type { ReadContext } from '../select/read-context.ts';
import { aggregateText, type StoredGroup } from './aggregate-answer.ts';
import {
  type AggregatePlan,
  type AggregateShape,
  aggregateShapeKey,
  aggregateValues,
  buildAggregatePlan,
  isPieced,
  mostPrefixes,
  mostSortedGroups,
} from './aggregate-plan.ts';

/** An aggregate that has been read and planned, for one caller. */
interface PreparedAggregate {
  readonly shape: AggregateShape;
  readonly plan: AggregatePlan;
  readonly caller: Caller;
}

/** Counts, sums and the like over the records of a list, by groups. */
export class RecordAggregator {
  readonly #context: ReadContext;

  readonly #spellings: ElementSpellings;

  constructor(context: ReadContext, spellings: ElementSpellings) {
    this.#context = context;
    this.#spellings = spellings;
  }

  /** What `search` (a raw query string) asks for, of the records that this caller's list has. Access has been checked. */
  async aggregate(type: ContentType, view: ReadView, caller: Caller, search: string): Promise<Answer> {
    const { types, plans, database, answers, budget, only } = this.#context;
    const query = readAggregateQuery(search, { type, types, view }, ruleParameters(type, view, 'list'));
    const [authenticated, tenant] = [isAuthenticated(caller), tenantAsked(caller) !== null];
    const shape: AggregateShape = {
      ...{ type, types, view, authenticated, tenant, query },
      ...(only === undefined ? {} : { only }),
    };
    const plan = plans.get(`aggregate|${aggregateShapeKey(shape)}`, () =>
      buildAggregatePlan(shape, database.dialect, budget.bytes),
    );
    const make = () => this.#read({ shape, plan, caller });
    if (view.audience === 'admin' || !type.endpoints.list.cache) return make();
    // What the passing of time alone can change is not remembered.
    if (plan.reads.now) return { ...(await make()), cacheStatus: 'recto; fwd=bypass' };
    return answers.look(
      answerKey(shape, plan, caller, aggregateValues(shape, database.dialect)),
      plan.reads.types,
      make,
    );
  }

  async #read({ shape: asked, plan, caller }: PreparedAggregate): Promise<Answer> {
    const { database, budget } = this.#context;
    const query = { ...asked.query, filters: await this.#spellings.filters(asked.type, asked.query.filters) };
    const shape = { ...asked, query };
    const { dialect } = database;
    const reader = database.reader(plan.reads.types, plan.kind);
    const bindings = new RequestBindings(caller, aggregateValues(shape, dialect), query.parameters);
    const pieced = query.groups.filter(isPieced);
    const pieces: string[] = [];
    for (const [place, key] of pieced.entries()) {
      const statement = plan.prefixes[place];
      const rows = statement === undefined ? [] : await reader.rows<{ prefix: string }>(statement.bind(bindings));
      pieces.push(JSON.stringify(piecesOf(key, rows)));
    }
    const row = await reader.first<{ groups: string | null }>(
      plan.groups.bind(bindings.with(aggregateValues(shape, dialect, pieces))),
    );
    if (row?.groups === null) throw tooLarge('bytes', budget.bytes);
    // What the plan's statement makes.
    const groups = JSON.parse(row?.groups ?? '[]') as readonly StoredGroup[];
    if (groups.length > mostSortedGroups) {
      const detail = `More than ${mostSortedGroups} groups cannot be sorted by a sum or an average: use fewer keys or a filter.`;
      throw badRequest('too_many_groups', detail);
    }
    return answerOf(withinBudget(aggregateText(query, groups, dialect.aggregates), budget));
  }
}

function piecesOf({ name, unit, zone }: GroupKey, rows: readonly { readonly prefix: string }[]) {
  if (rows.length > mostPrefixes) {
    const detail = `"${name}" would take more than ${mostPrefixes} different days or hours: use a greater unit or a filter.`;
    throw badRequest('too_many_groups', detail);
  }
  return rows.flatMap(({ prefix }) =>
    zone === null || unit === null ? weekPieces(prefix) : unitPieces(prefix, unit, zone),
  );
}

/** Equal for requests with one answer. */
function answerKey(
  shape: AggregateShape,
  { reads }: AggregatePlan,
  caller: Caller,
  values: readonly unknown[],
): string {
  const { authenticated, tenant, query } = shape;
  const shared = {
    ...shape,
    authenticated: reads.authenticated && authenticated,
    tenant: reads.tenant && tenant,
  };
  const ruleValues = reads.query.flatMap((name) => [name, query.parameters.get(name) ?? null]);
  const named = [query.count, query.groups.map(({ name }) => name), query.values.map(({ field }) => field.name)];
  const text = JSON.stringify([named, values, ruleValues], (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return `aggregate|${aggregateShapeKey(shared)}|${text}|${callerKey(reads, caller)}`;
}
