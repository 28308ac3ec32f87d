import { Secret, TOTP } from 'otpauth';
import { SoftwarePasskey, type Wrongly } from '../../../../../../test/support/passkeys/software-authenticator.ts';
import { testPassword } from '../../../auth/auth.fixture.ts';
import type { AuthOptions } from '../../../auth/auth-services.ts';
import { RelyingParty } from '../../../auth/factors/relying-party.ts';
import type { Role } from '../../../base/caller.ts';
import { type Answer, type AuthApi, openAuthApi } from '../auth-api.fixture.ts';

export const origin = 'https://cms.example.com';
export const relatedOrigin = 'https://shop.example.org';
const root = '/api/v1/auth';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
}

/** The app of a person that shows codes. */
export interface App {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code that it shows, by a clock that is `steps` times 30 seconds ahead. */
  code(steps?: number): string;
}

/** Accounts with second factors on a service of their own. */
export class FactorsApi implements AsyncDisposable {
  readonly api: AuthApi;

  private constructor(api: AuthApi) {
    this.api = api;
  }

  static async open(options: Partial<AuthOptions> = {}): Promise<FactorsApi> {
    const relyingParty = RelyingParty.at(origin, [relatedOrigin]);
    return new FactorsApi(await openAuthApi({ relyingParty, ...options }));
  }

  get clock(): { now: number } {
    return this.api.auth.clock;
  }

  /** So that the app shows another code. */
  later(seconds = 30): void {
    this.clock.now += seconds * 1000;
  }

  call(line: string, sent: Parameters<AuthApi['call']>[1] = {}): Promise<Answer> {
    const [method, path = ''] = line.split(' ');
    return this.api.call(`${method} ${path.startsWith('/') ? path : `${root}/${path}`}`, sent);
  }

  person(role: Role = 'member'): Promise<Person> {
    return this.api.signedIn(role);
  }

  login({ email }: { readonly email: string }, password = testPassword): Promise<Answer> {
    return this.call('POST login', { body: { email, password } });
  }

  /** The challenge of a sign-in by password. */
  async challenge(person: Person): Promise<string> {
    const answer = await this.login(person);
    if (answer.body?.code !== 'second_factor_required') throw new Error(`No challenge: ${JSON.stringify(answer.body)}`);
    return answer.body.challenge;
  }

  give(
    challenge: string,
    method: string,
    given: { readonly code?: string; readonly response?: unknown },
  ): Promise<Answer> {
    return this.call('POST second-factor', { body: { challenge, method, ...given } });
  }

  /** Sets up an app in a session. Its first code is used up by that. */
  async app({ token }: { readonly token: string }): Promise<App> {
    const begun = await this.call('POST me/totp', { token });
    if (begun.status !== 200) throw new Error(`No app: ${JSON.stringify(begun.body)}`);
    const { secret } = begun.body;
    const code = (steps = 0) => codeOf(secret, this.clock.now + steps * 30_000);
    const confirmed = await this.call('POST me/totp/confirm', { token, body: { code: code() } });
    if (confirmed.status !== 200) throw new Error(`No app: ${JSON.stringify(confirmed.body)}`);
    return { secret, recoveryCodes: confirmed.body.recovery_codes, code };
  }

  /** Registers a passkey in a session. */
  async passkey(
    { token }: { readonly token: string },
    passkey = new SoftwarePasskey(origin),
    wrongly: Wrongly = {},
  ): Promise<{ readonly passkey: SoftwarePasskey; readonly answer: Answer }> {
    const begun = await this.call('POST me/passkeys/options', { token });
    if (begun.status !== 200) throw new Error(`No passkey: ${JSON.stringify(begun.body)}`);
    const { challenge, options } = begun.body;
    const body = { challenge, response: passkey.created(options, wrongly), name: 'Laptop' };
    return { passkey, answer: await this.call('POST me/passkeys', { token, body }) };
  }

  /** Signs in with a passkey alone. */
  async passkeyLogin(passkey: SoftwarePasskey, wrongly: Wrongly = {}): Promise<Answer> {
    const { challenge, options } = (await this.call('POST passkeys/options')).body;
    return this.call('POST passkeys/login', { body: { challenge, response: passkey.used(options, wrongly) } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.api[Symbol.asyncDispose]();
  }
}

/** The code of a moment, in milliseconds since 1970. */
export const codeOf = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** Status and code of a problem: `401 invalid_code`. */
export const outcome = ({ status, body }: Answer): string => (status < 400 ? String(status) : `${status} ${body.code}`);
