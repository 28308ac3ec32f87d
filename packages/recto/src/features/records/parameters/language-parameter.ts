import { Cache } from '../../../base/cache.ts';
import type { Caller } from '../../../base/caller.ts';
import type { ContentType, ContentTypes, EndpointName } from '../../../definition/content-type.ts';
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
  const named = namedIn(records, question, search);
  const { language, ...rest } = named;
  return { ...rest, caller: language === undefined ? caller : { ...caller, language } };
}

/** What a query string says of the language, whoever asks. */
type Named = Omit<InLanguage, 'caller'> & {
  /** What rules take for the language of the request; undefined: as without the parameters. */
  readonly language?: string;
};

const known = new WeakMap<Records, Cache<Named>>();

function namedIn(records: Records, question: LanguageQuestion, search: string): Named {
  // Long query strings are rare and dear to keep.
  if (search.length > 512 || !mayName(search)) return readNamed(records, question, search);
  const { type, view, action, reads, every } = question;
  const named = known.get(records) ?? new Cache<Named>({ entries: 1_000 });
  known.set(records, named);
  const key = `${type.table}|${view.key}|${action}|${reads}|${every === true}|${search}`;
  const found = named.get(key);
  if (found !== undefined) return found;
  const made = readNamed(records, question, search);
  named.set(key, made);
  return made;
}

const mayName = (search: string): boolean =>
  search.includes('language') || search.includes('fallback') || search.includes('%');

function readNamed(records: Records, question: LanguageQuestion, search: string): Named {
  const { type, view, reads } = question;
  const { languages } = records.types;
  const tag = languages.several && isLocalized(type) ? languages.default.tag : undefined;
  if (!mayName(search) || !takesLanguage(records, question)) return { records, type, rest: search, tag };
  const takesFallback = reads && !isTaken(question, names.fallback);
  const { language: sent, fallback: wanted, rest } = read(search, takesFallback);
  if (sent === undefined && (wanted === undefined || !takesFallback)) return { records, type, rest: search, tag };
  if (sent === everyLanguage && question.every === true && takesEveryLanguage(type, view))
    return { records, type, rest: search, tag: undefined, every: true };
  const language = sent === undefined ? languages.default : languages.find(sent);
  if (language === undefined) throw unknownLanguage(sent ?? '', languages);
  let fallback = reads && view.audience === 'public';
  if (wanted !== undefined && takesFallback) fallback = readBoolean(names.fallback, wanted);
  // Where no type is published by language, both read the same.
  const audience = arePublishedAlone(records.types) ? view.audience : 'admin';
  const own = records.inLanguage(readLanguage(languages, language, fallback, audience));
  const shown = own.types.get(type.singular);
  return { records: own, type: shown, rest, language: language.tag, tag: isLocalized(type) ? language.tag : undefined };
}

const alone = new WeakMap<ContentTypes, boolean>();

/** Whether there is a type whose languages are published one by one. */
function arePublishedAlone(types: ContentTypes): boolean {
  const found = alone.get(types) ?? types.all.some((type) => publishedInLanguage(type) !== undefined);
  alone.set(types, found);
  return found;
}

interface TakenOut {
  readonly language: string | undefined;
  readonly fallback: string | undefined;
  readonly rest: string;
}

/** What a query string says of the language, and the rest of it. */
function read(search: string, takesFallback: boolean): TakenOut {
  const parts = search.split('&');
  const isNamed = (name: string) => (part: string) => part.startsWith(`${name}=`);
  const [isLanguage, isFallback] = [isNamed(names.language), isNamed(names.fallback)];
  const [languages, fallbacks] = [parts.filter(isLanguage), parts.filter(isFallback)];
  // As nearly all are written: their names are themselves, and so are these values.
  if (languages.length < 2 && fallbacks.length < 2 && parts.every(isPlain(isLanguage, isFallback))) {
    const rest = parts.filter((part) => !isLanguage(part) && !(takesFallback && isFallback(part)));
    return {
      language: languages[0]?.slice(names.language.length + 1),
      fallback: fallbacks[0]?.slice(names.fallback.length + 1),
      rest: rest.join('&'),
    };
  }
  const parameters = new Map(readParameters(search));
  const [language, fallback] = [parameters.get(names.language), parameters.get(names.fallback)];
  parameters.delete(names.language);
  if (takesFallback) parameters.delete(names.fallback);
  return { language, fallback, rest: new URLSearchParams([...parameters]).toString() };
}

const isPlain =
  (...whole: readonly ((part: string) => boolean)[]) =>
  (part: string): boolean => {
    const text = whole.some((isOne) => isOne(part)) ? part : (part.split('=', 1)[0] ?? '');
    return text !== names.language && text !== names.fallback && !/[%+]/.test(text);
  };
