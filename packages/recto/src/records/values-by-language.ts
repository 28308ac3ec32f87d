import type { FieldFault } from '../base/problem.ts';
import { canonicalLanguage } from '../config/language-setting.ts';
import type { ContentType, Field } from '../definition/content-type.ts';
import type { FieldValue } from '../definition/field-type.ts';
import type { Languages } from '../definition/languages/languages.ts';
import { fieldsByLanguage, mediaOf } from '../definition/stored-field.ts';
import { everyLanguage } from '../query/read-view.ts';
import { isTable } from '../values/json-table.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { checkPayload } from './checks/payload.ts';
import { languageMembers } from './plans/shown-languages.ts';
import type { Translation, Translations } from './statements/language-statements.ts';

type Body = Readonly<Record<string, unknown>>;

/** A record from elsewhere whose localized fields are objects of values by language, as exports have them. */
export interface ByLanguage {
  /** With the values of the default language in their place. */
  readonly body: Body;
  /** The values of other languages, by tag; only those that are there. */
  readonly others: ReadonlyMap<string, Body>;
  readonly faults: readonly FieldFault[];
}

/**
 * Takes the languages of a record apart. A value of a localized field is by language if it is an object whose members are tags of
 * languages, one of this service among them; any other value is that of the default language.
 */
export function byLanguage(type: ContentType, sent: Body): ByLanguage {
  const { languages } = type;
  const others = new Map<string, Record<string, unknown>>();
  if (languages === undefined) return { body: sent, others, faults: [] };
  const body: Record<string, unknown> = { ...sent };
  const faults: FieldFault[] = [];
  // What was read with all languages says so, and is what it says.
  const saysSo = body[languageMembers.shown] === everyLanguage;
  if (saysSo) delete body[languageMembers.shown];
  for (const field of fieldsByLanguage(type)) {
    const { name } = field;
    const values = taggedValues(sent[name], (tag) => languages.find(tag) !== undefined);
    if (values === undefined || (!saysSo && isFile(field, values, languages))) continue;
    delete body[name];
    for (const [tag, value] of values) {
      const language = languages.find(tag);
      if (language === undefined) faults.push(unknownLanguage(name, tag));
      else if (language.isDefault) body[name] = value;
      else if (value !== null) others.set(language.tag, { ...others.get(language.tag), [name]: value });
    }
  }
  return { body, others, faults };
}

/**
 * Whether what may be values by language is a file as answers have it, `{"id": …}`: `id` is the tag of Indonesian, too. Exports name the
 * default language of each field.
 */
const isFile = (field: Field, values: Tagged, { find }: Languages): boolean =>
  mediaOf(field) !== undefined &&
  values.some(([tag, value]) => tag === 'id' && typeof value === 'string') &&
  values.every(([tag]) => find(tag)?.isDefault !== true);

const unknownLanguage = (name: string, tag: string): FieldFault => ({
  field: `${name}.${tag}`,
  code: 'unknown_language',
  message: `"${tag}" is no language of this service.`,
});

type Tagged = readonly (readonly [tag: string, value: JsonValue])[];

function taggedValues(value: unknown, isOwn: (tag: string) => boolean): Tagged | undefined {
  // True because a record from elsewhere is JSON.
  const table = value as JsonValue | undefined;
  if (!isTable(table)) return undefined;
  const entries = Object.entries(table);
  const isTagged =
    entries.some(([tag]) => isOwn(tag)) && entries.every(([tag]) => canonicalLanguage(tag) !== undefined);
  return isTagged ? entries : undefined;
}

/** Checks the values of other languages, as those of an update in each. */
export function checkTranslations(
  type: ContentType,
  others: ReadonlyMap<string, Body>,
): { readonly translations: Map<string, Translation>; readonly faults: readonly FieldFault[] } {
  const faults: FieldFault[] = [];
  const translations = new Map<string, Translation>(
    [...others].map(([tag, sent]) => {
      const checked = checkPayload(type, sent, 'update');
      faults.push(...checked.faults.map((fault) => ({ ...fault, field: inLanguage(fault.field, tag) })));
      return [tag, checked.values] as const;
    }),
  );
  return { translations, faults };
}

/** `title` → `title.de`, `seo.title` → `seo.de.title`. */
const inLanguage = (field: string, tag: string): string => field.replace(/^[^.[]+/, (name) => `${name}.${tag}`);

/** Values of other languages that no two records have. */
export const uniqueTranslations = (
  translations: Translations,
  isUnique: (field: Field) => boolean,
): readonly { readonly field: Field; readonly tag: string; readonly value: FieldValue }[] =>
  [...translations].flatMap(([tag, values]) =>
    [...values].flatMap(([field, value]) => (isUnique(field) && value !== null ? [{ field, tag, value }] : [])),
  );
