import { callerId } from '../../base/caller.ts';
import { conflict, forbidden, invalid, notFound, type Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { PublishedState, StoredRecord } from '../../definition/protocol.ts';
import { publishedInLanguage, publishedStateOf } from '../../definition/published-state.ts';
import { readableFields, readsPrivate } from '../../definition/readable-fields.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { localizedFields } from '../../definition/stored-field.ts';
import { type Answer, namesTag } from '../answers/answer.ts';
import { type CheckedPayload, checkPayload, keepPrivateMembers, requireWriters } from '../checks/payload.ts';
import { requireLanguage, requireWritable, sendingOf } from '../checks/role-rights.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { RequestBindings } from '../plans/plan.ts';
import { revisionBody } from '../revisions/revision-body.ts';
import { currentRecord } from '../write/current-record.ts';
import { withoutFallbacks } from '../write/fallback-values.ts';
import type { PreparedWrite } from '../write/prepared-write.ts';
import type { RecordWriter } from '../write/record-writer.ts';
import { protocolFaults, updateFaults, updateRecord } from '../write/update-record.ts';
import type { UpdateRecordRequest } from '../write/write-request.ts';
import {
  conflictsOf,
  type Draft,
  draftedValues,
  draftIn,
  draftsOf,
  mergedDraft,
  requireDrafts,
  sharedFaults,
  undraftableFaults,
} from './draft.ts';
import { previewDraft } from './preview-draft.ts';

/** An editor's request about the draft of a record. */
export type DraftRequest = Omit<UpdateRecordRequest, 'admin' | 'search' | 'act' | 'action' | 'among'>;

/** The stored record that a draft is of, and the instant of the request. */
interface Found {
  readonly current: StoredRecord;
  readonly links: StoredLinks;
  readonly now: string;
}

async function find(writer: RecordWriter, transaction: Transaction, request: DraftRequest): Promise<Found> {
  const bindings = new RequestBindings(request.caller, [], new Map(), request.payload);
  const current = await currentRecord(writer, transaction, 'update', { ...request, admin: true, search: '' }, bindings);
  const links = new StoredLinks(transaction, writer.statements, String(current.id));
  return { current, links, now: bindings.now };
}

/**
 * Prepares changes of the draft of a published record, checked as an update is: 422 with every error, 409 where the record is
 * not published. `If-Match` is compared with the record as it would be. Returns that, too.
 */
export function prepareDraft(writer: RecordWriter, request: DraftRequest): PreparedWrite<Answer> {
  const { type, payload, caller } = request;
  requireDraftRight(writer, request);
  const view = viewFor('admin', caller, writer.context.types);
  const sent = checkPayload(type, payload, 'update', sendingOf(type, view, !readsPrivate(view)));
  return { type, view, run: (transaction) => saveDraft(writer, transaction, request, sent) };
}

async function saveDraft(
  writer: RecordWriter,
  transaction: Transaction,
  request: DraftRequest,
  checked: CheckedPayload,
): Promise<Answer> {
  const { type, caller, ifMatch } = request;
  const view = viewFor('admin', caller, writer.context.types);
  const { field, published } = requireDrafts(type);
  const { current, links, now } = await find(writer, transaction, { ...request, ifMatch: null });
  const id = String(current.id);
  const preview = async (by = writer): Promise<Answer> => {
    const { context } = by;
    const shown = type.shownIn === undefined ? type : context.types.get(type.singular);
    const whole = await by.readBack(transaction, { type: shown, view, caller }, id);
    return previewDraft(shown, whole, { context, caller, within: transaction, include: [], fields: null });
  };
  if (ifMatch !== null) {
    const isNamed = async (one: RecordWriter) => namesTag(ifMatch, (await preview(one)).etag, 'strong');
    const { withFallback } = writer;
    if (!(await isNamed(writer)) && !(withFallback !== undefined && (await isNamed(withFallback))))
      throw conflict('stale', `This ${type.singular} or its draft has changed since it was read.`);
  }
  if (current[published.column] !== published.value) {
    throw conflict('not_published', `Only what is published has a draft: change this ${type.singular} itself.`);
  }
  const own = await withoutFallbacks(writer, transaction, { type, view, payload: request.payload }, current, checked);
  requireWriters({ caller, admin: true, view, type }, own, current);
  const before = draftIn({ field, published }, current);
  const kept = readsPrivate(view)
    ? { ...own, faults: [] }
    : keepPrivateMembers(own, { ...current, ...before?.changes }, view);
  const sent = { ...kept, faults: [...checked.faults, ...kept.faults] };
  await requireWritable(type, view, sent, current, links);
  const live = revisionBody(type, current, await links.all(type));
  const drafted = draftedValues(type, sent);
  const undraftable = [...undraftableFaults(type, sent, current), ...sharedFaults(type, drafted, live)];
  const reported = new Set(undraftable.map((fault) => fault.field));
  const found = await updateFaults(writer, transaction, { type, caller, now, id }, { sent, current, links, view });
  const faults = [
    ...sent.faults,
    ...undraftable,
    ...protocolFaults(request, current),
    ...found.filter((fault) => fault.code === 'immutable' || !reported.has(fault.field)),
  ];
  if (faults.length > 0) throw invalid(faults);
  const kind = caller.kind === 'anonymous' ? null : caller.kind;
  const by = { author: callerId(caller), author_kind: kind, at: now } as const;
  const draft = mergedDraft(before, live, drafted, by);
  await writer.annotate(transaction, type, id, field, draft === null ? null : { ...draft });
  return preview();
}

/** Whether the caller's role reads drafts: for one that does not, there are none. */
const readsDrafts = ({ context: { types } }: RecordWriter, { type, caller }: DraftRequest): boolean =>
  readableFields(type, viewFor('admin', caller, types)).includes(requireDrafts(type).field);

/** Throws 403 where the caller's role does not read drafts, whether there is one or not. */
function requireDraftRight(writer: RecordWriter, request: DraftRequest): void {
  if (!readsDrafts(writer, request))
    throw forbidden(
      'insufficient_role',
      `Your role does not read all that a draft of a ${request.type.singular} may hold.`,
    );
}

/**
 * Prepares an ordinary update that publishes the draft of a record, or a record that is not published. 409 where there is nothing
 * to publish, and where a drafted field has been changed in the record since: which change holds is for the editor to say.
 */
export function preparePublication(writer: RecordWriter, request: DraftRequest): PreparedWrite<Answer> {
  const { type, caller } = request;
  const view = viewFor('admin', caller, writer.context.types);
  return {
    type,
    view,
    async run(transaction) {
      const found = await publishable(writer, transaction, request);
      if (found === undefined) throw nothingToPublish(type);
      return publish(writer, transaction, request, found);
    },
  };
}

/**
 * As `preparePublication`, in all languages at once: in those in which there is something to publish. `writers`: those of all
 * languages, the default first.
 */
export function preparePublications(
  writers: readonly [RecordWriter, ...RecordWriter[]],
  request: DraftRequest,
): PreparedWrite<Answer> {
  const [main] = writers;
  const { type, caller } = request;
  const view = viewFor('admin', caller, main.context.types);
  return {
    type,
    view,
    async run(transaction) {
      // The tag that the caller names is that of the record as it was before.
      const { current } = await find(main, transaction, request);
      let isAny = false;
      for (const writer of writers) {
        const language = writer.context.inLanguage?.read.language.tag;
        const speaker = language === undefined ? caller : { ...caller, language };
        const own = { ...request, type: writer.context.types.get(type.singular), caller: speaker, ifMatch: null };
        const found = await publishable(writer, transaction, own, true);
        if (found === undefined) continue;
        await publish(writer, transaction, own, found);
        isAny = true;
      }
      if (!isAny) throw nothingToPublish(type);
      return main.readBack(transaction, { type, view, caller }, String(current.id));
    },
  };
}

const nothingToPublish = (type: ContentType): Problem =>
  conflict('no_draft', `This ${type.singular} is published${draftsOf(type) === undefined ? '' : ' and has no draft'}.`);

/** A record, or what it is in a language, with what is to be published of it. */
interface Publishable extends Found {
  /** Null: the record itself, which is not published. */
  readonly draft: Draft | null;
  /** Whether the caller's role reads drafts. */
  readonly isShown: boolean;
}

/** Undefined where there is nothing to publish. `unasked`: nor where a language says nothing. */
async function publishable(
  writer: RecordWriter,
  transaction: Transaction,
  request: DraftRequest,
  unasked = false,
): Promise<Publishable | undefined> {
  const { type } = request;
  const { column, value } = requirePublished(type);
  const drafts = draftsOf(type);
  const found = await find(writer, transaction, request);
  const isShown = drafts !== undefined && readsDrafts(writer, request);
  const draft = drafts !== undefined && isShown ? draftIn(drafts, found.current) : null;
  const isPublished = found.current[column] === value;
  const ready = { ...found, draft, isShown };
  if (type.shownIn === undefined || publishedInLanguage(type) !== undefined) {
    const isEmpty = localizedFields(type).every(({ name }) => (found.current[name] ?? null) === null);
    if (unasked && type.shownIn !== undefined && draft === null && isEmpty) return undefined;
    return draft === null && isPublished ? undefined : ready;
  }
  if (draft === null) return undefined;
  if (!isPublished)
    throw conflict('not_published', `This ${type.singular} is not published: its languages share the status.`);
  return ready;
}

/** The state of published records, of a type that is known to have one. */
function requirePublished({ singular, protocols }: ContentType): PublishedState {
  const published = publishedStateOf(protocols);
  if (published === undefined) throw new Error(`Records of ${singular} are not published.`);
  return published;
}

async function publish(
  writer: RecordWriter,
  transaction: Transaction,
  { type, caller }: DraftRequest,
  { current, links, now, draft, isShown }: Publishable,
): Promise<Answer> {
  const { context } = writer;
  const published = requirePublished(type);
  const field = draftsOf(type)?.field;
  const live = revisionBody(type, current, await links.all(type));
  const conflicts = draft === null ? [] : conflictsOf(draft, live);
  if (conflicts.length > 0) {
    const tag = type.shownIn?.read.language.tag;
    const names = conflicts.map((name) => (tag === undefined ? name : `${name}@${tag}`));
    throw conflict('draft_conflict', `Changed since they were drafted: ${names.join(', ')}.`);
  }
  // What the definition no longer has cannot be published.
  const known = Object.entries(draft?.changes ?? {}).filter(([name]) => type.field.has(name));
  const view = viewFor('admin', caller, context.types);
  if (known.some(([name]) => type.field.get(name)?.localized === true)) requireLanguage(type, view);
  const payload = { ...Object.fromEntries(known), [published.column]: published.value };
  // A draft that the role does not read stays.
  const act = () => (isShown && field !== undefined ? { [field.name]: null } : {});
  const change = { type, admin: true, caller, now, payload, action: 'publish', isDraft: true, act } as const;
  return updateRecord(writer, transaction, change, current, checkPayload(type, payload, 'update'));
}

/** Prepares the end of a record's draft; 404 where there is none. */
export function prepareDiscard(writer: RecordWriter, request: DraftRequest): PreparedWrite<void> {
  const { type } = request;
  const drafts = requireDrafts(type);
  requireDraftRight(writer, request);
  return {
    type,
    async run(transaction) {
      const { current } = await find(writer, transaction, request);
      const draft = draftIn(drafts, current);
      if (draft === null) throw notFound(`This ${type.singular} has no draft.`);
      if (Object.keys(draft.changes).some((name) => type.field.get(name)?.localized === true))
        requireLanguage(type, viewFor('admin', request.caller, writer.context.types));
      await writer.annotate(transaction, type, String(current.id), drafts.field, null);
    },
  };
}
