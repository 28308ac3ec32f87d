import { type CacheStats, textCache } from '../../base/cache.ts';
import { type Caller, isAuthenticated, tenantAsked } from '../../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { type ListLimits, type ListQuery, readListQuery } from '../../query/list-query.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Answer } from '../answers/answer.ts';
import type { CursorSealer } from '../answers/cursor-sealer.ts';
import { ruleParameters } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';
import { callerKey } from '../plans/plan-reads.ts';
import { completeAnswer } from '../select/complete-answer.ts';
import { followLinks } from '../select/followed-links.ts';
import type { ReadContext } from '../select/read-context.ts';
import { Weigher } from '../select/response-size-limit.ts';
import type { ElementSpellings } from './element-spellings.ts';
import type { ListShape } from './list-plan.ts';
import { type SpelledFilter, spelledFilters } from './list-rows.ts';
import { type ListTotal, ListTotals } from './list-totals.ts';
import { type PreparedPage, pageCharacters, preparePages, sealNext, totalKey, withValue } from './prepared-page.ts';

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

interface PageRow {
  readonly items: string;
  readonly keys: string;
}

/** Lists of records: reads the parameters, plans once per shape, remembers totals until a type changes. */
export class RecordLister {
  readonly #context: ReadContext;
  readonly #cursors: CursorSealer;
  readonly #weigher: Weigher;
  readonly #spellings: ElementSpellings;
  readonly #prepared = textCache<PreparedList>({ entries: 2_000, characters: 8_000_000 }, preparedCharacters);
  readonly #totals: ListTotals;

  constructor(context: ReadContext, cursors: CursorSealer, spellings: ElementSpellings) {
    this.#context = context;
    this.#cursors = cursors;
    this.#weigher = new Weigher(context);
    this.#spellings = spellings;
    this.#totals = new ListTotals(context);
  }

  /** What is remembered of requests, and of totals. */
  get stats(): { readonly prepared: CacheStats; readonly totals: CacheStats } {
    return { prepared: this.#prepared.stats, totals: this.#totals.stats };
  }

  /** The page that `search` (a raw query string) asks for, as this caller may see it through the view. Access has been checked. */
  list(type: ContentType, view: ReadView, caller: Caller, search: string): MaybePromise<Answer> {
    const prepared = this.#prepare(type, view, caller, search);
    const { reads } = prepared.plan;
    const make = () => mapMaybe(this.#spelled(prepared), (complete) => this.#read(complete, caller));
    if (view.audience === 'admin') return make();
    const follow = (answer: Answer) => followLinks(this.#context, answer, caller);
    if (!type.endpoints.list.cache) return mapMaybe(make(), follow);
    // What the passing of time alone can change is not remembered.
    if (reads.now) return mapMaybe(make(), (answer) => follow({ ...answer, cacheStatus: 'recto; fwd=bypass' }));
    const key = prepared.key + callerKey(reads, caller);
    return mapMaybe(this.#context.answers.look(key, reads.types, make), follow);
  }

  /** A page of `size` records at most, read and planned for this time alone. Access has been checked. */
  page(type: ContentType, view: ReadView, caller: Caller, search: string, size: number): MaybePromise<Answer> {
    const prepared = this.#plan(type, view, caller, search, { pageSize: size, maxPageSize: size });
    return mapMaybe(this.#spelled(prepared), (complete) =>
      mapMaybe(this.#read(complete, caller), (answer) => followLinks(this.#context, answer, caller)),
    );
  }

  #prepare(type: ContentType, view: ReadView, caller: Caller, search: string): PreparedList {
    const [authenticated, tenant] = [isAuthenticated(caller), tenantAsked(caller) !== null];
    const memoKey = `${type.singular}|${view.key}|${authenticated}|${tenant}|${search}`;
    const known = this.#prepared.get(memoKey);
    if (known !== undefined) return known;
    const prepared = this.#plan(type, view, caller, search, this.#context.limits);
    // Long query strings are rare and dear to keep.
    if (search.length <= 512) this.#prepared.set(memoKey, prepared);
    return prepared;
  }

  #plan(type: ContentType, view: ReadView, caller: Caller, search: string, limits: ListLimits): PreparedList {
    const [authenticated, tenant] = [isAuthenticated(caller), tenantAsked(caller) !== null];
    const { types, database, only } = this.#context;
    const readsQuery = ruleParameters(type, view, 'list');
    const query = readListQuery(search, { type, types, view }, limits, readsQuery);
    const shape: ListShape = {
      ...{ type, types, view, authenticated, tenant, query, after: null },
      ...(only === undefined ? {} : { only }),
    };
    const [first, unranked = null] = preparePages(shape, this.#context, this.#cursors);
    return {
      ...first,
      unranked,
      type,
      spelled: spelledFilters(query.filters, database.dialect),
      view,
      query,
      totalKey: totalKey(shape, first),
    };
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
    const reader = this.#context.database.reader(plan.reads.types, plan.kind);
    return mapMaybe(reader.first<PageRow>(plan.items.bind(bindings)), (row) =>
      mapMaybe(
        query.skipTotal ? uncounted : (known ?? this.#total(prepared, bindings)),
        ({ total, isEstimate, isPassing = false }) => {
          const { items, keys } = row ?? { items: '[]', keys: '[]' };
          const next = this.#nextCursor(query, page, keys, isEstimate ? -1 : total);
          const counted = `${total}${isEstimate ? ',"total_is_estimate":true' : ''}`;
          const text = `{"items":${items},"total":${counted},"page":${page.page},"page_size":${query.pageSize}${next === undefined ? '' : `,"next_cursor":"${next}"`}}`;
          const answer = completeAnswer(this.#context, { text, view, bindings, reader });
          return isPassing ? mapMaybe(answer, (complete) => ({ ...complete, passing: true })) : answer;
        },
      ),
    );
  }

  /** Undefined where the page is known to be the last: it is not full, or its number and the total say so. */
  #nextCursor(query: ListQuery, page: PreparedPage, keys: string, total: number): string | undefined {
    if (query.cursor === null && total >= 0 && page.page * query.pageSize >= total) return undefined;
    // What `orderKeys` made.
    const places = JSON.parse(keys) as readonly JsonValue[];
    if (places.length < query.pageSize) return undefined;
    return sealNext(page, places.at(-1), this.#cursors);
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
      const isFarBeyond = total > plan.mostCounted + plan.margin;
      return { total: isEstimate ? plan.mostCounted : total, isEstimate, isFarBeyond };
    });
  }
}

/** Of a list that is not to be counted. */
const uncounted: ListTotal = { total: -1, isEstimate: false };

const preparedCharacters = ({ totalKey, unranked, ...first }: PreparedList): number =>
  totalKey.length + pageCharacters(first) + (unranked === null ? 0 : pageCharacters(unranked));
