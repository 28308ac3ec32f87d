import { isDeepStrictEqual } from 'node:util';
import type { SqlValue } from '../../base/bindings.ts';
import type { Caller } from '../../base/caller.ts';
import { conflict, type FieldFault, forbidden, invalid, Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { ChangedValues, StoredRecord } from '../../definition/protocol.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { readsPrivate } from '../../definition/readable-fields.ts';
import { type AdminView, adminView, rightsOf } from '../../definition/rights/read-view.ts';
import { kindOf, localizedFields } from '../../definition/stored-field.ts';
import type { VisibilityParams } from '../../query/read-view.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { checkPayload, keepPrivateMembers, type RecordChanges, requireWriters } from '../checks/payload.ts';
import { requirePublish, storedMayPublish } from '../checks/publish-right.ts';
import { requireLanguage, requireWritable, requireWritableNew, sendingOf } from '../checks/role-rights.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { RequestBindings } from '../plans/plan.ts';
import type { RevisionBody } from '../revisions/revision.ts';
import { jsonValue, revisionBody } from '../revisions/revision-body.ts';
import { decodeRow, finds } from '../statements/record-statements.ts';
import { prepareCreate } from '../write/create-record.ts';
import { currentRecord } from '../write/current-record.ts';
import { prepareDeletes } from '../write/delete-record.ts';
import { withoutFallbacks } from '../write/fallback-values.ts';
import type { RecordWriter } from '../write/record-writer.ts';
import { prepareLanguageRemoval } from '../write/remove-language.ts';
import { updateRecord } from '../write/update-record.ts';
import { sharedFaults } from './draft.ts';

/** Values by the names of their fields, in JSON form. */
export type HeldValues = Readonly<Record<string, JsonValue>>;

/** A change of a record that is to wait: what it sets, and what the record held there when it was made. */
export interface HeldChange {
  readonly changes: HeldValues;
  readonly base: HeldValues;
}

/** Somebody's request to let a change wait. */
export interface HoldRequest {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
  /** What is to be done with the record: the right to it is asked for now, and once more when it is done. */
  readonly does: 'update' | 'publish' | 'delete';
  readonly payload: Readonly<Record<string, unknown>>;
  /** The same change as it has been so far: of that, what the caller does not read stays. */
  readonly before: HeldChange;
}

/** A change of a stored record that is made now. */
export interface DueChange {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
  /** What it sets, as a caller could. */
  readonly changes: HeldValues;
  /** What it sets besides, which only the service sets. */
  readonly kept: HeldValues;
  readonly base: HeldValues;
  /** What versions and the log name as its making; absent: what follows from the values. */
  readonly action?: string;
  /** The rows that it may find in addition to those that admins see. */
  readonly among?: VisibilityParams;
  /** Whether the record has to be published: 409 `not_published` where it is not. */
  readonly needsPublished?: boolean;
}

/** A record that begins now. */
export interface DueRecord {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly id: string;
  readonly values: HeldValues;
  /** What only the service sets, of a record that was there before. */
  readonly kept: HeldValues;
}

/** What became of a record: the values that differ, or all of one that is there only before or only afterwards. */
export type MadeChange =
  | { readonly kind: 'created'; readonly after: HeldValues }
  | { readonly kind: 'updated'; readonly before: HeldValues; readonly after: HeldValues }
  | { readonly kind: 'removed'; readonly before: HeldValues };

/** Changes that wait outside of their records, as those of releases do: how they are taken, and how they are made. */
export class HeldChanges {
  readonly #writer: RecordWriter;

  constructor(writer: RecordWriter) {
    this.#writer = writer;
  }

  /** Takes a change of a record by its caller's rights, in a transaction: 404, 403, and 422 with every value that cannot wait. */
  async hold(transaction: Transaction, request: HoldRequest): Promise<HeldChange> {
    const { type, caller, id, does, payload } = request;
    const view = this.#view(caller);
    const found = { type, admin: true, caller, search: '', id, ifMatch: null };
    const bindings = new RequestBindings(caller, [], new Map(), payload);
    const endpoint = does === 'delete' ? 'delete' : 'update';
    const current = await currentRecord(this.#writer, transaction, endpoint, found, bindings);
    if (does === 'publish') await this.#requirePublish(transaction, { type, view, id }, bindings);
    const links = new StoredLinks(transaction, this.#writer.statements, id);
    const sent = checkPayload(type, payload, 'update', sendingOf(type, view, !readsPrivate(view)));
    requireWriters({ caller, admin: true, view, type }, sent, current);
    // True because these values are what a payload of the type was checked to be.
    const known = { ...current, ...(request.before.changes as ChangedValues) };
    const own = await withoutFallbacks(this.#writer, transaction, { type, view, payload }, current, sent);
    const whole = readsPrivate(view) ? { ...own, faults: [] } : keepPrivateMembers(own, known, view);
    await requireWritable(type, view, whole, current, links);
    // To let a language wait that is only to be published, or to go, is to write in it.
    if (type.shownIn !== undefined) requireLanguage(type, view);
    const live = revisionBody(type, current, await links.all(type));
    const shared = sharedFaults(type, new Map(Object.entries(heldValues(type, whole))), live).map(notHere);
    const faults = [...sent.faults, ...whole.faults, ...unheldFaults(type, whole, current), ...shared];
    if (faults.length > 0) throw invalid(faults.map(inChanges));
    const hidden = unread(request.before.changes, type, view);
    const changes = { ...hidden, ...heldValues(type, whole) };
    const differing = Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(value, live[name] ?? null));
    return {
      changes: Object.fromEntries(differing),
      // What the caller does not see is not decided anew by them.
      base: Object.fromEntries(
        differing.map(([name]) => [name, (Object.hasOwn(hidden, name) ? request.before.base : live)[name] ?? null]),
      ),
    };
  }

  /** Takes the content of a record that is to begin later, which need not be whole yet: 403, and 422 with every value that cannot wait. */
  holdNew(
    type: ContentType,
    caller: Caller,
    payload: Readonly<Record<string, unknown>>,
    before: HeldValues,
  ): HeldValues {
    const view = this.#view(caller);
    const { rows } = view.rights.of(type);
    if (rows.create === 'none') throw forbidden('insufficient_role', `Your role may not create a ${type.singular}.`);
    if (publishedStateOf(type.protocols) !== undefined && rows.publish === 'none')
      throw forbidden('insufficient_role', `Your role may not publish a ${type.singular}.`);
    const sent = checkPayload(type, payload, 'update', sendingOf(type, view, false));
    requireWriters({ caller, admin: true, view, type }, sent, null);
    requireWritableNew(type, view, sent, new Set(Object.keys(payload)));
    const faults = [...sent.faults, ...unheldFaults(type, sent, null)];
    if (faults.length > 0) throw invalid(faults.map(inChanges));
    return { ...unread(before, type, view), ...heldValues(type, sent) };
  }

  /** Prepares the beginning of a record: 422 with what is wrong with it whatever is stored. */
  async prepareNew({
    type,
    caller,
    id,
    values,
    kept,
  }: DueRecord): Promise<(transaction: Transaction) => Promise<MadeChange>> {
    const request = { type, admin: true, caller, search: '', payload: knownValues(type, values), id };
    const { run } = await prepareCreate(this.#writer, { ...request, kept: storedValues(type, kept) });
    return async (transaction) => {
      if (await finds(transaction, this.#writer.statements.exists(type, id)))
        throw conflict('record_exists', `This ${type.singular} is there already.`);
      const { record } = await run(transaction);
      const { live } = await this.#bodyOf(transaction, type, record);
      return { kind: 'created', after: live };
    };
  }

  /** Makes a change of a stored record. 409 `draft_conflict` with every field that somebody has changed since; undefined: it is so already. */
  async change(transaction: Transaction, due: DueChange): Promise<MadeChange | undefined> {
    const { type, caller, id, among, action } = due;
    const found = { type, admin: true, caller, search: '', id, ifMatch: null, ...(among && { among }) };
    const payload = knownValues(type, due.changes);
    const bindings = new RequestBindings(caller, [], new Map(), payload);
    const current = await currentRecord(this.#writer, transaction, 'update', found, bindings);
    const { before, live } = await this.#bodyOf(transaction, type, current);
    refuseChanged(due, live);
    const state = publishedStateOf(type.protocols);
    if (due.needsPublished === true && state !== undefined && current[state.column] !== state.value)
      throw conflict('not_published', `This ${type.singular} is not published: its languages share the status.`);
    const view = this.#view(caller);
    if ([...Object.keys(payload), ...Object.keys(due.kept)].some((name) => type.field.get(name)?.localized === true))
      requireLanguage(type, view);
    const kept = storedValues(type, due.kept);
    const isSo = ([name, value]: [string, JsonValue]): boolean => isDeepStrictEqual(value, live[name] ?? null);
    if (Object.entries(payload).every(isSo) && Object.entries(due.kept).every(isSo)) {
      if (action === 'publish') await this.#requirePublish(transaction, { type, view, id }, bindings);
      return undefined;
    }
    const making = action === undefined ? {} : { action };
    const change = {
      type,
      admin: true,
      caller,
      now: bindings.now,
      payload,
      isDraft: true,
      act: () => kept,
      ...making,
    } as const;
    await updateRecord(this.#writer, transaction, change, current, checkPayload(type, payload, 'update'));
    return this.#made(transaction, type, id, before);
  }

  /** Takes away what a record says in the language that its type is shown in; undefined: it says nothing there. */
  async removeLanguage(
    transaction: Transaction,
    { type, caller, id, base }: Pick<DueChange, 'type' | 'caller' | 'id' | 'base'>,
  ): Promise<MadeChange | undefined> {
    const found = { type, admin: true, caller, search: '', id, ifMatch: null };
    const current = await currentRecord(this.#writer, transaction, 'update', found, new RequestBindings(caller, []));
    const { before, live } = await this.#bodyOf(transaction, type, current);
    refuseChanged({ base, changes: {} }, live);
    if (localizedFields(type).every(({ name }) => (current[name] ?? null) === null)) {
      requireLanguage(type, this.#view(caller));
      return undefined;
    }
    await prepareLanguageRemoval(this.#writer, found).run(transaction);
    return this.#made(transaction, type, id, before);
  }

  /** Prepares removals of records as their own route makes them. */
  prepareRemovals(type: ContentType, caller: Caller) {
    const removal = prepareDeletes(this.#writer, { type, admin: true, caller, search: '', ifMatch: null });
    return async (
      transaction: Transaction,
      { id, base }: { readonly id: string; readonly base: HeldValues },
    ): Promise<MadeChange> => {
      const found = { type, admin: true, caller, search: '', id, ifMatch: null };
      const bindings = new RequestBindings(caller, []);
      const current = await currentRecord(this.#writer, transaction, 'delete', found, bindings);
      const { before, live } = await this.#bodyOf(transaction, type, current);
      refuseChanged({ base, changes: {} }, live);
      await removal(id).run(transaction);
      return this.#made(transaction, type, id, before);
    };
  }

  async #bodyOf(transaction: Transaction, type: ContentType, current: StoredRecord) {
    const links = await new StoredLinks(transaction, this.#writer.statements, String(current.id)).all(type);
    const live = revisionBody(type, current, links);
    return { before: live, live };
  }

  async #made(transaction: Transaction, type: ContentType, id: string, before: RevisionBody): Promise<MadeChange> {
    const row = await transaction.first<Record<string, SqlValue>>(this.#writer.statements.row(type, id));
    if (row === undefined) return { kind: 'removed', before };
    const current = decodeRow(type, row, this.#writer.context.database.dialect);
    const { live: after } = await this.#bodyOf(transaction, type, current);
    const { bookkeeping } = type.facts;
    const names = Object.keys(after).filter(
      (name) => !bookkeeping.has(name) && !isDeepStrictEqual(after[name] ?? null, before[name] ?? null),
    );
    const of = (body: RevisionBody): HeldValues => Object.fromEntries(names.map((name) => [name, body[name] ?? null]));
    return { kind: 'updated', before: of(before), after: of(after) };
  }

  #view(caller: Caller): AdminView {
    return adminView(rightsOf(caller, this.#writer.context.types.roles));
  }

  async #requirePublish(
    transaction: Transaction,
    asked: { readonly type: ContentType; readonly view: AdminView; readonly id: string },
    bindings: RequestBindings,
  ): Promise<void> {
    if (publishedStateOf(asked.type.protocols) === undefined) return;
    const holds = () => storedMayPublish(this.#writer.context, transaction, asked, bindings);
    await requirePublish(asked.type, asked.view, holds);
  }
}

const notHere = (fault: FieldFault): FieldFault => ({
  ...fault,
  code: 'not_in_release',
  message: `${fault.field} has one value for all languages: change it in the default language.`,
});

const inChanges = (fault: FieldFault): FieldFault => ({
  ...fault,
  field: fault.field === '' ? 'changes' : `changes.${fault.field}`,
});

/** Throws where a field is neither as it was when the change was made nor as the change has it. */
function refuseChanged({ base, changes }: HeldChange, live: RevisionBody): void {
  const errors = Object.keys(base).flatMap((name) => {
    const now = live[name] ?? null;
    const isAsKnown = isDeepStrictEqual(now, base[name] ?? null);
    if (isAsKnown || (Object.hasOwn(changes, name) && isDeepStrictEqual(now, changes[name] ?? null))) return [];
    return [{ field: name, code: 'draft_conflict', message: `${name} has been changed in the record since.` }];
  });
  if (errors.length === 0) return;
  throw new Problem(409, 'draft_conflict', 'The record has been changed since.', { errors });
}

/** What a definition still has. */
const knownValues = (type: ContentType, values: HeldValues): HeldValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => type.field.has(name)));

/** A 64-bit integer travels as text. */
const storedValues = (type: ContentType, values: HeldValues): ChangedValues =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, FieldValue | null][] => {
      const field = type.field.get(name);
      if (field === undefined) return [];
      return [[name, typeof value === 'string' && kindOf(field) === 'bigint' ? BigInt(value) : value]];
    }),
  );

/** Of values that wait, those that a view does not show. */
const unread = (values: HeldValues, type: ContentType, view: AdminView): HeldValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => {
      const field = type.field.get(name);
      return field !== undefined && !view.rights.of(type).reads(field);
    }),
  );

/** The values of a payload that can wait, in JSON form. */
function heldValues(type: ContentType, { values, related }: RecordChanges): HeldValues {
  const unheld = unheldNames(type);
  const all: [Field, JsonValue][] = [
    ...[...values].map(([field, value]): [Field, JsonValue] => [field, jsonValue(value)]),
    ...[...related].map(([field, ids]): [Field, JsonValue] => [field, [...ids]]),
  ];
  return Object.fromEntries(all.flatMap(([{ name }, value]) => (unheld.has(name) ? [] : [[name, value]])));
}

/** What cannot wait: the status, which the action says, what organizes the work on the record, and secret fields. */
function unheldNames(type: ContentType): ReadonlySet<string> {
  const state = publishedStateOf(type.protocols);
  const secret = type.fields.filter((field) => field.type.secret).map(({ name }) => name);
  return new Set([...(state === undefined ? [] : [state.column]), ...type.facts.organizing, ...secret]);
}

function unheldFaults(
  type: ContentType,
  { values }: RecordChanges,
  current: StoredRecord | null,
): readonly FieldFault[] {
  const unheld = unheldNames(type);
  const state = publishedStateOf(type.protocols);
  return [...values].flatMap(([field, value]) => {
    const { name } = field;
    const isUsual = value === (current?.[name] ?? null) || (current === null && value === (field.default ?? null));
    if (!unheld.has(name) || isUsual || (name === state?.column && value === state.value)) return [];
    const message = `A release cannot set ${name}${name === state?.column ? ': its action says what becomes of the record' : ''}.`;
    return [{ field: name, code: 'not_in_release', message }];
  });
}
