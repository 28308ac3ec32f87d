// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import type { Settings } from '../../../packages/recto/src/config/settings.ts';
import { query } from '../../support/database/database.ts';
import { MailServer, type ReceivedMail } from '../../support/mail-server.ts';
import { type ServiceOptions, TestService } from '../../support/service.ts';

const password = 'correct horse';
const other = 'battery staple';

interface Site extends AsyncDisposable {
  readonly server: MailServer;
  readonly service: TestService;
  /** What the log has. */
  readonly log: string[];
}

async function openSite(settings: Partial<Settings> = {}, options: ServiceOptions = {}): Promise<Site> {
  const server = await MailServer.open();
  const log: string[] = [];
  const service = await TestService.open([], {
    settings: { ...server.settings, ...settings },
    log: (line) => log.push(line),
    ...options,
  });
  return {
    ...{ server, service, log },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

const post = (service: TestService, path: string, body: unknown, more = {}) =>
  service.send(`POST /api/v1/auth/${path}`, { body, ...more });

const signIn = (service: TestService, email: string, given = password) =>
  post(service, 'login', { email, password: given });

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

const register = async (service: TestService, email: string, given = password) =>
  (await post(service, 'register', { email, password: given })).json;

/** The action and token of the link in a mail. */
function linkIn(mail: ReceivedMail | undefined): { readonly action: string; readonly token: string } {
  const [, action = '', token = ''] =
    /https:\/\/cms\.example\.com\/account\/([a-z-]+)#(rat_[\w-]+)/.exec(mail?.parsed.text ?? '') ?? [];
  expect(String(mail?.parsed.html)).toContain(`https://cms.example.com/account/${action}#${token}`);
  return { action, token };
}

const codeIn = (mail: ReceivedMail | undefined): string => /\b\d{4} \d{4}\b/.exec(mail?.parsed.text ?? '')?.[0] ?? '';

/** The code of the last mail to an address that has one, as with `nextLink`. */
const lastCode = (server: MailServer, address: string): string =>
  codeIn(server.to(address).findLast((mail) => codeIn(mail) !== ''));

/** The link of the last mail to an address that has one, once the outbox is empty. Mails that are sent at the same time arrive in any order. */
async function nextLink({ service, server }: Site, address: string) {
  await service.runJobs();
  return linkIn(server.to(address).findLast(({ parsed }) => parsed.text?.includes('#rat_')));
}

/** As if their time had passed. */
const expireTokens = ({ database }: TestService) =>
  database.transaction(async (transaction) =>
    transaction.run(query('update recto_account_tokens set expires_at = created_at')),
  );

const invalidLink = { status: 401, json: { code: 'invalid_link' } };

describe('a new password', () => {
  test('is set by the link, ends all sessions and signs nobody in', async () => {
    await using site = await openSite();
    const { service, server } = site;
    const { access_token, refresh_token } = await register(service, 'ann@example.org');
    const asked = await post(service, 'password-reset', { email: 'ANN@example.org' });
    expect(asked).toMatchObject({ status: 202, json: {} });
    expect(asked.headers.get('cache-control')).toBe('no-store');
    const { action, token } = await nextLink(site, 'ann@example.org');
    expect(action).toBe('password-reset');
    expect(await post(service, 'password-reset/confirm', { token, new_password: 'short' })).toMatchObject({
      status: 422,
    });
    const done = await post(service, 'password-reset/confirm', { token, new_password: other });
    expect(done).toMatchObject({ status: 204, text: '' });
    expect(done.headers.get('set-cookie')).toBeNull();
    expect((await service.send('GET /api/v1/auth/me', bearer(access_token))).status).toBe(401);
    expect((await post(service, 'refresh', { refresh_token })).status).toBe(401);
    expect((await signIn(service, 'ann@example.org')).status).toBe(401);
    expect(await signIn(service, 'ann@example.org', other)).toMatchObject({
      status: 200,
      json: { user: { verified: true } },
    });
    await service.runJobs();
    expect(server.to('ann@example.org').at(-1)?.parsed.subject).toContain('has changed');
    expect(await post(service, 'password-reset/confirm', { token, new_password: 'third password' })).toMatchObject(
      invalidLink,
    );
  });

  test('is asked for in the same words for an address that nobody has', async () => {
    await using site = await openSite();
    const { service, server } = site;
    await register(service, 'ann@example.org');
    for (const email of ['nobody@example.org', 'ann@example.org,evil@example.net', 'no address', ''])
      expect(await post(service, 'password-reset', { email })).toMatchObject({ status: 202, json: {} });
    await service.account('ada', 'admin');
    const { json } = await service.send('GET /api/v1/admin/jobs?kind=mail.account', { as: 'ada' });
    expect(json.total).toBe(4);
    await service.runJobs();
    expect(server.received).toEqual([]);
    const after = await service.send('GET /api/v1/admin/jobs?kind=mail.account', { as: 'ada' });
    expect(after.json.items.map(({ state, result, error }: never) => [state, result, error])).toEqual(
      Array(4).fill(['done', null, null]),
    );
  });

  test('goes to the address that is stored, not to the one that was typed', async () => {
    await using site = await openSite();
    await register(site.service, 'ann@example.org');
    await post(site.service, 'password-reset', { email: '\uff41nn@ex\uff41mple.org' });
    await site.service.runJobs();
    expect(site.server.received.map(({ to }) => to)).toEqual([['ann@example.org']]);
  });

  test('links have one answer for all that is wrong with them', async () => {
    await using site = await openSite({ verifyEmail: 'on' });
    const { service } = site;
    const { user } = await register(service, 'ann@example.org');
    const verification = await nextLink(site, 'ann@example.org');
    await service.account('ada', 'admin');
    const reset = (token: string) => post(service, 'password-reset/confirm', { token, new_password: other });
    const fresh = async () => {
      await post(service, 'password-reset', { email: 'ann@example.org' });
      return (await nextLink(site, 'ann@example.org')).token;
    };
    const answers = [await reset('rat_x'), await reset(''), await reset(verification.token)];
    const first = await fresh();
    const second = await fresh();
    // The next one ends the one before.
    answers.push(await reset(first), await reset(second.slice(0, -1)), await reset(second.toUpperCase()));
    await expireTokens(service);
    answers.push(await reset(second));
    const late = await fresh();
    await service.send(`PUT /api/v1/admin/users/${user.id}`, { as: 'ada', body: { password: 'by the admin' } });
    answers.push(await reset(late));
    const moved = await fresh();
    await service.send(`PUT /api/v1/admin/users/${user.id}`, { as: 'ada', body: { email: 'new@example.org' } });
    answers.push(await reset(moved));
    await post(service, 'password-reset', { email: 'new@example.org' });
    const { token: disabled } = await nextLink(site, 'new@example.org');
    await service.send(`PUT /api/v1/admin/users/${user.id}`, { as: 'ada', body: { disabled: true } });
    answers.push(await reset(disabled));
    const bodies = answers.map(({ status, json }) => JSON.stringify([status, { ...json, request_id: '' }]));
    expect(new Set(bodies).size).toBe(1);
    expect(answers[0]).toMatchObject(invalidLink);
  });

  test('takes away what a stranger has made with the address', async () => {
    await using site = await openSite({ signInCodes: 'all' });
    const { service } = site;
    await service.account('ada', 'admin');
    for (const way of ['reset', 'code'] as const) {
      const email = `${way}@example.org`;
      // The stranger registers first, and an admin trusts the address.
      const { access_token, refresh_token, user } = await register(service, email);
      await service.send(`PUT /api/v1/admin/users/${user.id}`, { as: 'ada', body: { role: 'admin' } });
      const made = await service.send('POST /api/v1/admin/api-tokens', {
        body: { name: 'back door', role: 'admin' },
        ...bearer(access_token),
      });
      expect(made.status).toBe(201);
      if (way === 'reset') {
        await post(service, 'password-reset', { email });
        const { token } = await nextLink(site, email);
        expect((await post(service, 'password-reset/confirm', { token, new_password: other })).status).toBe(204);
      } else {
        const { challenge } = (await post(service, 'code', { email })).json;
        await service.runJobs();
        const code = lastCode(site.server, email);
        expect(await post(service, 'code/confirm', { challenge, code })).toMatchObject({
          status: 200,
          json: { user: { verified: true } },
        });
      }
      expect((await signIn(service, email)).status).toBe(401);
      expect((await service.send('GET /api/v1/auth/me', bearer(access_token))).status).toBe(401);
      expect((await post(service, 'refresh', { refresh_token })).status).toBe(401);
      expect((await service.send('GET /api/v1/admin/users', bearer(made.json.token))).status).toBe(401);
    }
  });
});

describe('throttling', () => {
  test('says nothing, and sends nothing further', async () => {
    await using site = await openSite({ rateLimit: true });
    const { service, server } = site;
    await register(service, 'ann@example.org');
    for (let tries = 0; tries < 5; tries += 1) {
      for (const email of ['ann@example.org', 'nobody@example.org'])
        expect(await post(service, 'password-reset', { email }, { peer: `192.0.2.${tries}` })).toMatchObject({
          status: 202,
          json: {},
        });
    }
    await service.runJobs();
    expect(server.received).toHaveLength(3);
    // One network, whatever the address is.
    for (let tries = 0; tries < 14; tries += 1) {
      const email = tries === 13 ? 'ben@example.org' : `nobody${tries}@example.org`;
      if (tries === 13) await register(service, email);
      expect((await post(service, 'password-reset', { email }, { peer: '192.0.2.99' })).status).toBe(202);
    }
    await service.runJobs();
    expect(server.to('ben@example.org')).toEqual([]);
  });
});

describe('an address', () => {
  test('is confirmed by the link that registering mails, or that the account asks for', async () => {
    await using site = await openSite({ verifyEmail: 'on' });
    const { service, server } = site;
    const { access_token } = await register(service, 'ann@example.org');
    const { action, token } = await nextLink(site, 'ann@example.org');
    expect(action).toBe('verification');
    expect((await post(service, 'verification', undefined, bearer(access_token))).status).toBe(202);
    const again = await nextLink(site, 'ann@example.org');
    expect(await post(service, 'verification/confirm', { token })).toMatchObject(invalidLink);
    expect((await post(service, 'verification/confirm', { token: again.token })).status).toBe(204);
    const me = await service.send('GET /api/v1/auth/me', bearer(access_token));
    expect(me.json.verified).toBe(true);
    expect((await post(service, 'verification', undefined, bearer(access_token))).status).toBe(202);
    await service.runJobs();
    expect(server.received).toHaveLength(2);
    expect((await post(service, 'verification', undefined)).status).toBe(401);
  });

  test('is required: nobody signs in before, and registering says nothing about addresses', async () => {
    await using site = await openSite({ verifyEmail: 'required' });
    const { service, server } = site;
    const first = await post(service, 'register', { email: 'ann@example.org', password });
    const second = await post(service, 'register', { email: 'Ann@example.org', password: other });
    expect([first.status, first.text]).toEqual([202, '{}']);
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    await service.runJobs();
    expect(
      server
        .to('ann@example.org')
        .map(({ parsed }) => parsed.subject)
        .toSorted(),
    ).toEqual(['Confirm your email address for Example Site', 'You already have an account at Example Site']);
    expect(await signIn(service, 'ann@example.org', other)).toMatchObject({ status: 401 });
    expect(await signIn(service, 'ann@example.org')).toMatchObject({
      status: 403,
      json: { code: 'email_not_verified' },
    });
    const { action, token } = await nextLink(site, 'ann@example.org');
    expect(action).toBe('verification');
    expect((await post(service, 'verification/confirm', { token })).status).toBe(204);
    expect((await signIn(service, 'ann@example.org')).status).toBe(200);
    // A username that turns out to be taken would say whether the first address was.
    expect(await post(service, 'register', { email: 'ben@example.org', password, username: 'ben' })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'username', code: 'not_allowed' }] },
    });
  });

  test('changes once the new one is confirmed, and back by the old one', async () => {
    await using site = await openSite({ verifyEmail: 'on' });
    const { service, server } = site;
    const { access_token } = await register(service, 'ann@example.org');
    const { token } = await nextLink(site, 'ann@example.org');
    await post(service, 'verification/confirm', { token });
    const me = bearer(access_token);
    const change = (email: string) =>
      service.send('PUT /api/v1/auth/me', { body: { email, current_password: password }, ...me });
    expect(await change('new@example.org')).toMatchObject({
      status: 200,
      json: { email: 'ann@example.org', pending_email: 'new@example.org', verified: true },
    });
    const stale = await nextLink(site, 'new@example.org');
    expect(stale.action).toBe('email-change');
    await change('newer@example.org');
    expect(await post(service, 'email-change/confirm', { token: stale.token })).toMatchObject(invalidLink);
    const link = await nextLink(site, 'newer@example.org');
    expect((await post(service, 'email-change/confirm', { token: link.token })).status).toBe(204);
    const now = await service.send('GET /api/v1/auth/me', me);
    expect(now.json).toMatchObject({ email: 'newer@example.org', verified: true });
    expect(now.json.pending_email).toBeUndefined();
    const back = await nextLink(site, 'ann@example.org');
    expect(back.action).toBe('email-revert');
    // Whoever changed it may change the password and the address again.
    await service.send('PUT /api/v1/auth/me/password', {
      body: { current_password: password, new_password: other },
      ...me,
    });
    expect((await post(service, 'email-change/revert', { token: back.token })).status).toBe(204);
    expect((await signIn(service, 'newer@example.org', other)).status).toBe(401);
    expect((await signIn(service, 'ann@example.org', other)).status).toBe(401);
    const reset = await nextLink(site, 'ann@example.org');
    expect(reset.action).toBe('password-reset');
    await post(service, 'password-reset/confirm', { token: reset.token, new_password: 'mine again' });
    expect((await signIn(service, 'ann@example.org', 'mine again')).status).toBe(200);
    expect(await post(service, 'email-change/revert', { token: back.token })).toMatchObject(invalidLink);
    expect(server.received.every(({ to }) => to.length === 1)).toBe(true);
  });

  test('that was not confirmed gets no way back: it may be a stranger’s', async () => {
    await using site = await openSite();
    const { service, server } = site;
    const { access_token } = await register(service, 'mistyped@example.org');
    await service.send('PUT /api/v1/auth/me', {
      body: { email: 'ann@example.org', current_password: password },
      ...bearer(access_token),
    });
    const { token } = await nextLink(site, 'ann@example.org');
    expect((await post(service, 'email-change/confirm', { token })).status).toBe(204);
    await service.runJobs();
    expect(server.to('mistyped@example.org')).toEqual([]);
  });

  test('that somebody else has registered meanwhile is not taken from them', async () => {
    await using site = await openSite();
    const { service } = site;
    const { access_token } = await register(service, 'ann@example.org');
    const change = { body: { email: 'new@example.org', current_password: password }, ...bearer(access_token) };
    await service.send('PUT /api/v1/auth/me', change);
    const { token } = await nextLink(site, 'new@example.org');
    await register(service, 'new@example.org');
    expect(await post(service, 'email-change/confirm', { token })).toMatchObject(invalidLink);
  });
});

