import { afterAll, expect, test } from 'bun:test';
import { Secret, TOTP } from 'otpauth';
import { mailSettings } from '../../../test/support/mail-server.ts';
import { SoftwarePasskey } from '../../../test/support/passkeys/software-authenticator.ts';
import { TestService } from '../../../test/support/service.ts';
import { createClient, RectoError } from './index.ts';

const password = 'correct horse';
const service = await TestService.open([], { settings: mailSettings({ kind: 'log' }) });
afterAll(() => service[Symbol.asyncDispose]());

const client = () =>
  createClient({ url: 'http://recto.test', fetch: async (request: Request) => service.app.fetch(request), retries: 0 });

/** What a call fails with. */
async function failureOf(call: Promise<unknown>): Promise<RectoError> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (error instanceof RectoError) return error;
  throw new Error(`The call did not fail as expected: ${error}`);
}

async function signedUp(email: string) {
  const recto = client();
  await recto.auth.register({ email, password });
  return recto;
}

/** A browser whose only passkey this is. */
async function withBrowser<T>(passkey: SoftwarePasskey, work: () => Promise<T>): Promise<T> {
  const browser = {
    PublicKeyCredential: { parseRequestOptionsFromJSON: same, parseCreationOptionsFromJSON: same },
    navigator: {
      credentials: {
        get: async ({ publicKey }: Asked<'used'>) => ({ toJSON: () => passkey.used(publicKey) }),
        create: async ({ publicKey }: Asked<'created'>) => ({ toJSON: () => passkey.created(publicKey) }),
      },
    },
  };
  const before = Object.keys(browser).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

const same = (options: object): object => options;
type Asked<Use extends 'used' | 'created'> = { readonly publicKey: Parameters<SoftwarePasskey[Use]>[0] };

test('an app is set up, and completes a sign-in', async () => {
  const email = 'ann@example.org';
  const recto = await signedUp(email);
  const { secret, uri, qr } = await recto.auth.totp.begin();
  expect([uri.slice(0, 15), qr.slice(0, 4)]).toEqual(['otpauth://totp/', '<svg']);
  const codes = await recto.auth.totp.confirm(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
  expect(codes).toHaveLength(10);
  expect(await recto.auth.secondFactors()).toMatchObject({ totp: true, recovery_codes: 10, required: false });
  const other = client();
  const error = await failureOf(other.auth.login({ email, password }));
  expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
  expect(error.second_factor).toMatchObject({ methods: ['totp', 'recovery_code'], expires_in: 300 });
  const { challenge } = error.second_factor ?? { challenge: '' };
  const wrong = await failureOf(other.auth.secondFactor({ challenge, method: 'totp', code: '000000' }));
  expect(wrong.code).toBe('invalid_code');
  expect(wrong.second_factor).toBeUndefined();
  const account = await other.auth.secondFactor({ challenge, method: 'recovery_code', code: codes[0] ?? '' });
  expect(account).toMatchObject({ email, second_factor: true });
  expect((await other.auth.me()).email).toBe(email);
  await other.auth.stepUp({ method: 'recovery_code', code: codes[1] ?? '' });
  expect(await other.auth.newRecoveryCodes()).toHaveLength(10);
  await other.auth.totp.remove();
  expect(await other.auth.secondFactors()).toMatchObject({ totp: false, recovery_codes: 0 });
});

test('a passkey is made, signs in alone and after the password, and proves who is there', async () => {
  const email = 'ben@example.org';
  const recto = await signedUp(email);
  const passkey = new SoftwarePasskey('https://cms.example.com');
  await withBrowser(passkey, async () => {
    const added = await recto.auth.passkeys.add('Laptop');
    expect(added.recovery_codes).toHaveLength(10);
    const alone = client();
    expect((await alone.auth.signInWithPasskey({ mediation: 'optional' })).email).toBe(email);
    const second = client();
    const { second_factor: required } = await failureOf(second.auth.login({ email, password }));
    if (required === undefined) throw new Error('No second factor was asked for.');
    expect((await second.auth.secondFactorWithPasskey(required)).email).toBe(email);
    expect((await second.auth.stepUpOptions()).methods).toEqual(['passkey', 'recovery_code']);
    const refused = await failureOf(second.auth.stepUp({ current_password: password }));
    expect([refused.code, refused.methods]).toEqual(['step_up_required', ['passkey', 'recovery_code']]);
    await second.auth.stepUpWithPasskey();
    expect((await second.auth.passkeys.rename(added.passkey.id, 'Phone')).name).toBe('Phone');
    expect(await second.auth.passkeys.list()).toMatchObject([{ name: 'Phone' }]);
    await second.auth.passkeys.remove(added.passkey.id);
    expect((await failureOf(alone.auth.signInWithPasskey())).code).toBe('invalid_passkey');
  });
  expect((await client().auth.login({ email, password })).email).toBe(email);
});
