import { isDeepStrictEqual } from 'node:util';
import type { FieldFault } from '../../base/problem.ts';
import { joinPaths } from '../../values/field-path.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Field, Part, Structure } from '../field-type.ts';
import {
  blockMember,
  hidesPrivate,
  type Item,
  innerFields,
  isMembers,
  itemsOf,
  type Members,
  memberOf,
  partFields,
} from './structure-items.ts';

/** A value as public views show it: of the members that the definition has, those that are not private. */
export const withoutPrivate = (field: Field, value: JsonValue): JsonValue =>
  withMembers(field, value, (inner) => !inner.private);

/** A value without members and blocks that the definition does not have. */
export const withKnownMembers = (field: Field, value: JsonValue): JsonValue => withMembers(field, value, () => true);

function withMembers(field: Field, value: JsonValue, isKept: (inner: Field) => boolean): JsonValue {
  const { structure } = field;
  if (structure === undefined || value === null) return value;
  const shown = itemsOf(structure, value).flatMap(({ value: item, part }): JsonValue[] => {
    if (part === undefined) return [];
    if (part.item !== null) return [withMembers(part.item, item, isKept)];
    return [objectOf(part, item, (inner, member) => (isKept(inner) ? withMembers(inner, member, isKept) : undefined))];
  });
  return structure.many ? shown : (shown[0] ?? null);
}

/** The members of an item in their order; those that are undefined are left out. */
function objectOf(
  part: Part,
  item: JsonValue,
  memberFor: (field: Field, member: JsonValue) => JsonValue | undefined,
): Members {
  const members = tagOf(part, item);
  for (const field of part.fields) {
    const member = memberOf(part, field, item);
    const kept = member === undefined ? undefined : memberFor(field, member);
    if (kept !== undefined) members[field.name] = kept;
  }
  return members;
}

/** What says which block an item is; nothing for any other item. */
const tagOf = ({ name }: Part, item: JsonValue): Record<string, JsonValue> =>
  name === null || !isMembers(item) ? {} : { [blockMember]: name, id: item.id ?? null };

/** A value whose private members are there again, and what is missing all the same. */
export interface Completed {
  readonly value: JsonValue;
  readonly faults: readonly FieldFault[];
}

/**
 * Puts the private members that a caller could not send back into a value that was parsed with `keepsPrivate`. A group keeps
 * its own; a block those of the stored block with its id; an item of a list, which has no id, those of the stored item that
 * looks the same to the caller, else of the one in its place where there are as many as before.
 */
export function keepPrivate(field: Field, value: JsonValue, stored: JsonValue): Completed {
  const faults: FieldFault[] = [];
  return { value: complete(field, value, stored, '', faults), faults };
}

function complete(field: Field, value: JsonValue, stored: JsonValue, path: string, faults: FieldFault[]): JsonValue {
  const { structure } = field;
  if (structure === undefined || value === null || !hidesPrivate(field)) return value;
  const items = itemsOf(structure, value);
  const matched = matches(field, structure, items, stored);
  const completed = items.map((item, index) => completeItem(item, matched[index] ?? null, path, faults));
  return structure.many ? completed : (completed[0] ?? null);
}

function completeItem(
  { value, part, path: own }: Item,
  former: JsonValue,
  outer: string,
  faults: FieldFault[],
): JsonValue {
  if (part === undefined) return value;
  const path = joinPaths(outer, own);
  if (part.item !== null) return complete(part.item, value, former, path, faults);
  const members = tagOf(part, value);
  for (const inner of part.fields) {
    const { name } = inner;
    const sent = memberOf(part, inner, value);
    if (sent !== undefined && inner.structure === undefined) {
      members[name] = sent;
      continue;
    }
    const before = memberOf(part, inner, former);
    if (sent !== undefined) {
      members[name] = complete(inner, sent, before ?? null, joinPaths(path, name), faults);
      continue;
    }
    const kept = before ?? usualValue(inner);
    if (kept === null && inner.required) {
      faults.push({ field: joinPaths(path, name), code: 'required', message: `${name} is required.` });
    }
    members[name] = kept;
  }
  return members;
}

function usualValue(field: Field): JsonValue {
  if (field.default === undefined) return null;
  const parsed = field.type.parse(field.default, field);
  return !parsed.ok ? null : typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value;
}

/** The stored items by the place of those that take their private members. */
function matches(
  field: Field,
  structure: Structure,
  items: readonly Item[],
  stored: JsonValue,
): readonly (JsonValue | undefined)[] {
  const former = itemsOf(structure, stored);
  if (!structure.many) return former.map((item) => item.value);
  if (structure.tagged) {
    const byId = new Map<JsonValue, Item>();
    for (const item of former) byId.set(idOf(item.value), item);
    return items.map(({ value: item, part }) => {
      const found = byId.get(idOf(item));
      return found?.part === part ? found?.value : undefined;
    });
  }
  const left = new Map<string, JsonValue[]>();
  const looks = (item: JsonValue): string => JSON.stringify(withoutPrivate(field, [item]));
  for (const { value: item } of former) {
    const look = looks(item);
    const alike = left.get(look);
    if (alike === undefined) left.set(look, [item]);
    else alike.push(item);
  }
  const isSameCount = items.length === former.length;
  return items.map(
    ({ value: item }, index) => left.get(looks(item))?.shift() ?? (isSameCount ? former[index]?.value : undefined),
  );
}

const idOf = (item: JsonValue): JsonValue => (isMembers(item) ? (item.id ?? null) : null);

/**
 * How a change of a field between two different values is named: by the field. Where it differs in private members alone, these are
 * named instead (`seo.score`), so that nobody is shown a change where they see the same.
 */
export function changedNames(field: Field, before: JsonValue, after: JsonValue): readonly string[] {
  const { name } = field;
  if (!hidesPrivate(field)) return [name];
  if (!isDeepStrictEqual(withoutPrivate(field, before), withoutPrivate(field, after))) return [name];
  return innerFields(field)
    .filter(({ isPrivate, field: inner }) => {
      return isPrivate && !isDeepStrictEqual(valuesOf(field, inner, before), valuesOf(field, inner, after));
    })
    .map(({ path }) => `${name}.${path}`);
}

/** All values that a field inside has in a value. */
function valuesOf({ structure }: Field, inner: Field, value: JsonValue): readonly JsonValue[] {
  if (structure === undefined) return [];
  return itemsOf(structure, value).flatMap(({ value: item, part }) =>
    part === undefined
      ? []
      : partFields(part).flatMap((member) => {
          const own = memberOf(part, member, item) ?? null;
          return member === inner ? [own] : valuesOf(member, inner, own);
        }),
  );
}
