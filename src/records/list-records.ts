import { LRUCache } from 'lru-cache';
import type { SqlValue } from '../bindings/bindings.ts';
import { type Caller, callerId, callerRole, isAuthenticated } from '../caller/caller.ts';
import type { Eventually } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { type ListQuery, readListQuery } from '../query/list-query.ts';
import { type Answer, answerOf } from './answer.ts';
import { then } from './eventually.ts';
import { buildListPlan, type ListPlan, type ListShape, listShapeKey, listValues } from './list-plan.ts';
import type { PlanReads } from './plan-reads.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { ruleParameters } from './rule-parameters.ts';

/** A list request that has been read and planned; the same for everyone who sends the same query string. */
interface PreparedList {
  readonly query: ListQuery;
  readonly plan: ListPlan;
  readonly values: { readonly total: readonly SqlValue[]; readonly items: readonly SqlValue[] };
  /** Equal for requests that differ by nothing but the caller. */
  readonly key: string;
  /** The same apart from page, page size and order. */
  readonly totalKey: string;
}

interface KnownTotal {
  readonly total: number;
  readonly stamps: string;
}

/** Lists of records: reads the parameters, plans once per shape, remembers totals until a type changes. */
export class RecordLister {
  readonly #context: RecordsContext;
  readonly #prepared = new LRUCache<string, PreparedList>({ max: 2_000 });
  readonly #totals = new LRUCache<string, KnownTotal>({ max: 5_000 });

  constructor(context: RecordsContext) {
    this.#context = context;
  }

  /** The page that `search` (a raw query string) asks for, as this caller may see it through the view. Access has been checked. */
  list(type: ContentType, view: 'list' | 'admin', caller: Caller, search: string): Eventually<Answer> {
    const prepared = this.#prepare(type, view, isAuthenticated(caller), search);
    const { reads } = prepared.plan;
    const make = () => this.#read(prepared, caller);
    if (view === 'admin' || !type.endpoints.list.cache) return make();
    // What the passing of time alone can change is not remembered.
    if (reads.now) return then(make(), (answer) => ({ ...answer, cacheStatus: 'recto; fwd=bypass' }));
    return this.#context.answers.look(prepared.key + callerKey(reads, caller), reads.types, make);
  }

  #prepare(type: ContentType, view: 'list' | 'admin', authenticated: boolean, search: string): PreparedList {
    const memoKey = `${type.singular}|${view}|${authenticated}|${search}`;
    const known = this.#prepared.get(memoKey);
    if (known !== undefined) return known;
    const { types, limits, plans, database } = this.#context;
    const readsQuery = ruleParameters(type, view);
    const query = readListQuery(search, { type, types, view }, limits, readsQuery);
    const shape: ListShape = { type, types, view, authenticated, query };
    const shapeKey = listShapeKey(shape);
    const plan = plans.get(`list|${shapeKey}`, () => buildListPlan(shape, database.dialect));
    const values = listValues(shape, database.dialect);
    const ruleValues = plan.reads.query.flatMap((name) => [name, query.parameters.get(name) ?? null]);
    const prepared: PreparedList = {
      query,
      plan,
      values,
      key: `list|${anonymousKey(shape, plan.reads)}|${valuesKey([...values.items, ...ruleValues])}|${query.skipTotal}|`,
      totalKey: `${listShapeKey({ ...shape, query: { ...query, sort: [], include: [] } })}|${valuesKey([...values.total, ...ruleValues])}|`,
    };
    // Long query strings are rare and dear to keep.
    if (search.length <= 512) this.#prepared.set(memoKey, prepared);
    return prepared;
  }

  #read(prepared: PreparedList, caller: Caller): Eventually<Answer> {
    const { query, plan, values } = prepared;
    const bindings = new RequestBindings(caller, values.items, query.parameters);
    return then(this.#context.database.first<{ items: string }>(plan.items.bind(bindings)), (page) =>
      then(query.skipTotal ? -1 : this.#total(prepared, bindings), (total) =>
        answerOf(
          `{"items":${page?.items ?? '[]'},"total":${total},"page":${query.page},"page_size":${query.pageSize}}`,
        ),
      ),
    );
  }

  /** The remembered total while no type it was counted from has changed; what time alone can change is counted each time. */
  #total(prepared: PreparedList, bindings: RequestBindings): Eventually<number> {
    const { reads } = prepared.plan;
    if (reads.now) return this.#count(prepared, bindings);
    const { generations } = this.#context.database;
    return then(generations.refresh(), () => {
      const key = prepared.totalKey + callerKey(reads, bindings.caller);
      const stamps = reads.types.map((type) => generations.of(type)).join();
      const known = this.#totals.get(key);
      if (known?.stamps === stamps) return known.total;
      return then(this.#count(prepared, bindings), (total) => {
        this.#totals.set(key, { total, stamps });
        return total;
      });
    });
  }

  #count({ plan, values }: PreparedList, bindings: RequestBindings): Eventually<number> {
    const query = plan.total.bind(bindings.with(values.total));
    return then(this.#context.database.first<{ total: number | bigint }>(query), (row) => Number(row?.total ?? 0));
  }
}

/** The caller values that an answer depends on, as a part of its key. */
export function callerKey(reads: PlanReads, caller: Caller): string {
  let key = '';
  if (reads.authenticated) key += isAuthenticated(caller) ? 'in|' : 'out|';
  if (reads.role) key += `${callerRole(caller)}|`;
  if (reads.id) key += `${callerId(caller)}|`;
  return key;
}

/** A shape's key that visitors and signed-in callers share where the answer does not depend on it. */
function anonymousKey(shape: ListShape, reads: PlanReads): string {
  return listShapeKey(reads.authenticated ? shape : { ...shape, authenticated: false });
}

const valuesKey = (values: readonly (SqlValue | undefined)[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}n` : value)));
