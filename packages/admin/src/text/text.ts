import './en/app.ts';
import './en/palette.ts';
import './en/session.ts';
import './en/ui.ts';
import type { en } from './en/index.ts';
import { englishTexts } from './english.ts';
import type { Message, Texts } from './message.ts';

type Areas = typeof en;

/** `list.newRecord`: the area's file and the name in it. */
export type MessageKey = { [Area in keyof Areas & string]: `${Area}.${keyof Areas[Area] & string}` }[keyof Areas &
  string];

/** A language's texts. What is missing is shown in English. */
export type Catalogue = {
  readonly [Area in keyof Areas]?: { readonly [Name in keyof Areas[Area]]?: Message } | undefined;
} & {
  /** What the service says, by its codes. Its own words are English. */
  readonly problems?: Readonly<Record<string, Message>> | undefined;
};

export interface Language {
  readonly code: string;
  /** In itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  load(): Promise<Catalogue>;
}

export const languages: readonly Language[] = [
  { code: 'en', name: 'English', direction: 'ltr', load: async () => ({}) },
  { code: 'de', name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de/index.ts')).de },
];

/** Not offered: English from right to left, to look at pages and test them. */
const mirrored: Language = { code: 'ar-XB', name: 'Mirrored', direction: 'rtl', load: async () => ({}) };

let code = 'en';
let locale = 'en';
let catalogue: Catalogue = {};
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

/** Switches the texts. The page is drawn anew by whoever calls it. */
export async function useLanguage(wanted: string): Promise<Language> {
  const language = [...languages, mirrored].find((each) => each.code === wanted) ?? languages[0];
  if (language === undefined) throw new Error('There is no language.');
  catalogue = await language.load();
  code = language.code;
  locale = localeOf(code);
  plurals = new Intl.PluralRules(code);
  numbers = new Intl.NumberFormat(locale);
  return language;
}

/** The language of the texts. */
export const languageCode = (): string => code;

/** How dates and numbers are written: in the language of the texts, as in the reader's region. */
export const localeCode = (): string => locale;

/** `en-GB` for English texts in a browser that is set to it. */
const localeOf = (language: string): string =>
  globalThis.navigator?.languages?.find((each) => each.split('-')[0] === language) ?? language;

/** A number as the language writes it. */
export const numberText = (value: number): string => numbers.format(value);

/** The text of a key, with its values: `t('list.selected', { count: 2 })`. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return filled(formOf(messageOf(catalogue, key) ?? messageOf(englishTexts, key) ?? key, values.count), values);
}

/** What the service says by a code; undefined: the language has no text for it, or one with a value that is not given. */
export function serviceText(code: string, values: Readonly<Record<string, string | number>>): string | undefined {
  const { problems = {} } = catalogue;
  const message = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (message === undefined) return undefined;
  const text = formOf(message, values.count);
  const isKnown = [...text.matchAll(/\{(\w+)\}/g)].every(([, name = '']) => values[name] !== undefined);
  return isKnown ? filled(text, values) : undefined;
}

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
