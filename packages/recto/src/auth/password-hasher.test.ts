import { describe, expect, test } from 'bun:test';
import { cheapPasswords } from './auth.fixture.ts';
import { createPasswordHasher } from './password-hasher.ts';
import { passwordFault } from './password-rules.ts';

describe('passwordFault', () => {
  test.each([
    ['seven77', 'too_short'],
    ['', 'too_short'],
    ['😀😀😀😀😀😀😀', 'too_short'],
    ['eight888', undefined],
    ['😀😀😀😀😀😀😀😀', undefined],
    ['a'.repeat(1024), undefined],
    ['a'.repeat(1025), 'too_long'],
    ['é'.repeat(513), 'too_long'],
  ])('%s: %s', (password, code) => {
    expect(passwordFault(password, 'password')?.code).toBe(code);
  });
});

describe('createPasswordHasher', () => {
  test('hashes with the recommended cost', async () => {
    expect(await createPasswordHasher().hash('correct horse')).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
  });

  const passwords = cheapPasswords();

  test.each([
    ['correct horse', true],
    ['Correct horse', false],
    ['', false],
    ['a'.repeat(2000), false],
  ])('%j is right: %p', async (password, right) => {
    expect(await passwords.verify(password, await passwords.hash('correct horse'))).toBe(right);
  });

  test('treats two normalisations of a password as equal', async () => {
    const hash = await passwords.hash('pässwörd');
    expect(await passwords.verify('pässwörd'.normalize('NFD'), hash)).toBe(true);
  });

  test('without a hash no password matches, not even the dummy', async () => {
    for (const password of ['', 'unusable', 'correct horse'])
      expect(await passwords.verify(password, undefined)).toBe(false);
  });

  test('turns work away when too much is waiting', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => passwords.hash('correct horse')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBe(200 - 4 - 64);
    expect(refused[0]?.reason).toMatchObject({ status: 503, code: 'busy' });
    expect(await passwords.hash('correct horse')).toStartWith('$argon2id$');
  });
});
