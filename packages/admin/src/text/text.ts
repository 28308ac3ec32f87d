import './en/app.ts';
import './en/palette.ts';
import './en/session.ts';
import './en/ui.ts';
import type { Catalogue, EnglishTexts } from './catalogue.ts';
import { catalogues } from './catalogues.ts';
import { englishTexts } from './english.ts';
import { closestLanguage, type Language, languageOf } from './language.ts';
import type { Message, Texts } from './message.ts';
import type { ProblemKey } from './problem-key.ts';

/** `list.newRecord`: the area's file and the name in it. */
export type MessageKey = {
  [Area in keyof EnglishTexts & string]: `${Area}.${keyof EnglishTexts[Area] & string}`;
}[keyof EnglishTexts & string];

/** The languages that can be chosen. English comes with the code, the others are loaded when they are used. */
export const languages: readonly Language[] = ['en', ...catalogues.keys()].map(languageOf);

/** Not offered: English from right to left, to look at pages and test them. */
const mirrored = 'ar-XB';

let code = 'en';
let locale = 'en';
/** Undefined for English. */
let catalogue: Catalogue | undefined;
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

/** Switches the texts to the language that a reader of `wanted` reads best, or to English. The page is drawn anew by the caller. */
export async function useLanguage(wanted: string): Promise<Language> {
  code =
    wanted === mirrored
      ? mirrored
      : (closestLanguage(
          wanted,
          languages.map((each) => each.code),
        ) ?? 'en');
  catalogue = await catalogues.get(code)?.();
  locale = localeOf(code);
  plurals = new Intl.PluralRules(code);
  numbers = new Intl.NumberFormat(locale);
  return languageOf(code);
}

/** The language of the texts. */
export const languageCode = (): string => code;

/** How dates and numbers are written: in the language of the texts, as in the reader's region. */
export const localeCode = (): string => locale;

/** `en-GB` for English texts in a browser that is set to it. */
const localeOf = (language: string): string =>
  globalThis.navigator?.languages?.find((each) => each === language || each.startsWith(`${language}-`)) ?? language;

/** A number as the language writes it. */
export const numberText = (value: number): string => numbers.format(value);

/** The text of a key, with its values: `t('list.selected', { count: 2 })`. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(formOf(messageOf(catalogue ?? englishTexts, key) ?? key, values.count), values);
}

/** What the service says by a code; undefined: the language has no text for it, or one with a value that is not given. */
export function serviceText(code: string, values: Readonly<Record<string, string | number>>): string | undefined {
  if (catalogue === undefined || !isProblemKey(catalogue, code)) return undefined;
  const message = catalogue.problems[code];
  const text = formOf(message, values.count);
  const isKnown = [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name] !== undefined);
  return isKnown ? filled(text, values) : undefined;
}

const isProblemKey = ({ problems }: Catalogue, code: string): code is ProblemKey => Object.hasOwn(problems, code);

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name];
    return value === undefined
      ? all
      : typeof value === 'number'
        ? numbers.format(value)
        : value.replaceAll(turning, '');
  });
}

/** Characters that reorder the text after them: a record's title must not turn what is said about it around. */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

function messageOf(texts: Texts, key: string): Message | undefined {
  const dot = key.indexOf('.');
  return texts[key.slice(0, dot)]?.[key.slice(dot + 1)];
}

function formOf(message: Message, count: string | number | undefined): string {
  if (typeof message === 'string') return message;
  return (typeof count === 'number' ? message[plurals.select(count)] : undefined) ?? message.other;
}
