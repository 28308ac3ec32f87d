// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { openSite, type Site } from '../../support/providers/provider-site.ts';
import { visit } from '../../support/providers/provider-visit.ts';
import { clientSecret, type Misbehaviour, TestProvider } from '../../support/providers/test-provider.ts';

/** A site whose provider is at its own address, of another kind than the usual. */
async function openKind(
  provider: TestProvider,
  kind: 'github' | 'microsoft' | 'google',
  issuer: string,
  trustedEmail = true,
): Promise<Site> {
  const configured = { ...provider.configured({ kind, issuer, trustedEmail }), scopes: ['openid'] };
  return openSite({ settings: { authProviders: { main: configured } } });
}

describe('GitHub', () => {
  const emails = [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'octo@example.com', primary: true, verified: true },
  ];

  /** What GitHub answers, where the test says nothing else. */
  const gitHub = (own: Misbehaviour['answers'] = {}): Misbehaviour => ({
    answers: {
      '/login/oauth/authorize': (request) => {
        const { searchParams } = new URL(request.url);
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', 'code');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        return Response.redirect(back.href, 302);
      },
      '/login/oauth/access_token': async (request) => {
        const body = new URLSearchParams(await request.text());
        return body.get('client_secret') === clientSecret && body.has('code_verifier')
          ? Response.json({ access_token: 'gho_1', token_type: 'bearer', scope: 'read:user,user:email' })
          : Response.json({ error: 'incorrect_client_credentials' });
      },
      '/api/v3/user': (request) =>
        request.headers.get('authorization') === 'Bearer gho_1'
          ? Response.json({ id: 583231, login: 'octocat', email: 'public@example.com' })
          : new Response('', { status: 401 }),
      '/api/v3/user/emails': () => Response.json(emails),
      ...own,
    },
  });

  test('names the number of the account, and its primary address', async () => {
    await using provider = await TestProvider.open();
    provider.wrong = gitHub();
    await using site = await openKind(provider, 'github', provider.issuer);
    const { tokens } = await visit(site.service, provider);
    expect(tokens?.json.user).toMatchObject({ email: 'octo@example.com', verified: true });
    const [identity] = await site.service.auth.identities.list(site.service.database, tokens?.json.user.id);
    expect(identity).toMatchObject({ issuer: provider.issuer, subject: '583231' });
  });

  test.each<[string, Misbehaviour['answers'], string]>([
    [
      'no verified primary address',
      { '/api/v3/user/emails': () => Response.json(emails.slice(0, 1)) },
      'email_missing',
    ],
    [
      'a primary address that says it is verified',
      { '/api/v3/user/emails': () => Response.json([{ ...emails[1], verified: 'true' }]) },
      'email_missing',
    ],
    ['addresses that are no list', { '/api/v3/user/emails': () => Response.json({}) }, 'email_missing'],
    ['no addresses', { '/api/v3/user/emails': () => new Response('', { status: 404 }) }, 'provider_error'],
    ['a user without a number', { '/api/v3/user': () => Response.json({ id: '583231' }) }, 'provider_error'],
    ['a user that is none', { '/api/v3/user': () => new Response('<html>') }, 'provider_error'],
    [
      'an error in place of a token',
      { '/login/oauth/access_token': () => Response.json({ error: 'bad_verification_code' }) },
      'provider_error',
    ],
  ])('lets nobody in with %s', async (_, own, error) => {
    await using provider = await TestProvider.open();
    provider.wrong = gitHub(own);
    await using site = await openKind(provider, 'github', provider.issuer);
    expect(await visit(site.service, provider)).toMatchObject({ error, code: undefined });
  });
});

describe('Microsoft', () => {
  const tenant = '1b2c3d4e-0000-4000-8000-123456789abc';

  /** As Microsoft answers for accounts of many tenants. */
  const manyTenants = ({ issuer }: TestProvider, claims: Readonly<Record<string, unknown>> = {}): Misbehaviour => ({
    metadata: { issuer: `${issuer}/{tenantid}/v2.0` },
    claims: { iss: `${issuer}/${tenant}/v2.0`, tid: tenant, ...claims },
    back: { iss: null },
    answers: {
      '/common/v2.0/.well-known/openid-configuration': async () => {
        const metadata = await fetch(`${issuer}/.well-known/openid-configuration`).then((one) => one.json());
        return Response.json({ ...Object(metadata), authorization_response_iss_parameter_supported: false });
      },
    },
  });

  test('signs in by the tenant that the token names', async () => {
    await using provider = await TestProvider.open();
    provider.person = { sub: 'ada', email: 'ada@example.com', xms_edov: true };
    provider.wrong = manyTenants(provider);
    await using site = await openKind(provider, 'microsoft', `${provider.issuer}/common/v2.0`);
    const { tokens, error } = await visit(site.service, provider);
    expect([error, tokens?.json.user.verified]).toEqual([undefined, true]);
    const [identity] = await site.service.auth.identities.list(site.service.database, tokens?.json.user.id);
    expect(identity).toMatchObject({ issuer: `${provider.issuer}/${tenant}/v2.0`, subject: 'ada' });
  });

  test.each([
    ['the issuer of another tenant', { tid: '00000000-0000-4000-8000-123456789abc' }],
    ['no tenant', { tid: undefined }],
    ['a tenant that is a path', { tid: '../evil' }],
    ['the issuer of nobody', { iss: 'https://evil.example/v2.0' }],
  ])('lets nobody in with %s', async (_, claims) => {
    await using provider = await TestProvider.open();
    provider.person = { sub: 'ada', email: 'ada@example.com', xms_edov: true };
    provider.wrong = manyTenants(provider, claims);
    await using site = await openKind(provider, 'microsoft', `${provider.issuer}/common/v2.0`);
    expect(await visit(site.service, provider)).toMatchObject({ error: 'provider_error', code: undefined });
  });

  test.each<[string, object, boolean, boolean]>([
    ['a claim that the owner of the domain vouches', { xms_edov: true }, true, true],
    ['no such claim', {}, true, false],
    ['the text "true"', { xms_edov: 'true' }, true, false],
    ['a claim of another provider', { email_verified: true }, true, false],
    ['no trust in addresses', { xms_edov: true }, false, false],
  ])('proves an address of any tenant with %s', async (_, claims, trusted, verified) => {
    await using provider = await TestProvider.open();
    provider.person = { sub: 'ada', email: 'ada@example.com', ...claims };
    provider.wrong = manyTenants(provider);
    await using site = await openKind(provider, 'microsoft', `${provider.issuer}/common/v2.0`, trusted);
    expect((await visit(site.service, provider)).tokens?.json.user.verified).toBe(verified);
  });
});

describe('Google', () => {
  test.each<[string, object, boolean]>([
    ['a mailbox of Google', { email: 'ada@gmail.com' }, true],
    ['a domain that Google runs', { email: 'ada@example.com', hd: 'example.com' }, true],
    ['an address of another provider', { email: 'ada@example.com' }, false],
    ['a domain that only looks like Google', { email: 'ada@gmail.com.example.org' }, false],
  ])('proves an address of %s', async (_, claims, verified) => {
    await using provider = await TestProvider.open();
    provider.person = { sub: 'ada', email_verified: true, ...claims };
    await using site = await openKind(provider, 'google', provider.issuer);
    expect((await visit(site.service, provider)).tokens?.json.user.verified).toBe(verified);
  });
});
