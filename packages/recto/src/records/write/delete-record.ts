import type { SqlValue } from '../../base/bindings.ts';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import { conflict, Problem } from '../../base/problem.ts';
import type { Query, Transaction } from '../../database/database.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { isFileField } from '../../definition/field-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { rightsOf, viewFor } from '../../definition/rights/read-view.ts';
import { isTranslated, junctionOf } from '../../definition/stored-field.ts';
import { readRecordQuery } from '../../query/record-query.ts';
import { knownReference } from '../checks/known-references.ts';
import { applyProtocols } from '../checks/protocol-values.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { mayKnowOf } from '../checks/tenancy.ts';
import { ruleParameters } from '../plans/access.ts';
import { RequestBindings } from '../plans/plan.ts';
import { type Referrer, referrers } from '../plans/referrers.ts';
import type { Authorship } from '../revisions/revision-writer.ts';
import type { LeadingRow } from '../statements/language-statements.ts';
import { decodeRow, finds } from '../statements/record-statements.ts';
import type { LoggedChange } from './change-log.ts';
import { currentRecord } from './current-record.ts';
import { emptyInnerReferences, type FileUse, innerFileUses, neededElse, type UsesReader } from './inner-references.ts';
import type { PreparedWrite } from './prepared-write.ts';
import type { RecordWriter } from './record-writer.ts';
import type { RecordRemoval } from './record-writes.ts';
import type { DeleteRequest } from './write-request.ts';

/**
 * Prepares the removal of a record, or its marking where a protocol does that instead. Records that cascade are removed too;
 * other references to it are cleared, and where a required one would be left empty, the delete is rejected (409).
 */
export async function prepareDelete(writer: RecordWriter, request: DeleteRequest): Promise<PreparedWrite<void>> {
  return prepareDeletes(writer, request)(request.id);
}

/** As `prepareDelete`, for several records. */
export function prepareDeletes(
  writer: RecordWriter,
  request: Omit<DeleteRequest, 'id'>,
): (id: string) => PreparedWrite<void> {
  const { type, caller } = request;
  const { types } = writer.context;
  const view = viewFor(request.admin ? 'admin' : 'delete', caller, types);
  const { parameters } = readRecordQuery(
    request.search,
    { type, types, view },
    ruleParameters(type, view, 'delete'),
    'other',
  );
  const bindings = new RequestBindings(caller, [], parameters);
  return (id) => ({
    type,
    view,
    run: (transaction) => deleteRecord(writer, transaction, { ...request, id }, bindings),
  });
}

/** Runs in the transaction. */
async function deleteRecord(
  writer: RecordWriter,
  transaction: Transaction,
  request: DeleteRequest,
  bindings: RequestBindings,
): Promise<void> {
  const { type, caller } = request;
  const current = await currentRecord(writer, transaction, 'delete', request, bindings);
  const id = String(current.id);
  const authorship = { caller, now: bindings.now, action: 'delete' };
  const changes = { values: new Map(), related: new Map() };
  if (request.outright !== true) {
    applyProtocols(type, changes, ({ protocol, options }, changed) =>
      protocol.onDelete?.({ caller, now: bindings.now, id, changed }, current, options),
    );
  }
  const namesPlaces = request.admin;
  if (changes.values.size === 0)
    return removeRow(writer, transaction, { type, record: current, authorship }, { namesPlaces, going: new Set() });
  const links = new StoredLinks(transaction, writer.statements, id);
  await writer.update(transaction, { type, current, links, changes, authorship });
}

/** How records are removed with one another. */
interface Removing {
  /** Whether the caller may be shown which records need one that goes. */
  readonly namesPlaces: boolean;
  /** The ids of those whose removal has begun: records can belong to one another in a circle. */
  readonly going: Set<string>;
}

async function removeRow(
  writer: RecordWriter,
  transaction: Transaction,
  removal: RecordRemoval,
  { namesPlaces, going }: Removing,
): Promise<void> {
  const { type, record, authorship } = removal;
  const id = String(record.id);
  going.add(id);
  const release = await releaseReferences(
    writer,
    transaction,
    { type, id, what: type.singular, namesPlaces, going },
    authorship,
  );
  const orphans = await orphansOf(writer, transaction, type, id);
  await writer.remove(transaction, removal);
  for (const settle of orphans) await transaction.run(settle);
  release();
}

