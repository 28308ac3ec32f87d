import type { SqlValue } from '../base/bindings.ts';
import { type Caller, isAuthenticated, tenantAsked } from '../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import { badRequest } from '../base/problem.ts';
import type { ContentType } from '../definition/content-type.ts';
import { type ListQuery, readListQuery } from '../query/list-query.ts';
import type { ReadView } from '../query/read-view.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { type Answer, answerOf } from './answer.ts';
import { withinBudget } from './answer-budget.ts';
import { needsWeighing } from './answer-weight.ts';
import type { CursorSealer } from './cursor-sealer.ts';
import type { ElementSpellings } from './element-spellings.ts';
import { includedTotals } from './included-totals.ts';
import { type SpelledFilter, spelledFilters } from './list-filter.ts';
import { type OrderTerm, type OrderValues, orderValues } from './list-order.ts';
import {
  buildListPlan,
  buildListWeight,
  type ListPlan,
  type ListShape,
  listIdentity,
  listOrder,
  listShapeKey,
  listValues,
} from './list-plan.ts';
import { type ListTotal, ListTotals } from './list-totals.ts';
import type { Plan } from './plan.ts';
import { callerKey, type PlanReads } from './plan-reads.ts';
import { planCharacters, type RecordsContext, storedForm } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { ruleParameters } from './rule-parameters.ts';
import { type MemoStats, TextMemo } from './text-memo.ts';
import { Weigher } from './weigher.ts';

/** A list request that has been read and planned; the same for everyone who sends the same query string. */
interface PreparedList {
  readonly view: ReadView;
  readonly query: ListQuery;
  /** The number of the page: as asked for, or as the cursor knows it. */
  readonly page: number;
  readonly order: readonly OrderTerm[];
  /** What the cursors of this list's pages are sealed for. */
  readonly identity: string;
  readonly plan: ListPlan;
  /** Weighs the page, where it could be too large; null where it could not. */
  readonly weight: Plan | null;
  readonly values: { readonly total: readonly SqlValue[]; readonly items: readonly SqlValue[] };
  readonly type: ContentType;
  /** Filters whose values are found among stored records at each reading. */
  readonly spelled: readonly SpelledFilter[];
  /** Equal for requests that differ by nothing but the caller. */
  readonly key: string;
  /** The same apart from page, page size and order. */
  readonly totalKey: string;
}

interface PageRow {
  readonly items: string;
  readonly keys: string;
}

/** Lists of records: reads the parameters, plans once per shape, remembers totals until a type changes. */
export class RecordLister {
  readonly #context: RecordsContext;
  readonly #cursors: CursorSealer;
  readonly #weigher: Weigher;
  readonly #spellings: ElementSpellings;
  readonly #prepared = new TextMemo<PreparedList>({ entries: 2_000, characters: 8_000_000 }, preparedCharacters);
  readonly #totals: ListTotals;

  constructor(context: RecordsContext, cursors: CursorSealer, spellings: ElementSpellings) {
    this.#context = context;
    this.#cursors = cursors;
    this.#weigher = new Weigher(context);
    this.#spellings = spellings;
    this.#totals = new ListTotals(context);
  }

