// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { SoftwarePasskey, type Wrongly } from '../../../../../../test/support/passkeys/software-authenticator.ts';
import { changeAccount, removeAccount } from '../../../auth/accounts.ts';
import type { RateCounters } from '../../../auth/rate-counters.ts';
import { openAuthApi } from '../auth-api.fixture.ts';
import { FactorsApi, origin, outcome, relatedOrigin } from './factors.fixture.ts';

// What somebody tries who has a page, an authenticator or what one has signed, and not the passkey.

async function withPasskey(counter = 0, options: Parameters<typeof FactorsApi.open>[0] = {}) {
  const site = await FactorsApi.open(options);
  const mia = await site.person();
  const { passkey, answer } = await site.passkey(mia, new SoftwarePasskey(origin, counter));
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { site, mia, passkey, answer };
}

describe('a passkey', () => {
  test('is added, named, and signs in alone', async () => {
    const { site, mia, passkey, answer } = await withPasskey();
    await using _ = site;
    expect(answer.body.passkey).toMatchObject({ name: 'Laptop', transports: ['internal'], backed_up: false });
    expect(answer.body.recovery_codes).toHaveLength(10);
    expect(answer.headers.get('location')).toBe(`/api/v1/auth/me/passkeys/${answer.body.passkey.id}`);
    const signedIn = await site.passkeyLogin(passkey);
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.user.id).toBe(mia.id);
    const token = signedIn.body.access_token;
    expect((await site.call('GET me/sessions', { token })).body.items[0].methods).toEqual(['passkey']);
    const renamed = await site.call(`PUT me/passkeys/${answer.body.passkey.id}`, { token, body: { name: 'Phone' } });
    expect(renamed.body.name).toBe('Phone');
    const { items } = (await site.call('GET me/passkeys', { token })).body;
    expect(items).toMatchObject([{ name: 'Phone', last_used_at: expect.any(String) }]);
    expect(JSON.stringify(items)).not.toContain(passkey.id);
  });

  test('is a second factor as well, also where its user is not verified', async () => {
    const { site, mia, passkey } = await withPasskey();
    await using _ = site;
    const { challenge, methods, options } = (await site.login(mia)).body;
    expect(methods).toEqual(['passkey', 'recovery_code']);
    expect(options).toMatchObject({ rpId: 'cms.example.com', allowCredentials: [{ id: passkey.id }] });
    const response = passkey.used(options, { userVerified: false });
    expect((await site.give(challenge, 'passkey', { response })).status).toBe(200);
  });

  test('further ones bring no recovery codes and leave other sessions', async () => {
    const { site, mia, passkey } = await withPasskey();
    await using _ = site;
    const other = (await site.passkeyLogin(passkey)).body.access_token;
    const { answer } = await site.passkey(mia);
    expect(answer.status).toBe(201);
    expect(answer.body).not.toHaveProperty('recovery_codes');
    expect((await site.call('GET me', { token: other })).status).toBe(200);
  });

  test('of a related origin is taken, and the service names the origins', async () => {
    const { site, passkey } = await withPasskey();
    await using _ = site;
    expect((await site.passkeyLogin(passkey, { origin: relatedOrigin })).status).toBe(200);
    expect((await site.call('GET /.well-known/webauthn')).body).toEqual({ origins: [origin, relatedOrigin] });
  });

  test('needs the address of the service: without it, there are no such routes', async () => {
    await using api = await openAuthApi();
    const ada = await api.signedIn('member');
    for (const line of [
      'POST /api/v1/auth/passkeys/options',
      'GET /api/v1/auth/me/passkeys',
      'GET /.well-known/webauthn',
    ])
      expect(outcome(await api.call(line, { token: ada.token }))).toBe('404 route_not_found');
    expect((await api.call('GET /api/v1/auth/options')).body.passkeys).toBe(false);
  });
});

