import { isAuthenticated } from '../base/caller.ts';
import { newId } from '../base/ids.ts';
import { conflict, forbidden, invalid } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { readRecordQuery } from '../query/record-query.ts';
import { evaluateRule } from '../rules/rule-evaluator.ts';
import type { Answer } from './answer.ts';
import { draftRecord } from './draft-record.ts';
import { checkPayload, copyOf, prepareValues, type RecordChanges } from './payload.ts';
import { finds } from './record-statements.ts';
import { applyProtocols, type RecordWriter, type Work, wholeRecord } from './record-writer.ts';
import { RequestBindings } from './request-bindings.ts';
import { endpointRules, ruleParameters } from './rule-parameters.ts';
import { assignSlugs } from './stored-checks.ts';
import { assignTenant, tenantOfChanges } from './tenancy.ts';
import type { CreateRequest } from './write-request.ts';
import { requireWriters } from './writer-roles.ts';

export interface Created {
  readonly id: string;
  /** All of its own columns. */
  readonly record: StoredRecord;
  readonly answer: Answer;
}

/**
 * Makes a record: 422 with every fault of the payload, 403 when the `create` rules do not hold for the new record.
 * All that can be done before the transaction is done; what is given back is the rest.
 */
export async function createRecord(writer: RecordWriter, request: CreateRequest): Promise<Work<Created>> {
  const { type, admin, caller, payload } = request;
  const view = admin ? 'admin' : 'create';
  const question = { type, types: writer.context.types, view } as const;
  const { parameters } = readRecordQuery(request.search, question, ruleParameters(type, view), false);
  const sent = checkPayload(type, payload, 'create');
  const faults = [...sent.faults, ...assignTenant(type, admin, caller, sent)];
  requireWriters(caller, sent, null);
  const id = newId();
  const bindings = new RequestBindings(caller, [], parameters, payload);
  const moment = { type, caller, now: bindings.now, id };
  if (faults.length > 0) {
    // A rule needs the whole record, and whom it would refuse is not told what other records hold.
    const found = hasRule(request) ? [] : await writer.storedFaults(writer.context.database, moment, null, sent);
    throw invalid([...faults, ...found]);
  }
  await prepareValues(sent);
  applyProtocols(type, sent, ({ protocol, options }, changed) => protocol.onCreate?.({ ...moment, changed }, options));
  return async (transaction, isLast = false) => {
    const one = writer.statements.any(type, tenantOfChanges(type, sent, null));
    if (type.kind === 'single' && (await finds(transaction, one))) {
      throw conflict('single_exists', `${type.singular} is a single type and has its one record already.`);
    }
    const changes = copyOf(sent);
    await writer.placeNew(transaction, moment, changes);
    await assignSlugs(transaction, writer.statements, type, changes);
    // Who may not create is not told what other records hold.
    if (hasRule(request)) await requireRule(writer, transaction, request, id, changes, bindings);
    const refused = await writer.storedFaults(transaction, moment, null, changes);
    if (refused.length > 0) throw invalid(refused);
    const record = wholeRecord(type, id, changes);
    const authorship = { ...moment, action: 'create' };
    const answer = await writer.insertAndTell(transaction, { type, view, caller, isLast }, record, changes, authorship);
    return { id, record, answer };
  };
}

const hasRule = ({ type, admin }: CreateRequest): boolean => endpointRules(type, admin ? 'admin' : 'create').length > 0;

/** `filter` OR (authenticated AND `filter_auth`), on the record as it would be stored. */
async function requireRule(
  writer: RecordWriter,
  transaction: Transaction,
  { type, caller }: CreateRequest,
  id: string,
  changes: RecordChanges,
  bindings: RequestBindings,
): Promise<void> {
  const { filter, filterAuth } = type.endpoints.create;
  const rules = [filter, isAuthenticated(caller) ? filterAuth : null].filter((rule) => rule !== null);
  const values = wholeRecord(type, id, changes);
  const draft = { type, values, related: changes.related, rules };
  const record = await draftRecord(writer.context, transaction, writer.statements, draft);
  if (rules.some((rule) => evaluateRule(rule, record, bindings))) return;
  throw forbidden('rule_refused', `You may not create this ${type.singular}.`);
}
