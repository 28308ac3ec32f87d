// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { openSite, type Site, siteUrl } from '../../support/providers/provider-site.ts';
import {
  begin,
  comeBack,
  cookieOf,
  exchange,
  page,
  pageSecret,
  type Visit,
  visit,
} from '../../support/providers/provider-visit.ts';
import type { TestService } from '../../support/service.ts';

const ada = { sub: 'ada', email: 'ada@example.com', email_verified: true };

const start = (service: TestService, parameters: Readonly<Record<string, string>>) =>
  service.send(`GET /api/v1/auth/providers/main/start?${new URLSearchParams(parameters)}`);

async function adasSite(): Promise<Site> {
  const site = await openSite();
  site.provider.person = ada;
  return site;
}

describe('the way to a provider', () => {
  test('has a state, a nonce and PKCE, which only the cookie of this browser knows', async () => {
    await using site = await adasSite();
    const { challenge } = pageSecret();
    const reply = await start(site.service, { challenge, return_to: page });
    expect(reply.status).toBe(302);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
    const url = new URL(reply.headers.get('location') ?? '');
    expect(url.origin).toBe(site.provider.issuer);
    const sent = Object.fromEntries(url.searchParams);
    expect(sent).toMatchObject({
      ...{ response_type: 'code', client_id: 'recto', scope: 'openid email profile', code_challenge_method: 'S256' },
      redirect_uri: `${siteUrl}/api/v1/auth/providers/main/callback`,
    });
    expect(sent.code_challenge).not.toBe(challenge);
    const cookie = reply.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-recto-flow=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    for (const secret of [sent.state, sent.nonce, challenge]) {
      expect(secret).toHaveLength(43);
      expect(Buffer.from(cookieOf(reply).split('=')[1] ?? '', 'base64url').toString('latin1')).not.toContain(secret);
    }
  });

  test('begins at what the list of providers names', async () => {
    await using site = await adasSite();
    expect((await site.service.send('GET /api/v1/auth/providers')).json).toEqual({
      items: [{ name: 'main', label: 'Main', kind: 'oidc' }],
    });
    for (const name of ['other', '__proto__', 'constructor', '%2e%2e'])
      expect(
        (await site.service.send(`GET /api/v1/auth/providers/${name}/start?challenge=${'c'.repeat(43)}`)).status,
      ).toBe(404);
  });

  test.each([
    ['too short', 'c'.repeat(42)],
    ['too long', 'c'.repeat(44)],
    ['not base64url', `${'c'.repeat(42)}+`],
  ])('is refused with a challenge that is %s', async (_, challenge) => {
    await using site = await adasSite();
    expect(await start(site.service, { challenge, return_to: page })).toMatchObject({ status: 400 });
  });

  test('without Secure, for HTTP on this machine', async () => {
    await using site = await openSite({ settings: { url: 'http://localhost:9898' } });
    site.provider.person = ada;
    const reply = await start(site.service, { challenge: 'c'.repeat(43), return_to: page });
    expect(reply.headers.get('set-cookie')).toMatch(
      /^recto-flow=[\w-]+; Max-Age=600; Path=\/api\/v1\/auth\/providers; HttpOnly; SameSite=Lax$/,
    );
    expect((await visit(site.service, site.provider)).tokens?.status).toBe(200);
  });

  test('is limited for each network', async () => {
    await using site = await openSite({ rateLimit: true });
    const statuses = await Promise.all(
      Array.from(
        { length: 61 },
        async () => (await start(site.service, { challenge: 'c'.repeat(43), return_to: page })).status,
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('a page to lead back to', () => {
  const allowed = [
    'https://site.example.com/account',
    'https://site.example.com/account/',
    `${page}/a?b=c`,
    `${siteUrl}/admin/x`,
  ];
  test.each(allowed)('is %s', async (returnTo) => {
    await using site = await adasSite();
    expect(await visit(site.service, site.provider, { returnTo })).toMatchObject({
      page: returnTo,
      tokens: { status: 200 },
    });
  });

  const refused = [
    'https://evil.example/account',
    'https://site.example.com.evil.example/account',
    'https://site.example.com@evil.example/account',
    'https://site.example.com:444/account',
    'http://site.example.com/account',
    'https://site.example.com/accounts',
    'https://site.example.com/account/../evil',
    'https://site.example.com/account/%2e%2e/evil',
    'https://site.example.com/account/%2e%2e%2fevil',
    'https://site.example.com/account/..%5cevil',
    'https://site.example.com/account//evil.example',
    'https://site.example.com/account#error=none',
    'https://user:secret@site.example.com/account',
    'https:site.example.com/account',
    '//site.example.com/account',
    '\\\\site.example.com\\account',
    '/account',
    'javascript:alert(1)',
    'data:text/html,x',
    `${page}\r\nSet-Cookie: a=b`,
    `${page}\u0000`,
    `${siteUrl}/api/v1/auth/me`,
    `${siteUrl}/administrator`,
  ];
  test.each(refused)('is not %j', async (returnTo) => {
    await using site = await adasSite();
    for (const purpose of ['sign_in', 'admin', 'link']) {
      const reply = await start(site.service, { challenge: 'c'.repeat(43), return_to: returnTo, purpose });
      expect([reply.status, reply.headers.get('location'), reply.headers.get('set-cookie')]).toEqual([400, null, null]);
      expect(['return_to_not_allowed', 'malformed_encoding']).toContain(reply.json.code);
    }
    expect(site.provider.requests).toEqual([]);
  });

  test('is looked at again on the way back, with an error too', async () => {
    await using site = await adasSite();
    const { auth } = site.service;
    // The deployment has named other pages meanwhile.
    await using other = await openSite({ settings: { authReturnTo: [] } });
    const { location, cookie } = await begin(site.service);
    const back = await site.provider.visit(location);
    for (const more of ['', '&error=access_denied']) {
      const reply = await other.service.send(`GET ${back.pathname}${back.search}${more}`, {
        headers: { Cookie: cookie },
      });
      expect([reply.status, reply.json.code, reply.headers.get('location')]).toEqual([
        400,
        'return_to_not_allowed',
        null,
      ]);
    }
    expect(auth).toBeDefined();
  });

  test('of a site is none for the admin', async () => {
    await using site = await adasSite();
    const reply = await start(site.service, { challenge: 'c'.repeat(43), return_to: page, purpose: 'admin' });
    expect(reply.json.code).toBe('return_to_not_allowed');
    const own = await start(site.service, { challenge: 'c'.repeat(43), purpose: 'admin' });
    expect(own.status).toBe(302);
    expect((await start(site.service, { challenge: 'c'.repeat(43) })).json.code).toBe('missing_parameter');
  });
});

describe('a code', () => {
  const code = async (site: Site, how: Visit = {}) => {
    const begun = await begin(site.service, how);
    return { ...begun, ...(await comeBack(site.service, await site.provider.visit(begun.location), begun.cookie)) };
  };
  const invalid = { status: 401, json: { code: 'invalid_code' } };

  test('works once, and also one of two at the same moment', async () => {
    await using site = await adasSite();
    const one = await code(site);
    const both = await Promise.all([1, 2].map(() => exchange(site.service, one.code, one.verifier)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    expect(await exchange(site.service, one.code, one.verifier)).toMatchObject(invalid);
  });

  test('works with its own verifier alone, and is gone after a wrong one', async () => {
    await using site = await adasSite();
    const one = await code(site);
    expect(await exchange(site.service, one.code, pageSecret().verifier)).toMatchObject(invalid);
    expect(await exchange(site.service, one.code, one.verifier)).toMatchObject(invalid);
    expect(await exchange(site.service, 'rac_none', one.verifier)).toMatchObject(invalid);
  });

  test('works for a minute', async () => {
    await using site = await adasSite();
    const { tokens } = await visit(site.service, site.provider);
    expect(tokens?.status).toBe(200);
    const { database, providerCodes } = site.service.auth;
    const { verifier, challenge } = pageSecret();
    const named = { provider: 'main', issuer: site.provider.issuer, subject: 'ada', email: null } as const;
    const issued = (ago: number) =>
      database.transaction((transaction) =>
        providerCodes.issue(transaction, { ...named, purpose: 'sign_in', challenge, mfa: false }, Date.now() - ago),
      );
    expect(await exchange(site.service, await issued(60_000), verifier)).toMatchObject(invalid);
    expect((await exchange(site.service, await issued(0), verifier)).status).toBe(200);
  });

  test('comes back within ten minutes', async () => {
    let now = Date.now();
    await using site = await openSite({ now: () => now });
    site.provider.person = ada;
    const { location, cookie } = await begin(site.service);
    const back = await site.provider.visit(location);
    now += 600_000;
    expect((await comeBack(site.service, back, cookie)).reply.json?.code).toBe('invalid_flow');
    now -= 1;
    expect((await comeBack(site.service, back, cookie)).code).toBeDefined();
  });

  test('is nowhere in the database, and no token is in an address', async () => {
    await using site = await adasSite();
    const one = await code(site);
    expect(one.code).toMatch(/^rac_[\w-]{43}$/);
    const rows = await site.service.database.rows({ sql: 'select * from recto_provider_codes', parameters: [] });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(one.code ?? '');
    expect(one.reply.headers.get('location')).toBe(`${page}#code=${one.code}`);
  });

  test('keeps the refresh token in a cookie where that is asked for', async () => {
    await using site = await adasSite();
    const one = await code(site, { purpose: 'admin', returnTo: `${siteUrl}/admin` });
    // Without a role, nobody gets an account there.
    expect(one.error).toBe('registration_closed');
    await visit(site.service, site.provider);
    const two = await code(site, { purpose: 'admin', returnTo: `${siteUrl}/admin` });
    const tokens = await exchange(site.service, two.code, two.verifier, 'cookie');
    expect(tokens.json.refresh_token).toBeUndefined();
    expect(tokens.headers.get('set-cookie')).toMatch(/^recto_refresh=rrt_/);
  });
});

describe('what is read from a provider is kept', () => {
  test('for the next sign-ins', async () => {
    await using site = await adasSite();
    await Promise.all([1, 2, 3].map(() => visit(site.service, site.provider)));
    await visit(site.service, site.provider);
    expect(site.provider.count('/.well-known/openid-configuration')).toBe(1);
    await visit(site.service, site.provider);
    expect(site.provider.count('/jwks')).toBeLessThanOrEqual(3);
  });

  test('until a token has another key, which is found at the second look', async () => {
    await using site = await adasSite();
    await visit(site.service, site.provider);
    expect(site.provider.count('/jwks')).toBe(1);
    await site.provider.rotateKeys();
    expect((await visit(site.service, site.provider)).tokens?.status).toBe(200);
    expect(site.provider.count('/jwks')).toBe(2);
    await visit(site.service, site.provider);
    expect(site.provider.count('/jwks')).toBe(2);
  });

  test('for an hour, and longer while the provider is away', async () => {
    let now = Date.now();
    await using site = await openSite({ now: () => now });
    site.provider.person = ada;
    await visit(site.service, site.provider);
    now += 3_600_000;
    site.provider.wrong = {
      answers: { '/.well-known/openid-configuration': () => new Response('', { status: 503 }) },
    };
    expect((await visit(site.service, site.provider)).tokens?.status).toBe(200);
    expect(site.provider.count('/.well-known/openid-configuration')).toBe(2);
  });
});

describe('own identities', () => {
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  /** From a page where somebody is signed in, to the provider and back. */
  async function goLink({ service, provider }: Site, as: string) {
    const { verifier, challenge } = pageSecret();
    const begun = await service.send('POST /api/v1/auth/me/identities/main', {
      as,
      body: { challenge, return_to: page },
    });
    expect(begun.status, begun.text).toBe(200);
    const url = new URL(begun.json.url);
    expect(url.origin).toBe(siteUrl);
    const started = await service.send(`GET ${url.pathname}${url.search}`);
    const back = await provider.visit(started.headers.get('location') ?? '');
    const ended = await comeBack(service, back, cookieOf(started));
    return { ...ended, verifier };
  }
  const link = (service: TestService, as: string, { code, verifier }: Awaited<ReturnType<typeof goLink>>) =>
    service.send('POST /api/v1/auth/me/identities', { as, body: { code: code ?? '', verifier } });

  test('are linked by who is signed in, also by an editor, and open the account then', async () => {
    await using site = await adasSite();
    const { service, provider } = site;
    const id = await service.account('eve', 'editor');
    const linked = await link(service, 'eve', await goLink(site, 'eve'));
    expect(linked).toMatchObject({
      ...{ status: 201 },
      json: { provider: 'main', label: 'Main', email: 'ada@example.com', last_used_at: null },
    });
    expect((await visit(service, provider)).tokens?.json.user).toMatchObject({ id, role: 'editor' });
    const { items } = (await service.send('GET /api/v1/auth/me/identities', { as: 'eve' })).json;
    expect(items).toMatchObject([{ id: linked.json.id, last_used_at: expect.any(String) }]);
    expect((await service.send(`DELETE /api/v1/auth/me/identities/${linked.json.id}`, { as: 'eve' })).status).toBe(204);
    expect(await visit(service, provider)).toMatchObject({ tokens: { json: { user: { email: 'ada@example.com' } } } });
  });

  test('are not linked by a code that somebody else was sent away with', async () => {
    await using site = await adasSite();
    const { service } = site;
    await service.account('eve');
    await service.account('mallory');
    const sent = await goLink(site, 'mallory');
    // The victim's page knows no verifier of it, and the code is not one to sign in with.
    const own = { ...sent, verifier: pageSecret().verifier };
    expect(await link(service, 'eve', own)).toMatchObject({ status: 401, json: { code: 'invalid_code' } });
    const other = await goLink(site, 'mallory');
    expect((await exchange(service, other.code, other.verifier)).status).toBe(401);
    const begun = await begin(service);
    const ended = await comeBack(service, await site.provider.visit(begun.location), begun.cookie);
    expect((await link(service, 'eve', { ...ended, verifier: begun.verifier })).status).toBe(401);
  });

  test('belong to one account', async () => {
    await using site = await adasSite();
    const { service } = site;
    await service.account('eve');
    await service.account('bob');
    const first = await link(service, 'eve', await goLink(site, 'eve'));
    expect((await link(service, 'eve', await goLink(site, 'eve'))).json.id).toBe(first.json.id);
    expect(await link(service, 'bob', await goLink(site, 'bob'))).toMatchObject({
      ...{ status: 409, json: { code: 'identity_in_use' } },
    });
    const path = `/api/v1/auth/me/identities/${first.json.id}`;
    expect((await service.send(`DELETE ${path}`, { as: 'bob' })).status).toBe(404);
  });

  test('stay while nothing else opens the account', async () => {
    await using site = await adasSite();
    const { service, provider } = site;
    const { tokens } = await visit(service, provider);
    const headers = bearer(tokens?.json.access_token);
    const { items } = (await service.send('GET /api/v1/auth/me/identities', { headers })).json;
    const path = `DELETE /api/v1/auth/me/identities/${items[0].id}`;
    expect(await service.send(path, { headers })).toMatchObject({ status: 409, json: { code: 'last_sign_in_method' } });
    provider.person = { ...ada, sub: 'another' };
    await visit(service, provider);
    // Of two that go at the same moment, one stays.
    const all = (await service.send('GET /api/v1/auth/me/identities', { headers })).json.items;
    expect(all).toHaveLength(2);
    const gone = await Promise.all(
      all.map(({ id }: { id: string }) => service.send(`DELETE /api/v1/auth/me/identities/${id}`, { headers })),
    );
    expect(gone.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  test('of one subject are linked by one of two at the same moment', async () => {
    await using site = await adasSite();
    const { service } = site;
    const names = ['eve', 'bob'];
    for (const name of names) await service.account(name);
    const ways = await Promise.all(names.map((name) => goLink(site, name)));
    const linked = await Promise.all(
      ways.map((way, index) => link(service, names[index] ?? '', way).then(({ status }) => status)),
    );
    expect(linked.toSorted()).toEqual([201, 409]);
  });

  test('of a provider that is another one now do not count as ways in', async () => {
    await using site = await adasSite();
    const { service, provider } = site;
    const { tokens } = await visit(service, provider);
    const headers = bearer(tokens?.json.access_token);
    const { database, identities } = service.auth;
    await database.transaction((transaction) =>
      identities.insert(
        transaction,
        { account: tokens?.json.user.id, provider: 'main', issuer: 'https://old.example', subject: 'ada', email: null },
        Date.now(),
      ),
    );
    const { items } = (await service.send('GET /api/v1/auth/me/identities', { headers })).json;
    const path = `DELETE /api/v1/auth/me/identities/${items[0].id}`;
    expect((await service.send(path, { headers })).json.code).toBe('last_sign_in_method');
  });

  test('take a recent sign-in, of an account that has nothing else to prove itself with', async () => {
    await using site = await adasSite();
    const { service, provider } = site;
    const { tokens } = await visit(service, provider);
    await service.database.transaction(async (transaction) =>
      transaction.run({ sql: 'update recto_sessions set stepped_up_at = null', parameters: [] }),
    );
    const body = { challenge: 'c'.repeat(43), return_to: page };
    const asked = (token: string) =>
      service.send('POST /api/v1/auth/me/identities/main', { headers: bearer(token), body });
    expect(await asked(tokens?.json.access_token)).toMatchObject({
      ...{ status: 403, json: { code: 'step_up_required', methods: [] } },
    });
    const again = await visit(service, provider);
    expect((await asked(again.tokens?.json.access_token)).status).toBe(200);
  });

  test('are for accounts', async () => {
    await using site = await adasSite();
    const { service } = site;
    await service.account('root', 'admin');
    const body = { name: 'robot', role: 'admin' };
    const { token } = (await service.send('POST /api/v1/admin/api-tokens', { as: 'root', body })).json;
    const calls: readonly [string, unknown?][] = [
      ['GET /api/v1/auth/me/identities'],
      ['POST /api/v1/auth/me/identities', { code: 'rac_x', verifier: 'v'.repeat(43) }],
      ['POST /api/v1/auth/me/identities/main', { challenge: 'c'.repeat(43), return_to: page }],
      ['DELETE /api/v1/auth/me/identities/01a1fc5b-7668-757b-87d3-a45a8aa09007'],
    ];
    for (const [line, sent] of calls) {
      const own = sent === undefined ? {} : { body: sent };
      expect((await service.send(line, own)).status).toBe(401);
      expect(await service.send(line, { ...own, headers: bearer(token) })).toMatchObject({
        ...{ status: 403, json: { code: 'not_an_account' } },
      });
    }
  });
});

describe('a second factor', () => {
  const withFactor = async (service: TestService, id: string) =>
    service.database.transaction((transaction) =>
      service.auth.passkeys.add(
        transaction,
        {
          ...{ account: id, credentialId: 'Y3JlZA', publicKey: 'a2V5', counter: 0, transports: ['internal'] },
          ...{ backedUp: false, aaguid: null, name: 'Phone' },
        },
        Date.now(),
      ),
    );

  const cases: readonly [string, boolean, object, boolean][] = [
    ['is asked for', false, {}, true],
    ['is asked for, whatever a provider says that is not trusted with it', false, { amr: ['pwd', 'mfa'] }, true],
    ['is asked for where the provider does not say that it was', true, { amr: ['pwd'], acr: '1' }, true],
    ['is asked for where the claim has another form', true, { amr: 'mfa', acr: ['mfa'] }, true],
    ['was asked for by a trusted provider (amr)', true, { amr: ['pwd', 'mfa'] }, false],
    ['was asked for by a trusted provider (acr)', true, { acr: 'phr' }, false],
  ];
  test.each(cases)('%s', async (_, trustsMfa, claims, asked) => {
    await using site = await openSite({ configured: { trustsMfa } });
    const { service, provider } = site;
    provider.person = ada;
    const first = await visit(service, provider);
    await withFactor(service, first.tokens?.json.user.id);
    provider.wrong = { claims: { ...claims } };
    const { tokens } = await visit(service, provider);
    expect([tokens?.status, tokens?.json.code]).toEqual(asked ? [403, 'second_factor_required'] : [200, undefined]);
    if (!asked) return;
    // The challenge opens nothing.
    const headers = { Authorization: `Bearer ${tokens?.json.challenge}` };
    expect((await service.send('GET /api/v1/auth/me', { headers })).status).toBe(401);
  });

  test('that only the endpoint for users speaks of was not asked for', async () => {
    await using site = await openSite({ configured: { trustsMfa: true } });
    const { service, provider } = site;
    provider.person = { ...ada, amr: ['mfa'] };
    provider.claimsIn = 'userinfo';
    const first = await visit(service, provider);
    await withFactor(service, first.tokens?.json.user.id);
    expect((await visit(service, provider)).tokens?.json.code).toBe('second_factor_required');
  });
});
