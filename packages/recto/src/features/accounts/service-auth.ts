import { type AuthServices, openAuth } from '../../auth/auth-services.ts';
import { RelyingParty } from '../../auth/factors/relying-party.ts';
import { AccountMails } from '../../auth/flows/account-mails.ts';
import { createPasswordHasher, type PasswordHasher } from '../../auth/password-hasher.ts';
import { isBuiltInRole, type Role } from '../../base/caller.ts';
import { contentTypes } from '../content-types/content-types-feature.ts';
import type { FeatureCore } from '../feature.ts';
import { jobs } from '../jobs/jobs-feature.ts';
import { mail } from '../mail/mail-feature.ts';
import { providersOf } from './sign-in-providers.ts';

/** Roles as they are served. Every request has looked for their changes before its caller is identified. */
async function knownRoles(core: FeatureCore): Promise<(role: Role) => boolean> {
  const definitions = await core.use(contentTypes);
  return (role) => isBuiltInRole(role) || definitions.current.types.ownRoles.find(role) !== undefined;
}

/** The services for accounts and tokens of one service, as configured. */
export async function serviceAuth(core: FeatureCore, passwords: PasswordHasher | undefined): Promise<AuthServices> {
  const { settings, database, secret, log, counters, process } = core;
  const auth = openAuth({
    ...{ database, secret, counters, rateLimit: settings.rateLimit },
    registrationOpen: settings.registration === 'open',
    siteName: settings.siteName,
    policy: {
      verifyEmail: settings.verifyEmail,
      signInCodes: settings.signInCodes,
      passwordSignIn: settings.passwordSignIn,
      secondFactor: { required: settings.requireSecondFactor, graceDays: settings.secondFactorGraceDays },
    },
    knowsRole: await knownRoles(core),
    relyingParty: RelyingParty.at(settings.url, settings.passkeyOrigins),
    passwords: passwords ?? createPasswordHasher({ processes: process.group?.workers ?? 1 }),
    onError: (error) => log.error({ err: error }, 'accounts: something failed behind a request'),
  });
  const outbox = await core.use(mail);
  return {
    ...auth,
    providers: providersOf(core),
    ...(outbox === undefined ? {} : { mails: new AccountMails(await core.use(jobs)) }),
  };
}