test('a mail that was asked for before a new password opens nothing after it', async () => {
  await using site = await openSite();
  const { service, server } = site;
  await service.account('ada', 'admin');
  // The stranger's change of address waits in the outbox until the account belongs to somebody else.
  const { access_token, user } = await register(service, 'ann@example.org');
  await service.send('PUT /api/v1/auth/me', {
    body: { email: 'evil@example.net', current_password: password },
    ...bearer(access_token),
  });
  const invited = await service.send('POST /api/v1/admin/users', {
    as: 'ada',
    body: { email: 'eve@example.org', invite: true },
  });
  for (const { id } of [user, invited.json]) {
    const set = await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { password: other } });
    expect(set.json.pending_email).toBeUndefined();
    expect(set.json.invited_at).toBeUndefined();
  }
  await service.runJobs();
  expect(server.received.map(({ to, parsed }) => `${to}: ${parsed.subject}`).toSorted()).toEqual([
    'ann@example.org: Your password for Example Site has changed',
    'eve@example.org: Your password for Example Site has changed',
  ]);
});

describe('an invitation', () => {
  const invite = (service: TestService, body: object) =>
    service.send('POST /api/v1/admin/users', { as: 'ada', body: { invite: true, ...body } });

  test('lets the person choose a password, once', async () => {
    await using site = await openSite();
    const { service, server } = site;
    await service.account('ada', 'admin');
    const made = await invite(service, { email: 'eve@example.org', role: 'editor' });
    expect(made).toMatchObject({
      status: 201,
      json: { role: 'editor', verified: false, invited_at: expect.stringMatching(/Z$/) },
    });
    const pending = await service.send('GET /api/v1/admin/users?filter=invited_at:isset', { as: 'ada' });
    expect(pending.json.items.map(({ email }: never) => email)).toEqual(['eve@example.org']);
    const first = await nextLink(site, 'eve@example.org');
    expect(first.action).toBe('invitation');
    const again = `POST /api/v1/admin/users/${made.json.id}/invitation`;
    expect(await service.send(again, { as: 'ada' })).toMatchObject({ status: 202, json: {} });
    const { token } = await nextLink(site, 'eve@example.org');
    const accept = (body: object) => post(service, 'invitation/confirm', body);
    expect(await accept({ token: first.token, password: other })).toMatchObject(invalidLink);
    expect(await accept({ token, password: 'short' })).toMatchObject({ status: 422 });
    expect(await accept({ token, password: other, username: 'eve', session: 'cookie' })).toMatchObject({
      status: 200,
      json: { user: { email: 'eve@example.org', username: 'eve', role: 'editor', verified: true } },
    });
    expect(await accept({ token, password: other })).toMatchObject(invalidLink);
    expect((await signIn(service, 'eve@example.org', other)).json.user.invited_at).toBeUndefined();
    // Otherwise an admin could open the account of anybody.
    expect(await service.send(again, { as: 'ada' })).toMatchObject({
      status: 409,
      json: { code: 'invitation_accepted' },
    });
    expect(server.received).toHaveLength(2);
  });

  test('is handed over where there is no mail, and proves no address', async () => {
    await using service = await TestService.open([]);
    await service.account('ada', 'admin');
    const made = await invite(service, { email: 'eve@example.org' });
    const { json, status } = await service.send(`POST /api/v1/admin/users/${made.json.id}/invitation`, { as: 'ada' });
    expect(status).toBe(200);
    const token = /^\/account\/invitation#(rat_[\w-]+)$/.exec(json.link)?.[1];
    expect(await post(service, 'invitation/confirm', { token, password: other })).toMatchObject({
      status: 200,
      json: { user: { verified: false } },
    });
  });

  test('is for admins, takes no password, and belongs to the tenant', async () => {
    await using site = await openSite();
    const { service } = site;
    await service.account('ada', 'admin');
    await service.account('eli', 'editor');
    await service.account('tina', 'admin', 'north');
    expect(await invite(service, { email: 'eve@example.org', password: other })).toMatchObject({ status: 422 });
    const withoutEither = await service.send('POST /api/v1/admin/users', {
      as: 'ada',
      body: { email: 'x@example.org' },
    });
    expect(withoutEither).toMatchObject({ status: 422, json: { errors: [{ field: 'password', code: 'required' }] } });
    const made = await invite(service, { email: 'eve@example.org' });
    const again = `POST /api/v1/admin/users/${made.json.id}/invitation`;
    expect((await service.send(again, { as: 'eli' })).status).toBe(403);
    expect((await service.send(again, { as: 'tina' })).status).toBe(404);
    expect((await service.send('POST /api/v1/admin/users/x/invitation', { as: 'ada' })).status).toBe(404);
  });
});

