import type { Caller } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import { type FieldFault, invalid } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { DatabaseFault } from '../../database/dialect.ts';
import type { ContentType, ContentTypes, Field, UniqueSet } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import { mostFiles, wantedFile } from '../../definition/fields/media-field.ts';
import { profileSingular } from '../../definition/profile/profile-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isLinked, isToOne, mediaOf, targetOf } from '../../definition/stored-field.ts';
import { countFiles, linksIn, misplacedAddressesIn } from '../../definition/structure/inner-links.ts';
import { isUnique } from '../../definition/type-facts.ts';
import { joinPaths } from '../../values/field-path.ts';
import { finds, mostTargets, type RecordStatements } from '../statements/record-statements.ts';
import type { RecordChanges } from './payload.ts';
import type { StoredLinks } from './stored-links.ts';

/** A caller, and how records are shown to them. */
export interface Sender {
  readonly view: ReadView;
  readonly caller: Caller;
}

/** Changes of a record that are checked against what is stored. */
export interface CheckedChanges {
  readonly type: ContentType;
  readonly id: string;
  readonly changes: RecordChanges;
  /** More values of the record that the changes are part of, where it is stored step by step. */
  readonly beside?: RecordChanges['values'];
  /** Whose record it is, which only leads to records of the same. */
  readonly tenant: string | null;
  /** The record before an update, and its links: what they have need not be checked again. Null for a new record. */
  readonly current: { readonly record: StoredRecord; readonly links: StoredLinks } | null;
  /** Whether references may lead to what protocols hide from everyone; unchecked: they are checked when all records are stored. */
  readonly references: 'seen' | 'stored' | 'unchecked';
  /** Through whose view new references are sent: to their sender, there are no other records than those that it shows. Absent: all. */
  readonly sentBy?: Sender;
  /** Records that count as stored, because they will be. */
  readonly isComing?: (reference: Pick<Reference, 'target' | 'id'>) => boolean;
}

/** Checks what only the other stored records can show: taken unique values, and related records that do not exist. */
export class StoredChecks {
  readonly #executor: Executor;
  readonly #statements: RecordStatements;
  readonly #types: ContentTypes;

  constructor(executor: Executor, statements: RecordStatements, types: ContentTypes) {
    this.#executor = executor;
    this.#statements = statements;
    this.#types = types;
  }

