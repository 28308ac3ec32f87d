import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { conflict, type FieldFault, forbidden, invalid, type Problem } from '../../base/problem.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { type ReadView, rightsOf, viewFor } from '../../definition/rights/read-view.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import type { Rule } from '../../rules/rule.ts';
import { evaluateRule } from '../../rules/rule-evaluator.ts';
import type { Answer } from '../answers/answer.ts';
import { checkPayload, copyOf, prepareValues, type RecordChanges, requireWriters } from '../checks/payload.ts';
import { applyProtocols, applyValues, valuesByName, wholeRecord } from '../checks/protocol-values.ts';
import { requirePublish } from '../checks/publish-right.ts';
import { movesPublished, requireWritableNew, sendingOf } from '../checks/role-rights.ts';
import { shownFaults } from '../checks/shown-fields.ts';
import { assignFreeSlugs, assignLikelySlugs } from '../checks/slugs.ts';
import type { CheckedChanges } from '../checks/stored-checks.ts';
import { assignTenant, tenantOfChanges } from '../checks/tenancy.ts';
import { ruleParameters, viewRules } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';
import { finds } from '../statements/record-statements.ts';
import { draftRecord } from './new-record.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { RecordWriter } from './record-writer.ts';
import type { TypeMoment } from './record-writes.ts';
import { type HookedChanges, recordToBe, takeHooked } from './write-hooks.ts';
import type { CreateRequest } from './write-request.ts';

export interface Created {
  readonly id: string;
  /** All of its own columns. */
  readonly record: StoredRecord;
  readonly answer: Answer;
}

/** A new record that is ready for its transaction. */
interface Creation {
  readonly request: CreateRequest;
  readonly view: ReadView;
  readonly bindings: RequestBindings;
  readonly moment: TypeMoment;
  readonly sent: RecordChanges;
  readonly tenant: string | null;
}

/** Prepares a new record: 422 with every error of the payload. Its transaction throws 403 where the `create` rules do not hold. */
export async function prepareCreate(writer: RecordWriter, request: CreateRequest): Promise<PreparedWrite<Created>> {
  const { type, admin, caller, payload } = request;
  const { types } = writer.context;
  if (type.shownIn !== undefined) throw beginsInDefault(types.languages.default.tag);
  const view = viewFor(request.admin ? 'admin' : 'create', caller, types);
  const { parameters } = readRecordQuery(
    request.search,
    { type, types, view },
    ruleParameters(type, view, 'create'),
    'other',
  );
  const sent = checkPayload(type, payload, 'create', sendingOf(type, view, false));
  const wrong = [...sent.faults, ...assignTenant(type, admin, caller, sent)];
  const shown = async (changes: RecordChanges, known: readonly FieldFault[], by?: ReadView) =>
    type.conditions.length === 0 ? [] : shownFaults({ type, ...(by && { view: by }), changes, current: null, known });
  const faults = [...wrong, ...(await shown(sent, wrong, view))];
  requireWriters({ ...request, view }, sent, null);
  requireWritableNew(type, view, sent, new Set(Object.keys(payload)));
  const bindings = new RequestBindings(caller, [], parameters, payload);
  const moment = { type, caller, now: bindings.now, id: request.id ?? newId() };
  const tenant = tenantOfChanges(type, sent, null);
  if (faults.length > 0) {
    const checked = checkedCreation(moment, view, sent, tenant);
    // A rule needs the complete record, and a caller whom it would reject must not learn what other records hold.
    const found = hasRule(type, view) ? [] : await writer.storedFaults(writer.context.database, moment, checked);
    throw invalid([...faults, ...found]);
  }
  await prepareValues(sent);
  applyValues(type, sent, request.act?.({ ...moment, changed: valuesByName(sent) }) ?? {});
  applyProtocols(type, sent, ({ protocol, options }, changed) => protocol.onCreate?.({ ...moment, changed }, options));
  if (request.kept !== undefined) applyValues(type, sent, request.kept);
  const hooked = checkHooked(writer, request, moment.id, sent);
  const hookFaults = [...hooked.faults, ...(await shown(hooked.changes, hooked.faults))];
  if (hookFaults.length > 0) {
    const checked = checkedCreation(moment, view, hooked.changes, tenant);
    const found = hasRule(type, view) ? [] : await writer.storedFaults(writer.context.database, moment, checked);
    throw invalid([...hookFaults, ...found]);
  }
  const creation = { request, view, bindings, moment, sent: hooked.changes, tenant };
  return { type, view, run: (transaction, isLast = false) => create(writer, transaction, creation, isLast) };
}

