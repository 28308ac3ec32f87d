import { describe, expect, test } from 'bun:test';
import { invisibles } from './auth.fixture.ts';
import { parseUsername } from './username.ts';

describe('parseUsername', () => {
  test.each([
    ['ann', 'ann'],
    ['Ann.Smith_2-x', 'ann.smith_2-x'],
    ['7', '7'],
    ['JOSE\u0301', 'josé'],
    ['Ｗide', 'wide'],
    ['山田', '山田'],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('%s has the key %s', (text, key) => {
    expect(parseUsername(text)?.key).toBe(key);
  });

  test.each(invisibles)('a name with the invisible U+%s is none', (code) => {
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    for (const text of [`ann${character}`, `an${character}n`, `a${character}`])
      expect(parseUsername(text)).toBeUndefined();
  });

  test.each(['', ' ', 'ann smith', '.ann', '-', 'a'.repeat(65), 'ann@example.org', 'a\u0000', 'a\n', 'a\u202eb'])(
    '%j is none',
    (text) => {
      expect(parseUsername(text)).toBeUndefined();
    },
  );
});