  /** What is remembered of requests, and of totals. */
  get stats(): { readonly prepared: MemoStats; readonly totals: MemoStats } {
    return { prepared: this.#prepared.stats, totals: this.#totals.stats };
  }

  /** The page that `search` (a raw query string) asks for, as this caller may see it through the view. Access has been checked. */
  list(type: ContentType, view: 'list' | 'admin', caller: Caller, search: string): MaybePromise<Answer> {
    const prepared = this.#prepare(type, view, caller, search);
    const { reads } = prepared.plan;
    const make = () => mapMaybe(this.#spelled(prepared), (complete) => this.#read(complete, caller));
    if (view === 'admin' || !type.endpoints.list.cache) return make();
    // What the passing of time alone can change is not remembered.
    if (reads.now) return mapMaybe(make(), (answer) => ({ ...answer, cacheStatus: 'recto; fwd=bypass' }));
    return this.#context.answers.look(prepared.key + callerKey(reads, caller), reads.types, make);
  }

  #prepare(type: ContentType, view: 'list' | 'admin', caller: Caller, search: string): PreparedList {
    const [authenticated, tenant] = [isAuthenticated(caller), tenantAsked(caller) !== null];
    const memoKey = `${type.singular}|${view}|${authenticated}|${tenant}|${search}`;
    const known = this.#prepared.get(memoKey);
    if (known !== undefined) return known;
    const { types, limits, plans, database, budget } = this.#context;
    const readsQuery = ruleParameters(type, view);
    const query = readListQuery(search, { type, types, view }, limits, readsQuery);
    const first: ListShape = { type, types, view, authenticated, tenant, query, after: null };
    const identity = listIdentity(first, listValues(first, database.dialect).total);
    const order = listOrder(first);
    const begin = query.cursor === null ? undefined : this.#begin(identity, order, query.cursor);
    const shape: ListShape = { ...first, after: begin?.after ?? null };
    const shapeKey = listShapeKey(shape);
    const plan = plans.get(`list|${shapeKey}`, () => buildListPlan(shape, database.dialect, storedForm(this.#context)));
    const weight = needsWeighing(query.pageSize, query.include)
      ? plans.get(`weight|${shapeKey}`, () => buildListWeight(shape, database.dialect, budget))
      : null;
    const values = listValues(shape, database.dialect);
    const ruleValues = plan.reads.query.flatMap((name) => [name, query.parameters.get(name) ?? null]);
    const page = begin?.page ?? query.page;
    const prepared: PreparedList = {
      type,
      spelled: spelledFilters(query.filters, database.dialect),
      view,
      query,
      page,
      order,
      identity,
      plan,
      weight,
      values,
      key: `list|${anonymousKey(shape, plan.reads)}|${valuesKey([...values.items, ...ruleValues])}|${page}|${query.skipTotal}|`,
      totalKey: `${listShapeKey({ ...shape, query: { ...query, sort: [], include: [] }, after: null })}|${valuesKey([...values.total, ...ruleValues])}|`,
    };
    // Long query strings are rare and dear to keep.
    if (search.length <= 512) this.#prepared.set(memoKey, prepared);
    return prepared;
  }

  /** Where a cursor says that the page begins; 400 for one that is not of this list. */
  #begin(identity: string, order: readonly OrderTerm[], cursor: string): { page: number; after: OrderValues } {
    const content = this.#cursors.open(identity, cursor);
    // Nobody but `#nextCursor` seals for a list.
    const [page, keys] = (content === undefined ? [] : JSON.parse(content)) as readonly [number?, JsonValue?];
    const after = orderValues(order, keys);
    if (page === undefined || after === undefined) {
      throw badRequest(
        'invalid_cursor',
        'The cursor is not one of this list. It holds for the filters, search and order that it was given with.',
      );
    }
    return { page, after };
  }

  /** The list with the values of its filters as stored records spell them. */
  #spelled(prepared: PreparedList): MaybePromise<PreparedList> {
    const { type, spelled } = prepared;
    return spelled.reduce<MaybePromise<PreparedList>>(
      (before, { at, field, text }) =>
        mapMaybe(before, (list) =>
          mapMaybe(this.#spellings.of(type, field, text), (texts) => ({
            ...list,
            values: { total: list.values.total.with(at, texts), items: list.values.items.with(at, texts) },
          })),
        ),
      prepared,
    );
  }

