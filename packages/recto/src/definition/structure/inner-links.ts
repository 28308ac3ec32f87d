import { isId } from '../../base/ids.ts';
import { joinPaths } from '../../values/field-path.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { type Field, type FieldPlace, isFileField, type Part } from '../field-type.ts';
import { isToOne, targetOf } from '../stored-field.ts';
import { innerFields, itemsOf, memberOf, partFields } from './structure-items.ts';

/** A place inside a value. */
interface InnerPlace {
  /** The relation by the names of blocks and fields: `quote.author`. */
  readonly path: string;
  /** Where it is in the value: `[2].author`. */
  readonly place: string;
}

/** A reference inside a value. */
export interface InnerLink extends InnerPlace {
  /** The singular name of the type that it leads to. */
  readonly target: string;
  readonly id: string;
}

/** Whether there are relations inside a field. */
export function hasLinks(field: Field): boolean {
  if (field.structure === undefined) return false;
  const known = linking.get(field);
  if (known !== undefined) return known;
  const found = innerFields(field).some((inner) => isToOne(inner.field));
  linking.set(field, found);
  return found;
}

const linking = new WeakMap<Field, boolean>();

/** The references inside a value of a structured field, in their order. Values never change: they are found once. */
export function linksIn(field: Field, value: unknown): readonly InnerLink[] {
  if (typeof value !== 'object' || value === null || !hasLinks(field)) return [];
  const known = found.get(value);
  if (known?.field === field) return known.links;
  const links: InnerLink[] = [];
  collect(field, value, '', '', ({ place: { media, target } }, id, at) => {
    if (media === undefined || isId(id)) links.push({ ...at, target, id });
  });
  found.set(value, { field, links });
  return links;
}

/** An address in a field that holds files alone. */
export interface MisplacedAddress extends InnerPlace {
  readonly field: Field;
  readonly address: string;
}

/** The addresses inside a value that stand in fields of files without `external`. */
export function misplacedAddressesIn(field: Field, value: unknown): readonly MisplacedAddress[] {
  if (!hasFiles(field)) return [];
  const addresses: MisplacedAddress[] = [];
  collect(field, value, '', '', (inner, address, at) => {
    if (inner.place.media?.external === false && !isId(address)) addresses.push({ ...at, field: inner.field, address });
  });
  return addresses;
}

/** How many files and addresses of files a value has inside. */
export function countFiles(field: Field, value: unknown): number {
  let count = 0;
  if (hasFiles(field)) {
    collect(field, value, '', '', ({ place }) => {
      if (place.media !== undefined) count += 1;
    });
  }
  return count;
}

/** Whether there are fields of files inside a field. They are shown as more than is stored. */
export function hasFiles(field: Field): boolean {
  if (field.structure === undefined) return false;
  const known = filing.get(field);
  if (known !== undefined) return known;
  const found = innerFields(field).some((inner) => isFileField(inner.field));
  filing.set(field, found);
  return found;
}

const filing = new WeakMap<Field, boolean>();

const found = new WeakMap<object, { readonly field: Field; readonly links: readonly InnerLink[] }>();

/** Takes what a field that leads to one record holds. */
type Take = (inner: { readonly field: Field; readonly place: PlaceOfOne }, held: string, at: InnerPlace) => void;

type PlaceOfOne = Extract<FieldPlace, { readonly shape: 'to_one' }>;

function collect({ structure }: Field, value: unknown, path: string, place: string, take: Take): void {
  if (structure === undefined) return;
  for (const item of itemsOf(structure, value)) {
    if (item.part === undefined) continue;
    for (const { field, name } of linkFields(item.part)) {
      const member = memberOf(item.part, field, item.value) ?? null;
      if (member === null) continue;
      const names = path === '' || name === '' ? `${path}${name}` : `${path}.${name}`;
      const at = joinPaths(joinPaths(place, item.path), field.name);
      if (field.place.shape !== 'to_one') collect(field, member, names, at, take);
      else if (typeof member === 'string') take({ field, place: field.place }, member, { path: names, place: at });
    }
  }
}

/** The fields of a part that are relations, or have some inside, each with its name from the outer field on. */
function linkFields(part: Part): readonly { readonly field: Field; readonly name: string }[] {
  const known = ofParts.get(part);
  if (known !== undefined) return known;
  const fields = partFields(part)
    .filter((field) => isToOne(field) || hasLinks(field))
    .map((field) => ({ field, name: [part.name ?? '', field.name].filter((name) => name !== '').join('.') }));
  ofParts.set(part, fields);
  return fields;
}

const ofParts = new WeakMap<Part, ReturnType<typeof linkFields>>();

/** A value without its references to one record, and the places where it cannot be without them. */
export interface Emptied {
  readonly value: JsonValue;
  readonly needed: readonly string[];
}

/** Empties the references to a record in a value: a relation becomes null, an item of a list of relations goes. */
export function emptyLinks(field: Field, value: JsonValue, target: string, id: string): Emptied {
  const needed: string[] = [];
  return { value: emptied(field, value, { target, id, needed }, ''), needed };
}

interface Emptying {
  readonly target: string;
  readonly id: string;
  readonly needed: string[];
}

function emptied(field: Field, value: JsonValue, emptying: Emptying, place: string): JsonValue {
  const { structure, required } = field;
  if (structure === undefined || value === null) return value;
  const leads = (inner: Field, member: JsonValue): boolean =>
    isToOne(inner) && targetOf(inner) === emptying.target && member === emptying.id;
  const gone: string[] = [];
  const items = itemsOf(structure, value).map(({ value: item, part, path }): JsonValue | undefined => {
    if (part === undefined) return item;
    const at = joinPaths(place, path);
    if (part.item !== null && leads(part.item, item)) {
      gone.push(at);
      return undefined;
    }
    if (part.item !== null) return emptied(part.item, item, emptying, at);
    const members = part.fields.flatMap((inner): [string, JsonValue][] => {
      const member = memberOf(part, inner, item);
      if (member === undefined) return [];
      const here = joinPaths(at, inner.name);
      if (!leads(inner, member)) return [[inner.name, emptied(inner, member, emptying, here)]];
      if (inner.required) emptying.needed.push(here);
      return [[inner.name, null]];
    });
    return { ...Object(item), ...Object.fromEntries(members) };
  });
  if (!structure.many) return items[0] ?? value;
  const kept = items.filter((item) => item !== undefined);
  const least = Math.max(structure.minItems, required ? 1 : 0);
  if (gone.length > 0 && kept.length < least) emptying.needed.push(...gone);
  return kept;
}
