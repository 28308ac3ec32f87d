import { type FieldFault, invalid, Problem } from '../base/problem.ts';
import type { Transaction } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { publishedStateOf } from '../definition/published-state.ts';
import { readRecordQuery } from '../query/record-query.ts';
import type { Answer } from './answer.ts';
import { currentRecord } from './current-record.ts';
import {
  type CheckedPayload,
  checkPayload,
  copyOf,
  immutableFaults,
  prepareValues,
  type RecordChanges,
} from './payload.ts';
import { applyProtocols, applyValues, type RecordWriter, type Work } from './record-writer.ts';
import { RequestBindings } from './request-bindings.ts';
import { ruleParameters } from './rule-parameters.ts';
import { ensureSingle } from './single-record.ts';
import type { UpdateRecordRequest } from './write-request.ts';
import { requireWriters } from './writer-roles.ts';

/** Changes the fields that the payload names; the others keep their values. Gives back the part that is done within the transaction. */
export async function updateRecord(writer: RecordWriter, request: UpdateRecordRequest): Promise<Work<Answer>> {
  const { type, admin, caller, payload } = request;
  const view = admin ? 'admin' : 'update';
  const question = { type, types: writer.context.types, view } as const;
  const { parameters } = readRecordQuery(request.search, question, ruleParameters(type, view), false);
  const bindings = new RequestBindings(caller, [], parameters, payload);
  const sent = checkPayload(type, payload, 'update');
  if (sent.faults.length === 0) await prepareValues(sent);
  if (type.kind === 'single') await ensureSingle(writer, type, caller);
  return async (transaction) => {
    // Whether the caller may is told before what is wrong with the payload.
    const current = await currentRecord(writer, transaction, 'update', request, bindings);
    return changeRecord(writer, transaction, { ...request, now: bindings.now }, current, sent);
  };
}

/** An update that is about to be made, at one instant (canonical datetime). */
export type ReadyUpdate = Omit<UpdateRecordRequest, 'id' | 'search' | 'ifMatch' | 'among'> & { readonly now: string };

/** Makes an update of a record that the caller may change: 422 with every fault there is. Tells what has become of it. */
export async function changeRecord(
  writer: RecordWriter,
  transaction: Transaction,
  request: ReadyUpdate,
  current: StoredRecord,
  sent: CheckedPayload,
): Promise<Answer> {
  const { type, caller, now } = request;
  if (request.act === undefined) requireWriters(caller, sent, current);
  const refused = request.act === undefined ? protocolFaults(request, current) : [];
  const immutable = immutableFaults(sent, current, await writer.linked(transaction, current, sent));
  const id = String(current.id);
  const moment = { type, caller, now, id };
  const found = await writer.storedFaults(transaction, moment, current, sent);
  const faults = [...sent.faults, ...refused, ...immutable, ...found];
  if (faults.length > 0) throw invalid(faults);
  const changes = copyOf(sent);
  applyProtocols(type, changes, ({ protocol, options }, changed) =>
    protocol.onUpdate?.({ ...moment, changed }, current, options),
  );
  applyValues(type, changes, request.act?.({ ...moment, changed: {} }, current) ?? {});
  const { restoredFrom, action = becomesPublished(type, current, changes) ? 'publish' : 'update' } = request;
  const authorship = { ...moment, action, ...(restoredFrom === undefined ? {} : { restoredFrom }) };
  await writer.update(transaction, type, current, changes, authorship);
  return writer.tell(transaction, type, request.admin ? 'admin' : 'update', caller, id);
}

function becomesPublished(type: ContentType, current: StoredRecord, { values }: RecordChanges): boolean {
  const state = publishedStateOf(type.protocols);
  const field = state === undefined ? undefined : type.field.get(state.column);
  if (state === undefined || field === undefined) return false;
  return values.get(field) === state.value && current[state.column] !== state.value;
}

/** What protocols find invalid, to be told with all other faults. What else they refuse (a conflict) is thrown at once. */
export function protocolFaults(
  { type, payload }: Pick<UpdateRecordRequest, 'type' | 'payload'>,
  current: StoredRecord,
): readonly FieldFault[] {
  return type.protocols.flatMap(({ protocol, options }) => {
    try {
      protocol.beforeUpdate?.({ payload }, current, options);
      return [];
    } catch (error) {
      if (error instanceof Problem && error.errors !== undefined) return error.errors;
      throw error;
    }
  });
}
