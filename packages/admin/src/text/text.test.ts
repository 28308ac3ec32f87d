import { describe, expect, test } from 'bun:test';
import { de } from './de/index.ts';
import { en } from './en/index.ts';
import type { Message, Texts } from './message.ts';
import { languageCode, localeCode, type MessageKey, t, useLanguage } from './text.ts';

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

// Of what the service says, the English is its own.
const { problems: _, ...german } = de;

describe.each([['German', flat(german as Texts)]] as const)('%s', (_name, texts) => {
  test('has every text, and no other', () => {
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  test('has the values of the English texts', () => {
    const other = [...texts].filter(([key, message]) => {
      const known = english.get(key);
      return known !== undefined && String(valuesOf(known)) !== String(valuesOf(message));
    });
    expect(other).toEqual([]);
  });

  test('has forms for one and more where English has them', () => {
    const other = [...texts].filter(([key, message]) => typeof english.get(key) !== typeof message);
    expect(other).toEqual([]);
  });
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

  test('what is missing is English, and an unknown language too', async () => {
    await useLanguage('xx');
    expect([languageCode(), t('app.home')]).toEqual(['en', 'Home']);
    const unknown = 'app.nothing' as MessageKey;
    expect(t(unknown)).toBe('app.nothing');
  });
});
