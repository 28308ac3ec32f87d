// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import type { Role } from '../../../packages/recto/src/base/caller.ts';
import { query } from '../../support/database/database.ts';
import { openSite, type Site, siteUrl } from '../../support/providers/provider-site.ts';
import { begin, comeBack, exchange, page, visit } from '../../support/providers/provider-visit.ts';
import type { TestService } from '../../support/service.ts';

const password = 'correct horse';
const proven = (name: string, sub = name) => ({ sub, email: `${name}@example.com`, email_verified: true });

const set = (service: TestService, id: string, column: 'verified' | 'disabled', value: boolean) =>
  service.database.transaction(async (transaction) => {
    const stored = service.database.dialect.encode('boolean', value);
    await transaction.run(query(`update recto_accounts set ${column} = ? where id = ?`, stored, id));
    transaction.touch('recto:auth');
  });

/** An account with a password, whose address is proven or not. */
async function member({ service }: Site, name: string, verified: boolean, role: Role = 'member'): Promise<string> {
  const id = await service.account(name, role);
  await set(service, id, 'verified', verified);
  return id;
}

const login = (service: TestService, name: string) =>
  service.send('POST /api/v1/auth/login', { body: { email: `${name}@example.com`, password } });

const identitiesOf = async (service: TestService, account: string): Promise<readonly string[]> =>
  (await service.auth.identities.list(service.database, account)).map(({ subject }) => subject);

describe('an identity', () => {
  test('opens its account again, whatever its address has become', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    provider.person = proven('ada');
    const first = await visit(service, provider);
    expect(first.tokens?.json.user).toMatchObject({ email: 'ada@example.com', role: 'member', verified: true });
    provider.person = { ...proven('eve'), sub: 'ada' };
    expect((await visit(service, provider)).tokens?.json.user).toMatchObject({
      ...{ id: first.tokens?.json.user.id, email: 'ada@example.com' },
    });
  });

  test('is not that of another subject with the same address', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    provider.person = proven('ada');
    const { tokens } = await visit(service, provider);
    await set(service, tokens?.json.user.id, 'verified', false);
    // The address of Ada has been given to somebody else, who is not trusted to be her.
    provider.person = { ...proven('ada', 'another'), email_verified: false };
    expect(await visit(service, provider)).toMatchObject({ error: 'sign_in_to_link' });
  });

  test('of one subject that comes twice at the same moment is one account', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    provider.person = proven('ada');
    const ended = await Promise.all(Array.from({ length: 8 }, () => visit(service, provider)));
    expect(ended.map(({ tokens }) => tokens?.status)).toEqual(ended.map(() => 200));
    expect(new Set(ended.map(({ tokens }) => tokens?.json.user.id)).size).toBe(1);
  });

  test('of a disabled account opens nothing', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    provider.person = proven('ada');
    const { tokens } = await visit(service, provider);
    await set(service, tokens?.json.user.id, 'disabled', true);
    expect(await visit(service, provider)).toMatchObject({ error: 'account_disabled', code: undefined });
    // Nor does its address, with another identity.
    provider.person = proven('ada', 'another');
    expect(await visit(service, provider)).toMatchObject({ error: 'account_disabled' });
  });

  test('of an account that is disabled within the minute of its code opens nothing', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    provider.person = proven('ada');
    const { tokens } = await visit(service, provider);
    const { location, cookie, verifier } = await begin(service);
    const { code } = await comeBack(service, await provider.visit(location), cookie);
    await set(service, tokens?.json.user.id, 'disabled', true);
    expect(await exchange(service, code, verifier)).toMatchObject({ status: 401, json: { code: 'invalid_code' } });
  });

  test('goes with its account', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    await service.account('root', 'admin');
    provider.person = proven('ada');
    const { tokens } = await visit(service, provider);
    const id = tokens?.json.user.id;
    expect((await service.send(`DELETE /api/v1/admin/users/${id}`, { as: 'root' })).status).toBe(204);
    expect(await identitiesOf(service, id)).toEqual([]);
    expect((await visit(service, provider)).tokens?.json.user.id).not.toBe(id);
  });
});

