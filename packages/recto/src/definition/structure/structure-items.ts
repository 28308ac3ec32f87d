import type { JsonValue } from '../../values/value-kind.ts';
import type { Field, Part, Structure } from '../field-type.ts';

export type Members = { readonly [name: string]: JsonValue };

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member that says what kind of block an item is. */
export const blockMember = 'block';

/** One item of a stored value. */
export interface Item {
  readonly value: JsonValue;
  /** Undefined for an item whose kind the definition does not have. */
  readonly part: Part | undefined;
  /** Where the item is in the value: empty, or `[2]`. */
  readonly path: string;
}

/** The items of a stored value, in their order. */
export function itemsOf(structure: Structure, value: unknown): readonly Item[] {
  if (!structure.many) return isMembers(value) ? [{ value, part: partOf(structure, value), path: '' }] : [];
  if (!Array.isArray(value)) return [];
  return value.map((item: JsonValue, index) => ({ value: item, part: partOf(structure, item), path: `[${index}]` }));
}

/** What an item is made of. */
export function partOf(structure: Structure, item: JsonValue): Part | undefined {
  if (!structure.tagged) return structure.parts[0];
  const name = isMembers(item) ? item[blockMember] : undefined;
  return structure.parts.find((part) => part.name === name);
}

/** The fields of a part: those of its object, or the one that the item is a value of. */
export const partFields = ({ fields, item }: Part): readonly Field[] => (item === null ? fields : [item]);

/** A value of each field of an item; undefined where the item has no such member. */
export function memberOf(part: Part, field: Field, item: JsonValue): JsonValue | undefined {
  if (part.item !== null) return item;
  return isMembers(item) && Object.hasOwn(item, field.name) ? item[field.name] : undefined;
}

/** All fields inside a field, those inside them included, each with the names that lead there: `quote.author`. */
export function innerFields(field: Field): readonly InnerField[] {
  const known = inner.get(field);
  if (known !== undefined) return known;
  const found = (field.structure?.parts ?? []).flatMap((part) =>
    partFields(part).flatMap((member) => {
      const names = part.item === null ? [member.name] : [];
      const path = [...(part.name === null ? [] : [part.name]), ...names].join('.');
      const own: InnerField = { path, names, field: member, isPrivate: member.private };
      const below = innerFields(member).map((each) => ({
        path: [path, each.path].filter((name) => name !== '').join('.'),
        names: [...names, ...each.names],
        field: each.field,
        isPrivate: member.private || each.isPrivate,
      }));
      return [own, ...below];
    }),
  );
  inner.set(field, found);
  return found;
}

const inner = new WeakMap<Field, readonly InnerField[]>();

export interface InnerField {
  /** From the outer field: names of blocks and fields with dots between them. An item of a list adds none. */
  readonly path: string;
  /** The same without the names of blocks, as `include` has it. */
  readonly names: readonly string[];
  readonly field: Field;
  /** Whether it, or one that it is inside of, is private. */
  readonly isPrivate: boolean;
}

/** Whether a field, or one inside it, is hidden from public views. */
export const hidesPrivate = (field: Field): boolean => innerFields(field).some(({ isPrivate }) => isPrivate);
