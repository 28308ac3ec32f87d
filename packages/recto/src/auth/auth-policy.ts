import type { FactorPolicy } from './factors/factor-policy.ts';

/** What the settings say about addresses, codes and second factors. */
export interface AuthPolicy {
  /** RECTO_VERIFY_EMAIL. */
  readonly verifyEmail: 'off' | 'on' | 'required';
  /** RECTO_SIGN_IN_CODES. */
  readonly signInCodes: 'off' | 'members' | 'all';
  /** RECTO_PASSWORD_SIGN_IN. */
  readonly passwordSignIn: 'on' | 'members' | 'off';
  readonly secondFactor: FactorPolicy;
}
