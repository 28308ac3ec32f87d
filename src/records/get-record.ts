import { type Caller, isAuthenticated } from '../caller/caller.ts';
import type { Eventually } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import { notFound } from '../errors/problem.ts';
import { isId } from '../ids/ids.ts';
import { includeKey } from '../query/include-tree.ts';
import { readRecordQuery } from '../query/record-query.ts';
import { choicesKey } from '../query/row-choices.ts';
import { type Answer, answerOf } from './answer.ts';
import { then } from './eventually.ts';
import { callerKey } from './list-records.ts';
import { buildRecordPlan, type RecordPlan, type RecordShape } from './record-plan.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { ruleParameters } from './rule-parameters.ts';

export interface GetRequest {
  readonly type: ContentType;
  readonly view: 'get' | 'admin';
  readonly caller: Caller;
  /** The record's id; null for a single type, which has one record; or another unique field and its value. */
  readonly id: string | null | { readonly field: string; readonly value: string };
  /** The raw query string. */
  readonly search: string;
}

export function recordPlan(context: RecordsContext, shape: RecordShape): RecordPlan {
  const key = `record|${shape.type.singular}|${shape.view}|${shape.authenticated}|${shape.ruled}|${shape.by}|${includeKey(shape.include)}|${choicesKey(shape.choices)}`;
  return context.plans.get(key, () => buildRecordPlan(shape, context.database.dialect));
}

/** One record as this caller may see it; 404 for one that does not exist or is hidden from them. Access has been checked. */
export function getRecord(context: RecordsContext, request: GetRequest): Eventually<Answer> {
  const { type, view, caller, id, search } = request;
  if (typeof id === 'string' && !isId(id)) throw notFound();
  const key = typeof id === 'string' ? { field: 'id', value: id } : id;
  const readsQuery = ruleParameters(type, view);
  const { include, choices, parameters } = readRecordQuery(
    search,
    { type, types: context.types, view },
    readsQuery,
    true,
  );
  const authenticated = isAuthenticated(caller);
  const plan = recordPlan(context, {
    type,
    types: context.types,
    view,
    authenticated,
    include,
    choices,
    by: key?.field ?? null,
    ruled: true,
  });
  const bindings = new RequestBindings(caller, key === null ? [] : [key.value], parameters);
  // The record of a single type is made where there is none: whether there is one, the database itself says.
  const reader =
    key === null
      ? context.database
      : context.database.reader(plan.reads.types, include.length === 0 ? 'record' : 'records');
  const make = () =>
    then(reader.first<{ body: string }>(plan.body.bind(bindings)), (row) => {
      if (row === undefined) throw notFound();
      return answerOf(row.body);
    });
  if (view === 'admin' || !type.endpoints.get.cache) return make();
  if (plan.reads.now) return then(make(), (answer) => ({ ...answer, cacheStatus: 'recto; fwd=bypass' }));
  const ruleValues = plan.reads.query.map((name) => parameters.get(name) ?? null);
  const cacheKey = `get|${type.singular}|${key?.field}|${key?.value}|${includeKey(include)}|${JSON.stringify(ruleValues)}|${callerKey(plan.reads, caller)}`;
  return context.answers.look(cacheKey, plan.reads.types, make);
}
