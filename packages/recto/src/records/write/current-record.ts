import type { SqlValue } from '../../base/bindings.ts';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { conflict, forbidden, notFound } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { endpointViews, type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { noVisibilityParams, visibilityParamsKey } from '../../query/read-view.ts';
import { namesState } from '../answers/answer.ts';
import { mayPass } from '../plans/access.ts';
import type { RequestBindings } from '../plans/plan.ts';
import { decodeRow } from '../statements/record-statements.ts';
import { buildCurrentPlan } from '../statements/write-plans.ts';
import type { RecordWriter } from './record-writer.ts';
import type { DeleteRequest, UpdateRecordRequest } from './write-request.ts';

type ChangeRequest = Omit<UpdateRecordRequest, 'payload'> | DeleteRequest;

/**
 * The stored record that a request may change. 404 when it does not exist or the caller may neither change nor `get` it,
 * (on the admin routes: not `get` it), 403 when they may only `get` it, 409 when `If-Match` does not name its current state.
 */
export async function currentRecord(
  writer: RecordWriter,
  executor: Pick<Executor, 'first'>,
  endpoint: 'update' | 'delete',
  request: ChangeRequest,
  bindings: RequestBindings,
): Promise<StoredRecord> {
  const { type, caller, id } = request;
  const { database, plans } = writer.context;
  if (id !== null && !isId(id)) throw notFound();
  const authenticated = isAuthenticated(caller);
  const choices = request.among ?? noVisibilityParams;
  const byId = id !== null;
  const view = viewFor(request.admin ? 'admin' : endpoint, caller, writer.context.types);
  const key = `current|${type.singular}|${endpoint}|${view.key}|${authenticated}|${byId}|${visibilityParamsKey(choices)}`;
  const shape = { type, endpoint, view, authenticated, byId, choices };
  const plan = plans.get(key, () => buildCurrentPlan(shape, database.dialect));
  const row = await executor.first<Record<string, SqlValue>>(plan.bind(bindings.with(id === null ? [] : [id])));
  if (row === undefined) throw notFound();
  // A role changes what it finds.
  if (view.audience === 'admin' && Number(row.$may_get) !== 1) throw notFound();
  if (Number(row.$may_change) !== 1) {
    if (Number(row.$may_get) !== 1) throw notFound();
    throw forbidden('rule_refused', `You may not ${endpoint} this ${type.singular}.`);
  }
  const record = decodeRow(type, row, database.dialect);
  if (request.ifMatch !== null) {
    const views = taggedViews(request, view, Number(row.$may_get) === 1);
    await requireMatch(writer, executor, { type, caller, views, id: String(record.id) }, request.ifMatch);
  }
  return record;
}

interface TaggedRecord {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly views: readonly ReadView[];
  readonly id: string;
}

async function requireMatch(
  writer: RecordWriter,
  executor: Pick<Executor, 'first'>,
  { type, caller, views, id }: TaggedRecord,
  ifMatch: string,
): Promise<void> {
  for (const view of views) {
    const { etag } = await writer.readBack(executor, { type, view, caller }, id);
    if (namesState(ifMatch, etag)) return;
    const read = await writer.withFallback?.readBack(executor, { type, view, caller }, id);
    if (read !== undefined && namesState(ifMatch, read.etag)) return;
  }
  throw conflict('stale', `This ${type.singular} has changed since it was read: fetch it again and repeat the change.`);
}

/**
 * The views whose tags a caller may name: of what `get` returns to them, and of what a write has returned. Who knows the fields of a
 * record can make its tag of guesses. So the view of a creation is not compared if it has fields that `get` or `update` leave out.
 */
function taggedViews({ type, caller }: ChangeRequest, view: ReadView, mayGet: boolean): readonly ReadView[] {
  if (view.audience === 'admin') return mayGet ? [view] : [];
  const views: ReadView[] = mayGet ? [endpointViews.get] : [];
  if (mayPass(type.endpoints.update.access, caller)) views.push(endpointViews.update);
  const shown = new Set(views.flatMap((view) => readableFields(type, view)));
  const isShown = views.length === 0 || readableFields(type, endpointViews.create).every((field) => shown.has(field));
  return isShown && mayPass(type.endpoints.create.access, caller) ? [...views, endpointViews.create] : views;
}