const beginsInDefault = (tag: string): Problem =>
  invalid([
    {
      field: '',
      code: 'language_required',
      message: `A record begins in the default language, "${tag}": translate it once it is there.`,
    },
  ]);

/** Runs in the transaction. */
async function create(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  isLast: boolean,
): Promise<Created> {
  const { moment, sent, tenant } = creation;
  const { type } = moment;
  if (type.kind === 'single' && (await finds(transaction, writer.statements.any(type, tenant)))) {
    throw conflict('single_exists', `${type.singular} is a single type and has its one record already.`);
  }
  const placed = copyOf(sent);
  await writer.placeNew(transaction, moment, tenant, placed);
  const changes = await writeHooked(writer, transaction, creation, placed);
  const faults = changes === placed ? [] : await shownFaults({ type, changes, current: null, known: [] });
  if (faults.length > 0) throw invalid(faults);
  return store(writer, transaction, creation, changes, isLast);
}

/** What `check` hooks make of a valid payload. */
function checkHooked(
  { context }: RecordWriter,
  { type, caller, payload }: CreateRequest,
  id: string,
  changes: RecordChanges,
): Pick<HookedChanges, 'changes' | 'faults'> {
  const hooks = context.hooks?.(type);
  if (hooks?.check === undefined) return { changes, faults: [] };
  const write = { type, record: wholeRecord(type, id, changes), links: changes.related, changes, payload };
  const record = recordToBe(write);
  const found = hooks.check({ type, caller, record, before: null });
  return takeHooked(write, recordToBe(write), record, found);
}

/** What `write` hooks make of the record. They run for those alone who may create it. */
async function writeHooked(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  changes: RecordChanges,
): Promise<RecordChanges> {
  const { moment, request } = creation;
  const { type, caller, id } = moment;
  const hooks = writer.context.hooks?.(type);
  if (hooks?.write === undefined) return changes;
  const likely = copyOf(changes);
  assignLikelySlugs(type, likely);
  if (!(await mayCreate(writer, transaction, creation, likely))) throw refused(type);
  const record = wholeRecord(type, id, changes);
  const write = { type, record, links: changes.related, changes, payload: request.payload };
  const body = recordToBe(write);
  const found = await hooks.write({ type, caller, record: body, before: null }, transaction);
  const hooked = takeHooked(write, recordToBe(write), body, found);
  if (hooked.faults.length > 0) throw invalid(hooked.faults);
  return hooked.changes;
}

const refused = ({ singular }: ContentType): Problem =>
  forbidden('rule_refused', `You may not create this ${singular}.`);

/**
 * Stores the record for a caller who may create it, or throws. It is first inserted as if its unique values and its slugs were free, as
 * most are: the insertion itself shows it, which saves the statements that look. If they are not, or anything else is wrong, every error
 * is found out.
 */
async function store(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  changes: RecordChanges,
  isLast: boolean,
): Promise<Created> {
  const { bindings, moment, tenant } = creation;
  const { type, caller } = moment;
  // Who may not create must not learn what other records hold.
  const isDecided = !rulesReadSlugs(creation);
  const requireRight = async (record: RecordChanges): Promise<void> => {
    if (!(await mayCreate(writer, transaction, creation, record))) throw refused(type);
  };
  if (isDecided) await requireRight(changes);
  await requirePublishRight(writer, transaction, creation, changes);
  const likely = copyOf(changes);
  if (assignLikelySlugs(type, likely) && (isDecided || (await mayCreate(writer, transaction, creation, likely)))) {
    const created = await insertValid(writer, transaction, creation, likely, { isLast, unlessTaken: true });
    if (!isFaulty(created)) return created;
  }
  const { statements } = writer;
  await assignFreeSlugs(transaction, type, changes, (field, base) =>
    readsAll(type, caller, writer.context.types)
      ? statements.slugsLike(type, field, base, tenant)
      : statements.slugsSeenBy(bindings, type, field, base, tenant),
  );
  if (!isDecided) await requireRight(changes);
  const created = await insertValid(writer, transaction, creation, changes, { isLast, unlessTaken: false });
  if (isFaulty(created)) throw invalid(created);
  return created;
}

