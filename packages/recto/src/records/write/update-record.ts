import type { SqlValue } from '../../base/bindings.ts';
import { type FieldFault, invalid, Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typesInLanguage } from '../../definition/languages/types-in-language.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { publishedInLanguage, publishedStateOf } from '../../definition/published-state.ts';
import { readsPrivate } from '../../definition/readable-fields.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { isToOne } from '../../definition/stored-field.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import type { Answer } from '../answers/answer.ts';
import { languageFaults } from '../checks/language-faults.ts';
import {
  type CheckedPayload,
  checkPayload,
  copyOf,
  immutableFaults,
  keepPrivateMembers,
  prepareValues,
  type RecordChanges,
  rejectHiddenImmutables,
  requireWriters,
} from '../checks/payload.ts';
import { applyProtocols, applyValues } from '../checks/protocol-values.ts';
import { requirePublish, storedMayPublish } from '../checks/publish-right.ts';
import { isPublished, movesPublished, requireWritable, sendingOf } from '../checks/role-rights.ts';
import { shownFaults } from '../checks/shown-fields.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { tenantOfRecord } from '../checks/tenancy.ts';
import { ruleParameters } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';
import { movingAction } from '../revisions/revision.ts';
import type { Authorship } from '../revisions/revision-writer.ts';
import type { Translations } from '../statements/language-statements.ts';
import { currentRecord } from './current-record.ts';
import { withoutFallbacks } from './fallback-values.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { RecordWriter } from './record-writer.ts';
import { ensureSingle } from './single-record.ts';
import { UpdateHooks } from './write-hooks.ts';
import type { UpdateRecordRequest } from './write-request.ts';

/** An update that is prepared for any record: what is wrong with its payload whatever the record, and the write of one. */
export interface PreparedUpdates {
  readonly faults: readonly FieldFault[];
  write(id: string | null): PreparedWrite<Answer>;
}

/** Prepares an update of the fields that the payload names; the others keep their values. */
export async function prepareUpdate(
  writer: RecordWriter,
  request: UpdateRecordRequest,
): Promise<PreparedWrite<Answer>> {
  return (await prepareUpdates(writer, request)).write(request.id);
}

/** Throws unless the caller may change the record: 404, 403. Changes nothing. */
export async function requireUpdate(
  writer: RecordWriter,
  request: Pick<UpdateRecordRequest, 'type' | 'admin' | 'caller' | 'id'>,
): Promise<void> {
  const bindings = new RequestBindings(request.caller, [], new Map(), {});
  await currentRecord(writer, writer.context.database, 'update', { ...request, search: '', ifMatch: null }, bindings);
}

/** As `prepareUpdate`, for several records. */
export async function prepareUpdates(
  writer: RecordWriter,
  request: Omit<UpdateRecordRequest, 'id'>,
): Promise<PreparedUpdates> {
  const { type, admin, caller, payload } = request;
  const { types } = writer.context;
  const view = viewFor(request.admin ? 'admin' : 'update', caller, types);
  const { parameters } = readRecordQuery(
    request.search,
    { type, types, view },
    ruleParameters(type, view, 'update'),
    'other',
  );
  const bindings = new RequestBindings(caller, [], parameters, payload);
  const checked = checkPayload(type, payload, 'update', sendingOf(type, view, keepsPrivate(request, view)));
  const sent = admin ? checked : rejectHiddenImmutables(type, checked);
  if (sent.faults.length === 0) await prepareValues(sent);
  const translated = checkTranslations(writer, request, view);
  if (type.kind === 'single') await ensureSingle(writer, type, caller);
  const write = (id: string | null): PreparedWrite<Answer> => ({
    type,
    view,
    async run(transaction) {
      // Whether the caller may change the record comes before what is wrong with the payload.
      const current = await currentRecord(writer, transaction, 'update', { ...request, id }, bindings);
      const own = await withoutFallbacks(writer, transaction, { type, view, payload }, current, sent);
      const ready = { ...request, now: bindings.now, ...(translated === undefined ? {} : { translated }) };
      return updateRecord(writer, transaction, ready, current, own);
    },
  });
  return { faults: sent.faults, write };
}

/** The values that an update sets in other languages: 422 with what is wrong with them. */
function checkTranslations(
  { context: { types } }: RecordWriter,
  request: Omit<UpdateRecordRequest, 'id'>,
  view: ReadView,
): Translations | undefined {
  const { type, translations } = request;
  if (translations === undefined) return undefined;
  const faults: FieldFault[] = [];
  const found = [...translations].flatMap(([tag, values]) => {
    const language = types.languages.find(tag);
    const read = language && readLanguage(types.languages, language, false, 'admin');
    if (read === undefined) return [];
    const shown = typesInLanguage(types, read).get(type.singular);
    const checked = checkPayload(shown, values, 'update', sendingOf(shown, view, keepsPrivate(request, view)));
    faults.push(...checked.faults.map((fault) => ({ ...fault, field: `${fault.field}@${read.language.tag}` })));
    const own = [...checked.values].flatMap(([{ name }, value]) => {
      const field = type.field.get(name);
      return field === undefined ? [] : [[field, value] as const];
    });
    return [[read.language.tag, new Map(own)] as const];
  });
  if (faults.length > 0) throw invalid(faults);
  return new Map(found);
}