  /** Every error, in the order of the payload. */
  async faults(checked: CheckedChanges): Promise<readonly FieldFault[]> {
    const unknown = await this.#unknownReferences(checked);
    const faults: FieldFault[] = [...fileFaults(checked)];
    for (const [field, value] of checked.changes.values) {
      if (value === null) continue;
      if (isReserved(checked.type, field, value)) faults.push(taken(field.name));
      faults.push(...unknown.filter((fault) => fault.field === field.name));
      if (await this.#isTaken(checked, field, value))
        faults.push(...takenTogether(checked.type, [field], checked.sentBy?.view));
    }
    const columns = new Set([...checked.changes.values.keys()].map(({ name }) => name));
    faults.push(...unknown.filter((fault) => !columns.has(fault.field)));
    for (const set of checked.type.uniqueSets ?? []) {
      if (await this.#isSetTaken(checked, set))
        faults.push(...takenTogether(checked.type, set, checked.sentBy?.view, faults));
    }
    return faults;
  }

  /** The errors that are found without querying unique values, which the database's indexes reject. */
  async faultsBesidesTaken(checked: CheckedChanges): Promise<readonly FieldFault[]> {
    const reserved = [...checked.changes.values].filter(
      ([field, value]) => value !== null && isReserved(checked.type, field, value),
    );
    return [
      ...reserved.map(([{ name }]) => taken(name)),
      ...fileFaults(checked),
      ...(await this.#unknownReferences(checked)),
    ];
  }

  /** The references that lead to no record, by one statement for each type that they lead to. */
  async #unknownReferences(checked: CheckedChanges): Promise<readonly FieldFault[]> {
    const all = await newReferences(checked);
    const { isComing } = checked;
    const references = isComing === undefined ? all : all.filter((reference) => !isComing(reference));
    const wanted = Map.groupBy(references, ({ target }) => target);
    const found = new Set<string>();
    for (const [target, of] of wanted) {
      for (const id of await this.#existing(checked, target, of)) found.add(`${target} ${id}`);
    }
    return references
      .filter(({ target, id }) => !found.has(`${target} ${id}`))
      .map(({ place, target }) => unknown(place, target));
  }

  async #existing(
    { tenant, references, sentBy }: CheckedChanges,
    target: string,
    wanted: readonly Reference[],
  ): Promise<readonly string[]> {
    const type = this.#types.get(target);
    const ids = [...new Set(wanted.map(({ id }) => id))];
    const existing: string[] = [];
    for (let start = 0; start < ids.length; start += mostTargets) {
      const some = ids.slice(start, start + mostTargets);
      const statement = this.#statements.targets(type, some, tenant, references === 'seen');
      existing.push(...(await this.#executor.rows<{ id: string }>(statement)).map(({ id }) => id));
    }
    return sentBy === undefined ? existing : this.#shown(type, existing, sentBy);
  }

  /** Those of the records that a role may get. Public routes let a record lead to any. */
  async #shown(type: ContentType, ids: readonly string[], { view, caller }: Sender): Promise<readonly string[]> {
    const right = view.audience === 'public' ? 'all' : view.rights.of(type).rows.get;
    if (right === 'all') return ids;
    if (right === 'none') return [];
    const shown: string[] = [];
    for (let start = 0; start < ids.length; start += mostTargets) {
      const some = ids.slice(start, start + mostTargets);
      const statement = this.#statements.shownOf(type, some, view, caller);
      shown.push(...(await this.#executor.rows<{ id: string }>(statement)).map(({ id }) => id));
    }
    return shown;
  }

  async #isTaken({ type, id, tenant, current }: CheckedChanges, field: Field, value: FieldValue): Promise<boolean> {
    if (!isUnique(field) || current?.record[field.name] === value) return false;
    return finds(this.#executor, this.#statements.taken(type, [[field, value]], id, tenant));
  }

  /** A record without one of the values is like no other. */
  async #isSetTaken({ type, id, tenant, changes, beside, current }: CheckedChanges, set: UniqueSet): Promise<boolean> {
    if (!set.some((field) => changes.values.has(field))) return false;
    const values: [Field, FieldValue][] = [];
    let changed = current === null;
    for (const field of set) {
      const stored = current?.record[field.name] ?? null;
      const given = changes.values.has(field) ? changes.values : beside;
      const value = given?.has(field) ? (given.get(field) ?? null) : stored;
      if (value === null) return false;
      changed ||= value !== stored;
      values.push([field, value]);
    }
    return changed && finds(this.#executor, this.#statements.taken(type, values, id, tenant));
  }
}

/** A reference that a write adds, and where its payload names it. */
export interface Reference {
  readonly place: string;
  /** The singular name of the type that it leads to. */
  readonly target: string;
  readonly id: string;
}

/** All that a write adds. */
export async function newReferences(checked: CheckedChanges): Promise<readonly Reference[]> {
  if (checked.references === 'unchecked') return [];
  return [...newInValues(checked), ...(await newInLists(checked))];
}

function newInValues({ changes, current }: CheckedChanges): readonly Reference[] {
  const references: Reference[] = [];
  for (const [field, value] of changes.values) {
    const { name } = field;
    const target = isToOne(field) ? targetOf(field) : undefined;
    references.push(...newInside(field, value, current?.record[name]));
    if (value === null || target === undefined || current?.record[name] === value) continue;
    if (mediaOf(field) !== undefined && !isId(String(value))) continue;
    references.push({ place: name, target, id: String(value) });
  }
  return references;
}

async function newInLists({ changes, current }: CheckedChanges): Promise<readonly Reference[]> {
  const references: Reference[] = [];
  for (const [field, ids] of changes.related) {
    const { name } = field;
    const target = isLinked(field) ? targetOf(field) : undefined;
    if (target === undefined || ids.length === 0) continue;
    const linked = new Set(await current?.links.of(field));
    for (const [index, id] of ids.entries()) {
      if (mediaOf(field) !== undefined && !isId(id)) continue;
      if (!linked.has(id)) references.push({ place: `${name}[${index}]`, target, id });
    }
  }
  return references;
}

/** The references that stand inside a value, and did not stand there before. */
function newInside(field: Field, value: FieldValue | null, before: unknown): readonly Reference[] {
  const links = linksIn(field, value);
  if (links.length === 0) return [];
  const known = new Set(linksIn(field, before).map(({ path, id }) => `${path} ${id}`));
  return links
    .filter(({ path, id }) => !known.has(`${path} ${id}`))
    .map(({ place, target, id }) => ({ place: joinPaths(field.name, place), target, id }));
}

/** Too many files in a value, and addresses in fields that hold files alone. An address that was stored before the field did may stay. */
function fileFaults({ changes, current, references }: CheckedChanges): readonly FieldFault[] {
  if (references === 'stored') return [];
  const faults: FieldFault[] = [];
  for (const [field, value] of changes.values) {
    faults.push(...tooManyFiles(field, value), ...misplacedInside(field, value, current?.record[field.name]));
    if (typeof value !== 'string' || !isMisplaced(field, value)) continue;
    if (current?.record[field.name] !== value) faults.push(misplaced(field, field.name));
  }
  for (const [field, ids] of changes.related) {
    for (const [index, id] of ids.entries()) {
      if (isMisplaced(field, id)) faults.push(misplaced(field, `${field.name}[${index}]`));
    }
  }
  return faults;
}

/** A record shows all its files, so that there are only so many in a value. */
function tooManyFiles(field: Field, value: FieldValue | null): readonly FieldFault[] {
  if (countFiles(field, value) <= mostFiles) return [];
  return [{ field: field.name, code: 'too_many_items', message: `Must have at most ${mostFiles} files inside.` }];
}

/** The same inside a value. */
function misplacedInside(field: Field, value: FieldValue | null, before: unknown): readonly FieldFault[] {
  const addresses = misplacedAddressesIn(field, value);
  if (addresses.length === 0) return [];
  const known = new Set(misplacedAddressesIn(field, before).map(({ path, address }) => `${path} ${address}`));
  return addresses
    .filter(({ path, address }) => !known.has(`${path} ${address}`))
    .map((found) => misplaced(found.field, joinPaths(field.name, found.place)));
}

const isMisplaced = (field: Field, value: string): boolean => mediaOf(field)?.external === false && !isId(value);

const misplaced = (field: Field, at: string): FieldFault => ({
  field: at,
  code: 'bad_format',
  message: wantedFile(field),
});

const isReserved = (type: ContentType, field: Field, value: FieldValue): boolean =>
  field.type.alwaysUnique && type.facts.reservedSlugs.has(String(value));

const taken = (field: string): FieldFault => takenAt(field, takenMessage([{ name: field }]));

const takenAt = (field: string, message: string): FieldFault => ({ field, code: 'taken', message });

const takenMessage = (fields: readonly Pick<Field, 'name'>[]): string =>
  `Another record has this ${fields.map(({ name }) => name).join(' and ')} already.`;

/**
 * One error for each of the fields that has none yet, so that a form shows it at each. Fields that the role of the sender does not
 * read are not named.
 */
function takenTogether(
  type: ContentType,
  fields: readonly Field[],
  view: ReadView | undefined,
  reported: readonly FieldFault[] = [],
): readonly FieldFault[] {
  const shown = fields.filter((field) => view?.audience !== 'admin' || view.rights.of(type).reads(field));
  if (shown.length === 0) return [takenAt('', takenByHidden)];
  const message = shown.length === fields.length ? takenMessage(fields) : takenByHidden;
  return shown
    .filter(({ name }) => !reported.some(({ field }) => field === name))
    .map(({ name }) => takenAt(name, message));
}

const takenByHidden = 'Another record has these values already.';

const unknown = (field: string, target: string): FieldFault => ({
  field,
  code: 'unknown_record',
  message: target === profileSingular ? 'There is no such account.' : `There is no such record of ${target}.`,
});

/** A unique index violated after all (another process was first), reported like any other taken value. */
export function takenProblem(fault: DatabaseFault | undefined, type: ContentType, view: ReadView | undefined) {
  if (fault?.kind !== 'unique' || fault.table !== type.table) return undefined;
  const names = fault.columns.filter((name) => name !== type.partition);
  const key = names.toSorted().join();
  const set = type.uniqueSets?.find(
    (one) =>
      key ===
      one
        .map(({ name }) => name)
        .toSorted()
        .join(),
  );
  if (set !== undefined) return invalid(takenTogether(type, set, view));
  return invalid(
    names.flatMap((name) => {
      const field = type.field.get(name);
      return field === undefined ? taken(name) : takenTogether(type, [field], view);
    }),
  );
}
