import { badRequest, type Problem } from '../base/problem.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { Language, Languages } from '../definition/languages/languages.ts';
import type { ReadView } from '../definition/rights/read-view.ts';
import { isLocalized } from '../definition/stored-field.ts';
import { shownName } from './query-text.ts';

const name = 'missing_language';

/** The parameter by which the admin routes list the records of a type that lack a translation; undefined: it takes none. */
export const missingParameter = (type: ContentType, view: ReadView): string | undefined =>
  view.audience === 'admin' && isLocalized(type) && !type.field.has(name) ? name : undefined;

/** The language that the records of a list are to lack; 400 for one that the service does not have. */
export function readMissingLanguage(text: string, languages: Languages): Language {
  const language = languages.find(text);
  if (language === undefined) throw unknownLanguage(text, languages);
  return language;
}

/** 400: the service does not have the language. */
export const unknownLanguage = (sent: string, { all }: Languages): Problem =>
  badRequest(
    'unknown_language',
    `"${shownName(sent)}" is no language of this service, which has ${all.map(({ tag }) => `"${tag}"`).join(', ')}.`,
  );
