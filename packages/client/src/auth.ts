import type { CallOptions } from './transport.ts';

/** An account, as its owner and admins see it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly username: string | null;
  /** A built-in role, or one of the site's own. */
  readonly role: 'admin' | 'editor' | 'member' | (string & {});
  readonly disabled: boolean;
  /** Whether the email address is known to be the person's: confirmed by a mail or by an admin. */
  readonly verified: boolean;
  readonly tenant_id: string | null;
  /** The address that the account gets once it is confirmed. Absent: none. */
  readonly pending_email?: string;
  /** When the account was invited. Absent once the invitation is accepted. */
  readonly invited_at?: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly [field: string]: unknown;
}

/** What a page that signs people in can offer. */
export interface AuthOptions {
  readonly registration: 'open' | 'closed';
  /** Whether the service sends mail. Without it, of the calls for links and codes there is `acceptInvitation` alone. */
  readonly mail: boolean;
  /** `required`: an account can sign in only once its address is confirmed. */
  readonly verify_email: 'off' | 'on' | 'required';
  /** Who may sign in with a mailed code. */
  readonly sign_in_codes: 'off' | 'members' | 'all';
  /** Who may sign in with a password. */
  readonly password_sign_in: 'on' | 'members' | 'off';
  /** Whether the service takes passkeys. */
  readonly passkeys: boolean;
  /** Whose accounts must have a second factor. */
  readonly require_second_factor: 'off' | 'admins' | 'editors' | 'all';
  /** The name of the site. */
  readonly site_name: string;
}

/** What a mailed code goes with. */
export interface CodeChallenge {
  readonly challenge: string;
  /** Seconds until the code expires. */
  readonly expires_in: number;
}

/** A provider to sign in with. */
export interface AuthProvider {
  readonly name: string;
  /** What a button says. */
  readonly label: string;
  readonly kind: 'google' | 'microsoft' | 'github' | 'oidc';
}

