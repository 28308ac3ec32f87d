import type { CallOptions } from './transport.ts';

/** An account, as its owner and admins see it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly username: string | null;
  readonly role: 'admin' | 'editor' | 'member';
  readonly disabled: boolean;
  /** Whether an admin has confirmed that the email address is the person's. */
  readonly verified: boolean;
  readonly tenant_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** Signing in and out, and the caller's own account. */
export interface Auth {
  login(credentials: { readonly email: string; readonly password: string }, options?: CallOptions): Promise<Account>;
  register(
    account: { readonly email: string; readonly password: string; readonly username?: string },
    options?: CallOptions,
  ): Promise<Account>;
  /** Renews the access token now. False: the session has ended. Calls do this by themselves. */
  refresh(options?: CallOptions): Promise<boolean>;
  /** Ends the session here and in the service. Here it ends even if the service cannot be reached. */
  logout(options?: CallOptions): Promise<void>;
  me(options?: CallOptions): Promise<Account>;
  update(changes: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Account>;
  /** Sets a new password. All sessions of the account end; this client goes on with a new one. */
  changePassword(
    passwords: { readonly current_password: string; readonly new_password: string },
    options?: CallOptions,
  ): Promise<Account>;
  /** Whether there is a session. It may have ended in the service: `me` finds out. */
  signedIn(): Promise<boolean>;
  /** Called when the service has ended the session: the refresh token expired, was used twice, or the account was disabled. */
  onEnd(listener: () => void): void;
}
