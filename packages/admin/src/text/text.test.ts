import { describe, expect, test } from 'bun:test';
import { catalogues } from './catalogues.ts';
import { en } from './en/index.ts';
import { closestLanguage, languageOf } from './language.ts';
import type { Message, Texts } from './message.ts';
import { languageCode, languages, localeCode, type MessageKey, t, useLanguage } from './text.ts';

const formsOf = (message: Message): readonly string[] =>
  typeof message === 'string' ? [message] : Object.values(message);
const valuesOf = (message: Message): readonly string[] =>
  [...new Set(formsOf(message).flatMap((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([all]) => all)))].toSorted();

/** Messages by their complete keys. */
const flat = (texts: Texts): ReadonlyMap<string, Message> =>
  new Map(
    Object.entries(texts).flatMap(([area, own]) =>
      Object.entries(own ?? {}).map(([name, message]): [string, Message] => [`${area}.${name}`, message]),
    ),
  );

const english = flat(en);

const translations = await Promise.all([...catalogues].map(async ([code, load]) => [code, await load()] as const));

test('every folder is a language, with its name', () => {
  const folders = [...new Bun.Glob('*/').scanSync({ cwd: import.meta.dir, onlyFiles: false })].toSorted();
  expect(languages.map(({ code }) => code).toSorted()).toEqual(folders);
  expect(languages).toMatchObject([
    { code: 'en', name: 'English', direction: 'ltr' },
    { code: 'de', name: 'Deutsch' },
    { code: 'fr', name: 'Français' },
  ]);
  expect(languageOf('ar').direction).toBe('rtl');
});

test.each([
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['frr', undefined],
  ['xx', undefined],
])('a reader of %s reads %p best', (wanted, code) => {
  expect(closestLanguage(wanted, ['en', 'fr', 'pt-BR'])).toBe(code);
});

describe.each(translations)('%s', (code, { problems, ...texts }) => {
  const own = flat(texts);

  test('has every text, and no other', () => {
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test('has the values of the English texts', () => {
    const other = [...own].filter(([key, message]) => {
      const known = english.get(key);
      return known !== undefined && String(valuesOf(known)) !== String(valuesOf(message));
    });
    expect(other).toEqual([]);
  });

  test('has no other values in what the service says than another language', () => {
    const [, { problems: first }] = translations[0] ?? ['', { problems: {} }];
    const values = (some: object) => new Map(Object.entries(some).map(([key, message]) => [key, valuesOf(message)]));
    expect(values(problems)).toEqual(values(first));
  });

  test('has forms for one and more where English has them', () => {
    const other = [...own].filter(([key, message]) => typeof english.get(key) !== typeof message);
    expect(other).toEqual([]);
  });

  test('has the forms of the language that numbers need, and says the number where several have one form', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    const wrong = [...own].filter(([, message]) => {
      if (typeof message === 'string') return false;
      // "many" is a million and more in Romance languages, and has the words of "other".
      const missing = pluralCategories.filter((each) => each !== 'many' && message[each] === undefined);
      const isOne = new Intl.PluralRules(code).select(0) === 'one';
      return missing.length > 0 || (isOne && message.one?.includes('1') === true);
    });
    expect(wrong).toEqual([]);
  });

  test('has no empty text', () => {
    const all = [...own, ...Object.entries(problems)];
    expect(all.filter(([, message]) => formsOf(message).some((form) => form.trim() === ''))).toEqual([]);
  });
});

test('French is set as French is: narrow spaces before marks and within quotes, and curved apostrophes', () => {
  const french = translations.find(([code]) => code === 'fr')?.[1];
  const all = Object.values(french ?? {}).flatMap((area) => Object.values<Message>(area).flatMap(formsOf));
  expect(all.length).toBeGreaterThan(1_000);
  const wrong = / [:;?!»%]|«[^\u202f]|[^\u202f]»|(?<=\p{L})[;?!]|\p{L}'\p{L}|\.\.\./u;
  // Parts of the API are written as they are.
  expect(
    all.filter((text) => wrong.test(text.replaceAll(/https?:\S+|Authorization:|mailto:|tel:|filter=\S+/g, ''))),
  ).toEqual([]);
});

test('no text is empty', () => {
  expect([...english].filter(([, message]) => formsOf(message).some((form) => form.trim() === ''))).toEqual([]);
});

describe('t', () => {
  test('leaves out what would turn the text after a value around', () => {
    expect(t('session.welcome', { email: 'a\u202eb\u2067c' })).toBe('Signed in as abc.');
  });

  test('fills in values, and chooses the form by their count', async () => {
    await useLanguage('en');
    expect(t('home.drafts', { count: 1 })).toBe('1 draft');
    expect(t('home.drafts', { count: 1_234 })).toBe('1,234 drafts');
    await useLanguage('de');
    expect(t('home.drafts', { count: 1_234 })).toBe('1.234 Entwürfe');
    await useLanguage('fr-CA');
    expect(languageCode()).toBe('fr');
    expect([0, 1, 2, 1_000_000].map((count) => t('home.drafts', { count }).replaceAll(/\s/g, ' '))).toEqual([
      ...['0 brouillon', '1 brouillon', '2 brouillons', '1 000 000 brouillons'],
    ]);
    await useLanguage('en');
  });

  test('writes dates and numbers as in the region that the browser is set to', async () => {
    const { languages } = navigator;
    const setTo = (wanted: readonly string[]) =>
      Object.defineProperty(navigator, 'languages', { value: wanted, configurable: true });
    try {
      setTo(['fr-CA', 'en-GB', 'en', 'de-CH']);
      await useLanguage('en');
      expect(localeCode()).toBe('en-GB');
      await useLanguage('de');
      expect(localeCode()).toBe('de-CH');
      setTo(['fr-CA']);
      await useLanguage('de');
      expect(localeCode()).toBe('de');
    } finally {
      setTo(languages);
      await useLanguage('en');
    }
  });

  test('leaves a value alone that has braces or replacement signs', async () => {
    await useLanguage('en');
    expect(t('palette.new', { name: "$& {count} $'" })).toBe("New $& {count} $'");
  });

  test('an unknown language is English, and an unknown key is shown as it is', async () => {
    await useLanguage('xx');
    expect([languageCode(), t('app.home')]).toEqual(['en', 'Home']);
    const unknown = 'app.nothing' as MessageKey;
    expect(t(unknown)).toBe('app.nothing');
  });
});