/** An account of a provider that opens the caller's account. */
export interface Identity {
  readonly id: string;
  readonly provider: string;
  readonly label: string;
  readonly email: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

/** What of a page in a browser these calls need. */
export interface Page {
  readonly location: { readonly href: string; readonly hash: string; assign(address: string): void };
  readonly history: { readonly state: unknown; replaceState(state: unknown, unused: string, address?: string): void };
  readonly sessionStorage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
}

/** Signing in with providers: in a page, whose address the browser leaves and comes back to. */
export interface Providers {
  /** The providers that the service knows. */
  providers(options?: CallOptions): Promise<readonly AuthProvider[]>;
  /** Goes to a provider. It leads back to `returnTo`, a page of this origin that the service allows; in the admin, that may be left out. */
  signInWith(name: string, how?: { readonly returnTo?: string; readonly purpose?: 'sign_in' | 'admin' }): Promise<void>;
  /**
   * Signs in with what the address of this page has from a provider, and takes it out of the address. Undefined: there is none. Where the
   * provider, or the service, said no, the `code` of the error says why.
   */
  exchange(options?: CallOptions): Promise<Account | undefined>;
  /** The identities of the caller. To link and to remove one takes a recent proof that it is the caller. */
  readonly identities: {
    list(options?: CallOptions): Promise<readonly Identity[]>;
    /** Goes to a provider, to come back to `returnTo`, which calls `confirm`. */
    link(name: string, options?: CallOptions & { readonly returnTo?: string }): Promise<void>;
    /** Links the identity that the address of this page has from a provider. Undefined: there is none. */
    confirm(options?: CallOptions): Promise<Identity | undefined>;
    remove(id: string, options?: CallOptions): Promise<void>;
  };
}

/** What stands in for a password, or is asked for after it. */
export type FactorMethod = 'passkey' | 'totp' | 'recovery_code';

/** What a sign-in to an account with a second factor waits for: `second_factor` of the error `second_factor_required`. */
export interface SecondFactorRequired {
  readonly challenge: string;
  /** Seconds until the challenge expires. */
  readonly expires_in: number;
  readonly methods: readonly FactorMethod[];
  /** For a passkey: what `PublicKeyCredential.parseRequestOptionsFromJSON` takes. */
  readonly options?: object;
}

/** A second factor. `response` is the credential's `toJSON()`. */
export type GivenFactor =
  | { readonly method: 'totp' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly response: object };

export interface PasskeyChallenge {
  readonly challenge: string;
  readonly expires_in: number;
  readonly options: object;
}

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly transports: readonly string[];
  readonly backed_up: boolean;
  readonly aaguid: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface AddedPasskey {
  readonly passkey: Passkey;
  /** With the first second factor of an account. They are shown this once. */
  readonly recovery_codes?: readonly string[];
}

/** What the caller's account has, and what is demanded of it. */
export interface SecondFactors {
  readonly totp: boolean;
  /** How many there are. */
  readonly passkeys: number;
  /** How many have not been used. */
  readonly recovery_codes: number;
  /** Whether the account must have a second factor. */
  readonly required: boolean;
  /** Until when it may do without; null: not at all, or for good. */
  readonly due_at: string | null;
  readonly session: { readonly second_factor: boolean; readonly stepped_up_until: string | null };
}

/** The ways to prove who is there. None: sign in again. */
export interface StepUpOptions extends Partial<PasskeyChallenge> {
  readonly methods: readonly ('password' | FactorMethod)[];
}

/** Second factors and passkeys. Changing them takes a recent proof: 403 `step_up_required`, whose `methods` the error has. */
export interface Factors {
  /** Signs in with a passkey of this browser, of whichever account. `mediation: 'conditional'` offers it in the fields of a form. */
  signInWithPasskey(
    options?: CallOptions & { readonly mediation?: 'conditional' | 'optional' | 'required' },
  ): Promise<Account>;
  /** Completes a sign-in. 401 `invalid_code`: the factor or the challenge is wrong or used. */
  secondFactor(given: { readonly challenge: string } & GivenFactor, options?: CallOptions): Promise<Account>;
  /** The same with a passkey that the browser asks for. */
  secondFactorWithPasskey(required: SecondFactorRequired, options?: CallOptions): Promise<Account>;
  secondFactors(options?: CallOptions): Promise<SecondFactors>;
  /** Proves for ten minutes who is there. 422: the password is wrong; 401 `invalid_code`: the factor is. */
  stepUp(
    proof: { readonly current_password: string } | ({ readonly challenge?: string } & GivenFactor),
    options?: CallOptions,
  ): Promise<void>;
  stepUpOptions(options?: CallOptions): Promise<StepUpOptions>;
  stepUpWithPasskey(options?: CallOptions): Promise<void>;
  /** Replaces the recovery codes. They are shown this once. */
  newRecoveryCodes(options?: CallOptions): Promise<readonly string[]>;
  /** An app that shows codes. */
  readonly totp: {
    /** What an app takes: `qr` is an SVG image. It counts once a code was confirmed. */
    begin(options?: CallOptions): Promise<{ readonly secret: string; readonly uri: string; readonly qr: string }>;
    /** Returns recovery codes, which are shown this once. */
    confirm(code: string, options?: CallOptions): Promise<readonly string[]>;
    remove(options?: CallOptions): Promise<void>;
  };
  readonly passkeys: {
    list(options?: CallOptions): Promise<readonly Passkey[]>;
    /** Has the browser make one. */
    add(name?: string, options?: CallOptions): Promise<AddedPasskey>;
    rename(id: string, name: string, options?: CallOptions): Promise<Passkey>;
    remove(id: string, options?: CallOptions): Promise<void>;
  };
}

/** Signing in and out, and the caller's own account. A link that does not work (any more) is 401 `invalid_link`. */
export interface Auth extends Providers, Factors {
  /** An account with a second factor: 403 `second_factor_required`, whose `second_factor` `secondFactor` takes. */
  login(credentials: { readonly email: string; readonly password: string }, options?: CallOptions): Promise<Account>;
  /** Signs in, unless the service wants the address confirmed first: then the result is undefined, and a mail follows. */
  register(
    account: { readonly email: string; readonly password: string; readonly username?: string },
    options?: CallOptions,
  ): Promise<Account | undefined>;
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
  /** What the service offers for signing in. */
  options(options?: CallOptions): Promise<AuthOptions>;
  /** Mails a link for a new password, if there is such an account. The response does not say so. */
  forgotPassword(email: string, options?: CallOptions): Promise<void>;
  /** Sets a new password by the token of a link. All sessions of the account end, and nobody is signed in. */
  resetPassword(reset: { readonly token: string; readonly new_password: string }, options?: CallOptions): Promise<void>;
  /** Mails the caller a link that confirms the address, unless it is confirmed. */
  requestVerification(options?: CallOptions): Promise<void>;
  /** Confirms an address by the token of a link. */
  verify(token: string, options?: CallOptions): Promise<void>;
  /** Gives an account its `pending_email`, by the token of the link that was mailed there. */
  confirmEmailChange(token: string, options?: CallOptions): Promise<void>;
  /** Gives an account its old address back, by the token of the link that was mailed there. Its sessions and its password end. */
  revertEmailChange(token: string, options?: CallOptions): Promise<void>;
  /** Sets the password of an invited account by the token of its link, and signs in. */
  acceptInvitation(
    invitation: { readonly token: string; readonly password: string; readonly username?: string },
    options?: CallOptions,
  ): Promise<Account>;
  /** Mails a code to sign in with, if the account may use codes. The response does not say so. */
  requestCode(email: string, options?: CallOptions): Promise<CodeChallenge>;
  /** Signs in with a mailed code. 401 `invalid_code`: it is wrong, used or expired, or was tried five times. */
  signInWithCode(given: { readonly challenge: string; readonly code: string }, options?: CallOptions): Promise<Account>;
  /** Whether there is a session. It may have ended in the service: `me` finds out. */
  signedIn(): Promise<boolean>;
  /** Called when the service has ended the session: the refresh token expired, was used twice, or the account was disabled. */
  onEnd(listener: () => void): void;
}
