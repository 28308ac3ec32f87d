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
  // Bits that no character of a salt or digest has at its end.
  [`${bcrypt.slice(0, 28)}z${bcrypt.slice(29)}`, false],
  [`${bcrypt.slice(0, -1)}z`, false],
  [`$argon2id$v=19$m=64,t=0,p=1$${tail}`, false],
  [`$argon2id$v=19$m=64,t=1,p=0$${tail}`, false],
  [`$argon2id$v=19$m=0,t=1,p=1$${tail}`, false],
  [`$argon2id$v=19$m=65536,t=3,p=4$${tail}`, true],
  [`$argon2id$v=19$m=999999,t=3,p=4$${tail}`, false],
  [`$argon2id$v=19$m=65536,t=99,p=4$${tail}`, false],
  [`$argon2i$v=19$m=65536,t=3,p=4$${tail}`, false],
  ['', false],
  ['secret', false],
])('%p', (hash, expected) => {
  expect(isImportableHash(hash)).toBe(expected);
});

test('no password matches a hash that cannot be read', async () => {
  const passwords = createPasswordHasher({ cost: { memoryCost: 64, timeCost: 1 } });
  for (const hash of [
    '$2a$04$!',
    `${bcrypt.slice(0, -1)}z`,
    `$argon2id$v=19$m=64,t=0,p=1$${tail}`,
    '$argon2id$v=19$m=64',
  ])
    expect([hash, await passwords.verify('correct horse', hash)]).toEqual([hash, false]);
});

test.each(['2a', '2b', '2y'])('bcrypt of the version %s verifies, with nothing cut off', async (version) => {
  const passwords = createPasswordHasher();
  const hash = (await Bun.password.hash('x'.repeat(72), { algorithm: 'bcrypt', cost: 4 })).replace(
    '$2b$',
    `$${version}$`,
  );
  expect(isImportableHash(hash)).toBe(true);
  expect(await passwords.verify('x'.repeat(72), hash)).toBe(true);
  expect(await passwords.verify('x'.repeat(73), hash)).toBe(false);
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