describe('a code', () => {
  test('signs in, with its challenge alone, once and for ten minutes', async () => {
    await using site = await openSite({ signInCodes: 'all' });
    const { service, server } = site;
    await register(service, 'ann@example.org');
    const ask = async () => {
      const { json } = await post(service, 'code', { email: 'ann@example.org' });
      await service.runJobs();
      return { challenge: json.challenge, code: lastCode(server, 'ann@example.org') };
    };
    const [first, second] = [await ask(), await ask()];
    expect(first.challenge).toMatch(/^rch_/);
    const invalidCode = { status: 401, json: { code: 'invalid_code' } };
    const confirm = (body: object) => post(service, 'code/confirm', body);
    expect(await confirm({ challenge: first.challenge, code: second.code })).toMatchObject(invalidCode);
    // Several are valid at once: mails overtake each other.
    expect((await confirm(first)).status).toBe(200);
    expect(await confirm(first)).toMatchObject(invalidCode);
    const third = await ask();
    await expireTokens(service);
    expect(await confirm(third)).toMatchObject(invalidCode);
    const fourth = await ask();
    for (let tries = 0; tries < 5; tries += 1)
      expect(await confirm({ ...fourth, code: '0000 000x' })).toMatchObject(invalidCode);
    expect(await confirm(fourth)).toMatchObject(invalidCode);
  });

  test('is not for whom it is not for', async () => {
    await using site = await openSite({ signInCodes: 'members' });
    const { service, server } = site;
    await service.account('ada', 'admin');
    for (const email of ['ada@example.com', 'nobody@example.org'])
      expect(await post(service, 'code', { email })).toMatchObject({ status: 202, json: { expires_in: 600 } });
    await service.runJobs();
    expect(server.received).toEqual([]);
    await using off = await openSite();
    for (const path of ['code', 'code/confirm'])
      expect(await post(off.service, path, {})).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
  });
});

