import type { SqlValue } from '../../base/bindings.ts';
import { conflict, type Problem, type UsePlace } from '../../base/problem.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { emptyLinks, linksIn } from '../../definition/structure/inner-links.ts';
import { changedNames } from '../../definition/structure/private-members.ts';
import type { LinkRow } from '../../migrations/storage/links-table.ts';
import { joinPaths } from '../../values/field-path.ts';
import { knownReference } from '../checks/known-references.ts';
import { StoredLinks } from '../checks/stored-links.ts';
import { mayKnowOf, tenantOfRecord } from '../checks/tenancy.ts';
import { innerReferrers } from '../plans/referrers.ts';
import { jsonValue } from '../revisions/revision-body.ts';
import type { Authorship } from '../revisions/revision-writer.ts';
import { decodeRow, type RecordStatements } from '../statements/record-statements.ts';
import type { RecordWriter } from './record-writer.ts';

/** A record that goes. */
export interface Going {
  readonly type: ContentType;
  readonly id: string;
  /** What messages call it. */
  readonly what: string;
  /** Whether the caller may be shown which records need it. */
  readonly namesPlaces: boolean;
  /** Who removes it, and when. */
  readonly authorship: Pick<Authorship, 'caller' | 'now'>;
}

/** What the uses of a file are read with. */
export interface UsesReader {
  readonly types: ContentTypes;
  readonly statements: RecordStatements;
  readonly executor: Executor;
  readonly dialect: Dialect;
}

/** Where a record shows a file. */
export interface FileUse {
  readonly place: UsePlace;
  /** Of the record; null for none. */
  readonly tenant: string | null;
}

/** The records that show a file inside their structured fields, and where: at most `most` of them. */
export async function innerFileUses(
  { types, statements, executor, dialect }: UsesReader,
  type: ContentType,
  id: string,
  most: number,
): Promise<readonly FileUse[]> {
  const showing = innerReferrers(types, type).filter(({ isFile }) => isFile);
  if (showing.length === 0 || most <= 0) return [];
  const paths = new Set(showing.map(({ owner, field, path }) => `${owner.singular} ${field.name} ${path}`));
  const rows = await executor.rows<LinkRow>(statements.innerLinks.leadingTo(type, id));
  const own = rows.filter(
    (row) => paths.has(`${row.type} ${row.field} ${row.path}`) && !(row.type === type.singular && row.record === id),
  );
  const records = Map.groupBy(own, (row) => `${row.type} ${row.record} ${row.field}`);
  const uses: FileUse[] = [];
  for (const [, [first]] of [...records].slice(0, most)) {
    if (first === undefined) continue;
    const owner = types.get(first.type);
    const field = owner.field.get(first.field);
    const row = await executor.first<Record<string, SqlValue>>(statements.row(owner, first.record));
    if (field === undefined || row === undefined) continue;
    const record = decodeRow(owner, row, dialect);
    const found = linksIn(field, record[field.name]);
    const leading = found.filter((link) => link.id === id && paths.has(`${first.type} ${first.field} ${link.path}`));
    const place = {
      type: first.type,
      id: first.record,
      field: first.field,
      places: leading.slice(0, mostShown).map((link) => joinPaths(field.name, link.place)),
    };
    uses.push({ place, tenant: tenantOfRecord(owner, record) });
  }
  return uses;
}

/**
 * Empties the references to a record that stand inside structured fields of others; 409 with the places where one of them
 * is needed. To be called before the record goes, in the same transaction.
 */
export async function emptyInnerReferences(
  writer: RecordWriter,
  transaction: Transaction,
  going: Going,
): Promise<void> {
  const { context, statements } = writer;
  if (innerReferrers(context.types, going.type).length === 0) return;
  const rows = await transaction.rows<LinkRow>(statements.innerLinks.leadingTo(going.type, going.id));
  const records = Map.groupBy(rows, ({ type, record }) => `${type} ${record}`);
  for (const [, links] of records) {
    const [first] = links;
    const owner = first === undefined ? undefined : context.types.find(first.type);
    if (first === undefined || owner === undefined) continue;
    // Its own references go with it.
    if (owner === going.type && first.record === going.id) continue;
    await emptyRecord(
      writer,
      transaction,
      { owner, id: first.record, fields: new Set(links.map(({ field }) => field)) },
      going,
    );
  }
}

interface Referring {
  readonly owner: ContentType;
  readonly id: string;
  /** The names of the fields that refer to the record. */
  readonly fields: ReadonlySet<string>;
}

async function emptyRecord(
  writer: RecordWriter,
  transaction: Transaction,
  { owner, id, fields }: Referring,
  going: Going,
): Promise<void> {
  const row = await transaction.first<Record<string, SqlValue>>(writer.statements.row(owner, id));
  if (row === undefined) return;
  const current = decodeRow(owner, row, writer.context.database.dialect);
  const values = new Map<Field, FieldValue | null>();
  for (const field of owner.facts.linking) {
    const value = current[field.name] ?? null;
    if (!fields.has(field.name) || typeof value !== 'object') continue;
    const emptied = emptyLinks(field, value, going.type.singular, going.id);
    const [needed] = emptied.needed;
    const needing = { owner, id, tenant: tenantOfRecord(owner, current) };
    if (needed !== undefined) throw inUse(writer.context.types, needing, field, emptied.needed, going);
    values.set(field, emptied.value);
  }
  if (values.size === 0) return;
  const links = new StoredLinks(transaction, writer.statements, id);
  // No version of its own: like a reference that is a column, it is cleared by the removal of what it led to.
  const changes = { values, related: new Map() };
  await writer.update(transaction, { type: owner, current, links, changes, authorship: null });
  const { caller, now: at } = going.authorship;
  const changed = [...values].flatMap(([field, value]) =>
    changedNames(field, jsonValue(current[field.name] ?? null), jsonValue(value)),
  );
  const tenant = tenantOfRecord(owner, current);
  const change = {
    type: owner,
    id,
    action: 'update',
    changed,
    language: null,
    caller,
    tenant,
    at,
    revision: null,
    before: current,
  } as const;
  writer.logChange(transaction, change);
}

function inUse(
  types: ContentTypes,
  { owner, id, tenant }: { readonly owner: ContentType; readonly id: string; readonly tenant: string | null },
  field: Field,
  places: readonly string[],
  going: Going,
): Problem {
  const all = places.map((place) => joinPaths(field.name, place));
  const { caller } = going.authorship;
  const known = going.namesPlaces ? knownReference(types, caller, { owner, field }) : undefined;
  if (known?.field === false) return conflict('record_in_use', neededElse(going.what));
  const isNamed = known?.record === true && mayKnowOf(caller, tenant);
  const where = isNamed ? `${field.name} (${owner.singular} ${id}: ${shown(all)})` : field.name;
  return conflict('record_in_use', `A ${owner.singular} needs this ${going.what} in its ${where}.`);
}

/** For who may not know what does. */
export const neededElse = (what: string): string => `Another record needs this ${what}.`;

const mostShown = 5;

const shown = (places: readonly string[]): string =>
  places.length > mostShown ? `${places.slice(0, mostShown).join(', ')}, …` : places.join(', ');
