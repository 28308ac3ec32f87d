import { type Authenticator, isBuiltInRole, type Role } from '../base/caller.ts';
import { TextSeal } from '../base/text-seal.ts';
import type { Database } from '../database/database.ts';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';
import { AccountStore } from './account-store.ts';
import { ApiTokenStore } from './api-token-store.ts';
import type { AuthPolicy } from './auth-policy.ts';
import { BearerAuthenticator } from './bearer-authenticator.ts';
import { ChallengeStore } from './factors/challenge-store.ts';
import { FactorStore } from './factors/factor-store.ts';
import { PasskeyStore } from './factors/passkey-store.ts';
import { RecoveryCodeStore } from './factors/recovery-code-store.ts';
import type { RelyingParty } from './factors/relying-party.ts';
import { TotpStore } from './factors/totp-store.ts';
import type { AccountMails } from './flows/account-mails.ts';
import { AccountTokenStore } from './flows/account-token-store.ts';
import { createPasswordHasher, type PasswordHasher } from './password-hasher.ts';
import { IdentityStore } from './providers/identity-store.ts';
import { ProviderCodeStore } from './providers/provider-code-store.ts';
import type { Providers } from './providers/providers.ts';
import { memoryCounters, type RateCounters } from './rate-counters.ts';
import { SessionStore } from './session-store.ts';
import { createSignInLimits, noSignInLimits, type SignInLimits } from './sign-in-limits.ts';

/** The services for accounts and tokens, passed to the functions of this module. */
export interface AuthServices {
  readonly database: Database;
  readonly accounts: AccountStore;
  readonly sessions: SessionStore;
  readonly apiTokens: ApiTokenStore;
  readonly passwords: PasswordHasher;
  readonly accessTokens: AccessTokens;
  readonly limits: SignInLimits;
  /** The counters of rate-limited calls. */
  readonly counters: RateCounters;
  readonly authenticator: Authenticator;
  /** Whether there is a role of this name now. */
  readonly knowsRole: (role: Role) => boolean;
  /** Whether anyone may register. */
  readonly registrationOpen: boolean;
  /** The name of the site, for pages that sign people in. */
  readonly siteName: string;
  readonly policy: AuthPolicy;
  /** Absent: mail is off. */
  readonly mails?: AccountMails | undefined;
  /** Links and codes that were mailed. */
  readonly accountTokens: AccountTokenStore;
  /** What accounts have besides their passwords. */
  readonly factors: FactorStore;
  readonly passkeys: PasskeyStore;
  /** Apps that show codes. */
  readonly totp: TotpStore;
  readonly recoveryCodes: RecoveryCodeStore;
  /** Encrypts the secrets of those apps. */
  readonly seal: TextSeal;
  /** Sign-ins, and other acts, that wait for a second factor or a passkey. */
  readonly challenges: ChallengeStore;
  /** Absent: the service does not know its own address, and takes no passkeys. */
  readonly relyingParty?: RelyingParty | undefined;
  /** Accounts of providers that people sign in with. */
  readonly identities: IdentityStore;
  readonly providerCodes: ProviderCodeStore;
  /** Absent: none is configured. */
  readonly providers?: Providers | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface AuthOptions {
  /** Default: passwords alone. */
  readonly policy?: Partial<AuthPolicy>;
  /** Absent: no passkeys. */
  readonly relyingParty?: RelyingParty | undefined;
  readonly database: Database;
  /** Signs access tokens; from `loadSecret`. */
  readonly secret: string;
  readonly registrationOpen: boolean;
  /** Default: Recto. */
  readonly siteName?: string;
  readonly rateLimit: boolean;
  /** Whether there is a role of this name now; default: those that are built in. */
  readonly knowsRole?: (role: Role) => boolean;
  readonly now?: () => number;
  readonly passwords?: PasswordHasher;
  /** Default: in this process's memory. */
  readonly counters?: RateCounters;
  /** Called with failures that affect no response. */
  readonly onError?: (error: unknown) => void;
}

export function openAuth(options: AuthOptions): AuthServices {
  const { database, secret, registrationOpen, rateLimit } = options;
  const now = options.now ?? Date.now;
  const counters = options.counters ?? memoryCounters();
  const sessions = new SessionStore(database.dialect);
  const apiTokens = new ApiTokenStore(database.dialect);
  const accessTokens = createAccessTokens(secret, now);
  const onError = options.onError ?? (() => undefined);
  const policy: AuthPolicy = {
    verifyEmail: 'off',
    signInCodes: 'off',
    passwordSignIn: 'on',
    secondFactor: { required: 'off', graceDays: 0 },
    ...options.policy,
  };
  const factors = new FactorStore(database.dialect);
  const accounts = new AccountStore(database.dialect);
  const knowsRole = options.knowsRole ?? isBuiltInRole;
  const parts = { database, accounts, accessTokens, sessions, apiTokens, factors, relyingParty: options.relyingParty };
  return {
    database,
    accounts,
    sessions,
    apiTokens,
    accountTokens: new AccountTokenStore(database.dialect),
    identities: new IdentityStore(database.dialect),
    providerCodes: new ProviderCodeStore(database.dialect),
    passwords: options.passwords ?? createPasswordHasher(),
    accessTokens,
    limits: rateLimit ? createSignInLimits(counters) : noSignInLimits,
    counters,
    authenticator: new BearerAuthenticator({
      ...parts,
      policy,
      knowsRole,
      now,
      onError,
    }),
    registrationOpen,
    siteName: options.siteName ?? 'Recto',
    knowsRole,
    policy,
    factors,
    passkeys: new PasskeyStore(database.dialect),
    totp: new TotpStore(database.dialect),
    recoveryCodes: new RecoveryCodeStore(database.dialect),
    seal: new TextSeal(secret, 'apps that show codes'),
    challenges: new ChallengeStore(database.dialect),
    relyingParty: options.relyingParty,
    now,
  };
}
