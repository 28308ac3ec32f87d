import { joinPaths } from '../../values/field-path.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { ContentType } from '../content-type.ts';
import type { Field } from '../field-type.ts';
import { perType } from '../per-type.ts';
import { innerFields, itemsOf, memberOf, partFields } from './structure-items.ts';

/** A reference inside a value. */
export interface InnerLink {
  /** The relation by the names of blocks and fields: `quote.author`. */
  readonly path: string;
  /** Where it is in the value: `[2].author`. */
  readonly place: string;
  /** The singular name of the type that it leads to. */
  readonly target: string;
  readonly id: string;
}

/** The structured fields of a type that have relations inside. */
export const linkingFields = perType((type: ContentType): readonly Field[] => type.fields.filter(hasLinks));

/** Whether there are relations inside a field. */
export const hasLinks = (field: Field): boolean =>
  innerFields(field).some(({ field: { place } }) => place.shape === 'to_one');

/** The references inside a value of a structured field, in their order. */
export function linksIn(field: Field, value: unknown): readonly InnerLink[] {
  if (!hasLinks(field)) return [];
  const links: InnerLink[] = [];
  collect(field, value, '', '', links);
  return links;
}

function collect({ structure }: Field, value: unknown, path: string, place: string, links: InnerLink[]): void {
  if (structure === undefined) return;
  for (const item of itemsOf(structure, value)) {
    const { part } = item;
    if (part === undefined) continue;
    for (const field of partFields(part)) {
      const member = memberOf(part, field, item.value) ?? null;
      if (member === null) continue;
      const names = [path, part.name ?? '', field.name].filter((name) => name !== '').join('.');
      const at = joinPaths(joinPaths(place, item.path), field.name);
      if (field.place.shape !== 'to_one') collect(field, member, names, at, links);
      else if (typeof member === 'string')
        links.push({ path: names, place: at, target: field.place.target, id: member });
    }
  }
}

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
    inner.place.shape === 'to_one' && inner.place.target === emptying.target && member === emptying.id;
  const items = itemsOf(structure, value).map(({ value: item, part, path }): JsonValue | undefined => {
    if (part === undefined) return item;
    const at = joinPaths(place, path);
    if (part.item !== null) return leads(part.item, item) ? undefined : emptied(part.item, item, emptying, at);
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
  if (kept.length < items.length && kept.length < least) emptying.needed.push(place);
  return kept;
}
