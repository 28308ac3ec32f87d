// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { createAccessTokens } from '../../../auth/access-tokens.ts';
import { changeAccount, removeAccount } from '../../../auth/accounts.ts';
import { testPassword } from '../../../auth/auth.fixture.ts';
import { confirmPasswordReset } from '../../../auth/flows/password-reset.ts';
import { tokenHash } from '../../../auth/opaque-token.ts';
import { TextSeal } from '../../../base/text-seal.ts';
import type { App, Person } from './factors.fixture.ts';
import { FactorsApi, outcome } from './factors.fixture.ts';

// What somebody tries who has the password, a challenge or a code, and lacks the rest.

/** A member with an app, at a moment when the app shows a new code. */
async function withApp(options: Parameters<typeof FactorsApi.open>[0] = {}) {
  const site = await FactorsApi.open(options);
  const mia = await site.person();
  const app = await site.app(mia);
  site.later();
  return { site, mia, app };
}

describe('an app that shows codes', () => {
  test('is set up, asked for at the next sign-in, and signs in', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    expect(app.recoveryCodes).toHaveLength(10);
    expect(app.recoveryCodes.every((code) => /^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/.test(code))).toBe(true);
    const asked = await site.login(mia);
    expect(outcome(asked)).toBe('403 second_factor_required');
    expect(asked.body).toMatchObject({ methods: ['totp', 'recovery_code'], expires_in: 300 });
    expect(asked.body.challenge).toMatch(/^rch_[\w-]{43}$/);
    expect(asked.body).not.toHaveProperty('options');
    expect(asked.headers.get('cache-control')).toBe('no-store');
    const given = await site.give(asked.body.challenge, 'totp', { code: app.code() });
    expect(given.status).toBe(200);
    expect(given.body.user).toMatchObject({ id: mia.id, second_factor: true });
    expect((await site.call('GET me', { token: given.body.access_token })).status).toBe(200);
    const sessions = await site.call('GET me/sessions', { token: given.body.access_token });
    expect(sessions.body.items[0].methods).toEqual(['password', 'totp']);
  });

  test('keeps the refresh token in a cookie where that is asked for', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const body = { challenge: await site.challenge(mia), method: 'totp', code: app.code(), session: 'cookie' };
    const given = await site.call('POST second-factor', { body });
    expect(given.body).not.toHaveProperty('refresh_token');
    expect(given.headers.get('set-cookie')).toContain('HttpOnly');
  });

  test('counts only once its first code was confirmed', async () => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const first = (await site.call('POST me/totp', { token: mia.token })).body.secret;
    expect((await site.login(mia)).status).toBe(200);
    const again = (await site.call('POST me/totp', { token: mia.token })).body.secret;
    expect(again).not.toBe(first);
    const { codeOf } = await import('./factors.fixture.ts');
    const old = await site.call('POST me/totp/confirm', {
      token: mia.token,
      body: { code: codeOf(first, site.clock.now) },
    });
    expect(old.body.errors).toMatchObject([{ field: 'code', code: 'incorrect' }]);
    expect((await site.login(mia)).status).toBe(200);
  });

  test('cannot be replaced without being removed', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    expect(outcome(await site.call('POST me/totp', { token: mia.token }))).toBe('409 totp_exists');
  });

  test('ends the other sessions, which were begun without it', async () => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const other = (await site.login(mia)).body.access_token;
    await site.app(mia);
    expect(outcome(await site.call('GET me', { token: other }))).toBe('401 invalid_token');
    expect((await site.call('GET me', { token: mia.token })).status).toBe(200);
  });
});