describe('a member whose address is proven on both sides', () => {
  test('is linked, keeps the password, and gets a mail', async () => {
    await using site = await openSite({ mail: true });
    const { provider, service, mails } = site;
    const id = await member(site, 'ada', true);
    provider.person = proven('ada', 'subject');
    expect((await visit(service, provider)).tokens?.json.user.id).toBe(id);
    expect(await identitiesOf(service, id)).toEqual(['subject']);
    expect((await login(service, 'ada')).status).toBe(200);
    await service.runJobs();
    expect(mails?.to('ada@example.com').at(-1)?.parsed.subject).toContain('Main');
  });

  test.each(['ADA@example.com', 'Ada@EXAMPLE.com'])('is linked as %s, which is the same mailbox', async (email) => {
    await using site = await openSite();
    const id = await member(site, 'ada', true);
    site.provider.person = { sub: 'subject', email, email_verified: true };
    expect((await visit(site.service, site.provider)).tokens?.json.user.id).toBe(id);
  });
});

describe('the account of a member is not opened by', () => {
  const notIts: readonly [what: string, person: object, configured?: object][] = [
    ['an address that is not verified', { email_verified: false }],
    ['an address of which nothing is said', { email_verified: undefined }],
    ['the text "true"', { email_verified: 'true' }],
    ['the number 1', { email_verified: 1 }],
    ['a provider that is not trusted', { email_verified: true }, { trustedEmail: false }],
    ['letters of full width', { email: 'ａda@example.com' }],
  ];
  test.each(notIts)('%s', async (_, person, configured = {}) => {
    await using site = await openSite({ configured });
    const { provider, service } = site;
    const id = await member(site, 'ada', true);
    provider.person = { ...proven('ada', 'stranger'), ...person };
    expect(await visit(service, provider)).toMatchObject({ error: 'sign_in_to_link', code: undefined });
    expect(await identitiesOf(service, id)).toEqual([]);
  });

  test.each([
    ['Cyrillic letters', 'аda@example.com'],
    ['a dotless i in the domain', 'ada@exampıe.com'],
    ['a letter more', 'adaa@example.com'],
  ])('%s', async (_, email) => {
    await using site = await openSite();
    const id = await member(site, 'ada', true);
    site.provider.person = { sub: 'stranger', email, email_verified: true };
    const { tokens } = await visit(site.service, site.provider);
    expect(tokens?.json.user.id).not.toBe(id);
    expect(await identitiesOf(site.service, id)).toEqual([]);
  });

  test('an address of the ID token that the endpoint for users calls verified', async () => {
    await using site = await openSite();
    const { provider, service } = site;
    const id = await member(site, 'ada', true);
    provider.person = { sub: 'stranger', email: 'ada@example.com' };
    provider.wrong = {
      answers: {
        '/userinfo': () => Response.json({ sub: 'stranger', email: 'stranger@example.com', email_verified: true }),
      },
    };
    expect(await visit(service, provider)).toMatchObject({ error: 'sign_in_to_link' });
    expect(await identitiesOf(service, id)).toEqual([]);
  });

  test.each(['two@at@example.com', 'ada@example.com\r\nBcc: eve@example.com', 'ada@ex\u200bample.com', '', 7])(
    'an address that is none: %j',
    async (email) => {
      await using site = await openSite();
      site.provider.person = { sub: 'stranger', email, email_verified: true };
      expect(await visit(site.service, site.provider)).toMatchObject({ error: 'email_missing' });
    },
  );
});

test('whoever registered with an address before its owner came has nothing of the account any more', async () => {
  await using site = await openSite({ mail: true });
  const { provider, service } = site;
  const id = await member(site, 'ada', false);
  const thief = service.tokenOf('ada');
  // The thief has linked an identity as well.
  await service.database.transaction((transaction) =>
    service.auth.identities.insert(
      transaction,
      { account: id, provider: 'main', issuer: provider.issuer, subject: 'thief', email: null },
      Date.now(),
    ),
  );
  const token = await service.database.transaction(async (transaction) => {
    const account = await service.auth.accounts.byId(transaction, id);
    if (account === undefined) throw new Error('There is no account.');
    const owner = { ...account, address: account.email };
    return service.auth.accountTokens.issue(transaction, 'password_reset', owner, Date.now());
  });
  provider.person = proven('ada', 'owner');
  const { tokens } = await visit(service, provider);
  expect(tokens?.json.user).toMatchObject({ id, verified: true });
  expect((await login(service, 'ada')).status).toBe(401);
  const headers = { Authorization: `Bearer ${thief}` };
  expect((await service.send('GET /api/v1/auth/me', { headers })).status).toBe(401);
  const reset = { token, new_password: 'battery staple' };
  expect((await service.send('POST /api/v1/auth/password-reset/confirm', { body: reset })).status).toBe(401);
  expect(await identitiesOf(service, id)).toEqual(['owner']);
  provider.person = { sub: 'thief' };
  expect(await visit(service, provider)).toMatchObject({ error: 'email_missing' });
});

