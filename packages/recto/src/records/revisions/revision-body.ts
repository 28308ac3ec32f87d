import { isDeepStrictEqual } from 'node:util';
import type { ContentType } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import { fieldsByLanguage, isLinked, isLocalized } from '../../definition/stored-field.ts';
import { changedNames } from '../../definition/structure/private-members.ts';
import { isVersioned } from '../../definition/type-facts.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Links } from '../checks/stored-links.ts';
import type { Translations } from '../statements/language-statements.ts';
import type { RevisionBody } from './revision.ts';

/** The member of a version that has the tags of its translations; absent: the version says nothing of other languages. */
export const translatedMember = '@';

/** The field and the language of a translated value among the members of a version, `title@de`; undefined for any other member. */
export function translatedName(name: string): { readonly field: string; readonly tag: string } | undefined {
  const [, field, tag] = /^([^@]+)@(.+)$/.exec(name) ?? [];
  return field === undefined || tag === undefined ? undefined : { field, tag };
}

/** The values that a record has in other languages, as members of a version. */
function translatedBody(translations: Translations): RevisionBody {
  const members: Record<string, JsonValue> = {};
  const tags: string[] = [];
  for (const [tag, values] of translations) {
    const there = [...values].filter(([field, value]) => value !== null && isVersioned(field));
    if (there.length > 0) tags.push(tag);
    for (const [{ name }, value] of there) members[`${name}@${tag}`] = jsonValue(value);
  }
  return { ...members, [translatedMember]: tags };
}

/** A stored record in JSON form. */
export function revisionBody(
  type: ContentType,
  record: StoredRecord,
  links: Links,
  translations?: Translations,
): RevisionBody {
  const body: Record<string, JsonValue> = {};
  for (const field of type.facts.versioned) {
    body[field.name] = isLinked(field) ? (links.get(field) ?? []) : jsonValue(record[field.name] ?? null);
  }
  return isLocalized(type) && translations !== undefined ? { ...body, ...translatedBody(translations) } : body;
}

/** A 64-bit integer travels as text. */
export const jsonValue = (value: FieldValue | null): JsonValue => (typeof value === 'bigint' ? String(value) : value);

/** The fields that differ, but for those that every write sets; see `changedNames`. */
export function changedFields(type: ContentType, before: RevisionBody, after: RevisionBody): readonly string[] {
  const bookkeeping = type.facts.bookkeeping;
  // A translation that is gone is in the version before alone.
  const removed = Object.keys(before).filter(
    (name) => translatedName(name) !== undefined && !Object.hasOwn(after, name),
  );
  return [...Object.keys(after), ...removed].flatMap((name) => {
    const [old, made] = [before[name] ?? null, after[name] ?? null];
    if (bookkeeping.has(name) || name === translatedMember || isDeepStrictEqual(old, made)) return [];
    const translated = translatedName(name);
    const field = type.field.get(translated?.field ?? name);
    if (field === undefined) return [name];
    const changed = changedNames(field, old, made);
    return translated === undefined ? changed : changed.map((each) => `${each}@${translated.tag}`);
  });
}

/** A version as one language has it, without the others. */
export function inOneLanguage(type: ContentType, body: RevisionBody, { tag, isDefault }: Language): RevisionBody {
  if (!isLocalized(type)) return body;
  const own = Object.entries(body).flatMap(([name, value]): (readonly [string, JsonValue])[] => {
    if (name === translatedMember || translatedName(name) !== undefined) return [];
    const isTranslated = !isDefault && type.field.get(name)?.localized === true;
    return [[name, isTranslated ? (body[`${name}@${tag}`] ?? null) : value]];
  });
  return Object.fromEntries(own);
}

/** A version with each localized value by languages: `{"title": {"en": …, "de": …}}`. `main`: the tag of the default. */
export function inAllLanguages(type: ContentType, body: RevisionBody, main: string): RevisionBody {
  if (!isLocalized(type)) return body;
  const members: Record<string, JsonValue> = {};
  const translated: Record<string, Record<string, JsonValue>> = {};
  for (const [name, value] of Object.entries(body)) {
    const other = translatedName(name);
    if (name === translatedMember) continue;
    if (other === undefined) members[name] = value;
    else translated[other.field] = { ...translated[other.field], [other.tag]: value };
  }
  for (const { name } of fieldsByLanguage(type)) {
    if (!Object.hasOwn(members, name)) continue;
    members[name] = { [main]: members[name] ?? null, ...translated[name] };
  }
  return members;
}