/** What is about to be removed, and what messages call it. */
export interface Removed {
  readonly type: ContentType;
  readonly id: string;
  readonly what: string;
  /** Whether the caller may be shown which records need it, of those that their role sees. */
  readonly namesPlaces: boolean;
  /** The ids of records whose removal has begun; absent: none. */
  readonly going?: Set<string>;
}

/**
 * Sees to what points to something that is about to be removed: removes what cascades, and throws 409 where a required
 * reference would be left empty, in any language. The others are cleared: by the database, but for those of translations; the
 * function that this returns, to be called after the removal, notes that.
 */
export async function releaseReferences(
  writer: RecordWriter,
  transaction: Transaction,
  { type, id, what, namesPlaces, going = new Set() }: Removed,
  authorship: Authorship,
): Promise<() => void> {
  const clearing: LoggedChange[] = [];
  const pointing = referrers(writer.context.types, type);
  await refuseWhileUsed(writer, transaction, { type, id, caller: authorship.caller });
  for (const { owner, field } of pointing) {
    if (isFileField(field)) continue;
    if (cascadesDelete(owner, field)) {
      for (const referring of await cascading(writer, transaction, owner, field, id)) {
        if (going.has(String(referring.id))) continue;
        await removeRow(writer, transaction, { type: owner, record: referring, authorship }, { namesPlaces, going });
      }
    } else if (field.required && (await finds(transaction, needing(writer, owner, field, id)))) {
      const isNamed = !namesPlaces || knownReference(writer.context.types, authorship.caller, { owner, field }).field;
      const detail = isNamed ? `A ${owner.singular} needs this ${what} as its ${field.name}.` : neededElse(what);
      throw conflict('record_in_use', detail);
    } else {
      clearing.push(...(await cleared(writer, transaction, { owner, field }, id, authorship)));
      await clearTranslations(writer, transaction, { owner, field }, id);
    }
  }
  await emptyInnerReferences(writer, transaction, { type, id, what, namesPlaces, authorship });
  return () => {
    for (const change of clearing) writer.logChange(transaction, change);
    for (const { owner } of pointing) transaction.touch(owner.singular);
  };
}

/** A file that records show stays: 409, for editors and admins with those places that they may know of. */
async function refuseWhileUsed(
  writer: RecordWriter,
  transaction: Transaction,
  { type, id, caller }: { readonly type: ContentType; readonly id: string; readonly caller: Caller },
): Promise<void> {
  const { statements, context } = writer;
  const { types, database } = context;
  const uses = await usesOfFile({ types, statements, executor: transaction, dialect: database.dialect }, type, id);
  if (uses.length === 0) return;
  const isShown = isAuthenticated(caller) && rightsOf(caller, types.roles).of(type).rows.get !== 'none';
  const places = uses
    .filter(({ place, tenant }) => isShown && mayKnowOf(caller, tenant) && isKnownPlace(place, caller, types))
    .slice(0, mostPlaces)
    .map(({ place }) => place);
  const where = places
    .slice(0, 3)
    .map(({ type: owner, field }) => `${owner}.${field}`)
    .join(', ');
  const detail = `This ${type.singular} is in use${where === '' ? '' : `: ${where}`}.`;
  throw new Problem(409, 'record_in_use', detail, isShown ? { places } : {});
}

