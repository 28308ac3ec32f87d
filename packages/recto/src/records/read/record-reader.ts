import { type CacheStats, textCache } from '../../base/cache.ts';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import { notFound } from '../../base/problem.ts';
import type { ReadKind } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { visibilityParamsKey } from '../../query/read-view.ts';
import { includeKey, selectionKey } from '../../query/record-parts.ts';
import { type RecordQuery, readRecordQuery } from '../../query/record-query.ts';
import type { Answer } from '../answers/answer.ts';
import { ruleParameters } from '../plans/access.ts';
import { planCharacters, RequestBindings } from '../plans/plan.ts';
import { callerKey } from '../plans/plan-reads.ts';
import { completeAnswer } from '../select/complete-answer.ts';
import { followLinks } from '../select/followed-links.ts';
import type { ReadContext } from '../select/read-context.ts';
import { type RecordPlan, recordPlan } from '../select/record-plan.ts';
import { Weigher } from '../select/response-size-limit.ts';

export interface GetRequest {
  readonly type: ContentType;
  readonly view: 'get' | 'admin';
  readonly caller: Caller;
  /** The record's id; null for a single type, which has one record; or another unique field and its value. */
  readonly id: string | null | { readonly field: string; readonly value: string };
  /** The raw query string. */
  readonly search: string;
}

/** A request for one record that has been read and planned; the same whichever record it is. */
interface PreparedGet {
  readonly view: ReadView;
  readonly plan: RecordPlan;
  readonly parameters: RecordQuery['parameters'];
  readonly kind: ReadKind;
  /** Whether answers are remembered. What the passing of time alone can change is not. */
  readonly cache: 'none' | 'bypass' | 'use';
  /** Equal for requests that differ by nothing but the caller and the record. */
  readonly key: string;
}

/** A request but for its query string, its caller and the record's value. */
interface AskedRecord {
  readonly type: ContentType;
  readonly view: ReadView;
  readonly authenticated: boolean;
  /** The field that the record is found by; null for that of a single type. */
  readonly by: string | null;
}

interface PlainGet extends AskedRecord {
  readonly prepared: PreparedGet;
}

/** Single records: reads the parameters and plans once for each query string, which for most requests is empty. */
export class RecordReader {
  readonly #context: ReadContext;
  readonly #weigher: Weigher;
  /** Those without a query string, which most are: a handful for each type. */
  readonly #plain = new Map<ContentType, PlainGet[]>();
  readonly #prepared = textCache<PreparedGet>(
    { entries: 2_000, characters: 4_000_000 },
    ({ key, plan }) => key.length + planCharacters(plan),
  );

  constructor(context: ReadContext) {
    this.#context = context;
    this.#weigher = new Weigher(context);
  }

  /** What is remembered of requests. */
  get stats(): CacheStats {
    return this.#prepared.stats;
  }

  /** One record as this caller may see it; 404 for one that does not exist or is hidden from them. Access has been checked. */
  get({ type, view: name, caller, id, search }: GetRequest): MaybePromise<Answer> {
    const view = viewFor(name, caller, this.#context.types);
    if (typeof id === 'string' && !isId(id)) throw notFound();
    const by = typeof id === 'string' ? 'id' : (id?.field ?? null);
    const value = typeof id === 'string' ? id : id?.value;
    const asked = { type, view, by, authenticated: isAuthenticated(caller) };
    const prepared = search === '' ? this.#preparePlain(asked) : this.#prepare(asked, search);
    return mapMaybe(this.#remembered(prepared, caller, value), (answer) => followLinks(this.#context, answer, caller));
  }

  #remembered(prepared: PreparedGet, caller: Caller, value: string | undefined): MaybePromise<Answer> {
    const { cache, plan } = prepared;
    const make = () => this.#read(prepared, caller, value);
    if (cache === 'none') return make();
    if (cache === 'bypass') return mapMaybe(make(), (answer) => ({ ...answer, cacheStatus: 'recto; fwd=bypass' }));
    return this.#context.answers.look(answerKey(prepared, caller, value), plan.reads.types, make);
  }

  /** Finds what is prepared without making a text of what is asked. */
  #preparePlain(asked: AskedRecord): PreparedGet {
    let plain = this.#plain.get(asked.type);
    if (plain === undefined) {
      plain = [];
      this.#plain.set(asked.type, plain);
    }
    for (const { view, by, authenticated, prepared } of plain) {
      if (view.key === asked.view.key && by === asked.by && authenticated === asked.authenticated) return prepared;
    }
    const prepared = this.#plan(asked, '');
    plain.push({ ...asked, prepared });
    return prepared;
  }

  #prepare(asked: AskedRecord, search: string): PreparedGet {
    const { type, view, authenticated, by } = asked;
    const memoKey = `${type.singular}|${view.key}|${authenticated}|${by}|${search}`;
    const known = this.#prepared.get(memoKey);
    if (known !== undefined) return known;
    const prepared = this.#plan(asked, search);
    // Long query strings are rare and dear to keep.
    if (search.length <= 512) this.#prepared.set(memoKey, prepared);
    return prepared;
  }

  #plan({ type, view, authenticated, by }: AskedRecord, search: string): PreparedGet {
    const { types, only } = this.#context;
    const query = readRecordQuery(search, { type, types, view }, ruleParameters(type, view, 'get'), 'read');
    const { include, fields, choices, may, alternates, inEvery, parameters } = query;
    const plan = recordPlan(this.#context, {
      ...{ type, types, view, authenticated, include, fields, choices, may, alternates, inEvery, by },
      ruled: true,
      ...(only === undefined ? {} : { only }),
    });
    const ruleValues = plan.reads.query.map((name) => parameters.get(name) ?? null);
    const remembers = view.audience === 'public' && type.endpoints.get.cache;
    return {
      view,
      plan,
      parameters,
      kind: include.length === 0 ? 'key' : 'records',
      cache: !remembers ? 'none' : plan.reads.now ? 'bypass' : 'use',
      key: `get|${type.singular}|${view.key}|${visibilityParamsKey(choices)}|${by}|${includeKey(include)}|${selectionKey(fields)}|${may}|${alternates}|${inEvery}|${JSON.stringify(ruleValues)}|`,
    };
  }

  #read(prepared: PreparedGet, caller: Caller, value: string | undefined): MaybePromise<Answer> {
    const { plan, parameters, kind, view } = prepared;
    const { database } = this.#context;
    const bindings = new RequestBindings(caller, value === undefined ? [] : [value], parameters);
    // The record of a single type is made where there is none: whether there is one, the database itself says.
    const reader = value === undefined ? database : database.reader(plan.reads.types, kind);
    const build = () =>
      mapMaybe(reader.first<{ body: string }>(plan.body.bind(bindings)), (row) => {
        if (row === undefined) throw notFound();
        return completeAnswer(this.#context, { text: row.body, view, bindings, reader });
      });
    if (plan.weight === null) return build();
    const weighed = { plan: plan.weight, reads: plan.reads, bindings, reader, key: answerKey(prepared, caller, value) };
    return mapMaybe(this.#weigher.weigh(weighed), build);
  }
}

/** Equal for equal answers. The value comes last: it may hold any character, and must not pass for another part. */
const answerKey = ({ key, plan }: PreparedGet, caller: Caller, value: string | undefined): string =>
  `${key}${callerKey(plan.reads, caller)}${value}`;
