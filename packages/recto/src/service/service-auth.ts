import { type AuthServices, openAuth } from '../auth/auth-services.ts';
import { RelyingParty } from '../auth/factors/relying-party.ts';
import { createPasswordHasher, type PasswordHasher } from '../auth/password-hasher.ts';
import type { RateCounters } from '../auth/rate-counters.ts';
import type { Logger } from '../base/logger.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../database/database.ts';

export interface ServiceAuthParts {
  readonly settings: Settings;
  readonly secret: string;
  readonly log: Logger;
  /** Default: the secure cost. */
  readonly passwords?: PasswordHasher | undefined;
  /** Where several processes serve: how many, and the counters that they share. */
  readonly shared?: { readonly workers: number; readonly counters: RateCounters } | undefined;
}

/** The services for accounts and tokens, as configured; `secret` comes from `loadSecret`. */
export function openServiceAuth(
  database: Database,
  { settings, secret, log, passwords, shared }: ServiceAuthParts,
): AuthServices {
  return openAuth({
    database,
    secret,
    registrationOpen: settings.registration === 'open',
    rateLimit: settings.rateLimit,
    policy: {
      verifyEmail: settings.verifyEmail,
      signInCodes: settings.signInCodes,
      passwordSignIn: settings.passwordSignIn,
      secondFactor: { required: settings.requireSecondFactor, graceDays: settings.secondFactorGraceDays },
    },
    relyingParty: RelyingParty.at(settings.url, settings.passkeyOrigins),
    passwords: passwords ?? createPasswordHasher({ processes: shared?.workers ?? 1 }),
    ...(shared === undefined ? {} : { counters: shared.counters }),
    onError: (error) => log.error({ err: error }, 'accounts: something failed behind a request'),
  });
}
