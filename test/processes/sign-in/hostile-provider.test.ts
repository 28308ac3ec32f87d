// databases: sqlite, postgres:rest
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { query } from '../../support/database/database.ts';
import { openSite } from '../../support/providers/provider-site.ts';
import { begin, comeBack, exchange, page, visit } from '../../support/providers/provider-visit.ts';
import { clientSecret, type Misbehaviour, newKey, signed } from '../../support/providers/test-provider.ts';

const site = await openSite();
const { provider, service, log } = site;
afterAll(() => site[Symbol.asyncDispose]());

let count = 0;
beforeEach(() => {
  count += 1;
  provider.wrong = {};
  provider.claimsIn = 'id_token';
  provider.person = { sub: `subject-${count}`, email: `person-${count}@example.com`, email_verified: true };
});

const accounts = async (): Promise<number> => {
  const row = await service.database.first<{ total: number | bigint }>(
    query('select count(*) as total from recto_accounts'),
  );
  return Number(row?.total);
};

/** A sign-in whose answer is not accepted: nobody gets in, nothing is stored, and the page learns no more than that. */
async function expectRefused(wrong: Misbehaviour, error = 'provider_error'): Promise<void> {
  const before = await accounts();
  provider.wrong = wrong;
  const ended = await visit(service, provider);
  expect(ended).toMatchObject({ page, error, code: undefined });
  expect(await accounts()).toBe(before);
}

const encoder = new TextEncoder();
const hmac = (key: string) => (claims: Readonly<Record<string, unknown>>) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(encoder.encode(key.padEnd(32, '\0')));

test('the provider is fine when it behaves', async () => {
  expect(await visit(service, provider)).toMatchObject({ page, tokens: { status: 200 } });
});

describe('an ID token is refused', () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, Misbehaviour]>([
    ['without a signature', { idToken: async (claims) => new UnsecuredJWT(claims).encode() }],
    ['signed with the client id', { idToken: hmac('recto') }],
    ['signed with the client secret', { idToken: hmac(clientSecret) }],
    ['signed with the public key as text', { idToken: (claims, { jwk }) => hmac(JSON.stringify(jwk))(claims) }],
    [
      'signed with a key of the same name',
      { idToken: async (claims, { kid }) => signed(claims, { ...(await newKey()), kid }) },
    ],
    ['signed with a key that nobody knows', { idToken: async (claims) => signed(claims, await newKey()) }],
    [
      'that brings its own key',
      {
        idToken: async (claims) => {
          const { jwk, secret } = await newKey();
          return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk }).sign(secret);
        },
      },
    ],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['of an issuer with a slash more', { claims: { iss: `${provider.issuer}/` } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['for several clients without azp', { claims: { aud: ['recto', 'another'] } }],
    ['for several clients with the azp of another', { claims: { aud: ['recto', 'another'], azp: 'another' } }],
    ['with the azp of another', { claims: { azp: 'another' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: past - 300, exp: past } }],
    ['that does not expire', { claims: { exp: undefined } }],
    ['that is not valid yet', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a number for a subject', { claims: { sub: 7 } }],
    ['with a subject of 300 characters', { claims: { sub: 's'.repeat(300) } }],
    ['that is none', { tokens: { id_token: 'none' } }],
    ['that is missing', { tokens: { id_token: undefined } }],
  ])('%s', (_, wrong) => expectRefused(wrong));
});

