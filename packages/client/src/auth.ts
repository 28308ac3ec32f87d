import type { Session } from './session.ts';
import type { CallOptions, Transport } from './transport.ts';

/** An account, as its owner and admins see it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly username: string | null;
  readonly role: 'admin' | 'editor' | 'member';
  readonly disabled: boolean;
  readonly tenant_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

interface SignedIn {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly user: Account;
}

/** Signing in and out, and the caller's own account. */
export class Auth {
  readonly #plain: Transport;
  readonly #transport: Transport;
  readonly #session: Session;

  /** `plain` sends no access tokens. */
  constructor(plain: Transport, transport: Transport, session: Session) {
    this.#plain = plain;
    this.#transport = transport;
    this.#session = session;
  }

  login(
    credentials: { readonly email: string; readonly password: string },
    options: CallOptions = {},
  ): Promise<Account> {
    return this.#enter('/auth/login', credentials, options);
  }

  register(
    account: { readonly email: string; readonly password: string; readonly username?: string },
    options: CallOptions = {},
  ): Promise<Account> {
    return this.#enter('/auth/register', account, options);
  }

  /** Renews the access token now. False: the session has ended. Calls do this by themselves. */
  async refresh(options: CallOptions = {}): Promise<boolean> {
    return await this.#session.renew(undefined, options.signal);
  }

  /** Ends the session here and in the service. Here it ends even if the service cannot be reached. */
  async logout(options: CallOptions = {}): Promise<void> {
    const refresh_token = await this.#session.refreshToken();
    try {
      await this.#transport.json('POST', '/auth/logout', {
        ...options,
        body: { refresh_token, ...this.#session.mode },
      });
    } finally {
      await this.#session.end();
    }
  }

  me(options: CallOptions = {}): Promise<Account> {
    return this.#transport.json('GET', '/auth/me', options);
  }

  update(changes: Readonly<Record<string, unknown>>, options: CallOptions = {}): Promise<Account> {
    return this.#transport.json('PUT', '/auth/me', { ...options, body: changes });
  }

  /** Whether there is a session. It may have ended in the service: `me` finds out. */
  async signedIn(): Promise<boolean> {
    return (await this.#session.token()) !== undefined;
  }

  /** Called when the service has ended the session: the refresh token expired, was used twice, or the account was disabled. */
  onEnd(listener: () => void): void {
    this.#session.onEnd = listener;
  }

  async #enter(path: string, body: object, options: CallOptions): Promise<Account> {
    const sent = { ...options, body: { ...body, ...this.#session.mode } };
    const { user, ...tokens } = await this.#plain.json<SignedIn>('POST', path, sent);
    await this.#session.begin(tokens);
    return user;
  }
}
