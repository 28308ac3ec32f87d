import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { invisibles } from '../auth/auth.fixture.ts';
import { parseEmail } from './email-address.ts';

describe('parseEmail', () => {
  test.each([
    ['ann@example.org', 'ann@example.org'],
    ['  Ann@Example.ORG ', 'ann@example.org'],
    ["o'neil+tag@mail.example.org", "o'neil+tag@mail.example.org"],
    ['JOSÉ@example.org', 'josé@example.org'],
    ['JOSE\u0301@example.org', 'josé@example.org'],
    ['ａｎｎ@example.org', 'ann@example.org'],
  ])('%s has the key %s', (text, key) => {
    expect(parseEmail(text)?.key).toBe(key);
  });

  test('a domain in any script has its ASCII form as key', () => {
    expect(parseEmail('ann@Bücher.example')?.key).toBe('ann@xn--bcher-kva.example');
    expect(parseEmail('ann@xn--bcher-kva.example')?.key).toBe('ann@xn--bcher-kva.example');
  });

  test('keeps the address as it was given', () => {
    expect(parseEmail(' Ann@Example.org ')?.address).toBe('Ann@Example.org');
  });

  test.each([
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@localhost',
    'ann@example..org',
    'ann@-example.org',
    'ann@example.org.',
    'ann smith@example.org',
    'ann@exam ple.org',
    'a@b@example.org',
    '.ann@example.org',
    'ann.@example.org',
    'an..n@example.org',
    'ann\u0000@example.org',
    'ann@example.org\u0000',
    'ann\r\n@example.org',
    'ann\ud800@example.org',
    `${'a'.repeat(65)}@example.org`,
    `ann@${'a'.repeat(64)}.org`,
    `ann@${'abcdefgh.'.repeat(30)}org`,
    'ann@[127.0.0.1]',
    'ann@127.0.0.1',
    'ann@1.2',
    'ann@0x7f.1',
    // What a parser of URLs takes out of a host, or decodes in one.
    'ann@example.org/x',
    'ann@example.org?x',
    'ann@example.org#x',
    'ann@example.org\\x',
    'ann@exa%6dple.org',
    'ann@exa\nmple.org',
    'ann@exa\tmple.org',
    '"ann"@example.org',
  ])('%j is none', (text) => {
    expect(parseEmail(text)).toBeUndefined();
  });

  test.each(invisibles)('an address with the invisible U+%s is none', (code) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    for (const text of [`an${character}n@example.org`, `ann${character}@example.org`, `ann@exa${character}mple.org`])
      expect(parseEmail(text)).toBeUndefined();
  });

  test('an address in its key form is read to the same key', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const email = parseEmail(text);
        if (email === undefined) return;
        expect(parseEmail(email.key)?.key).toBe(email.key);
        expect(parseEmail(text.toUpperCase())?.key).toBe(email.key);
      }),
    );
  });
});
