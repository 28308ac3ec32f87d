import type { AuthOptions } from '@recto/client';

/** How a second factor is proven. */
export type FactorMethod = 'passkey' | 'totp' | 'recovery_code';

/** The password was right, and the account has a second factor. */
export interface FactorRequest {
  readonly challenge: string;
  /** Seconds until the challenge expires. */
  readonly expires_in: number;
  readonly methods: readonly FactorMethod[];
  /** For a passkey. */
  readonly options?: PublicKeyCredentialRequestOptionsJSON;
}

export interface Provider {
  readonly name: string;
  readonly label: string;
  readonly kind: 'google' | 'microsoft' | 'github' | 'oidc';
}

/** What the service says about signing in. */
export type AuthOffer = AuthOptions & {
  readonly password_sign_in?: 'on' | 'members' | 'off';
  /** The service knows its own address, which passkeys are bound to. */
  readonly passkeys?: boolean;
};

/** What the service offers for signing in, as far as the admin uses it. */
export interface SignInOffer {
  readonly mail: boolean;
  readonly password: boolean;
  readonly passkeys: boolean;
  /** By mail. */
  readonly codes: boolean;
  readonly providers: readonly Provider[];
}

/** Before the service has answered, and where it does not. */
export const usualOffer: SignInOffer = { mail: false, password: true, passkeys: false, codes: false, providers: [] };

/** Of members, who cannot use the admin, nothing is offered here. */
export function offerOf(options: AuthOffer, providers: readonly Provider[]): SignInOffer {
  const { password_sign_in = 'on', passkeys = false } = options;
  return {
    mail: options.mail,
    password: password_sign_in === 'on',
    passkeys,
    codes: options.mail && options.sign_in_codes === 'all',
    providers,
  };
}
