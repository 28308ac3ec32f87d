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
import { orderValues } from './list-order.ts';
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
import { orderingOf } from './search-order.ts';
import { type MemoStats, TextMemo } from './text-memo.ts';
import { Weigher } from './weigher.ts';

/** A list request that has been read and planned; the same for everyone who sends the same query string. */
interface PreparedList extends PreparedPage {
  readonly view: ReadView;
  readonly query: ListQuery;
  readonly type: ContentType;
  /** The page in the order of a search that finds more than is ranked; null: there is only one order. */
  readonly unranked: PreparedPage | null;
  /** Filters whose values are found among stored records at each reading. */
  readonly spelled: readonly SpelledFilter[];
  /** Equal for requests that differ by nothing but the caller, page, page size and order. */
  readonly totalKey: string;
}

/** A page of a list in one order. */
interface PreparedPage {
  /** The number of the page: as asked for, or as the cursor knows it. */
  readonly page: number;
  /** What the cursors of this list's pages are sealed for. */
  readonly identity: string;
  readonly plan: ListPlan;
  /** Weighs the page, where it could be too large; null where it could not. */
  readonly weight: Plan | null;
  readonly values: { readonly total: readonly SqlValue[]; readonly items: readonly SqlValue[] };
  /** Equal for requests that differ by nothing but the caller. */
  readonly key: string;
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
    const { types, limits, database } = this.#context;
    const readsQuery = ruleParameters(type, view);
    const query = readListQuery(search, { type, types, view }, limits, readsQuery);
    const shape: ListShape = { type, types, view, authenticated, tenant, query, after: null };
    const [first, other] = this.#pages(shape);
    const { plan, values } = first;
    const ruleValues = ruleValuesOf(plan, query);
    const prepared: PreparedList = {
      ...first,
      unranked: other ?? null,
      type,
      spelled: spelledFilters(query.filters, database.dialect),
      view,
      query,
      totalKey: `${listShapeKey({ ...shape, query: { ...query, sort: [], include: [] } })}|${valuesKey([...values.total, ...ruleValues])}|`,
    };
    // Long query strings are rare and dear to keep.
    if (search.length <= 512) this.#prepared.set(memoKey, prepared);
    return prepared;
  }

  /** The page that is asked for. Two, if how many records a search finds decides on the order; a cursor knows which one it was given in. */
  #pages(shape: ListShape): readonly [PreparedPage, PreparedPage?] {
    const { query } = shape;
    const isRanked = orderingOf(query, false) === 'ranked';
    const unranked: ListShape = { ...shape, isUnranked: true };
    if (query.cursor !== null) return [this.#pageAfter(query.cursor, isRanked ? [shape, unranked] : [shape])];
    const first = this.#page(shape, query.page);
    return isRanked ? [first, this.#page(unranked, query.page)] : [first];
  }

  #page(shape: ListShape, page: number): PreparedPage {
    const { plans, database, budget, limits } = this.#context;
    const { dialect } = database;
    const { query } = shape;
    const shapeKey = listShapeKey(shape);
    const plan = plans.get(`list|${shapeKey}`, () =>
      buildListPlan(shape, dialect, storedForm(this.#context), limits.mostMatches),
    );
    const weight = needsWeighing(query.pageSize, query.include)
      ? plans.get(`weight|${shapeKey}`, () => buildListWeight(shape, dialect, budget))
      : null;
    const values = listValues(shape, dialect);
    const ruleValues = ruleValuesOf(plan, query);
    return {
      page,
      identity: listIdentity(shape, values.total),
      plan,
      weight,
      values,
      key: `list|${anonymousKey(shape, plan.reads)}|${valuesKey([...values.items, ...ruleValues])}|${page}|${query.skipTotal}|`,
    };
  }

  /** The page that a cursor of one of the lists leads to; 400 for one that is of none. */
  #pageAfter(cursor: string, shapes: readonly ListShape[]): PreparedPage {
    for (const shape of shapes) {
      const { total } = listValues(shape, this.#context.database.dialect);
      const content = this.#cursors.open(listIdentity(shape, total), cursor);
      // Nobody but `#nextCursor` seals for a list.
      const [page, keys] = (content === undefined ? [] : JSON.parse(content)) as readonly [number?, JsonValue?];
      const after = orderValues(listOrder(shape), keys);
      if (page !== undefined && after !== undefined) return this.#page({ ...shape, after }, page);
    }
    throw badRequest(
      'invalid_cursor',
      'The cursor is not one of this list. It holds for the filters, search and order that it was given with.',
    );
  }

  /** The list with the values of its filters as stored records spell them. */
  #spelled(prepared: PreparedList): MaybePromise<PreparedList> {
    const { type, spelled } = prepared;
    return spelled.reduce<MaybePromise<PreparedList>>(
      (before, { at, field, text }) =>
        mapMaybe(before, (list) =>
          mapMaybe(this.#spellings.of(type, field, text), (texts) => ({
            ...list,
            ...withValue(list, at, texts),
            unranked: list.unranked && withValue(list.unranked, at, texts),
          })),
        ),
      prepared,
    );
  }

  #read(prepared: PreparedList, caller: Caller): MaybePromise<Answer> {
    const { unranked, values, query } = prepared;
    const bindings = new RequestBindings(caller, values.items, query.parameters);
    if (unranked === null) return this.#readPage(prepared, prepared, bindings);
    return mapMaybe(this.#total(prepared, bindings), (total) =>
      total.isEstimate
        ? this.#readPage(prepared, unranked, bindings.with(unranked.values.items), total)
        : this.#readPage(prepared, prepared, bindings, total),
    );
  }

  /** `total`: if it is known already. */
  #readPage(
    prepared: PreparedList,
    page: PreparedPage,
    bindings: RequestBindings,
    total?: ListTotal,
  ): MaybePromise<Answer> {
    const { plan, weight, key } = page;
    if (weight === null) return this.#build(prepared, page, bindings, total);
    const reader = this.#context.database.reader(plan.reads.types, plan.kind);
    const weighed = this.#weigher.weigh({
      plan: weight,
      reads: plan.reads,
      bindings,
      reader,
      key: key + callerKey(plan.reads, bindings.caller),
    });
    return mapMaybe(weighed, () => this.#build(prepared, page, bindings, total));
  }

  #build(
    prepared: PreparedList,
    page: PreparedPage,
    bindings: RequestBindings,
    known: ListTotal | undefined,
  ): MaybePromise<Answer> {
    const { query, view } = prepared;
    const { plan } = page;
    const { database, budget } = this.#context;
    const reader = database.reader(plan.reads.types, plan.kind);
    return mapMaybe(reader.first<PageRow>(plan.items.bind(bindings)), (row) =>
      mapMaybe(query.skipTotal ? uncounted : (known ?? this.#total(prepared, bindings)), ({ total, isEstimate }) => {
        const { items, keys } = row ?? { items: '[]', keys: '[]' };
        const next = this.#nextCursor(query, page, keys, isEstimate ? -1 : total);
        const counted = `${total}${isEstimate ? ',"total_is_estimate":true' : ''}`;
        const text = `{"items":${items},"total":${counted},"page":${page.page},"page_size":${query.pageSize}${next === undefined ? '' : `,"next_cursor":"${next}"`}}`;
        const totals = includedTotals(this.#context, { text: withinBudget(text, budget), view, bindings, reader });
        // An exact total follows soon, unless it is that of a search.
        const isPassing = isEstimate && query.search === null;
        return mapMaybe(totals, (found) => ({ ...answerOf(text, found), ...(isPassing ? { passing: true } : {}) }));
      }),
    );
  }

  /** Undefined where the page is known to be the last: it is not full, or its number and the total say so. */
  #nextCursor(query: ListQuery, { page, identity }: PreparedPage, keys: string, total: number): string | undefined {
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
      isBounded: prepared.query.search !== null,
      count: (isUrgent) => this.#count(prepared, bindings, isUrgent),
    });
  }

  #count({ plan, values }: PreparedList, bindings: RequestBindings, isUrgent: boolean): MaybePromise<ListTotal> {
    const query = plan.total.bind(bindings.with(values.total));
    // A search never holds up other requests.
    const reader = this.#context.database.reader(
      plan.reads.types,
      isUrgent || plan.kind === 'related' ? plan.kind : 'search',
    );
    return mapMaybe(reader.first<{ total: number | bigint }>(query), (row) => {
      const total = Number(row?.total ?? 0);
      const isEstimate = total > plan.mostCounted;
      return { total: isEstimate ? plan.mostCounted : total, isEstimate };
    });
  }
}

/** Of a list that is not to be counted. */
const uncounted: ListTotal = { total: -1, isEstimate: false };

const preparedCharacters = ({ totalKey, unranked, ...first }: PreparedList): number =>
  totalKey.length + pageCharacters(first) + (unranked === null ? 0 : pageCharacters(unranked));

const pageCharacters = ({ key, identity, plan, weight }: PreparedPage): number =>
  key.length + identity.length + planCharacters(plan) + (weight === null ? 0 : planCharacters(weight));

/** The values of a page with another one at a place. */
const withValue = ({ values, ...page }: PreparedPage, at: number, value: SqlValue): PreparedPage => ({
  ...page,
  values: { total: values.total.with(at, value), items: values.items.with(at, value) },
});

/** What the rules read of the query string. */
const ruleValuesOf = ({ reads }: ListPlan, { parameters }: ListQuery): readonly (string | null)[] =>
  reads.query.flatMap((name) => [name, parameters.get(name) ?? null]);

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