describe('an answer is refused', () => {
  const bomb = () =>
    new Response(new Uint8Array(10_000_000).fill(32), { headers: { 'Content-Type': 'application/json' } });
  const away = () => new Response(null, { status: 302, headers: { Location: `${provider.issuer}/userinfo?again` } });
  const html = () => new Response('<h1>Sorry</h1>', { headers: { 'Content-Type': 'text/html' } });
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(100_000).fill(32)),
      }),
      { headers: { 'Content-Type': 'application/json' } },
    );
  const at = (path: string, answer: () => Response): Misbehaviour => ({ answers: { [path]: answer } });

  test.each<[string, Misbehaviour]>([
    ['10 MB of a user', at('/userinfo', bomb)],
    ['a user without end', at('/userinfo', endless)],
    ['a chain of redirects', at('/userinfo', away)],
    ['a page in place of a user', at('/userinfo', html)],
    ['the user of another subject', at('/userinfo', () => Response.json({ sub: 'another', email: 'ada@example.com' }))],
    ['10 MB of tokens', at('/token', bomb)],
    ['tokens elsewhere', at('/token', away)],
    ['a page in place of tokens', at('/token', html)],
    ['a list in place of tokens', at('/token', () => Response.json([]))],
    [
      'an error in place of tokens',
      at('/token', () => Response.json({ error: 'evil', error_description: 'x' }, { status: 400 })),
    ],
    ['a success that is none', at('/token', () => Response.json({ error: 'bad_verification_code' }))],
  ])('%s', async (_, wrong) => {
    provider.claimsIn = 'userinfo';
    await expectRefused(wrong);
  });

  test.each<[string, Misbehaviour]>([
    ['10 MB of keys', at('/jwks', bomb)],
    ['keys elsewhere', at('/jwks', away)],
    ['no keys', at('/jwks', () => Response.json({ keys: [] }))],
  ])('%s', async (_, wrong) => {
    await using own = await openSite();
    own.provider.person = provider.person;
    own.provider.wrong = wrong;
    expect(await visit(own.service, own.provider)).toMatchObject({ error: 'provider_error' });
  });
});

