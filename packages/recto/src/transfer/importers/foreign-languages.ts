import { canonicalLanguage } from '../../config/language-setting.ts';
import { type Languages, tagsOf } from '../../definition/languages/languages.ts';
import { matchLanguages } from '../match-languages.ts';
import type { ImportMap } from './import-map.ts';

/** The languages of a source as those of the service. */
export interface BoundLanguages {
  /** That of the source whose values a field has which has one value for all languages. Undefined: the source names no languages. */
  readonly main: string | undefined;
  /** By the names of the source; only those that are brought in. */
  readonly tags: ReadonlyMap<string, string>;
  /** Those of the source that are not brought in. */
  readonly leftOut: readonly string[];
}

/** The languages of a plan for a source that has these: with those of the service, where it has them, and otherwise as the source says. */
export function plannedLanguages(
  names: readonly string[],
  languages: Languages,
): readonly (readonly [from: string, to: string])[] {
  const files = names.map((name) => ({ code: name, locale: name }));
  const matched = tagsOf(languages) === undefined ? new Map<string, string>() : matchLanguages(files, languages);
  return names.map((name) => [name, matched.get(name) ?? canonicalLanguage(name.replaceAll('_', '-')) ?? name]);
}

/** Whether a service with these languages can have all that a plan names. */
export const hasLanguages = (planned: readonly (readonly [string, string])[], languages: Languages): boolean =>
  planned.every(([, tag]) => languages.find(tag) !== undefined) || isAlone(planned.length, languages);

/** One language of a source is that of a service which does not say what its own is. */
const isAlone = (count: number, languages: Languages): boolean => count <= 1 && tagsOf(languages) === undefined;

/** The languages of an import, and what is wrong with those of its plan. */
export function boundLanguages(
  names: readonly string[],
  { languages: planned }: Pick<ImportMap, 'languages'>,
  languages: Languages,
): { readonly bound: BoundLanguages; readonly faults: readonly string[] } {
  const entries = Object.entries(planned);
  const faults: string[] = [];
  const tags = new Map<string, string>();
  for (const [from, to] of entries) {
    const tag = isAlone(entries.length, languages) ? languages.default.tag : languages.find(to)?.tag;
    if (!names.includes(from)) faults.push(`languages.${from}: the source has no such language.`);
    else if (tag === undefined)
      faults.push(
        `languages.${from}: “${to}” is no language of this service. Set RECTO_LANGUAGES, or remove the line to leave it out.`,
      );
    else if ([...tags.values()].includes(tag)) faults.push(`languages.${from}: another line becomes “${to}” as well.`);
    else tags.set(from, tag);
  }
  const own = languages.default.tag;
  const [main] = [...tags].find(([, tag]) => tag === own) ?? [];
  if (faults.length === 0 && tags.size > 0 && main === undefined)
    faults.push(`languages: nothing becomes “${own}”, in which every record here begins.`);
  return {
    bound: { main: main ?? names[0], tags, leftOut: names.filter((name) => !tags.has(name) && name !== main) },
    faults,
  };
}