/** Whether a caller may know of every record that refers to something by a field. */
function isKnownPlace({ type, field: path }: FileUse['place'], caller: Caller, types: ContentTypes): boolean {
  const owner = types.get(type);
  const field = owner.field.get(/^[^.[]*/.exec(path)?.[0] ?? '');
  return field !== undefined && knownReference(types, caller, { owner, field }).record;
}

/** The most places that are listed. */
const mostPlaces = 100;

/** The records that show a file of the type, and where: of those inside structured fields at most 1,000. */
async function usesOfFile(reader: UsesReader, type: ContentType, id: string): Promise<readonly FileUse[]> {
  const { types, statements, executor } = reader;
  const uses: FileUse[] = [];
  for (const { owner, field } of referrers(types, type)) {
    if (!isFileField(field)) continue;
    for (const row of await executor.rows<{ id: string; tenant: string | null }>(
      statements.referring(owner, field, id),
    )) {
      uses.push({ place: { type: owner.singular, id: row.id, field: field.name }, tenant: row.tenant });
    }
  }
  return [...uses, ...(await innerFileUses(reader, type, id, mostInner))];
}

const mostInner = 1_000;

/** The records that are removed with the one that they point to. */
async function cascading(
  { statements, context }: RecordWriter,
  transaction: Transaction,
  owner: ContentType,
  field: Field,
  id: string,
): Promise<readonly StoredRecord[]> {
  const found = await transaction.rows<{ id: string }>(statements.pointing(owner, field, id));
  const records: StoredRecord[] = [];
  for (const each of found) {
    const row = await transaction.first<Record<string, SqlValue>>(statements.row(owner, each.id));
    if (row !== undefined) records.push(decodeRow(owner, row, context.database.dialect));
  }
  return records;
}

/** Empties a localized reference in other languages than the default. */
async function clearTranslations(
  { statements: { languages } }: RecordWriter,
  transaction: Transaction,
  { owner, field }: Referrer,
  id: string,
): Promise<void> {
  if (!isTranslated(field)) return;
  const type = owner.shownIn?.base ?? owner;
  const leading = await transaction.rows<LeadingRow>(languages.leadingTo(type, field, id));
  const translations = leading.filter(({ language }) => language !== '');
  if (translations.length === 0) return;
  await transaction.run(languages.clear(type, field, id));
  for (const row of translations) await transaction.run(languages.forget(type, row.id, row.language));
  for (const record of new Set(translations.map((row) => row.id))) await transaction.run(languages.note(type, record));
}

/** The changes of the records whose reference is cleared. Their columns are not loaded: there may be many. */
async function cleared(
  { statements, context }: RecordWriter,
  transaction: Transaction,
  { owner, field }: Referrer,
  id: string,
  { caller, now: at }: Authorship,
): Promise<readonly LoggedChange[]> {
  // Without a log, nobody asks.
  if (context.changes === undefined) return [];
  const found = await transaction.rows<{ id: string; tenant: string | null }>(statements.referring(owner, field, id));
  const made = {
    type: owner,
    action: 'update',
    changed: [field.name],
    language: null,
    caller,
    at,
    revision: null,
    before: null,
  } as const;
  if (!isTranslated(field)) return found.map((row) => ({ ...made, id: row.id, tenant: row.tenant }));
  const leading = await transaction.rows<LeadingRow>(
    statements.languages.leadingTo(owner.shownIn?.base ?? owner, field, id),
  );
  const byRecord = Map.groupBy(leading, (row) => row.id);
  const main = context.types.languages.default.tag;
  return found.map((row) => {
    const languages = (byRecord.get(row.id) ?? []).map(({ language }) => language);
    const changed = languages.map((tag) => (tag === '' ? field.name : `${field.name}@${tag}`));
    const [language = null, ...others] = languages.map((tag) => (tag === '' ? main : tag));
    return { ...made, changed, language: others.length === 0 ? language : null, id: row.id, tenant: row.tenant };
  });
}

/** What sets the depths of those that stand directly below a record, and of all below them, once it is gone. */
async function orphansOf(
  { statements }: RecordWriter,
  transaction: Transaction,
  type: ContentType,
  id: string,
): Promise<readonly Query[]> {
  const tree = type.facts.tree;
  const parent = tree === undefined ? undefined : type.field.get(tree.parent);
  if (tree === undefined || parent === undefined) return [];
  const rows = await transaction.rows<{ id: string }>(statements.pointing(type, parent, id));
  return rows.map((row) => statements.depth(type, tree, row.id));
}

/** Finds a record whose required reference would be left empty. */
function needing({ statements }: RecordWriter, owner: ContentType, field: Field, id: string): Query {
  const junction = junctionOf(field);
  return junction === undefined ? statements.pointing(owner, field, id) : statements.links.sole(junction, id);
}

const cascadesDelete = (owner: ContentType, field: Field): boolean =>
  field.cascades === true || owner.protocols.some(({ protocol }) => protocol.cascadeDelete?.includes(field.name));