test('an account that began with an address nobody proved loses its identities to who proves it', async () => {
  await using site = await openSite({ mail: true, settings: { signInCodes: 'members' } });
  const { provider, service, mails } = site;
  provider.person = { ...proven('ada', 'thief'), email_verified: false };
  const { tokens } = await visit(service, provider);
  expect(tokens?.json.user.verified).toBe(false);
  const asked = await service.send('POST /api/v1/auth/code', { body: { email: 'ada@example.com' } });
  await service.runJobs();
  const code = /\b\d{4} \d{4}\b/.exec(mails?.to('ada@example.com').at(-1)?.parsed.text ?? '')?.[0];
  const body = { challenge: asked.json.challenge, code };
  expect((await service.send('POST /api/v1/auth/code/confirm', { body })).status).toBe(200);
  expect(await identitiesOf(service, tokens?.json.user.id)).toEqual([]);
});

test('the way back to an old address ends the identities that were linked since', async () => {
  await using site = await openSite({ mail: true });
  const { service, provider } = site;
  const id = await member(site, 'ada', true);
  const { database, accounts, accountTokens, identities } = service.auth;
  const hour = 3_600_000;
  const token = await database.transaction(async (transaction) => {
    const account = await accounts.byId(transaction, id);
    if (account === undefined) throw new Error('There is no account.');
    for (const [subject, at] of [
      ['own', Date.now() - 2 * hour],
      ['thief', Date.now()],
    ] as const) {
      const named = { account: id, provider: 'main', issuer: provider.issuer, subject, email: null };
      await identities.insert(transaction, named, at);
    }
    const before = { ...account, address: 'before@example.com' };
    return accountTokens.issue(transaction, 'email_revert', before, Date.now() - hour);
  });
  expect((await service.send('POST /api/v1/auth/email-change/revert', { body: { token } })).status).toBe(204);
  expect(await identitiesOf(service, id)).toEqual(['own']);
});

describe('editors and admins', () => {
  test.each(['editor', 'admin'] as const)('sign in and link: %s', async (role) => {
    for (const verified of [true, false]) {
      await using site = await openSite();
      const id = await member(site, 'ada', verified, role);
      site.provider.person = proven('ada', 'subject');
      expect(await visit(site.service, site.provider)).toMatchObject({ error: 'sign_in_to_link', code: undefined });
      expect(await identitiesOf(site.service, id)).toEqual([]);
      expect((await login(site.service, 'ada')).status).toBe(200);
    }
  });
});

describe('who has no account', () => {
  test('gets none where the provider may not register', async () => {
    await using site = await openSite({ configured: { registration: false } });
    site.provider.person = proven('ada');
    expect(await visit(site.service, site.provider)).toMatchObject({ page, error: 'registration_closed' });
  });

  test('learns there nothing of addresses that are not proven', async () => {
    await using site = await openSite({ configured: { registration: false } });
    await member(site, 'ada', true);
    for (const name of ['ada', 'nobody']) {
      site.provider.person = { ...proven(name), email_verified: false };
      expect(await visit(site.service, site.provider)).toMatchObject({ error: 'registration_closed' });
    }
    site.provider.person = { sub: 'nameless' };
    expect(await visit(site.service, site.provider)).toMatchObject({ error: 'registration_closed' });
  });

  test.each([
    ['an address of another domain', proven('ada'), 'registration_closed'],
    ['a domain in front', { ...proven('ada'), email: 'ada@example.org.evil.example' }, 'registration_closed'],
    ['a domain behind', { ...proven('ada'), email: 'ada@notexample.org' }, 'registration_closed'],
    ['a domain that is not proven', { sub: 'x', email: 'ada@example.org' }, 'registration_closed'],
    ['the domain', { ...proven('ada'), email: 'ada@EXAMPLE.org' }, undefined],
  ])('with domains: %s', async (_, person, error) => {
    await using site = await openSite({ configured: { domains: ['example.org'] } });
    site.provider.person = person;
    expect((await visit(site.service, site.provider)).error).toBe(error);
  });

  test('gets one in the admin only with a role', async () => {
    const claims = { roleClaim: 'groups', roles: { editors: 'editor' } } as const;
    await using site = await openSite({ configured: claims });
    const { provider, service } = site;
    const admin = { purpose: 'admin', returnTo: `${siteUrl}/admin` } as const;
    provider.person = proven('ada');
    expect(await visit(service, provider, admin)).toMatchObject({ error: 'registration_closed' });
    provider.person = { ...proven('ada'), groups: ['editors'] };
    const ended = await visit(service, provider, admin);
    expect(ended).toMatchObject({ page: `${siteUrl}/admin`, tokens: { json: { user: { role: 'editor' } } } });
  });

  test('has to confirm an address that nobody has proved, where that is required', async () => {
    await using site = await openSite({ mail: true, settings: { verifyEmail: 'required' } });
    const { provider, service, mails } = site;
    provider.person = { ...proven('ada'), email_verified: false };
    expect(await visit(service, provider)).toMatchObject({ error: 'email_not_verified' });
    await service.runJobs();
    const token = /#(rat_[\w-]+)/.exec(mails?.to('ada@example.com').at(-1)?.parsed.text ?? '')?.[1];
    expect((await service.send('POST /api/v1/auth/verification/confirm', { body: { token } })).status).toBe(204);
    expect((await visit(service, provider)).tokens?.status).toBe(200);
    // An address that is taken gets the same answer, and its owner a mail.
    provider.person = { ...proven('ada', 'stranger'), email_verified: false };
    expect(await visit(service, provider)).toMatchObject({ error: 'email_not_verified' });
    await service.runJobs();
    expect(mails?.to('ada@example.com').at(-1)?.parsed.subject).toContain('already have an account');
  });
});