describe('a challenge', () => {
  test('is made after the right password alone: all else is answered as without a factor', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const plain = await site.api.auth.account();
    const answers = [
      await site.login(mia, 'wrong'),
      await site.login(plain, 'wrong'),
      await site.login({ email: 'nobody@example.org' }, 'wrong'),
    ];
    expect(answers.map(outcome)).toEqual(Array(3).fill('401 invalid_credentials'));
    const [one, ...others] = answers.map(({ body: { request_id: _, ...rest } }) => rest);
    for (const other of others) expect(other).toEqual(one);
  });

  test.each(['Bearer', 'bearer'])('is no token (%s)', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const token = await site.challenge(mia);
    expect(outcome(await site.call('GET me', { token }))).toBe('401 invalid_token');
    expect(outcome(await site.call('POST refresh', { body: { refresh_token: token } }))).toBe(
      '401 invalid_refresh_token',
    );
    expect(outcome(await site.call('POST logout', { token }))).toBe('401 invalid_token');
  });

  test('ends after five minutes', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    site.later(300);
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('takes five tries, and then not even the right code', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    for (let tries = 0; tries < 5; tries++)
      expect(outcome(await site.give(challenge, 'totp', { code: '000000' }))).toBe('401 invalid_code');
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('takes five tries of requests at the same moment', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    await Promise.all(Array.from({ length: 12 }, () => site.give(challenge, 'totp', { code: '000000' })));
    const { tries } = (await site.api.auth.database.first<{ tries: number }>({
      sql: 'SELECT tries FROM recto_challenges',
      parameters: [],
    })) ?? { tries: 0 };
    expect(Number(tries)).toBe(5);
  });

  test('is good for one sign-in', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    expect((await site.give(challenge, 'totp', { code: app.code() })).status).toBe(200);
    site.later();
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('of another account does not go with one’s own code', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const eve = await site.person();
    const hers = await site.app(eve);
    site.later();
    const given = await site.give(await site.challenge(mia), 'totp', { code: hers.code() });
    expect(outcome(given)).toBe('401 invalid_code');
    const recovery = await site.give(await site.challenge(mia), 'recovery_code', { code: hers.recoveryCodes[0] ?? '' });
    expect(outcome(recovery)).toBe('401 invalid_code');
  });

  test.each(['', 'rch_', 'rch_unknown', `rch_${'A'.repeat(43)}`])('%j is unknown', async (challenge) => {
    const { site, app } = await withApp();
    await using _ = site;
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('is stored as a hash', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    const rows = await site.api.auth.database.rows({ sql: 'SELECT * FROM recto_challenges', parameters: [] });
    expect(JSON.stringify(rows)).not.toContain(challenge);
    expect(JSON.stringify(rows)).toContain(tokenHash(challenge));
  });

  test('of a step-up, or of a passkey, signs nobody in', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    await site.passkey(mia);
    const { challenge } = (await site.call('POST me/step-up/options', { token: mia.token })).body;
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
    const { challenge: anyone } = (await site.call('POST passkeys/options')).body;
    expect(outcome(await site.give(anyone, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });
});

/** What happens to an account between the two steps. */
const between: readonly (readonly [string, (site: FactorsApi, mia: Person) => Promise<unknown>])[] = [
  ['disabled', (site, { id }) => changeAccount(site.api.auth, id, { disabled: true })],
  ['deleted', (site, { id }) => removeAccount(site.api.auth, id)],
  ['given another password', (site, { id }) => changeAccount(site.api.auth, id, { password: 'another horse' })],
];

describe('between the two steps', () => {
  test.each(between)('an account that is %s gets no further', async (_, change) => {
    const { site, mia, app } = await withApp();
    await using _site = site;
    const challenge = await site.challenge(mia);
    await change(site, mia);
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('a disabled account that is enabled again has to begin again with its new state', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    await changeAccount(site.api.auth, mia.id, { disabled: true });
    expect(outcome(await site.login(mia))).toBe('401 invalid_credentials');
    await changeAccount(site.api.auth, mia.id, { disabled: false });
    expect((await site.give(await site.challenge(mia), 'totp', { code: app.code() })).status).toBe(200);
  });

  test('factors that are removed end the challenge', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    expect((await site.call('DELETE me/totp', { token: mia.token })).status).toBe(204);
    expect(outcome(await site.give(challenge, 'totp', { code: app.code() }))).toBe('401 invalid_code');
    expect((await site.login(mia)).status).toBe(200);
  });
});

describe('a code', () => {
  test('works once, with whichever challenge', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const code = app.code();
    expect((await site.give(await site.challenge(mia), 'totp', { code })).status).toBe(200);
    expect(outcome(await site.give(await site.challenge(mia), 'totp', { code }))).toBe('401 invalid_code');
  });

  test('with which the app was confirmed does not sign in', async () => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const app = await site.app(mia);
    expect(outcome(await site.give(await site.challenge(mia), 'totp', { code: app.code() }))).toBe('401 invalid_code');
  });

  test('ends all earlier ones', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    site.later();
    expect((await site.give(await site.challenge(mia), 'totp', { code: app.code(1) })).status).toBe(200);
    for (const step of [-1, 0, 1])
      expect(outcome(await site.give(await site.challenge(mia), 'totp', { code: app.code(step) }))).toBe(
        '401 invalid_code',
      );
  });

  test('of two requests at the same moment signs one in', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const code = app.code();
    const challenges = await Promise.all(Array.from({ length: 6 }, () => site.challenge(mia)));
    const answers = await Promise.all(challenges.map((challenge) => site.give(challenge, 'totp', { code })));
    expect(answers.map(outcome).toSorted()).toEqual(['200', ...Array(5).fill('401 invalid_code')]);
  });

  test('of two minutes ago, or in two, is refused', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    site.later(300);
    for (const steps of [-4, -2, 2, 4])
      expect(outcome(await site.give(await site.challenge(mia), 'totp', { code: app.code(steps) }))).toBe(
        '401 invalid_code',
      );
  });

  test('cannot be guessed: ten tries in a quarter of an hour, whatever the challenges', async () => {
    const { site, mia, app } = await withApp({ rateLimit: true });
    await using _ = site;
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++) {
      // Signing in has limits of its own.
      const { database, challenges } = site.api.auth;
      const account = await site.api.auth.accounts.byId(database, mia.id);
      const passwordGeneration = tokenHash(account?.passwordHash ?? '').slice(0, 16);
      const waiting = { purpose: 'second_factor', account: mia.id, first: 'password', passwordGeneration } as const;
      const challenge = await database.transaction((transaction) =>
        challenges.issue(transaction, waiting, site.clock.now),
      );
      statuses.push((await site.give(challenge, 'totp', { code: tries === 10 ? app.code() : '000000' })).status);
    }
    // One more was counted when the app was confirmed.
    expect(statuses).toEqual([...Array(9).fill(401), 429, 429]);
  });

  test('is nothing that a database with another RECTO_SECRET can check; recovery codes are', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const { seal } = site.api.auth;
    const other = new TextSeal('another secret, of 32 characters or more', 'apps that show codes');
    Object.assign(seal, other, { open: other.open.bind(other) });
    expect(outcome(await site.give(await site.challenge(mia), 'totp', { code: app.code() }))).toBe('401 invalid_code');
    const code = app.recoveryCodes[0] ?? '';
    expect((await site.give(await site.challenge(mia), 'recovery_code', { code })).status).toBe(200);
  });
});

