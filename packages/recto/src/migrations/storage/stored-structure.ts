import type { Field, Part, Structure } from '../../definition/field-type.ts';
import { isToOne, targetOf } from '../../definition/stored-field.ts';
import { partFields } from '../../definition/structure/structure-items.ts';
import { searchWords } from '../../query/search-words.ts';
import type { ValueKind } from '../../values/value-kind.ts';
import { asksOf, type FieldAsks } from './field-asks.ts';

/** How the values of a structured field are made, as the database remembers it. */
export interface StoredStructure {
  readonly many: boolean;
  readonly tagged: boolean;
  readonly minItems: number;
  readonly maxItems: number;
  readonly parts: readonly StoredPart[];
}

export interface StoredPart {
  /** What `block` says; null where there is one part. */
  readonly name: string | null;
  /** By name; of an item that is a value itself, under the empty name. */
  readonly members: Readonly<Record<string, StoredMember>>;
}

export interface StoredMember {
  readonly kind: ValueKind;
  readonly asks: FieldAsks;
  /** The singular name of the type that a relation leads to. */
  readonly target?: string;
  /** Whether its text is in the search index. */
  readonly searched?: true;
  readonly structure?: StoredStructure;
}

const known = new WeakMap<Structure, StoredStructure>();

/** The same for equal definitions. */
export function storedStructure(structure: Structure): StoredStructure {
  const found = known.get(structure);
  if (found !== undefined) return found;
  const { many, tagged, minItems, maxItems } = structure;
  const parts = structure.parts.map((part) => storedPart(part));
  const stored = { many, tagged, minItems, maxItems, parts };
  known.set(structure, stored);
  return stored;
}

const storedPart = (part: Part): StoredPart => ({
  name: part.name,
  members: Object.fromEntries(partFields(part).map((field) => [field.name, storedMember(field)])),
});

function storedMember(field: Field): StoredMember {
  const { structure, type } = field;
  const target = isToOne(field) ? targetOf(field) : undefined;
  return {
    kind: type.kind,
    asks: asksOf(field),
    ...(target === undefined ? {} : { target }),
    ...(type.searchable && !field.private ? { searched: true } : {}),
    ...(structure === undefined ? {} : { structure: storedStructure(structure) }),
  };
}

/** The same, whose relations lead to where types were renamed to. */
export const retargetedStructure = (
  structure: StoredStructure,
  renamed: ReadonlyMap<string, string>,
): StoredStructure => ({
  ...structure,
  parts: structure.parts.map(({ name, members }) => ({
    name,
    members: Object.fromEntries(
      Object.entries(members).map(([member, { target, structure: inner, ...rest }]): [string, StoredMember] => [
        member,
        {
          ...rest,
          ...(target === undefined ? {} : { target: renamed.get(target) ?? target }),
          ...(inner === undefined ? {} : { structure: retargetedStructure(inner, renamed) }),
        },
      ]),
    ),
  })),
});

/** The words of a searched field's value, for the search index; `structure`: of a structured field. */
export function indexedWords(structure: StoredStructure | undefined, value: unknown): string {
  if (structure === undefined) return searchWords(String(value ?? '')).join(' ');
  // A text with markup by itself, so that no tag begins in one and ends in another; all others at once, which is quicker.
  const texts = Map.groupBy(textsIn(structure, value), (text) => /[<&]/.test(text));
  const plain = (texts.get(false) ?? []).join('\n');
  return [plain, ...(texts.get(true) ?? [])].flatMap((text) => searchWords(text)).join(' ');
}

/** Whether two values of a structured field have the same words, so that the index holds those of both. */
export function hasSameTexts(structure: StoredStructure, one: unknown, other: unknown): boolean {
  const [texts, others] = [textsIn(structure, one), textsIn(structure, other)];
  return texts.length === others.length && texts.every((text, place) => text === others[place]);
}

/** The texts in a value that are searched, in their order. Values never change: they are found once. */
function textsIn(structure: StoredStructure, value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return collectTexts(structure, value, []);
  const known = found.get(value);
  if (known?.structure === structure) return known.texts;
  const texts = collectTexts(structure, value, []);
  found.set(value, { structure, texts });
  return texts;
}

const found = new WeakMap<object, { readonly structure: StoredStructure; readonly texts: readonly string[] }>();

/** Adds the texts, and returns what they were added to. */
function collectTexts({ many, parts }: StoredStructure, value: unknown, texts: string[]): string[] {
  const items: readonly unknown[] = many ? (Array.isArray(value) ? value : []) : [value];
  for (const item of items) {
    const block: unknown = Object(item).block;
    const part = parts.find(({ name }) => name === null || name === block);
    if (part === undefined) continue;
    for (const [name, { structure }] of searchedMembers(part)) {
      const member: unknown = name === '' ? item : Object(item)[name];
      if (structure !== undefined) collectTexts(structure, member, texts);
      else if (typeof member === 'string') texts.push(member);
    }
  }
  return texts;
}

/** The members of a part whose texts are searched. */
function searchedMembers(part: StoredPart): readonly (readonly [string, StoredMember])[] {
  const known = searched.get(part);
  if (known !== undefined) return known;
  const members = Object.entries(part.members).filter(([, member]) => member.searched === true);
  searched.set(part, members);
  return members;
}

const searched = new WeakMap<StoredPart, readonly (readonly [string, StoredMember])[]>();

/** The paths of the texts in a structure that are in the search index. */
export const searchedPaths = ({ parts }: StoredStructure): readonly string[] =>
  parts.flatMap(({ name, members }) =>
    Object.entries(members).flatMap(([member, { searched, structure }]) => {
      const path = `${name ?? ''}.${member}`;
      if (searched !== true) return [];
      return structure === undefined ? [path] : searchedPaths(structure).map((inner) => `${path}/${inner}`);
    }),
  );