const isFaulty = (created: Created | readonly FieldFault[]): created is readonly FieldFault[] => Array.isArray(created);

/** Whether the slug that a record gets can decide on who may create it. A rule that reads other records may read this one through them. */
function rulesReadSlugs({ view, moment: { type } }: Creation): boolean {
  const generated = type.facts.generatedSlugs;
  if (generated.length === 0) return false;
  return viewRules(type, view, 'create').some(
    ({ reads }) => reads.types.size > 0 || generated.some(({ name }) => reads.fields.has(name)),
  );
}

/** Inserts a record that nothing speaks against; else returns the errors. `unlessTaken`: a taken value is found by the insertion alone. */
async function insertValid(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  changes: RecordChanges,
  { isLast, unlessTaken }: { readonly isLast: boolean; readonly unlessTaken: boolean },
): Promise<Created | readonly FieldFault[]> {
  const { moment, tenant } = creation;
  const { type, caller, id } = moment;
  const checked = checkedCreation(moment, creation.view, changes, tenant);
  const faults = await writer.storedFaults(transaction, moment, checked, unlessTaken ? 'besides_taken' : 'all');
  if (faults.length > 0) return faults;
  const record = wholeRecord(type, id, changes);
  const authorship = { ...moment, action: 'create' };
  const how = {
    ...{ type, view: creation.view, caller, isLast },
    unlessTaken: unlessTaken && type.facts.hasUniqueFields,
  };
  const answer = await writer.insertReturning(transaction, how, { type, record, changes, authorship });
  if (answer !== undefined) return { id, record, answer };
  if (!unlessTaken) throw new Error(`The new ${type.singular} was not inserted.`);
  return [];
}

const checkedCreation = (
  { type, id, caller }: TypeMoment,
  view: ReadView,
  changes: RecordChanges,
  tenant: string | null,
): CheckedChanges => ({
  type,
  id,
  changes,
  tenant,
  current: null,
  references: 'seen',
  sentBy: { view, caller },
});

/** Whether the admin routes show the caller every record of a type. The service acts for somebody whom it does not know. */
const readsAll = (type: ContentType, caller: Caller, { roles }: ContentTypes): boolean =>
  isAuthenticated(caller) && rightsOf(caller, roles).of(type).rows.get === 'all';

/** Whether it depends on the record who may create it, or nobody may. */
const hasRule = (type: ContentType, view: ReadView): boolean =>
  view.audience === 'admin' ? view.rights.of(type).rows.create !== 'all' : viewRules(type, view, 'create').length > 0;

/** `filter` OR (authenticated AND `filter_auth`), on the record as it would be stored. */
async function mayCreate(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  changes: RecordChanges,
): Promise<boolean> {
  const { view, moment } = creation;
  const { type, caller } = moment;
  if (!hasRule(type, view)) return true;
  const rules = viewRules(type, view, 'create', isAuthenticated(caller));
  // A right to create none, or a rule that is for other callers.
  return rules.length > 0 && (await holdsOne(writer, transaction, creation, changes, rules));
}

/** Throws 403 where the record would be published, at once or at a time, and the role may not publish it. */
async function requirePublishRight(
  writer: RecordWriter,
  transaction: Transaction,
  creation: Creation,
  changes: RecordChanges,
): Promise<void> {
  const { view, moment } = creation;
  if (view.audience === 'public' || !movesPublished(moment.type, null, changes)) return;
  await requirePublish(moment.type, view, (rule) => holdsOne(writer, transaction, creation, changes, [rule]));
}

/** Whether one of the rules holds for the record as it would be stored. */
async function holdsOne(
  writer: RecordWriter,
  transaction: Transaction,
  { bindings, moment }: Creation,
  changes: RecordChanges,
  rules: readonly Rule[],
): Promise<boolean> {
  const { type, id } = moment;
  const values = wholeRecord(type, id, changes);
  const draft = { type, values, related: changes.related, rules, environment: bindings };
  const record = await draftRecord(writer.context, transaction, writer.statements, draft);
  return rules.some((rule) => evaluateRule(rule, record, bindings));
}
