import { describe, expect, test } from 'bun:test';
import { changeAccount } from '../../../auth/accounts.ts';
import type { FactorPolicy } from '../../../auth/factors/factor-policy.ts';
import { builtInRoleNames as roles } from '../../../base/caller.ts';
import { FactorsApi, outcome } from './factors.fixture.ts';

// What a session may do that lacks a second factor which the settings demand.

const open = (secondFactor: FactorPolicy) => FactorsApi.open({ policy: { secondFactor } });
const demanded = '403 second_factor_setup_required';
const day = 24 * 60 * 60;

const demands: readonly (readonly [FactorPolicy['required'], readonly string[]])[] = [
  ['off', []],
  ['admins', ['admin']],
  ['editors', ['admin', 'editor']],
  ['all', ['admin', 'editor', 'member']],
];

describe('RECTO_REQUIRE_SECOND_FACTOR', () => {
  test.each(demands)('%s demands one of %j', async (required, of) => {
    await using site = await open({ required, graceDays: 0 });
    for (const role of roles) {
      const person = await site.person(role);
      const answer = await site.call('GET me/sessions', { token: person.token });
      expect(outcome(answer)).toBe(of.includes(role) ? demanded : '200');
    }
  });

  test('leaves the way to set one up, and then everything', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const mia = await site.person();
    const { token } = mia;
    expect((await site.call('GET me', { token })).status).toBe(200);
    expect((await site.call('GET options', { token })).body.require_second_factor).toBe('all');
    expect((await site.call('GET me/second-factors', { token })).body).toMatchObject({ required: true, due_at: null });
    expect(outcome(await site.call('PUT me', { token, body: { username: 'mia' } }))).toBe(demanded);
    await site.app(mia);
    expect((await site.call('GET me/sessions', { token })).status).toBe(200);
    expect((await site.call('PUT me', { token, body: { username: 'mia' } })).status).toBe(200);
  });

  test('is met by a passkey too', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const mia = await site.person();
    const { passkey } = await site.passkey(mia);
    expect((await site.call('GET me/sessions', { token: mia.token })).status).toBe(200);
    const { access_token: token } = (await site.passkeyLogin(passkey)).body;
    expect((await site.call('GET me/sessions', { token })).status).toBe(200);
  });

  test('lets the session sign out, and be refreshed without getting further', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const mia = await site.person();
    const refreshed = (await site.call('POST refresh', { body: { refresh_token: mia.refreshToken } })).body;
    expect(outcome(await site.call('GET me/sessions', { token: refreshed.access_token }))).toBe(demanded);
    expect((await site.call('POST logout', { token: refreshed.access_token })).status).toBe(204);
  });

  test('holds at once for who becomes an admin, although the token was seen before', async () => {
    await using site = await open({ required: 'admins', graceDays: 0 });
    const mia = await site.person();
    expect((await site.call('GET me/sessions', { token: mia.token })).status).toBe(200);
    await changeAccount(site.api.auth, mia.id, { role: 'admin' });
    expect(outcome(await site.call('GET /api/v1/admin/users', { token: mia.token }))).toBe(demanded);
  });

  test('holds on routes without a token too, once one is sent', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const { token, email } = await site.person();
    expect(outcome(await site.call('POST login', { token, body: { email, password: 'x' } }))).toBe(demanded);
  });

  test('keeps the last factor', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const mia = await site.person();
    await site.app(mia);
    expect(outcome(await site.call('DELETE me/totp', { token: mia.token }))).toBe('409 last_second_factor');
    const { answer } = await site.passkey(mia);
    expect((await site.call('DELETE me/totp', { token: mia.token })).status).toBe(204);
    const path = `DELETE me/passkeys/${answer.body.passkey.id}`;
    expect(outcome(await site.call(path, { token: mia.token }))).toBe('409 last_second_factor');
    expect((await site.call('GET me/sessions', { token: mia.token })).status).toBe(200);
  });

  test('keeps one of two that are removed at the same moment', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const mia = await site.person();
    const made = [(await site.passkey(mia)).answer, (await site.passkey(mia)).answer];
    const answers = await Promise.all(
      made.map(({ body }) => site.call(`DELETE me/passkeys/${body.passkey.id}`, { token: mia.token })),
    );
    expect(answers.map(outcome).toSorted()).toEqual(['204', '409 last_second_factor']);
  });

  test('does not hold for API tokens', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const ada = await site.person('admin');
    await site.app(ada);
    const body = { name: 'robot', role: 'admin' };
    const { token } = (await site.call('POST /api/v1/admin/api-tokens', { token: ada.token, body })).body;
    expect((await site.call('GET /api/v1/admin/users', { token })).status).toBe(200);
  });

  test('holds again once an admin has reset the factors', async () => {
    await using site = await open({ required: 'all', graceDays: 0 });
    const ada = await site.person('admin');
    await site.app(ada);
    const mia = await site.person();
    await site.app(mia);
    await site.call(`DELETE /api/v1/admin/users/${mia.id}/second-factors`, { token: ada.token });
    const token = (await site.login(mia)).body.access_token;
    expect(outcome(await site.call('GET me/sessions', { token }))).toBe(demanded);
  });
});

describe('RECTO_SECOND_FACTOR_GRACE_DAYS', () => {
  test('leaves time from the first sign-in, which no later one renews', async () => {
    await using site = await open({ required: 'all', graceDays: 2 });
    const mia = await site.person();
    const due = new Date(site.clock.now + 2 * day * 1000).toISOString();
    expect((await site.call('GET me/second-factors', { token: mia.token })).body.due_at).toBe(due);
    site.later(day);
    const { access_token: later } = (await site.login(mia)).body;
    expect((await site.call('GET me/sessions', { token: later })).status).toBe(200);
    site.later(day);
    const { access_token: token } = (await site.login(mia)).body;
    expect(outcome(await site.call('GET me/sessions', { token }))).toBe(demanded);
  });

  test('ends for a token that is in use', async () => {
    await using site = await open({ required: 'all', graceDays: 1 });
    const mia = await site.person();
    site.later(day - 60);
    const { access_token: token } = (await site.login(mia)).body;
    expect((await site.call('GET me/sessions', { token })).status).toBe(200);
    site.later(60);
    expect(outcome(await site.call('GET me/sessions', { token }))).toBe(demanded);
  });

  test('begins for sessions from before the demand when their tokens are renewed', async () => {
    await using site = await open({ required: 'admins', graceDays: 1 });
    const mia = await site.person();
    await changeAccount(site.api.auth, mia.id, { role: 'admin' });
    expect((await site.call('GET me/sessions', { token: mia.token })).status).toBe(200);
    const refreshed = (await site.call('POST refresh', { body: { refresh_token: mia.refreshToken } })).body;
    expect((await site.call('GET me/sessions', { token: refreshed.access_token })).status).toBe(200);
    site.later(day);
    const again = (await site.call('POST refresh', { body: { refresh_token: refreshed.refresh_token } })).body;
    expect(outcome(await site.call('GET me/sessions', { token: again.access_token }))).toBe(demanded);
  });
});
