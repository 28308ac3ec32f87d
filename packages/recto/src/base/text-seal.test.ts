import { expect, test } from 'bun:test';
import { TextSeal } from './text-seal.ts';

const seal = new TextSeal('a secret of at least 32 characters', 'codes');

test('what is sealed opens with the same key for the same owner', () => {
  const sealed = seal.seal('JBSWY3DPEHPK3PXP', 'ada');
  expect(sealed).not.toContain('JBSWY3DPEHPK3PXP');
  expect(seal.open(sealed, 'ada')).toBe('JBSWY3DPEHPK3PXP');
  expect(new TextSeal('a secret of at least 32 characters', 'codes').open(sealed, 'ada')).toBe('JBSWY3DPEHPK3PXP');
});

test('it opens for nobody else, with no other key, and not once it was changed', () => {
  const sealed = seal.seal('JBSWY3DPEHPK3PXP', 'ada');
  expect(seal.open(sealed, 'mia')).toBeUndefined();
  expect(new TextSeal('another secret of 32 characters, or', 'codes').open(sealed, 'ada')).toBeUndefined();
  expect(new TextSeal('a secret of at least 32 characters', 'cookies').open(sealed, 'ada')).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(seal.open(changed.toString('base64url'), 'ada')).toBeUndefined();
  }
  for (const short of ['', 'AAAA', bytes.subarray(0, 28).toString('base64url')])
    expect(seal.open(short, 'ada')).toBeUndefined();
});

test('the same text is sealed differently each time', () => {
  expect(seal.seal('same', 'ada')).not.toBe(seal.seal('same', 'ada'));
});
