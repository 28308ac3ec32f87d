import type { Caller } from '../../../base/caller.ts';
import type { ContentType, EndpointName } from '../../../definition/content-type.ts';
import { readLanguage } from '../../../definition/languages/read-language.ts';
import { publishedInLanguage } from '../../../definition/published-state.ts';
import type { ReadView } from '../../../definition/rights/read-view.ts';
import { isLocalized } from '../../../definition/stored-field.ts';
import { unknownLanguage } from '../../../query/missing-language.ts';
import { readBoolean, readParameters } from '../../../query/query-text.ts';
import { everyLanguage, takesEveryLanguage } from '../../../query/read-view.ts';
import { ruleParameters } from '../../../records/plans/access.ts';
import type { Records } from '../../../records/records.ts';

/** The parameters that say in which language records are meant. */
const names = { language: 'language', fallback: 'fallback' } as const;

/** What a request asks about, in the language that it names. */
export interface InLanguage {
  /** The records in that language. */
  readonly records: Records;
  /** The type in that language. */
  readonly type: ContentType;
  /** All other parameters. */
  readonly rest: string;
  /** Who asks, in that language. */
  readonly caller: Caller;
  /** What `Content-Language` says of the answer; undefined: nothing, because the records are in no language. */
  readonly tag: string | undefined;
  /** Whether all languages are meant at once: `rest` says it too. */
  readonly every?: boolean;
}

/** A route whose requests name a language. */
export interface LanguageQuestion {
  readonly type: ContentType;
  readonly view: ReadView;
  readonly action: EndpointName;
  /** Whether another language can stand in for what is missing: in what is read. What is written is one language's own. */
  readonly reads: boolean;
  /** Whether it can be all languages at once; absent: no. */
  readonly every?: boolean;
}

/** Whether a parameter has another meaning on a route: a field or a rule of the endpoint has the name. */
const isTaken = ({ type, view, action }: LanguageQuestion, name: string): boolean =>
  type.field.has(name) || ruleParameters(type, view, action).has(name);

/** Whether the routes of a type take a language. */
export const takesLanguage = (records: Records, question: LanguageQuestion): boolean =>
  records.types.languages.several && !isTaken(question, names.language);

/**
 * The language that a query string asks for; 400 for one that the service does not have. Without one it is the default. In what public
 * routes show, another language stands in for what is missing unless `fallback=false` is sent; on admin routes it does so if
 * `fallback=true` is: what an editor gets can be sent back without becoming what this language says.
 */
export function inLanguage(records: Records, question: LanguageQuestion, search: string, caller: Caller): InLanguage {
  const { type, view, reads } = question;
  const { languages } = records.types;
  const tag = languages.several && isLocalized(type) ? languages.default.tag : undefined;
  const asked = search.includes('language') || search.includes('fallback') || search.includes('%');
  if (!asked || !takesLanguage(records, question)) return { records, type, rest: search, caller, tag };
  const parameters = new Map(readParameters(search));
  const sent = parameters.get(names.language);
  const wanted = parameters.get(names.fallback);
  const takesFallback = reads && !isTaken(question, names.fallback);
  if (sent === undefined && (wanted === undefined || !takesFallback))
    return { records, type, rest: search, caller, tag };
  if (sent === everyLanguage && question.every === true && takesEveryLanguage(type, view))
    return { records, type, rest: search, caller, tag: undefined, every: true };
  parameters.delete(names.language);
  const language = sent === undefined ? languages.default : languages.find(sent);
  if (language === undefined) throw unknownLanguage(sent ?? '', languages);
  let fallback = reads && view.audience === 'public';
  if (wanted !== undefined && takesFallback) {
    parameters.delete(names.fallback);
    fallback = readBoolean(names.fallback, wanted);
  }
  const rest = new URLSearchParams([...parameters]).toString();
  // Where no type is published by language, both read the same.
  const audience = records.types.all.some(publishedInLanguage) ? view.audience : 'admin';
  const own = records.inLanguage(readLanguage(languages, language, fallback, audience));
  const shown = own.types.get(type.singular);
  const speaker = { ...caller, language: language.tag };
  return { records: own, type: shown, rest, caller: speaker, tag: isLocalized(type) ? language.tag : undefined };
}
