import { callerId } from '../../base/caller.ts';
import { conflict, invalid, notFound } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { type Answer, namesTag } from '../answer.ts';
import { currentRecord } from '../current-record.ts';
import { checkPayload, immutableFaults } from '../payload.ts';
import type { RecordWriter, Work } from '../record-writer.ts';
import { RequestBindings } from '../request-bindings.ts';
import { revisionBody } from '../revisions/revision-body.ts';
import { changeRecord, protocolFaults } from '../update-record.ts';
import type { UpdateRecordRequest } from '../write-request.ts';
import { requireWriters } from '../writer-roles.ts';
import {
  conflictsOf,
  draftedValues,
  draftIn,
  mergedDraft,
  previewOf,
  requireDrafts,
  undraftableFaults,
} from './draft.ts';

/** An editor's request about the draft of a record. */
export type DraftRequest = Omit<UpdateRecordRequest, 'admin' | 'search' | 'act' | 'action' | 'among'>;

/** The stored record that a draft is of, and the instant of the request. */
interface Found {
  readonly current: StoredRecord;
  readonly now: string;
}

async function find(writer: RecordWriter, transaction: Transaction, request: DraftRequest): Promise<Found> {
  const bindings = new RequestBindings(request.caller, [], new Map(), request.payload);
  const current = await currentRecord(writer, transaction, 'update', { ...request, admin: true, search: '' }, bindings);
  return { current, now: bindings.now };
}

/**
 * Adds changes to the draft of a published record, checked as an update is: 422 with every fault, 409 where the record is
 * not published. `If-Match` is held against the record as it would be. Tells that, too.
 */
export function saveDraft(writer: RecordWriter, request: DraftRequest): Work<Answer> {
  const { type, caller, payload, ifMatch } = request;
  const { field, published } = requireDrafts(type);
  const sent = checkPayload(type, payload, 'update');
  const tell = async (transaction: Transaction, id: string): Promise<Answer> =>
    previewOf(type, await writer.tell(transaction, type, 'admin', caller, id));
  return async (transaction) => {
    const { current, now } = await find(writer, transaction, { ...request, ifMatch: null });
    const id = String(current.id);
    if (ifMatch !== null && !namesTag(ifMatch, (await tell(transaction, id)).etag, 'strong')) {
      throw conflict('stale', `This ${type.singular} or its draft has changed since it was read.`);
    }
    if (current[published.column] !== published.value) {
      throw conflict('not_published', `Only what is published has a draft: change this ${type.singular} itself.`);
    }
    requireWriters(caller, sent, current);
    const moment = { type, caller, now, id };
    const undraftable = undraftableFaults(type, sent, current);
    const refused = new Set(undraftable.map((fault) => fault.field));
    const found = await writer.storedFaults(transaction, moment, current, sent);
    const faults = [
      ...sent.faults,
      ...undraftable,
      ...protocolFaults(request, current),
      ...immutableFaults(sent, current, await writer.linked(transaction, current, sent)),
      ...found.filter((fault) => !refused.has(fault.field)),
    ];
    if (faults.length > 0) throw invalid(faults);
    const live = revisionBody(type, current, await writer.links(transaction, type, current));
    const author = callerId(caller);
    const kind = caller.kind === 'visitor' ? null : caller.kind;
    const by = { author, author_kind: kind, at: now } as const;
    const draft = mergedDraft(draftIn({ field, published }, current), live, draftedValues(type, sent), by);
    await writer.annotate(transaction, type, id, field, draft === null ? null : { ...draft });
    return tell(transaction, id);
  };
}

/**
 * Publishes the draft of a record, or a record that is not published, by an ordinary update. 409 where there is nothing to
 * publish, and where a drafted field has been changed in the record since: whose change is to hold is for the editor to say.
 */
export function publishDraft(writer: RecordWriter, request: DraftRequest): Work<Answer> {
  const { type, caller } = request;
  const { field, published } = requireDrafts(type);
  return async (transaction) => {
    const { current, now } = await find(writer, transaction, request);
    const draft = draftIn({ field, published }, current);
    if (draft === null && current[published.column] === published.value) {
      throw conflict('no_draft', `This ${type.singular} is published and has no draft.`);
    }
    const live = revisionBody(type, current, await writer.links(transaction, type, current));
    const conflicts = draft === null ? [] : conflictsOf(draft, live);
    if (conflicts.length > 0) {
      throw conflict('draft_conflict', `Changed since they were drafted: ${conflicts.join(', ')}.`);
    }
    // What the definition no longer has cannot be published.
    const known = Object.entries(draft?.changes ?? {}).filter(([name]) => type.field.has(name));
    const payload = { ...Object.fromEntries(known), [published.column]: published.value };
    const act = () => ({ [field.name]: null });
    const change = { type, admin: true, caller, now, payload, action: 'publish', act } as const;
    return changeRecord(writer, transaction, change, current, checkPayload(type, payload, 'update'));
  };
}

/** Throws the draft of a record away; 404 where there is none. */
export function discardDraft(writer: RecordWriter, request: DraftRequest): Work<void> {
  const { type } = request;
  const drafts = requireDrafts(type);
  return async (transaction) => {
    const { current } = await find(writer, transaction, request);
    if (draftIn(drafts, current) === null) throw notFound(`This ${type.singular} has no draft.`);
    await writer.annotate(transaction, type, String(current.id), drafts.field, null);
  };
}