/** What is wrong about a use. */
const wrongUses: readonly (readonly [string, Wrongly])[] = [
  ['another origin', { origin: 'https://cms.example.com.evil.example' }],
  ['the same host without TLS', { origin: 'http://cms.example.com' }],
  ['a subdomain', { origin: 'https://x.cms.example.com' }],
  ['another service', { rpId: 'evil.example' }],
  ['the parent domain', { rpId: 'example.com' }],
  ['a challenge of its own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['the ceremony of a registration', { type: 'webauthn.create' }],
  ['a frame of another page', { crossOrigin: true }],
  ['nobody present', { userPresent: false }],
  ['another key', { forged: true }],
  ['the handle of another account', { userHandle: Buffer.from(crypto.randomUUID()).toString('base64url') }],
];

describe('a sign-in with a passkey is refused', () => {
  test.each([...wrongUses, ['a user who was not verified', { userVerified: false }] as const])(
    'with %s',
    async (_, wrongly) => {
      const { site, passkey } = await withPasskey();
      await using _site = site;
      expect(outcome(await site.passkeyLogin(passkey, wrongly))).toBe('401 invalid_passkey');
      expect((await site.passkeyLogin(passkey)).status).toBe(200);
    },
  );

  test('as a second step', async () => {
    const { site, mia, passkey } = await withPasskey();
    await using _ = site;
    for (const [, wrongly] of wrongUses) {
      const { challenge, options } = (await site.login(mia)).body;
      const response = passkey.used(options, wrongly);
      expect(outcome(await site.give(challenge, 'passkey', { response }))).toBe('401 invalid_code');
    }
  });

  test('for a passkey that nobody has registered', async () => {
    const { site } = await withPasskey();
    await using _ = site;
    expect(outcome(await site.passkeyLogin(new SoftwarePasskey(origin)))).toBe('401 invalid_passkey');
  });

  test('once it is removed', async () => {
    const { site, mia, passkey, answer } = await withPasskey();
    await using _ = site;
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    const response = passkey.used(options);
    expect((await site.call(`DELETE me/passkeys/${answer.body.passkey.id}`, { token: mia.token })).status).toBe(204);
    expect(outcome(await site.call('POST passkeys/login', { body: { challenge, response } }))).toBe(
      '401 invalid_passkey',
    );
    expect((await site.login(mia)).status).toBe(200);
  });

  test.each([
    ['disabled', (site: FactorsApi, id: string) => changeAccount(site.api.auth, id, { disabled: true })],
    ['deleted', (site: FactorsApi, id: string) => removeAccount(site.api.auth, id)],
  ])('for an account that was %s between the two requests', async (_, change) => {
    const { site, mia, passkey } = await withPasskey();
    await using _site = site;
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    await change(site, mia.id);
    const body = { challenge, response: passkey.used(options) };
    expect(outcome(await site.call('POST passkeys/login', { body }))).toBe('401 invalid_passkey');
  });

  test('where addresses have to be confirmed, before that', async () => {
    await using site = await FactorsApi.open({ policy: { verifyEmail: 'required' } });
    const account = await site.api.auth.account({ verified: true });
    const mia = (await site.login(account)).body;
    const { passkey } = await site.passkey({ token: mia.access_token });
    await changeAccount(site.api.auth, account.id, { verified: false });
    expect(outcome(await site.passkeyLogin(passkey))).toBe('403 email_not_verified');
  });

  test('when what was signed is sent again', async () => {
    const { site, passkey } = await withPasskey();
    await using _ = site;
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    const body = { challenge, response: passkey.used(options) };
    expect((await site.call('POST passkeys/login', { body })).status).toBe(200);
    expect(outcome(await site.call('POST passkeys/login', { body }))).toBe('401 invalid_passkey');
    const { challenge: another } = (await site.call('POST passkeys/options')).body;
    expect(outcome(await site.call('POST passkeys/login', { body: { ...body, challenge: another } }))).toBe(
      '401 invalid_passkey',
    );
  });

  test('by all but one of several requests with the same', async () => {
    const { site, passkey } = await withPasskey();
    await using _ = site;
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    const body = { challenge, response: passkey.used(options) };
    const answers = await Promise.all(Array.from({ length: 5 }, () => site.call('POST passkeys/login', { body })));
    expect(answers.map(outcome).toSorted()).toEqual(['200', ...Array(4).fill('401 invalid_passkey')]);
  });

  test('after five minutes', async () => {
    const { site, passkey } = await withPasskey();
    await using _ = site;
    const { challenge, options } = (await site.call('POST passkeys/options')).body;
    site.later(300);
    const body = { challenge, response: passkey.used(options) };
    expect(outcome(await site.call('POST passkeys/login', { body }))).toBe('401 invalid_passkey');
  });

  test('with the challenge of a second step, which is bound to a password', async () => {
    const { site, mia, passkey } = await withPasskey();
    await using _ = site;
    const { challenge, options } = (await site.login(mia)).body;
    const body = { challenge, response: passkey.used(options) };
    expect(outcome(await site.call('POST passkeys/login', { body }))).toBe('401 invalid_passkey');
  });

  test('from the challenge of another account, with one’s own passkey', async () => {
    const { site, mia } = await withPasskey();
    await using _ = site;
    const eve = await site.person();
    const { passkey: hers } = await site.passkey(eve);
    const { challenge, options } = (await site.login(mia)).body;
    const response = hers.used(options);
    expect(outcome(await site.give(challenge, 'passkey', { response }))).toBe('401 invalid_code');
  });
});

describe('the counter of a passkey', () => {
  test('goes up', async () => {
    const { site, passkey } = await withPasskey(5);
    await using _ = site;
    for (let uses = 0; uses < 3; uses++) expect((await site.passkeyLogin(passkey)).status).toBe(200);
  });

  test.each([
    ['the same', 7],
    ['an earlier one', 3],
    ['none', 0],
  ])('of a copy is refused: %s', async (_, counter) => {
    const { site, passkey } = await withPasskey(6);
    await using _site = site;
    expect((await site.passkeyLogin(passkey)).status).toBe(200);
    expect(outcome(await site.passkeyLogin(passkey, { counter }))).toBe('401 invalid_passkey');
    expect((await site.passkeyLogin(passkey)).status).toBe(200);
  });

  test('of two copies at the same moment lets one in', async () => {
    const { site, passkey } = await withPasskey(6);
    await using _ = site;
    const begun = await Promise.all(Array.from({ length: 4 }, () => site.call('POST passkeys/options')));
    const answers = await Promise.all(
      begun.map(({ body: { challenge, options } }) =>
        site.call('POST passkeys/login', {
          body: { challenge, response: passkey.used(options, { counter: 100 }) },
        }),
      ),
    );
    expect(answers.map(outcome).toSorted()).toEqual(['200', ...Array(3).fill('401 invalid_passkey')]);
  });

  test('may be as large as four bytes', async () => {
    const { site, passkey } = await withPasskey(2 ** 31);
    await using _ = site;
    expect((await site.passkeyLogin(passkey, { counter: 2 ** 32 - 1 })).status).toBe(200);
  });
});

describe('a registration is refused', () => {
  test.each(
    wrongUses.filter(
      ([, { userHandle, forged, type }]) => userHandle === undefined && forged === undefined && type === undefined,
    ),
  )('with %s', async (_, wrongly) => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const { passkey, answer } = await site.passkey(mia, undefined, wrongly);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ field: 'response', code: 'invalid_passkey' }]);
    expect(outcome(await site.passkeyLogin(passkey))).toBe('401 invalid_passkey');
    expect((await site.login(mia)).status).toBe(200);
  });

  test('with the ceremony of a sign-in', async () => {
    await using site = await FactorsApi.open();
    const { answer } = await site.passkey(await site.person(), undefined, { type: 'webauthn.get' });
    expect(answer.status).toBe(422);
  });

  test('with the challenge of another account, or of another session of one’s own', async () => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const eve = await site.person();
    const other = { token: (await site.login(mia)).body.access_token };
    const { challenge, options } = (await site.call('POST me/passkeys/options', { token: mia.token })).body;
    for (const { token } of [eve, other]) {
      const body = { challenge, response: new SoftwarePasskey(origin).created(options) };
      const answer = await site.call('POST me/passkeys', { token, body });
      expect(answer.body.errors).toMatchObject([{ field: 'response', code: 'invalid_passkey' }]);
    }
  });

  test('of a passkey that another account has', async () => {
    const { site, passkey } = await withPasskey();
    await using _ = site;
    const eve = await site.person();
    const { answer } = await site.passkey(eve, passkey);
    expect(answer.body.errors).toMatchObject([{ field: 'response', code: 'taken' }]);
  });

  test('when it is sent twice, also at the same moment', async () => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const { challenge, options } = (await site.call('POST me/passkeys/options', { token: mia.token })).body;
    const body = { challenge, response: new SoftwarePasskey(origin).created(options) };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => site.call('POST me/passkeys', { token: mia.token, body })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
    expect((await site.call('GET me/passkeys', { token: mia.token })).body.items).toHaveLength(1);
  });

  test('of one more than an account may have', async () => {
    const { site, mia } = await withPasskey();
    await using _ = site;
    const { database, passkeys } = site.api.auth;
    await database.transaction(async (transaction) => {
      for (let number = 1; number < 50; number++)
        await passkeys.add(
          transaction,
          {
            ...{ account: mia.id, credentialId: `made-${number}`, publicKey: 'AA', counter: 0, transports: [] },
            ...{ backedUp: false, aaguid: null, name: 'Made' },
          },
          site.clock.now,
        );
    });
    expect(outcome((await site.passkey(mia)).answer)).toBe('409 too_many_passkeys');
  });

  test.each([
    ['text', 'passkey'],
    ['an empty object', {}],
    ['no response', { id: 'AA', rawId: 'AA' }],
    ['no base64url', { id: 'AA', rawId: 'AA', response: { clientDataJSON: '*', attestationObject: 'AA' } }],
    ['nonsense', { id: 'AA', rawId: 'AA', response: { clientDataJSON: 'AA', attestationObject: 'AA' } }],
  ])('with %s', async (_, response) => {
    await using site = await FactorsApi.open();
    const mia = await site.person();
    const { challenge } = (await site.call('POST me/passkeys/options', { token: mia.token })).body;
    const answer = await site.call('POST me/passkeys', { token: mia.token, body: { challenge, response } });
    expect(answer.status).toBe(422);
  });
});