/** Whether what the caller leaves out inside structured fields is what they are not shown, and not what they remove. */
const keepsPrivate = ({ keepsHidden }: Pick<UpdateRecordRequest, 'keepsHidden'>, view: ReadView): boolean =>
  !readsPrivate(view) || keepsHidden === true;

/** An update that is about to be made, at one instant (canonical datetime). */
export type ReadyUpdate = Omit<UpdateRecordRequest, 'id' | 'search' | 'ifMatch' | 'among' | 'translations'> & {
  readonly now: string;
  /** What it sets in other languages than the default. */
  readonly translated?: Translations;
};

/** Updates a record that the caller may change, within the transaction: 422 with every error. Returns the record. */
export async function updateRecord(
  writer: RecordWriter,
  transaction: Transaction,
  request: ReadyUpdate,
  current: StoredRecord,
  payload: CheckedPayload,
): Promise<Answer> {
  const { type, caller, now } = request;
  const view = viewFor(request.admin ? 'admin' : 'update', caller, writer.context.types);
  const links = new StoredLinks(transaction, writer.statements, String(current.id));
  if (request.act === undefined) requireWriters({ ...request, view }, payload, current);
  const sent = keepsPrivate(request, view) ? keepPrivateMembers(payload, current, view) : { ...payload, faults: [] };
  if (request.isDraft !== true) await requireWritable(type, view, sent, current, links);
  const moment = { type, caller, now, id: String(current.id) };
  const hooks = new UpdateHooks(writer.context, request, { current, links });
  const acted = request.act?.({ ...moment, changed: {} }, current) ?? {};
  const isValid = payload.faults.length === 0 && sent.faults.length === 0;
  const checked = isValid ? await hooks.check(sent, acted) : { changes: sent, faults: [] };
  const wrong = [...payload.faults, ...sent.faults, ...checked.faults];
  const written = { type, current: { record: current, links } };
  const faults = [
    ...wrong,
    ...(type.conditions.length === 0
      ? []
      : await shownFaults({ ...written, view, changes: checked.changes, known: wrong })),
    ...(request.act === undefined && request.setsState !== true ? protocolFaults(request, current) : []),
    ...(await updateFaults(writer, transaction, moment, { sent: checked.changes, current, links, view })),
  ];
  faults.push(...(await translatedReferenceFaults(writer, transaction, { ...request, view }, current, links)));
  if (faults.length > 0) throw invalid(faults);
  const prepared = copyOf(checked.changes);
  applyProtocols(type, prepared, ({ protocol, options }, changed) =>
    protocol.onUpdate?.({ ...moment, changed }, current, options),
  );
  applyValues(type, prepared, acted);
  const hooked = await hooks.write(transaction, prepared);
  if (hooked !== undefined) {
    const found = [
      ...(await shownFaults({ ...written, changes: hooked.changes, known: [] })),
      ...(await updateFaults(writer, transaction, moment, { sent: hooked.added, current, links })),
    ];
    if (found.length > 0) throw invalid(found);
  }
  const changes = hooked?.changes ?? prepared;
  const lacking = await languageFaultsAfter(writer, transaction, request, current, changes);
  if (lacking.length > 0) throw invalid(lacking);
  await requirePublishRight(writer, transaction, { ...request, view }, current, changes);
  const { restoredFrom, action = becomesPublished(type, current, changes) ? 'publish' : 'update' } = request;
  const authorship = {
    ...moment,
    ...sittingOf(request.autosave, action),
    ...(restoredFrom === undefined ? {} : { restoredFrom }),
  };
  const { translated } = request;
  return writer.updateReturning(
    transaction,
    { type, view, caller },
    { type, current, links, changes, authorship, ...(translated === undefined ? {} : { translated }) },
  );
}