describe('roles', () => {
  const claims = {
    roleClaim: 'realm_access.roles',
    roles: { editors: 'editor', admins: 'admin' },
    allowAdmin: true,
  } as const;
  const groups = (...roles: readonly unknown[]) => ({ ...proven('ada'), realm_access: { roles } });

  test('follow from the claims at each sign-in', async () => {
    await using site = await openSite({ configured: claims });
    const { provider, service } = site;
    await service.account('root', 'admin');
    const role = async (person: typeof provider.person) => {
      provider.person = person;
      return (await visit(service, provider)).tokens?.json.user.role;
    };
    expect(await role(groups('editors', 'others'))).toBe('editor');
    expect(await role(groups('others'))).toBe('member');
    expect(await role(groups('editors', 'admins'))).toBe('admin');
    expect(await role(proven('ada'))).toBe('member');
    expect(await role({ ...proven('ada'), 'realm_access.roles': 'editors' })).toBe('editor');
    for (const odd of [{ editors: true }, [['editors']], 7, ['constructor', '__proto__']])
      expect(await role({ ...proven('ada'), realm_access: { roles: odd } })).toBe('member');
  });

  test('are never taken from the last admin', async () => {
    await using site = await openSite({ configured: claims });
    const { provider, service } = site;
    provider.person = groups('admins');
    expect((await visit(service, provider)).tokens?.json.user.role).toBe('admin');
    provider.person = groups();
    expect(await visit(service, provider)).toMatchObject({ error: 'last_admin', code: undefined });
    await service.account('root', 'admin');
    expect((await visit(service, provider)).tokens?.json.user.role).toBe('member');
  });

  test('of admins are left alone by a provider that may not give them', async () => {
    const editors = { roleClaim: 'groups', roles: { editors: 'editor' } } as const;
    await using site = await openSite({ configured: editors });
    const { provider, service } = site;
    const id = await member(site, 'ada', true, 'admin');
    await service.database.transaction((transaction) =>
      service.auth.identities.insert(
        transaction,
        { account: id, provider: 'main', issuer: provider.issuer, subject: 'ada', email: null },
        Date.now(),
      ),
    );
    for (const list of [['editors'], [], ['admin', 'admins']]) {
      provider.person = { ...proven('ada'), groups: list };
      expect((await visit(service, provider)).tokens?.json.user.role).toBe('admin');
    }
  });

  test('take effect for sessions that there are', async () => {
    await using site = await openSite({ configured: claims });
    const { provider, service } = site;
    await service.account('root', 'admin');
    provider.person = groups('admins');
    const { tokens } = await visit(service, provider);
    const headers = { Authorization: `Bearer ${tokens?.json.access_token}` };
    expect((await service.send('GET /api/v1/admin/users', { headers })).status).toBe(200);
    provider.person = groups();
    await visit(service, provider);
    expect((await service.send('GET /api/v1/admin/users', { headers })).status).toBe(403);
  });
});
