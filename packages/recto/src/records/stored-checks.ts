import { type FieldFault, invalid } from '../base/problem.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { DatabaseFault } from '../database/dialect.ts';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { slugify } from '../definition/fields/slug.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import type { RecordChanges } from './payload.ts';
import { finds, type RecordStatements } from './record-statements.ts';
import { tenantOfChanges } from './tenancy.ts';

/** What can be wrong with values only in the light of what is stored: a taken unique value, a related record that does not exist. */
export async function storedFaults(
  executor: Executor,
  statements: RecordStatements,
  types: ContentTypes,
  record: {
    readonly type: ContentType;
    readonly id: string;
    readonly changes: RecordChanges;
    /** Whose record it is, which only leads to records of the same. */
    readonly tenant: string | null;
    /** The record before an update, whose references may stay what they are; null for a new one. Absent: what is stored may be pointed to, hidden or not. */
    readonly current?: StoredRecord | null;
  },
): Promise<readonly FieldFault[]> {
  const { type, id, changes, tenant, current } = record;
  const faults: FieldFault[] = [];
  const reserved = reservedSlugs(type);
  for (const [field, value] of changes.values) {
    if (value === null) continue;
    if (field.type.alwaysUnique && reserved.includes(String(value))) faults.push(taken(field.name));
    if (field.place.shape === 'to_one') {
      const target = types.get(field.place.target);
      const kept = current === undefined || current?.[field.name] === value;
      if (!(await finds(executor, statements.target(target, String(value), tenant, !kept))))
        faults.push(unknown(field.name, target));
    }
    if (isUnique(field) && (await finds(executor, statements.taken(type, field, value, id, tenant))))
      faults.push(taken(field.name));
  }
  for (const [field, ids] of changes.related) {
    if (field.place.shape !== 'to_many') continue;
    const target = types.get(field.place.target);
    const before = current ? await executor.rows<{ id: string }>(statements.links(field.place.junction, id)) : [];
    const linked = new Set(before.map((link) => link.id));
    for (const [index, relatedId] of ids.entries()) {
      const kept = current === undefined || linked.has(relatedId);
      if (await finds(executor, statements.target(target, relatedId, tenant, !kept))) continue;
      faults.push(unknown(`${field.name}[${index}]`, target));
    }
  }
  return faults;
}

const reservedSlugs = (type: ContentType): readonly string[] =>
  type.protocols.flatMap(({ protocol }) => protocol.reservedSlugs ?? []);

const isUnique = (field: { readonly unique: boolean; readonly type: { readonly alwaysUnique: boolean } }): boolean =>
  field.unique || field.type.alwaysUnique;

const taken = (field: string): FieldFault => ({
  field,
  code: 'taken',
  message: `Another record has this ${field} already.`,
});

const unknown = (field: string, target: ContentType): FieldFault => ({
  field,
  code: 'unknown_record',
  message: `There is no such record of ${target.singular}.`,
});

/** A unique index that spoke after all (another process was first), told like any other taken value. */
export function takenProblem(fault: DatabaseFault | undefined, type: ContentType) {
  if (fault?.kind !== 'unique' || fault.table !== type.table) return undefined;
  return invalid(fault.columns.filter((name) => name !== type.partition).map(taken));
}

/** Gives each `uid` field that has no value yet a free slug made of its target field. */
export async function assignSlugs(
  transaction: Transaction,
  statements: RecordStatements,
  type: ContentType,
  changes: RecordChanges,
): Promise<void> {
  for (const field of type.fields) {
    const { target_field: source } = field.options;
    if (source === undefined || (changes.values.get(field) ?? null) !== null) continue;
    const sourceField = type.field.get(source);
    const text = sourceField === undefined ? null : changes.values.get(sourceField);
    const base = typeof text === 'string' && text !== '' ? slugify(text) : type.singular;
    const tenant = tenantOfChanges(type, changes, null);
    changes.values.set(field, await freeSlugLike(transaction, statements, { type, field, tenant }, base));
  }
}

/** A slug, or the first of `base-2`, `base-3` … that neither a record of the tenant nor a route has. */
export async function freeSlugLike(
  transaction: Transaction,
  statements: RecordStatements,
  { type, field, tenant }: { readonly type: ContentType; readonly field: Field; readonly tenant: string | null },
  base: string,
): Promise<string> {
  const rows = await transaction.rows<{ slug: string }>(statements.slugsLike(type, field, base, tenant));
  return freeSlug(base, new Set([...reservedSlugs(type), ...rows.map(({ slug }) => slug)]));
}

/** `base`, or the first of `base-2`, `base-3` … that is free. */
function freeSlug(base: string, used: ReadonlySet<string>): string {
  if (!used.has(base)) return base;
  let number = 2;
  while (used.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