test('clients learn what there is, and without mail there are no routes', async () => {
  await using site = await openSite({ signInCodes: 'members', verifyEmail: 'on' });
  const options = (service: TestService) => service.send('GET /api/v1/auth/options');
  expect((await options(site.service)).json).toEqual({
    registration: 'open',
    mail: true,
    password_sign_in: 'on',
    verify_email: 'on',
    sign_in_codes: 'members',
    passkeys: true,
    require_second_factor: 'off',
    site_name: 'Recto',
  });
  await using off = await TestService.open([]);
  expect((await options(off)).json).toMatchObject({ mail: false, verify_email: 'off', sign_in_codes: 'off' });
  for (const path of ['verification', 'password-reset', 'password-reset/confirm', 'email-change/confirm', 'code'])
    expect(await post(off, path, {})).toMatchObject({ status: 404, json: { code: 'route_not_found' } });
});

test('a link never leads to the host that a request names, and GET of it changes nothing', async () => {
  await using site = await openSite({ trustedProxies: 1 });
  const { service } = site;
  await register(service, 'ann@example.org');
  const forged = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', Origin: 'https://evil.example' };
  await post(service, 'password-reset', { email: 'ann@example.org' }, { headers: forged });
  const { action, token } = await nextLink(site, 'ann@example.org');
  expect(JSON.stringify(site.server.received.map(({ parsed }) => [parsed.text, parsed.html]))).not.toContain('evil');
  for (const path of [`/account/${action}`, `/account/${action}?token=${token}`])
    await service.send(`GET ${path}`, { headers: { Accept: 'text/html' } });
  expect((await post(service, 'password-reset/confirm', { token, new_password: other })).status).toBe(204);
});

