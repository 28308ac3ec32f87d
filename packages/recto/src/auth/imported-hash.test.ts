import { expect, test } from 'bun:test';
import { isImportableHash } from './imported-hash.ts';
import { createPasswordHasher } from './password-hasher.ts';

const bcrypt = '$2a$13$uULN32dHTkWQIALJP1N54.22HW/K9/qkXqcmsfz2hOA1wGeuUDbfG';
const tail = 'c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNo';

test.each([
  [bcrypt, true],
  [bcrypt.replace('$13$', '$14$'), true],
  [bcrypt.replace('$13$', '$15$'), false],
  [bcrypt.replace('$13$', '$31$'), false],
  [bcrypt.slice(0, -1), false],
  [`${bcrypt}\n`, false],
  [`$argon2id$v=19$m=65536,t=3,p=4$${tail}`, true],
  [`$argon2id$v=19$m=999999,t=3,p=4$${tail}`, false],
  [`$argon2id$v=19$m=65536,t=99,p=4$${tail}`, false],
  [`$argon2i$v=19$m=65536,t=3,p=4$${tail}`, false],
  ['', false],
  ['secret', false],
])('%p', (hash, expected) => {
  expect(isImportableHash(hash)).toBe(expected);
});

test('the hashes of other systems verify', async () => {
  const passwords = createPasswordHasher();
  for (const options of [
    { algorithm: 'bcrypt', cost: 4 },
    { algorithm: 'argon2id', memoryCost: 64, timeCost: 1 },
  ] as const) {
    const hash = await Bun.password.hash('correct horse', options);
    expect(isImportableHash(hash)).toBe(true);
    expect(await passwords.verify('correct horse', hash)).toBe(true);
    expect(await passwords.verify('wrong horse', hash)).toBe(false);
    expect(passwords.isOutdated(hash)).toBe(true);
  }
  expect(passwords.isOutdated(await passwords.hash('correct horse'))).toBe(false);
});
