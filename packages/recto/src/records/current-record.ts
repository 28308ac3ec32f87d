import type { SqlValue } from '../base/bindings.ts';
import { isAuthenticated } from '../base/caller.ts';
import { isId } from '../base/ids.ts';
import { conflict, forbidden, notFound } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import type { ReadView } from '../query/read-view.ts';
import { noVisibilityParams, visibilityParamsKey } from '../query/visibility-params.ts';
import { mayPass } from './access.ts';
import { namesTag } from './answer.ts';
import { decodeRow } from './record-statements.ts';
import type { RecordWriter } from './record-writer.ts';
import type { RequestBindings } from './request-bindings.ts';
import { buildCurrentPlan } from './write-plans.ts';
import type { DeleteRequest, UpdateRecordRequest } from './write-request.ts';

type ChangeRequest = Omit<UpdateRecordRequest, 'payload'> | DeleteRequest;

/**
 * The stored record that a request may change. 404 when it does not exist or the caller may neither change nor `get` it,
 * 403 when they may only `get` it, 409 when `If-Match` does not name its current state.
 */
export async function currentRecord(
  writer: RecordWriter,
  transaction: Transaction,
  endpoint: 'update' | 'delete',
  request: ChangeRequest,
  bindings: RequestBindings,
): Promise<StoredRecord> {
  const { type, admin, caller, id } = request;
  const { database, plans } = writer.context;
  if (id !== null && !isId(id)) throw notFound();
  const authenticated = isAuthenticated(caller);
  const choices = request.among ?? noVisibilityParams;
  const byId = id !== null;
  const key = `current|${type.singular}|${endpoint}|${admin}|${authenticated}|${byId}|${visibilityParamsKey(choices)}`;
  const shape = { type, endpoint, admin, authenticated, byId, choices };
  const plan = plans.get(key, () => buildCurrentPlan(shape, database.dialect));
  const row = await transaction.first<Record<string, SqlValue>>(plan.bind(bindings.with(id === null ? [] : [id])));
  if (row === undefined) throw notFound();
  if (Number(row.$may_change) !== 1) {
    if (Number(row.$may_get) !== 1) throw notFound();
    throw forbidden('rule_refused', `You may not ${endpoint} this ${type.singular}.`);
  }
  const record = decodeRow(type, row, database.dialect);
  if (request.ifMatch !== null) await requireMatch(writer, transaction, endpoint, request, record, request.ifMatch);
  return record;
}

/** The tag may be of what `get` returns to this caller or of what their last write returned. */
async function requireMatch(
  writer: RecordWriter,
  transaction: Transaction,
  endpoint: 'update' | 'delete',
  { type, admin, caller }: ChangeRequest,
  record: StoredRecord,
  ifMatch: string,
): Promise<void> {
  const views: ReadView[] = admin ? ['admin'] : [endpoint, 'create'];
  if (!admin && mayPass(type.endpoints.get.access, caller)) views.unshift('get');
  for (const view of views) {
    const { etag } = await writer.readBack(transaction, { type, view, caller }, String(record.id));
    if (namesTag(ifMatch, etag, 'strong')) return;
  }
  throw conflict('stale', `This ${type.singular} has changed since it was read: fetch it again and repeat the change.`);
}