/** The new references in other languages that lead to no record which the sender finds. */
async function translatedReferenceFaults(
  writer: RecordWriter,
  transaction: Transaction,
  { type, caller, translated, view }: ReadyUpdate & { readonly view: ReadView },
  current: StoredRecord,
  links: StoredLinks,
): Promise<readonly FieldFault[]> {
  const leading = [...(translated ?? [])].filter(([, own]) => [...own.keys()].some(isToOne));
  if (leading.length === 0) return [];
  const id = String(current.id);
  const { languages } = writer.statements;
  const rows = await transaction.rows<Record<string, SqlValue>>(languages.all(type, id));
  const stored = languages.decode(type, rows);
  const faults: FieldFault[] = [];
  for (const [tag, own] of leading) {
    const before = [...(stored.get(tag) ?? [])].map(([{ name }, value]) => [name, value] as const);
    const found = await writer.checks(transaction).faultsBesidesTaken({
      type,
      id,
      changes: { values: new Map([...own].filter(([field]) => isToOne(field))), related: new Map() },
      tenant: tenantOfRecord(type, current),
      current: { record: Object.fromEntries(before), links },
      references: 'seen',
      sentBy: { view, caller },
    });
    faults.push(...found.map((fault) => ({ ...fault, field: `${fault.field}@${tag}` })));
  }
  return faults;
}

/** What languages lack that are published, or become so. */
async function languageFaultsAfter(
  writer: RecordWriter,
  transaction: Transaction,
  { type, translated }: ReadyUpdate,
  current: StoredRecord,
  { values }: RecordChanges,
): Promise<readonly FieldFault[]> {
  const { shownIn } = type;
  if (publishedInLanguage(type) === undefined) return [];
  const changed = new Map([...values].map(([{ name }, value]) => [name, value]));
  const now = (name: string) => (changed.has(name) ? changed.get(name) : current[name]);
  if (shownIn !== undefined) {
    const said = now;
    return languageFaults(shownIn.base, shownIn.read.language.tag, said);
  }
  if (translated === undefined) return [];
  const { languages } = writer.statements;
  const rows = await transaction.rows<Record<string, SqlValue>>(languages.all(type, String(current.id)));
  const stored = languages.decode(type, rows);
  return [...translated].flatMap(([tag, own]) => {
    const said = (name: string) => {
      const field = type.field.get(name);
      if (field?.localized !== true) return now(name);
      return own.has(field) ? own.get(field) : stored.get(tag)?.get(field);
    };
    return languageFaults(type, tag, said).map((fault) => ({ ...fault, field: `${fault.field}@${tag}` }));
  });
}

/** Throws 403 where the update moves the record into or out of the published state, and the role may not. */
async function requirePublishRight(
  writer: RecordWriter,
  transaction: Transaction,
  { type, view, caller, payload, now, action, restoredFrom }: ReadyUpdate & { readonly view: ReadView },
  current: StoredRecord,
  changes: RecordChanges,
): Promise<void> {
  if (view.audience === 'public') return;
  // What is published stays so where its draft is published, but is something else.
  const isMoved = action === 'publish' || movesPublished(type, current, changes);
  if (!isMoved && !(action === 'restore' && restoredFrom === undefined && isPublished(type, current))) return;
  const bindings = new RequestBindings(caller, [], new Map(), payload, now);
  await requirePublish(type, view, () =>
    storedMayPublish(writer.context, transaction, { type, view, id: String(current.id) }, bindings),
  );
}

/** An update that does something besides, such as to publish, is a version of its own. */
function sittingOf(autosave: boolean | undefined, action: string): Pick<Authorship, 'action' | 'sitting'> {
  if (autosave === undefined || action !== 'update') return { action };
  return autosave ? { action: movingAction, sitting: 'continue' } : { action, sitting: 'end' };
}

/** A payload that is to change a stored record. */
export interface SentUpdate {
  readonly sent: RecordChanges;
  readonly current: StoredRecord;
  readonly links: StoredLinks;
  /** Absent: code of the deployment has made the changes. */
  readonly view?: ReadView;
}

/** What speaks against an update in the light of the record and of the others that are stored. */
export async function updateFaults(
  writer: RecordWriter,
  transaction: Transaction,
  moment: {
    readonly type: ContentType;
    readonly caller: ReadyUpdate['caller'];
    readonly now: string;
    readonly id: string;
  },
  { sent, current, links, view }: SentUpdate,
): Promise<readonly FieldFault[]> {
  const { type, id } = moment;
  const immutable = immutableFaults(
    sent,
    current,
    await links.some([...sent.related.keys()].filter((field) => field.immutable)),
  );
  const found = await writer.storedFaults(transaction, moment, {
    type,
    id,
    changes: sent,
    tenant: tenantOfRecord(type, current),
    current: { record: current, links },
    references: 'seen',
    ...(view === undefined ? {} : { sentBy: { view, caller: moment.caller } }),
  });
  return [...immutable, ...found];
}

function becomesPublished(type: ContentType, current: StoredRecord, { values }: RecordChanges): boolean {
  const state = publishedStateOf(type.protocols);
  const field = state === undefined ? undefined : type.field.get(state.column);
  if (state === undefined || field === undefined) return false;
  return values.get(field) === state.value && current[state.column] !== state.value;
}

/** What protocols find invalid, reported with all other errors. What else they reject (a conflict) is thrown at once. */
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
