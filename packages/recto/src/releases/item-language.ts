import type { AuthenticatedCaller } from '../base/caller.ts';
import { type FieldFault, invalid } from '../base/problem.ts';
import type { ContentType, ContentTypes } from '../definition/content-type.ts';
import { readLanguage } from '../definition/languages/read-language.ts';
import { isLocalized } from '../definition/stored-field.ts';
import { unknownLanguage } from '../query/missing-language.ts';
import type { Records } from '../records/records.ts';
import type { ReleaseItem } from './release.ts';

/** What an item is about, in its language. */
export interface InItemLanguage {
  readonly records: Records;
  readonly type: ContentType;
  readonly caller: AuthenticatedCaller;
}

/** The records, the type and the caller in the language of an item; undefined where the service no longer has the type or the language. */
export function inItemLanguage(
  records: Records,
  { type: singular, language: tag }: Pick<ReleaseItem, 'type' | 'language'>,
  caller: AuthenticatedCaller,
): InItemLanguage | undefined {
  const { languages } = records.types;
  const base = records.types.find(singular);
  if (base === undefined) return undefined;
  if (tag === null) return { records, type: base, caller };
  const language = languages.find(tag);
  const read = language && readLanguage(languages, language, false, 'admin');
  if (read === undefined || !isLocalized(base)) return undefined;
  const own = records.inLanguage(read);
  return { records: own, type: own.types.get(singular), caller: { ...caller, language: read.language.tag } };
}

/** The language that a request names, as an item has it: null for the default one. 422 for one that records of the type do not have. */
export function itemLanguage({ languages }: ContentTypes, type: ContentType, sent: string | undefined): string | null {
  if (sent === undefined) return null;
  const found = languages.find(sent);
  if (found === undefined) throw invalid([unknown]);
  if (found.isDefault) return null;
  if (!isLocalized(type))
    throw invalid([{ ...notLocalized, message: `Records of ${type.singular} have one language.` }]);
  return found.tag;
}

/** The same of an item that is there, or not: 400 for a language that the service does not have. */
export function placeLanguage({ languages }: ContentTypes, sent: string): string | null {
  const found = languages.find(sent);
  if (found === undefined) throw unknownLanguage(sent, languages);
  return found.isDefault ? null : found.tag;
}

const unknown: FieldFault = {
  field: 'language',
  code: 'unknown_language',
  message: 'The service does not have this language.',
};

const notLocalized = { field: 'language', code: 'not_allowed' } as const;
