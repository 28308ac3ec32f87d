import { describe, expect, test } from 'bun:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { createAccessTokens } from './access-tokens.ts';

// Long enough for HS512 too, so that only the algorithm can be wrong.
const secret = 'a secret for tests that is long enough for every HMAC there is, with 64 bytes';
const now = Date.parse('2026-11-21T10:00:00.000Z');
const seconds = now / 1000;
const tokens = createAccessTokens(secret, () => now);
const good = { sub: 'account', sid: 'session', iss: 'recto', iat: seconds, exp: seconds + 900 };

const signed = (claims: Record<string, unknown>, key = secret, alg = 'HS256'): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));

describe('access tokens', () => {
  test('carry their claims for fifteen minutes', async () => {
    const token = await tokens.issue('account', 'session');
    expect(await tokens.verify(token)).toEqual({ account: 'account', session: 'session', expiresAt: now + 900_000 });
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toEqual(good);
  });

  test('a token of another machine with the same secret is good', async () => {
    expect((await tokens.verify(await signed(good))).account).toBe('account');
  });

  test('run out to the second', async () => {
    const token = await tokens.issue('account', 'session');
    const at = (milliseconds: number) => createAccessTokens(secret, () => now + milliseconds).verify(token);
    expect(await at(899_999)).toMatchObject({ account: 'account' });
    await expect(at(900_000)).rejects.toMatchObject({ status: 401, code: 'token_expired' });
  });

  const without = (name: string) => signed(Object.fromEntries(Object.entries(good).filter(([key]) => key !== name)));
  const tampered = async (): Promise<string> => {
    const [header, , signature] = (await tokens.issue('account', 'session')).split('.');
    return [header, Buffer.from(JSON.stringify({ ...good, sub: 'admin' })).toString('base64url'), signature].join('.');
  };
  const forged: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['no token', () => ''],
    ['a word', () => 'garbage'],
    ['two dots', () => '..'],
    ['three parts of nonsense', () => 'a.b.c'],
    ['another secret', () => signed(good, 'another secret that is long enough too')],
    ['another algorithm', () => signed(good, secret, 'HS512')],
    ['no algorithm', () => new UnsecuredJWT(good).encode()],
    ['another payload', tampered],
    ['another issuer', () => signed({ ...good, iss: 'other' })],
    ['no issuer', () => without('iss')],
    ['no subject', () => without('sub')],
    ['no session', () => without('sid')],
    ['no expiry', () => without('exp')],
    ['a session that is no text', () => signed({ ...good, sid: 7 })],
    ['not valid yet', () => signed({ ...good, nbf: seconds + 60 })],
  ];
  test.each(forged)('reject %s', async (_, make) => {
    const token = await make();
    const refusal = await tokens.verify(token).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 401, code: 'invalid_token', headers: { 'WWW-Authenticate': 'Bearer' } });
    if (token.length > 8) expect(JSON.stringify(refusal) + String(refusal)).not.toContain(token);
  });
});
