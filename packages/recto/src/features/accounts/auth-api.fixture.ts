import { loggerOf, ServiceLog } from '../../../../../test/support/service-log.ts';
import { openTestAuth, type TestAuth, testPassword } from '../../auth/auth.fixture.ts';
import type { AuthOptions } from '../../auth/auth-services.ts';
import { login } from '../../auth/sign-in.ts';
import type { Role } from '../../base/caller.ts';
import { createApp } from '../../http/app.ts';
import { Idempotency } from '../../http/idempotency/idempotency.ts';
import { TrustedProxies } from '../../http/proxies/trusted-proxies.ts';
import { authOperations } from './auth-operations.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON body; null for none. Any, because a test says what it expects of it. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  readonly body: any;
}

interface Sent {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly address?: string;
  readonly cookie?: string;
  /** The `User-Agent`. */
  readonly agent?: string;
  /** Default: `http://recto.test`. */
  readonly origin?: string;
  /** The origin of the page that asks. */
  readonly page?: string;
}

export interface AuthApi extends AsyncDisposable {
  readonly auth: TestAuth;
  /** `call('POST /api/v1/auth/login', { body })`. */
  call(line: string, sent?: Sent): Promise<Answer>;
  /** A new account of this role, signed in. */
  signedIn(
    role: Role,
  ): Promise<{ readonly id: string; readonly email: string; readonly token: string; readonly refreshToken: string }>;
}

/** The operations of this folder behind the app, on a database of their own. */
export async function openAuthApi(options: Partial<AuthOptions> = {}): Promise<AuthApi> {
  const auth = await openTestAuth(options);
  const app = createApp({
    operations: authOperations(auth, 50),
    authenticator: auth.authenticator,
    idempotency: new Idempotency({
      database: auth.database,
      secret: 'a secret of the tests',
    }),
    log: loggerOf(new ServiceLog('the auth API')),
    proxies: new TrustedProxies([]),
    maxBody: 1 << 20,
    corsOrigins: [],
  });
  const call = async (line: string, sent: Sent = {}): Promise<Answer> => {
    const { token, body, address = '192.0.2.1', cookie, agent, page, origin = 'http://recto.test' } = sent;
    const [method = '', path = ''] = line.split(' ');
    const headers = new Headers();
    if (cookie !== undefined) headers.set('Cookie', cookie);
    if (page !== undefined) headers.set('Origin', page);
    if (agent !== undefined) headers.set('User-Agent', agent);
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const payload = body === undefined ? null : JSON.stringify(body);
    const request = new Request(`${origin}${path}`, { method, headers, body: payload });
    const response = await app.fetch(request, () => address);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const signedIn = async (role: Role) => {
    const { id, email } = await auth.account({ role });
    const { accessToken, refreshToken } = await login(auth, { email, password: testPassword }, '192.0.2.1');
    return { id, email, token: accessToken, refreshToken };
  };
  return { auth, call, signedIn, [Symbol.asyncDispose]: () => auth[Symbol.asyncDispose]() };
}

/** `field: code` of each error in a 422. */
export const faultsOf = ({ body }: Answer): readonly string[] =>
  body.errors.map(({ field, code }: { field: string; code: string }) => `${field}: ${code}`);