  #read(prepared: PreparedList, caller: Caller): MaybePromise<Answer> {
    const { plan, values, query, weight, key } = prepared;
    const bindings = new RequestBindings(caller, values.items, query.parameters);
    if (weight === null) return this.#build(prepared, bindings);
    const reader = this.#context.database.reader(plan.reads.types, plan.kind);
    const weighed = this.#weigher.weigh({
      plan: weight,
      reads: plan.reads,
      bindings,
      reader,
      key: key + callerKey(plan.reads, caller),
    });
    return mapMaybe(weighed, () => this.#build(prepared, bindings));
  }

  #build(prepared: PreparedList, bindings: RequestBindings): MaybePromise<Answer> {
    const { query, page, plan, view } = prepared;
    const { database, budget } = this.#context;
    const reader = database.reader(plan.reads.types, plan.kind);
    return mapMaybe(reader.first<PageRow>(plan.items.bind(bindings)), (row) =>
      mapMaybe(query.skipTotal ? uncounted : this.#total(prepared, bindings), ({ total, isEstimate }) => {
        const { items, keys } = row ?? { items: '[]', keys: '[]' };
        const next = this.#nextCursor(prepared, keys, isEstimate ? -1 : total);
        const counted = `${total}${isEstimate ? ',"total_is_estimate":true' : ''}`;
        const text = `{"items":${items},"total":${counted},"page":${page},"page_size":${query.pageSize}${next === undefined ? '' : `,"next_cursor":"${next}"`}}`;
        const totals = includedTotals(this.#context, { text: withinBudget(text, budget), view, bindings, reader });
        // An exact total follows soon, unless it is that of a search.
        const isPassing = isEstimate && query.search === null;
        return mapMaybe(totals, (found) => ({ ...answerOf(text, found), ...(isPassing ? { passing: true } : {}) }));
      }),
    );
  }

  /** Undefined where the page is known to be the last: it is not full, or its number and the total say so. */
  #nextCursor({ query, page, identity }: PreparedList, keys: string, total: number): string | undefined {
    if (query.cursor === null && total >= 0 && page * query.pageSize >= total) return undefined;
    // What `orderKeys` made.
    const places = JSON.parse(keys) as readonly JsonValue[];
    if (places.length < query.pageSize) return undefined;
    return this.#cursors.seal(identity, JSON.stringify([page + 1, places.at(-1)]));
  }

  /** The remembered total while no type it was counted from has changed; what time alone can change is counted each time. */
  #total(prepared: PreparedList, bindings: RequestBindings): MaybePromise<ListTotal> {
    const { reads } = prepared.plan;
    if (reads.now) return this.#count(prepared, bindings, true);
    return this.#totals.total({
      key: prepared.totalKey + callerKey(reads, bindings.caller),
      types: reads.types,
      count: (isUrgent) => this.#count(prepared, bindings, isUrgent),
    });
  }

  #count({ plan, values }: PreparedList, bindings: RequestBindings, isUrgent: boolean): MaybePromise<ListTotal> {
    const query = plan.total.bind(bindings.with(values.total));
    // A search never holds up other requests.
    const reader = this.#context.database.reader(plan.reads.types, isUrgent ? plan.kind : 'search');
    return mapMaybe(reader.first<{ total: number | bigint }>(query), (row) => {
      const total = Number(row?.total ?? 0);
      const isEstimate = total > plan.mostCounted;
      return { total: isEstimate ? plan.mostCounted : total, isEstimate };
    });
  }
}

/** Of a list that is not to be counted. */
const uncounted: ListTotal = { total: -1, isEstimate: false };

const preparedCharacters = ({ key, totalKey, identity, plan, weight }: PreparedList): number =>
  key.length +
  totalKey.length +
  identity.length +
  planCharacters(plan) +
  (weight === null ? 0 : planCharacters(weight));

/** A shape's key that all callers share where the answer does not depend on who they are. */
function anonymousKey(shape: ListShape, reads: PlanReads): string {
  const { authenticated, tenant } = shape;
  return listShapeKey({
    ...shape,
    authenticated: reads.authenticated && authenticated,
    tenant: reads.tenant && tenant,
  });
}

const valuesKey = (values: readonly (SqlValue | undefined)[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}n` : value)));
