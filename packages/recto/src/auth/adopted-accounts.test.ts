// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { type EmailAddress, parseEmail } from '../base/email-address.ts';
import { AdoptedAccounts } from './adopted-accounts.ts';
import { openTestAuth, testPassword } from './auth.fixture.ts';
import { login } from './sign-in.ts';

function address(text: string): EmailAddress {
  const email = parseEmail(text);
  if (email === undefined) throw new Error(`${text} is no address`);
  return email;
}

test('an adopted account is a member whom no password lets in', async () => {
  await using auth = await openTestAuth();
  const adopted = await AdoptedAccounts.open(auth);
  const made = await auth.database.transaction((transaction) =>
    adopted.make(transaction, { email: address('Mira@site.example'), username: 'mira' }),
  );
  expect(made).toMatchObject({ email: 'Mira@site.example', username: 'mira', role: 'member', disabled: false });
  expect(await adopted.byEmail(auth.database, address('mira@SITE.example'))).toEqual(made);
  expect(await adopted.byId(auth.database, made.id)).toEqual(made);
  for (const password of ['', 'mira', testPassword, made.passwordHash]) {
    await expect(login(auth, { email: made.email, password }, '192.0.2.1')).rejects.toMatchObject({ status: 401 });
  }
});

test('one who was blocked stays so, with a new password too', async () => {
  await using auth = await openTestAuth();
  const adopted = await AdoptedAccounts.open(auth);
  const made = await auth.database.transaction((transaction) =>
    adopted.make(transaction, {
      ...{ email: address('eve@site.example'), username: 'eve', disabled: true },
      passwordHash: Bun.password.hashSync(testPassword, { algorithm: 'bcrypt', cost: 4 }),
    }),
  );
  expect(made.disabled).toBe(true);
  expect(await adopted.byId(auth.database, made.id)).toEqual(made);
  await expect(login(auth, { email: made.email, password: testPassword }, '192.0.2.1')).rejects.toMatchObject({
    status: 401,
  });
});

test('of one whose address is not known, it has an address that is one', async () => {
  await using auth = await openTestAuth();
  const adopted = await AdoptedAccounts.open(auth);
  for (const username of ['mira', 'old ben', '山田', 'a'.repeat(200), '-.-', '']) {
    const made = await auth.database.transaction((transaction) => adopted.make(transaction, { email: null, username }));
    expect(parseEmail(made.email)).toEqual({ address: made.email, key: made.emailKey });
    expect(made.email).toEndWith('@imported.invalid');
  }
});

test('a username that is taken or can be none is left out', async () => {
  await using auth = await openTestAuth();
  await auth.account({ username: 'Mira' });
  const adopted = await AdoptedAccounts.open(auth);
  const usernames = await auth.database.transaction(async (transaction) => {
    const names = ['mira', 'old ben', '', 'zoe'];
    const made: (string | null)[] = [];
    for (const [index, username] of names.entries()) {
      made.push((await adopted.make(transaction, { email: address(`a${index}@site.example`), username })).username);
    }
    return made;
  });
  expect(usernames).toEqual([null, null, null, 'zoe']);
});