test('no table and no line of the log has a link, a code or a challenge', async () => {
  await using site = await openSite({ verifyEmail: 'on', signInCodes: 'all' });
  const { service, server, log } = site;
  await service.account('ada', 'admin');
  const { access_token } = await register(service, 'ann@example.org');
  await post(service, 'password-reset', { email: 'ann@example.org' });
  const { challenge } = (await post(service, 'code', { email: 'ann@example.org' })).json;
  await service.send('POST /api/v1/admin/users', { as: 'ada', body: { email: 'eve@example.org', invite: true } });
  await service.send('PUT /api/v1/auth/me', {
    body: { email: 'new@example.org', current_password: password },
    ...bearer(access_token),
  });
  // Servers may repeat what they reject.
  const spam = 'spam: https://cms.example.com/account/password-reset#rat_';
  server.faults.push({ at: 'data', code: 451, text: spam }, { at: 'data', code: 554, text: spam });
  await service.runJobs();
  const texts = server.seen.map(({ text }) => text ?? '');
  const secrets = [...texts.flatMap((text) => text.match(/rat_[\w-]+|\b\d{4} \d{4}\b/g) ?? []), challenge];
  expect(secrets.length).toBeGreaterThan(5);
  const kept: string[] = [...log];
  for (const table of ['recto_jobs', 'recto_account_tokens', 'recto_events', 'recto_accounts', 'recto_sessions']) {
    const rows = await service.database.rows(query(`SELECT * FROM ${table}`));
    kept.push(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  }
  const jobs = await service.send('GET /api/v1/admin/jobs?page_size=100', { as: 'ada' });
  kept.push(jobs.text);
  const found = secrets.flatMap((secret) => [secret, secret.replace(' ', '')]);
  expect(found.filter((secret) => kept.some((text) => text.includes(secret)))).toEqual([]);
  expect(kept.some((text) => text.includes('spam:'))).toBe(false);
});

describe('the page of a link', () => {
  test('is static, may do nothing but its own, and gives way to a page of the site', async () => {
    await using service = await TestService.open([]);
    const html = { headers: { Accept: 'text/html' } };
    for (const action of ['verification', 'password-reset', 'email-change', 'email-revert', 'invitation']) {
      const page = await service.send(`GET /account/${action}`, html);
      expect(page.status).toBe(200);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
      expect(page.text).not.toMatch(/<script>|<style|\son\w+=/);
    }
    for (const file of ['account.js', 'account.css'])
      expect((await service.send(`GET /account/${file}`)).status).toBe(200);
    expect((await service.send('GET /account/none.js')).status).toBe(404);
    await using own = await TestService.open([], {
      settings: { accountUrl: 'https://example.com/a#{action}/{token}' },
    });
    expect((await own.send('GET /account/verification', html)).status).toBe(404);
    await own.account('ada', 'admin');
    const body = { email: 'eve@example.org', invite: true };
    const { json } = await own.send('POST /api/v1/admin/users', { as: 'ada', body });
    const link = await own.send(`POST /api/v1/admin/users/${json.id}/invitation`, { as: 'ada' });
    expect(link.json.link).toMatch(/^https:\/\/example\.com\/a#invitation\/rat_/);
  });
});
