import { describe, expect, test } from 'bun:test';
import { changeAccount } from '../../../auth/accounts.ts';
import { testPassword } from '../../../auth/auth.fixture.ts';
import { FactorsApi, outcome } from './factors.fixture.ts';

// What somebody tries who has the tokens of a session, and not its owner.

const minute = 60;
const newToken = { name: 'A feed', role: 'member' };

/** An admin whose last proof is over. */
async function withStale() {
  const site = await FactorsApi.open();
  const ada = await site.person('admin');
  site.later(10 * minute);
  return { site, ada };
}

const mint = (site: FactorsApi, { token }: { readonly token: string }) =>
  site.call('POST /api/v1/admin/api-tokens', { token, body: newToken });

describe('a session', () => {
  test('may do what takes a proof for ten minutes from its sign-in', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    site.later(10 * minute - 1);
    expect((await mint(site, ada)).status).toBe(201);
    site.later(1);
    const refused = await mint(site, ada);
    expect(outcome(refused)).toBe('403 step_up_required');
    expect(refused.body.methods).toEqual(['password']);
  });

  test('is not renewed by its refresh token', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const refreshed = await site.call('POST refresh', { body: { refresh_token: ada.refreshToken } });
    expect(outcome(await mint(site, { token: refreshed.body.access_token }))).toBe('403 step_up_required');
  });

  test('proves it again with the password, for ten minutes', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const body = { current_password: testPassword };
    expect((await site.call('POST me/step-up', { token: ada.token, body })).status).toBe(204);
    expect((await mint(site, ada)).status).toBe(201);
    const status = await site.call('GET me/second-factors', { token: ada.token });
    expect(Date.parse(status.body.session.stepped_up_until)).toBe(site.clock.now + 10 * minute * 1000);
  });

  test('does not prove it for another session of the same account', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    await site.login(ada);
    expect(outcome(await mint(site, ada))).toBe('403 step_up_required');
  });

  test('with a wrong password does not', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const answer = await site.call('POST me/step-up', { token: ada.token, body: { current_password: 'wrong' } });
    expect(answer.body.errors).toMatchObject([{ field: 'current_password', code: 'incorrect' }]);
    expect(outcome(await mint(site, ada))).toBe('403 step_up_required');
  });

  test('that was ended cannot', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    await site.call('POST logout', { token: ada.token });
    const body = { current_password: testPassword };
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body }))).toBe('401 invalid_token');
  });

  test('of an account with a factor gives that, and its password is not enough', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    const app = await site.app(ada);
    site.later(10 * minute);
    expect((await mint(site, ada)).body.methods).toEqual(['totp', 'recovery_code']);
    const byPassword = await site.call('POST me/step-up', {
      token: ada.token,
      body: { current_password: testPassword },
    });
    expect(outcome(byPassword)).toBe('403 step_up_required');
    expect(byPassword.body.methods).toEqual(['totp', 'recovery_code']);
    // Turning the factor off takes the factor.
    expect(outcome(await site.call('DELETE me/totp', { token: ada.token }))).toBe('403 step_up_required');
    const wrong = { method: 'totp', code: '000000' };
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body: wrong }))).toBe('401 invalid_code');
    const body = { method: 'totp', code: app.code() };
    expect((await site.call('POST me/step-up', { token: ada.token, body })).status).toBe(204);
    expect((await mint(site, ada)).status).toBe(201);
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body }))).toBe('401 invalid_code');
  });

  test('gives a recovery code, once', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    const { recoveryCodes } = await site.app(ada);
    site.later(10 * minute);
    const body = { method: 'recovery_code', code: recoveryCodes[0] };
    expect((await site.call('POST me/step-up', { token: ada.token, body })).status).toBe(204);
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body }))).toBe('401 invalid_code');
  });

  test('gives a passkey, for the challenge of this session alone', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    const { passkey } = await site.passkey(ada);
    const other = (await site.passkeyLogin(passkey)).body.access_token;
    site.later(10 * minute);
    const { methods, challenge, options } = (await site.call('POST me/step-up/options', { token: ada.token })).body;
    expect(methods).toEqual(['passkey', 'recovery_code']);
    const body = { method: 'passkey', challenge, response: passkey.used(options) };
    expect(outcome(await site.call('POST me/step-up', { token: other, body }))).toBe('401 invalid_code');
    expect((await site.call('POST me/step-up', { token: ada.token, body })).status).toBe(204);
    expect((await mint(site, ada)).status).toBe(201);
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body }))).toBe('401 invalid_code');
  });

  test('cannot give what a sign-in was given', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    const { passkey } = await site.passkey(ada);
    const app = await site.app(ada);
    site.later(10 * minute);
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    const response = passkey.used(options);
    const signedInBody = { method: 'passkey', challenge, response };
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body: signedInBody }))).toBe(
      '401 invalid_code',
    );
    const code = app.code();
    expect((await site.give(await site.challenge(ada), 'totp', { code })).status).toBe(200);
    const body = { method: 'totp', code };
    expect(outcome(await site.call('POST me/step-up', { token: ada.token, body }))).toBe('401 invalid_code');
  });

  test('that was begun by a mailed code has proved nothing yet', async () => {
    await using site = await FactorsApi.open({ policy: { signInCodes: 'all' } });
    const account = await site.api.auth.account({ role: 'admin', verified: true });
    const { enter, signedIn } = await import('../../../auth/enter.ts');
    const { auth } = site.api;
    const { accessToken } = await signedIn(
      auth,
      await auth.database.transaction((transaction) => enter(auth, transaction, account, { kind: 'code' })),
    );
    expect(outcome(await mint(site, { token: accessToken }))).toBe('403 step_up_required');
    expect(outcome(await site.call('POST me/passkeys/options', { token: accessToken }))).toBe('403 step_up_required');
  });

  test('tries ten factors in a quarter of an hour', async () => {
    await using site = await FactorsApi.open({ rateLimit: true });
    const ada = await site.person('admin');
    const app = await site.app(ada);
    site.later();
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries++) {
      const body = { method: 'totp', code: tries === 9 ? app.code() : '000000' };
      statuses.push((await site.call('POST me/step-up', { token: ada.token, body })).status);
    }
    // One was counted when the app was confirmed.
    expect(statuses).toEqual([...Array(9).fill(401), 429]);
  });

  test.each([
    ['nothing', {}, 'current_password'],
    ['a code without a method', { code: '000000' }, 'current_password'],
    ['both', { current_password: testPassword, method: 'totp', code: '000000' }, 'current_password'],
    ['a password with a code', { current_password: testPassword, code: '000000' }, 'method'],
    ['a passkey without its challenge', { method: 'passkey' }, 'challenge'],
    ['no code', { method: 'totp' }, 'code'],
    ['an unknown method', { method: 'sms', code: '1' }, 'method'],
  ])('that sends %s gets 422', async (_, body, field) => {
    const { site, ada } = await withStale();
    await using _site = site;
    const answer = await site.call('POST me/step-up', { token: ada.token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].field).toBe(field);
  });
});

