// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { openSite, type Site } from '../../support/providers/provider-site.ts';
import { visit } from '../../support/providers/provider-visit.ts';
import type { TestService } from '../../support/service.ts';

const password = 'correct horse';
const post = (service: TestService, path: string, body: unknown) => service.send(`POST /api/v1/auth/${path}`, { body });
const login = (service: TestService, name: string, given = password) =>
  post(service, 'login', { email: `${name}@example.com`, password: given });

/** A service where accounts are made with a password, and one on the same database that has the setting. */
async function openBoth(passwordSignIn: 'members' | 'off', more = {}): Promise<Site> {
  const site = await openSite({ mail: true, settings: { passwordSignIn, ...more } });
  const { auth } = site.service;
  for (const [name, role] of [
    ['mia', 'member'],
    ['eve', 'editor'],
    ['root', 'admin'],
  ] as const) {
    const email = { address: `${name}@example.com`, key: `${name}@example.com` };
    const passwordHash = await auth.passwords.hash(password);
    const draft = { id: crypto.randomUUID(), email, username: null, passwordHash, role, tenant: null, verified: true };
    await auth.database.transaction((transaction) => auth.accounts.insert(transaction, draft, Date.now()));
  }
  return site;
}

const mailsAfterReset = async ({ service, mails }: Site, name: string): Promise<number> => {
  const asked = await post(service, 'password-reset', { email: `${name}@example.com` });
  expect(asked).toMatchObject({ status: 202, json: {} });
  await service.runJobs();
  return mails?.to(`${name}@example.com`).length ?? 0;
};

describe('passwords for members', () => {
  test('sign in members alone, and do not reveal who is none', async () => {
    await using site = await openBoth('members');
    const { service } = site;
    expect((await login(service, 'mia')).status).toBe(200);
    for (const name of ['eve', 'root']) {
      expect(await login(service, name)).toMatchObject({ status: 403, json: { code: 'password_sign_in_off' } });
      expect((await login(service, name, 'wrong password')).json.code).toBe('invalid_credentials');
    }
    expect((await login(service, 'nobody')).json.code).toBe('invalid_credentials');
    expect((await service.send('GET /api/v1/auth/options')).json).toMatchObject({
      ...{ password_sign_in: 'members', registration: 'open' },
    });
    expect((await post(service, 'register', { email: 'new@example.com', password })).status).toBe(201);
  });

  test('are not reset for anybody else', async () => {
    await using site = await openBoth('members');
    expect(await mailsAfterReset(site, 'mia')).toBe(1);
    for (const name of ['eve', 'root', 'nobody']) expect(await mailsAfterReset(site, name)).toBe(0);
  });

  test('are not set by a link from before', async () => {
    await using site = await openBoth('members');
    const { auth } = site.service;
    const token = await auth.database.transaction(async (transaction) => {
      const account = await auth.accounts.byEmailKey(transaction, 'eve@example.com');
      if (account === undefined) throw new Error('There is no such account.');
      const owner = { ...account, address: account.email };
      return auth.accountTokens.issue(transaction, 'password_reset', owner, Date.now());
    });
    const body = { token, new_password: 'battery staple' };
    expect(await post(site.service, 'password-reset/confirm', body)).toMatchObject({ json: { code: 'invalid_link' } });
  });
});

describe('no passwords', () => {
  test.each(['members', 'off'] as const)('prove nothing in a session either: %s', async (passwordSignIn) => {
    await using site = await openBoth(passwordSignIn, { signInCodes: 'all' });
    const { service, mails } = site;
    const { json: asked } = await post(service, 'code', { email: 'eve@example.com' });
    await service.runJobs();
    const code = /\b\d{4} \d{4}\b/.exec(mails?.to('eve@example.com')[0]?.parsed.text ?? '')?.[0];
    const { json: tokens } = await post(service, 'code/confirm', { challenge: asked.challenge, code });
    const headers = { Authorization: `Bearer ${tokens.access_token}` };
    const options = await service.send('POST /api/v1/auth/me/step-up/options', { headers });
    expect(options).toMatchObject({ status: 200, json: { methods: [] } });
    const body = { current_password: password };
    const refused = { status: 403, json: { code: 'step_up_required', methods: [] } };
    expect(await service.send('POST /api/v1/auth/me/step-up', { headers, body })).toMatchObject(refused);
    expect(await service.send('POST /api/v1/auth/me/totp', { headers })).toMatchObject(refused);
  });

  test('sign nobody in, whoever it is and whatever is given', async () => {
    await using site = await openBoth('off');
    const { service } = site;
    for (const name of ['mia', 'eve', 'root', 'nobody'])
      for (const given of [password, 'wrong password'])
        expect(await login(service, name, given)).toMatchObject({
          status: 403,
          json: { code: 'password_sign_in_off' },
        });
    const registered = await post(service, 'register', { email: 'new@example.com', password });
    expect(registered).toMatchObject({ status: 403, json: { code: 'registration_closed' } });
    expect((await service.send('GET /api/v1/auth/options')).json).toMatchObject({
      ...{ password_sign_in: 'off', registration: 'closed' },
    });
    for (const name of ['mia', 'eve', 'nobody']) expect(await mailsAfterReset(site, name)).toBe(0);
  });

  test('leave the other ways in', async () => {
    await using site = await openBoth('off');
    site.provider.person = { sub: 'mia', email: 'mia@example.com', email_verified: true };
    expect((await visit(site.service, site.provider)).tokens?.json.user).toMatchObject({ email: 'mia@example.com' });
  });
});

test('an account that began with a provider has no password, not even an empty one', async () => {
  await using site = await openSite();
  const { service, provider } = site;
  provider.person = { sub: 'ada', email: 'ada@example.com', email_verified: true };
  const { tokens } = await visit(service, provider);
  const account = await service.auth.accounts.byId(service.database, tokens?.json.user.id);
  for (const given of ['!', account?.passwordHash ?? '', 'correct horse'])
    expect((await login(service, 'ada', given)).json.code).toBe('invalid_credentials');
});
