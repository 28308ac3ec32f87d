import type { EmailAddress } from '../../base/email-address.ts';
import type { AuthProvider } from '../../config/auth-provider-setting.ts';

/** Who somebody is to a provider, as its answers say, checked. */
export interface ProviderIdentity {
  readonly provider: AuthProvider;
  /** With the subject, the key of an identity. An address never is one. */
  readonly issuer: string;
  readonly subject: string;
  /** Null: the provider names none that can be used. */
  readonly email: EmailAddress | null;
  /** Whether the provider has proof of the address, and is trusted with that. */
  readonly proven: boolean;
  /** The values of the claim that roles follow from. */
  readonly groups: readonly string[];
  /** Whether the provider asked for a second factor, and is trusted with that. */
  readonly mfa: boolean;
}

/** What a page can say of a sign-in that failed at the provider. */
export type ProviderFailureCode = 'access_denied' | 'provider_error' | 'provider_unavailable';

/** A provider's answer that is not accepted. `message` is for the log: it repeats nothing that was sent. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly code: ProviderFailureCode;

  constructor(code: ProviderFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