describe('an API token', () => {
  test('cannot prove anything, and does what it is documented to do', async () => {
    await using site = await FactorsApi.open();
    const ada = await site.person('admin');
    const mia = await site.person();
    const body = { name: 'robot', role: 'admin' };
    const { token } = (await site.call('POST /api/v1/admin/api-tokens', { token: ada.token, body })).body;
    const notAnAccount = [
      'POST me/step-up/options',
      'POST me/totp',
      'POST me/recovery-codes',
      'POST me/passkeys/options',
      'DELETE me/totp',
      `DELETE /api/v1/admin/users/${mia.id}/second-factors`,
    ];
    for (const line of notAnAccount) expect(outcome(await site.call(line, { token }))).toBe('403 not_an_account');
    expect(outcome(await site.call('GET me/second-factors', { token }))).toBe('403 not_an_account');
    expect((await mint(site, { token })).status).toBe(201);
  });
});

/** What an admin changes of an account, and whether that takes a proof. */
const changes: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
  ['the role', { role: 'editor' }, true],
  ['the password', { password: 'another horse' }, true],
  ['the address', { email: 'other@example.org' }, true],
  ['whether it is disabled', { disabled: true }, true],
  ['whether it is verified', { verified: true }, true],
  ['the tenant', { tenant_id: 'acme' }, true],
  ['the username', { username: 'mia' }, false],
  ['the profile', { bio: 'Hello' }, false],
];

describe('a change of an account by an admin', () => {
  test.each(changes)('%s (%j) takes a proof: %p', async (_, body, takesProof) => {
    const { site, ada } = await withStale();
    await using _site = site;
    const mia = await site.api.auth.account();
    const answer = await site.call(`PUT /api/v1/admin/users/${mia.id}`, { token: ada.token, body });
    expect(outcome(answer)).toBe(takesProof ? '403 step_up_required' : '200');
  });

  test('what is sent back as it was read takes none', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const mia = await site.api.auth.account();
    const path = `/api/v1/admin/users/${mia.id}`;
    const { body } = await site.call(`GET ${path}`, { token: ada.token });
    expect((await site.call(`PUT ${path}`, { token: ada.token, body })).status).toBe(200);
  });

  test('a new account with a role takes a proof, and one without does not', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const make = (more: Record<string, unknown>) =>
      site.call('POST /api/v1/admin/users', {
        token: ada.token,
        body: { email: `new-${crypto.randomUUID()}@example.org`, password: testPassword, ...more },
      });
    expect(outcome(await make({ role: 'admin' }))).toBe('403 step_up_required');
    expect(outcome(await make({ role: 'editor' }))).toBe('403 step_up_required');
    expect((await make({})).status).toBe(201);
  });

  test('deleting, inviting again and resetting take one', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    const mia = await site.api.auth.account();
    for (const line of [
      `DELETE /api/v1/admin/users/${mia.id}`,
      `POST /api/v1/admin/users/${mia.id}/invitation`,
      `DELETE /api/v1/admin/users/${mia.id}/second-factors`,
    ])
      expect(outcome(await site.call(line, { token: ada.token }))).toBe('403 step_up_required');
  });

  test('an account that was demoted meanwhile gets no further by a proof', async () => {
    const { site, ada } = await withStale();
    await using _ = site;
    await site.person('admin');
    await changeAccount(site.api.auth, ada.id, { role: 'editor' });
    const body = { current_password: testPassword };
    expect((await site.call('POST me/step-up', { token: ada.token, body })).status).toBe(204);
    expect(outcome(await mint(site, ada))).toBe('403 insufficient_role');
  });
});