describe('a recovery code', () => {
  const used = async (site: FactorsApi, mia: Person, code = '') =>
    outcome(await site.give(await site.challenge(mia), 'recovery_code', { code }));

  test('works once, however it is typed', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const [code = ''] = app.recoveryCodes;
    expect(await used(site, mia, ` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe('200');
    expect(await used(site, mia, code)).toBe('401 invalid_code');
  });

  test('of two requests at the same moment signs one in', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const code = app.recoveryCodes[1];
    const challenges = await Promise.all(Array.from({ length: 6 }, () => site.challenge(mia)));
    const answers = await Promise.all(
      challenges.map((challenge) => site.give(challenge, 'recovery_code', code === undefined ? {} : { code })),
    );
    expect(answers.map(outcome).toSorted()).toEqual(['200', ...Array(5).fill('401 invalid_code')]);
  });

  test('ends once there are new ones', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    const fresh = await site.call('POST me/recovery-codes', { token: mia.token });
    expect(fresh.body.recovery_codes).toHaveLength(10);
    expect(await used(site, mia, app.recoveryCodes[0])).toBe('401 invalid_code');
    expect(await used(site, mia, fresh.body.recovery_codes[0])).toBe('200');
    const status = await site.call('GET me/second-factors', { token: mia.token });
    expect(status.body).toMatchObject({ totp: true, passkeys: 0, recovery_codes: 9 });
  });

  test('exists only beside a second factor', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    expect((await site.call('DELETE me/totp', { token: mia.token })).status).toBe(204);
    expect(outcome(await site.call('POST me/recovery-codes', { token: mia.token }))).toBe('409 no_second_factor');
    await site.app(mia);
    expect(await used(site, mia, app.recoveryCodes[0])).toBe('401 invalid_code');
  });

  test('is stored as a hash', async () => {
    const { site, app } = await withApp();
    await using _ = site;
    const rows = JSON.stringify([
      await site.api.auth.database.rows({ sql: 'SELECT * FROM recto_recovery_codes', parameters: [] }),
      await site.api.auth.database.rows({ sql: 'SELECT * FROM recto_totp', parameters: [] }),
    ]);
    for (const secret of [
      app.secret,
      ...app.recoveryCodes,
      ...app.recoveryCodes.map((code) => code.replaceAll('-', '')),
    ])
      expect(rows).not.toContain(secret);
  });
});

describe('other ways into an account with a second factor', () => {
  test('a new password by a link does not pass it, whether the address was confirmed or not', async () => {
    for (const verified of [true, false]) {
      await using site = await FactorsApi.open();
      // Of a member whose address nobody has confirmed, the factors could be those of a stranger who registered.
      const ada = await site.person('editor');
      if (verified) await changeAccount(site.api.auth, ada.id, { verified: true });
      await site.app(ada);
      const { auth } = site.api;
      const account = await auth.accounts.byId(auth.database, ada.id);
      if (account === undefined) throw new Error('There is no account.');
      const token = await auth.database.transaction((transaction) =>
        auth.accountTokens.issue(transaction, 'password_reset', { ...account, address: account.email }, auth.now()),
      );
      await confirmPasswordReset(auth, { token, password: 'another horse', language: 'en' });
      expect(outcome(await site.login(ada, 'another horse'))).toBe('403 second_factor_required');
    }
  });

  test('the proof of an address ends what a stranger set up on a member’s account that nobody had confirmed', async () => {
    await using site = await FactorsApi.open();
    const squatter = await site.person();
    const { passkey } = await site.passkey(squatter);
    await site.app(squatter);
    const { auth } = site.api;
    const account = await auth.accounts.byId(auth.database, squatter.id);
    if (account === undefined) throw new Error('There is no account.');
    const token = await auth.database.transaction((transaction) =>
      auth.accountTokens.issue(transaction, 'password_reset', { ...account, address: account.email }, auth.now()),
    );
    await confirmPasswordReset(auth, { token, password: 'another horse', language: 'en' });
    expect((await site.login(squatter, 'another horse')).status).toBe(200);
    expect(outcome(await site.passkeyLogin(passkey))).toBe('401 invalid_passkey');
  });

  test('a new password in a session with a factor keeps it, and the next sign-in asks for it', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const changed = await site.call('PUT me/password', {
      token: mia.token,
      body: { current_password: testPassword, new_password: 'another horse' },
    });
    expect(changed.status).toBe(200);
    const status = await site.call('GET me/second-factors', { token: changed.body.access_token });
    expect(status.body.session.second_factor).toBe(true);
    expect(outcome(await site.login(mia, 'another horse'))).toBe('403 second_factor_required');
  });

  test('a token that is signed for a session that waits opens nothing', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const challenge = await site.challenge(mia);
    const forged = await createAccessTokens('a secret for tests that is long enough', site.api.auth.now).issue(
      mia.id,
      tokenHash(challenge),
    );
    expect(outcome(await site.call('GET me', { token: forged }))).toBe('401 invalid_token');
  });
});

describe('a body', () => {
  const wrong: readonly (readonly [string, unknown, string])[] = [
    ['without a code', { method: 'totp' }, 'code required'],
    ['without a response', { method: 'passkey' }, 'response required'],
    ['with an unknown method', { method: 'password', code: 'x' }, 'method'],
    ['with more than is known', { method: 'totp', code: '000000', account: 'x' }, 'account'],
    ['with a code that is no text', { method: 'totp', code: 0 }, 'code'],
  ];

  test.each(wrong)('%s is 422', async (_, more, says) => {
    const { site, mia } = await withApp();
    await using _site = site;
    const body = { challenge: await site.challenge(mia), ...(more as object) };
    const answer = await site.call('POST second-factor', { body });
    expect(answer.status).toBe(422);
    expect(
      answer.body.errors.map(({ field, code }: App & Record<string, string>) => `${field} ${code}`).join(),
    ).toContain(says);
  });
});

describe('events and answers', () => {
  test('say what changed, and no secret', async () => {
    const { site, mia, app } = await withApp();
    await using _ = site;
    await site.passkey(mia);
    await site.call('POST me/recovery-codes', { token: mia.token });
    await site.call('DELETE me/totp', { token: mia.token });
    const events = await site.api.auth.database.rows<{ changed: string }>({
      sql: "SELECT * FROM recto_events WHERE type = 'recto:account' AND action = 'update'",
      parameters: [],
    });
    const text = JSON.stringify(events);
    expect(text).toContain('totp');
    expect(text).toContain('passkeys');
    expect(text).toContain('recovery_codes');
    for (const secret of [app.secret, ...app.recoveryCodes]) expect(text).not.toContain(secret);
    const me = await site.call('GET me', { token: mia.token });
    expect(JSON.stringify(me.body)).not.toContain(app.secret);
    expect(me.body.second_factor).toBe(true);
  });
});

describe('an admin', () => {
  test('resets the factors of somebody who has lost them, and ends the sessions', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const ada = await site.person('admin');
    const path = `DELETE /api/v1/admin/users/${mia.id}/second-factors`;
    expect((await site.call(path, { token: ada.token })).status).toBe(204);
    expect(outcome(await site.call('GET me', { token: mia.token }))).toBe('401 invalid_token');
    const again = await site.login(mia);
    expect(again.status).toBe(200);
    expect(again.body.user.second_factor).toBe(false);
    expect((await site.call(path, { token: ada.token })).status).toBe(204);
  });

  test('of a tenant resets nobody of another one', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const ada = await site.person('admin');
    await site.person('admin');
    await changeAccount(site.api.auth, ada.id, { tenant_id: 'acme' });
    const answer = await site.call(`DELETE /api/v1/admin/users/${mia.id}/second-factors`, { token: ada.token });
    expect(outcome(answer)).toBe('404 not_found');
    expect(outcome(await site.login(mia))).toBe('403 second_factor_required');
  });

  test.each(['editor', 'member'] as const)('is needed: %s', async (role) => {
    const { site, mia } = await withApp();
    await using _ = site;
    const other = await site.person(role);
    const answer = await site.call(`DELETE /api/v1/admin/users/${mia.id}/second-factors`, { token: other.token });
    expect(outcome(answer)).toBe('403 insufficient_role');
  });

  test('sees who has a second factor', async () => {
    const { site, mia } = await withApp();
    await using _ = site;
    const ada = await site.person('admin');
    const { items } = (await site.call('GET /api/v1/admin/users', { token: ada.token })).body;
    const factorOf = (id: string) => items.find((user: Person) => user.id === id).second_factor;
    expect([factorOf(mia.id), factorOf(ada.id)]).toEqual([true, false]);
  });
});