describe('the passkeys of others', () => {
  test('cannot be renamed or removed', async () => {
    const { site, passkey, answer } = await withPasskey();
    await using _ = site;
    const { token } = await site.person();
    const path = `me/passkeys/${answer.body.passkey.id}`;
    expect(outcome(await site.call(`PUT ${path}`, { token, body: { name: 'Mine' } }))).toBe('404 not_found');
    expect(outcome(await site.call(`DELETE ${path}`, { token }))).toBe('404 not_found');
    expect((await site.passkeyLogin(passkey)).status).toBe(200);
  });
});

/** Counters whose time never passes, however long the requests of a test take. */
function timelessCounters(): RateCounters {
  const counts = new Map<string, number>();
  return {
    async count({ name, points }, key) {
      const count = (counts.get(`${name} ${key}`) ?? 0) + 1;
      counts.set(`${name} ${key}`, count);
      return count > points ? 1000 : 0;
    },
  };
}

describe('limits', () => {
  test('a network begins sixty sign-ins with a passkey a minute', async () => {
    await using site = await FactorsApi.open({ rateLimit: true, counters: timelessCounters() });
    const statuses = new Set<number>();
    for (let count = 0; count < 60; count++) statuses.add((await site.call('POST passkeys/options')).status);
    expect([...statuses]).toEqual([200]);
    expect((await site.call('POST passkeys/options')).status).toBe(429);
    expect((await site.call('POST passkeys/options', { address: '198.51.100.7' })).status).toBe(200);
  });
});
