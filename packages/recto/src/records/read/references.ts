import { isId } from '../../base/ids.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import type { MediaPlace } from '../../definition/field-type.ts';
import { mediaOf, targetOf } from '../../definition/stored-field.ts';
import { isMembers, itemsOf, memberOf } from '../../definition/structure/structure-items.ts';
import { type IncludeBranch, type IncludeTree, includeKey } from '../../query/record-parts.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A record in JSON form. */
export type JsonRecord = Readonly<Record<string, JsonValue>>;

/** An id in a record that something else is shown for. */
export interface Reference {
  readonly target: ContentType;
  /** Of the record that it leads to. */
  readonly include: IncludeTree;
  /** Of a file that is not included: what is shown of it. */
  readonly file: MediaPlace | null;
}

/** Equal for references that are read in the same way. */
export const referenceKey = ({ target, include }: Reference): string => `${target.singular}|${includeKey(include)}`;

/** What is shown for an id; undefined for a record that the caller does not find. */
export type ShowReference = (reference: Reference, id: string) => JsonValue | undefined;

export interface ShownReferences {
  readonly types: ContentTypes;
  readonly include: IncludeTree;
  /** Whether files are shown as in any record, and not by their ids alone. */
  readonly showsFiles: boolean;
}

/** Values of a record, by the names of its fields and with ids, with something else in the place of references. */
export function withReferences(
  type: ContentType,
  values: JsonRecord,
  shown: ShownReferences,
  show: ShowReference,
): JsonRecord {
  const branches = byField(shown.include);
  const entries = Object.entries(values).flatMap(([name, value]): [string, JsonValue][] => {
    const field = type.field.get(name);
    if (field === undefined) return [[name, value]];
    const branch = branches.get(field);
    // A field of no relation keeps its id, and the record is added beside it.
    const isBeside = branch !== undefined && branch.target !== null && branch.name !== name;
    if (!isBeside) return [[name, shownValue(field, value, branch, { ...shown, show })]];
    const reference = { target: branch.target, include: branch.include, file: null };
    return [
      [name, value],
      [branch.name, typeof value === 'string' ? (show(reference, value) ?? null) : null],
    ];
  });
  return Object.fromEntries(entries);
}

const byField = (include: IncludeTree): ReadonlyMap<Field, IncludeBranch> =>
  new Map(include.map((branch) => [branch.field, branch]));

type Showing = Pick<ShownReferences, 'types' | 'showsFiles'> & { readonly show: ShowReference };

function shownValue(field: Field, value: JsonValue, branch: IncludeBranch | undefined, showing: Showing): JsonValue {
  if (field.structure !== undefined) return shownInside(field, value, branch?.include ?? [], showing);
  const reference = referenceOf(field, branch, showing);
  if (reference === undefined) return value;
  if (!Array.isArray(value)) return shownOne(reference, value, showing) ?? null;
  return value.flatMap((item: JsonValue) => shownOne(reference, item, showing) ?? []);
}

/** What the ids in a field lead to; undefined where they stay. */
function referenceOf(field: Field, branch: IncludeBranch | undefined, showing: Showing): Reference | undefined {
  if (branch !== undefined && branch.target !== null) {
    return { target: branch.target, include: branch.include, file: null };
  }
  const [file, target] = [mediaOf(field), targetOf(field)];
  if (!showing.showsFiles || file === undefined || target === undefined) return undefined;
  return { target: showing.types.get(target), include: [], file };
}

function shownOne(reference: Reference, value: JsonValue, { show }: Showing): JsonValue | undefined {
  // The address of a file elsewhere is no record.
  if (typeof value === 'string' && !isId(value)) return reference.file === null ? undefined : value;
  return typeof value === 'string' ? show(reference, value) : value;
}

function shownInside(field: Field, value: JsonValue, include: IncludeTree, showing: Showing): JsonValue {
  const { structure } = field;
  if (structure === undefined || value === null) return value;
  const branches = byField(include);
  const items = itemsOf(structure, value).map(({ value: item, part }): JsonValue => {
    if (part === undefined) return item;
    if (part.item !== null) return shownValue(part.item, item, branches.get(part.item), showing);
    const members = part.fields.flatMap((inner): [string, JsonValue][] => {
      const member = memberOf(part, inner, item);
      return member === undefined ? [] : [[inner.name, shownValue(inner, member, branches.get(inner), showing)]];
    });
    return { ...(isMembers(item) ? item : {}), ...Object.fromEntries(members) };
  });
  return structure.many ? items : (items[0] ?? value);
}

/** How many records are included in a record that a read has returned. */
export const countIncluded = (record: JsonValue, include: IncludeTree): number =>
  isMembers(record) ? include.reduce((sum, branch) => sum + countIn(record[branch.name] ?? null, branch), 0) : 0;

function countIn(value: JsonValue, { field, target, include }: IncludeBranch): number {
  if (target === null) return countInside(field, value, include);
  const records = (Array.isArray(value) ? value : [value]).filter(isMembers);
  return records.reduce((sum, record) => sum + 1 + countIncluded(record, include), 0);
}

function countInside({ structure }: Field, value: JsonValue, include: IncludeTree): number {
  if (structure === undefined) return 0;
  let count = 0;
  for (const { value: item, part } of itemsOf(structure, value)) {
    if (part === undefined) continue;
    for (const branch of include) {
      const isOfPart = part.item === branch.field || part.fields.includes(branch.field);
      if (isOfPart) count += countIn(memberOf(part, branch.field, item) ?? null, branch);
    }
  }
  return count;
}