describe('metadata are refused', () => {
  test.each<[string, Misbehaviour]>([
    ['of another issuer', { metadata: { issuer: 'https://evil.example' } }],
    ['without an endpoint', { metadata: { authorization_endpoint: undefined } }],
    ['with a script for an endpoint', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
    ['that are none', { answers: { '/.well-known/openid-configuration': () => Response.json([]) } }],
    [
      'that are elsewhere',
      {
        answers: {
          '/.well-known/openid-configuration': () =>
            new Response(null, { status: 302, headers: { Location: 'http://127.0.0.1:1/' } }),
        },
      },
    ],
  ])('%s', async (_, wrong) => {
    await using own = await openSite();
    own.provider.wrong = wrong;
    const query = new URLSearchParams({ challenge: 'c'.repeat(43), return_to: page });
    const reply = await own.service.send(`GET /api/v1/auth/providers/main/start?${query}`);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, `${page}#error=provider_error`]);
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  test.each(['token_endpoint', 'userinfo_endpoint', 'jwks_uri'])(
    'that lead to an internal address: %s',
    async (endpoint) => {
      let reached = 0;
      await using internal = Bun.serve({
        ...{ port: 0, hostname: '127.0.0.1' },
        fetch: () => {
          reached += 1;
          return Response.json({});
        },
      });
      await using own = await openSite({ webhooksAllow: [] });
      own.provider.person = { sub: 'subject' };
      own.provider.wrong = { metadata: { [endpoint]: `http://127.0.0.1:${internal.port}/` } };
      expect(await visit(own.service, own.provider)).toMatchObject({ error: 'provider_unavailable', code: undefined });
      expect(reached).toBe(0);
    },
  );

  test('that lead to an endpoint in the clear', async () => {
    await using own = await openSite();
    own.provider.wrong = { metadata: { token_endpoint: 'http://id.example.com/token' } };
    expect(await visit(own.service, own.provider)).toMatchObject({ code: undefined });
  });
});

describe('a way back is refused', () => {
  test('of another issuer, as in a mix-up', () => expectRefused({ back: { iss: 'https://evil.example' } }));
  test('without the issuer that the provider promises', () => expectRefused({ back: { iss: null } }));
  test('without a code', () => expectRefused({ back: { code: null } }));
  test('with an error, whatever it says', () =>
    expectRefused({ back: { code: null, error: 'server_error', error_description: '<script>' } }));
  test('by the person, who then gets to know', () =>
    expectRefused({ back: { code: null, error: 'access_denied' } }, 'access_denied'));

  const invalid = { reply: { status: 400, json: { code: 'invalid_flow' } } };

  test('in a browser that has not begun it', async () => {
    const { location } = await begin(service);
    const back = await provider.visit(location);
    expect(await comeBack(service, back, '')).toMatchObject(invalid);
    const other = await begin(service);
    expect(await comeBack(service, back, other.cookie)).toMatchObject(invalid);
  });

  test('with another state, which leaves the true one in place', async () => {
    const { location, cookie, verifier } = await begin(service);
    const back = await provider.visit(location);
    const forged = new URL(back);
    forged.searchParams.set('state', 'x'.repeat(43));
    const ended = await comeBack(service, forged, cookie);
    expect(ended).toMatchObject(invalid);
    expect(ended.reply.headers.get('set-cookie')).toBeNull();
    const { code } = await comeBack(service, back, cookie);
    expect((await exchange(service, code, verifier)).status).toBe(200);
  });

  test('with two states', async () => {
    const { location, cookie } = await begin(service);
    const back = await provider.visit(location);
    back.searchParams.append('state', 'another');
    expect(await comeBack(service, back, cookie)).toMatchObject(invalid);
  });

  test('with a changed cookie', async () => {
    const { location, cookie } = await begin(service);
    const back = await provider.visit(location);
    const last = cookie.at(-1) === 'A' ? 'B' : 'A';
    for (const forged of [`${cookie.slice(0, -4)}${last.repeat(4)}`, cookie.slice(0, 40), '__Host-recto-flow=e30'])
      expect(await comeBack(service, back, forged)).toMatchObject(invalid);
  });

  test('twice, even where the provider takes its codes again', async () => {
    provider.wrong = { reusesCodes: true };
    const { location, cookie, verifier } = await begin(service);
    const back = await provider.visit(location);
    const first = await comeBack(service, back, cookie);
    // The browser has dropped the cookie.
    expect(first.reply.headers.get('set-cookie')).toMatch(/^__Host-recto-flow=; Max-Age=0;/);
    expect(await comeBack(service, back, '')).toMatchObject(invalid);
    expect((await exchange(service, first.code, verifier)).status).toBe(200);
  });

  test('twice, where the provider does not', async () => {
    const { location, cookie } = await begin(service);
    const back = await provider.visit(location);
    expect((await comeBack(service, back, cookie)).code).toBeDefined();
    expect(await comeBack(service, back, cookie)).toMatchObject({ error: 'provider_error' });
  });
});

test('a provider that does not answer ends a sign-in, and comes back', async () => {
  await using own = await openSite();
  own.provider.person = provider.person;
  own.provider.wrong = { answers: { '/.well-known/openid-configuration': () => new Response('', { status: 503 }) } };
  const query = new URLSearchParams({ challenge: 'c'.repeat(43), return_to: page });
  const reply = await own.service.send(`GET /api/v1/auth/providers/main/start?${query}`);
  expect(reply.status).toBe(303);
  own.provider.wrong = {};
  expect(await visit(own.service, own.provider)).toMatchObject({ tokens: { status: 200 } });
});

test('a provider that never answers is not waited for', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  provider.wrong = {
    answers: {
      '/token': async () => {
        await promise;
        return new Response('');
      },
    },
  };
  expect(await visit(service, provider)).toMatchObject({ error: 'provider_unavailable', code: undefined });
  resolve();
});

test('nothing that a provider or a page keeps secret is in the log', () => {
  const text = log.join('\n');
  expect(text).toContain('a sign-in by a provider failed');
  for (const secret of [clientSecret, 'rac_', 'code=', 'state=', 'eyJ', '@example.com'])
    expect(text).not.toContain(secret);
});
