import { describe, expect, test } from 'bun:test';
import { knownMailLanguage, mailKinds, mailLanguage, mailLanguages } from './mail-kind.ts';
import type { MailText } from './mail-text.ts';
import { mailTexts } from './mail-texts.ts';

/** The values that a mail says in each of its parts, and which parts it has. */
const valuesOf = ({ subject, lines, button = '', code = '', after = [] }: MailText) =>
  [subject, lines.join(), button, code, after.join()].map((text) =>
    [...new Set([...text.matchAll(/\{\{\w+\}\}/g)].map(([value]) => value))].toSorted(),
  );

describe.each([...mailLanguages])('mails in %s', (language) => {
  const { kinds, from, orOpen } = mailTexts[language];

  test.each([...mailKinds])('%s says the values of the English one, in the same parts', (kind) => {
    const english = mailTexts.en.kinds[kind];
    const own = kinds[kind];
    expect(valuesOf(own).flat().toSorted()).toEqual(valuesOf(english).flat().toSorted());
    expect([own.button === undefined, own.code]).toEqual([english.button === undefined, english.code]);
    expect([own.subject, ...own.lines, ...(own.after ?? [])].filter((text) => text.trim() === '')).toEqual([]);
  });

  test('say who sends them', () => {
    expect(from).toContain('{{site}}');
    expect(from).toContain('{{url}}');
    expect(orOpen).not.toBe('');
  });
});

test('a mail is in the language of a tag, and English otherwise', () => {
  expect(['fr-CA', 'DE', 'en-GB', 'it', 'frr'].map(mailLanguage)).toEqual(['fr', 'de', 'en', 'en', 'en']);
  expect(knownMailLanguage('it')).toBeUndefined();
});
