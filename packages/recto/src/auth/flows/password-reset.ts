import type { Caller } from '../../base/caller.ts';
import { parseEmail } from '../../base/email-address.ts';
import { invalid } from '../../base/problem.ts';
import type { Account } from '../account.ts';
import { logAccount } from '../account-event.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { tokenHash } from '../opaque-token.ts';
import { mayUsePassword } from '../password-policy.ts';
import { passwordFault } from '../password-rules.ts';
import { accountOf, endUnproven, invalidLink, proveByLink } from './proven-account.ts';

/** Somebody who asks for a mail without being signed in. */
export interface MailRequest {
  /** As it was sent. */
  readonly email: string;
  /** Of the client. */
  readonly address: string;
  readonly language: string;
}

/**
 * Mails a link that sets a new password. It does the same work whether there is such an account or not: one look-up and one job,
 * which ends without a mail where there is none.
 */
export async function requestPasswordReset(
  services: AuthServices,
  { email, address, language }: MailRequest,
): Promise<void> {
  const { mails, accounts, database, limits, policy } = services;
  const key = parseEmail(email)?.key ?? '';
  if (policy.passwordSignIn === 'off' || mails === undefined || !(await limits.mail('password_reset', address, key)))
    return;
  const account = await accounts.byEmailKey(database, key);
  await database.transaction((transaction) =>
    mails.queue(transaction, {
      ...{ kind: 'password_reset', account: account?.id ?? null, address_hash: tokenHash(key), language },
    }),
  );
}

const ownAddress = ({ email }: Account): string => email;

/**
 * Sets a new password by the link, which also confirms the address. All sessions end and none begins: a second factor is asked for at the
 * next sign-in as always. Throws 401 `invalid_link`, 422.
 */
export async function confirmPasswordReset(
  services: AuthServices & { readonly by?: Caller },
  given: { readonly token: string; readonly password: string; readonly language: string },
): Promise<void> {
  const { database, accounts, accountTokens, passwords, mails, now, by } = services;
  const fault = passwordFault(given.password, 'new_password');
  if (fault !== undefined) throw invalid([fault]);
  // A password is hashed for those alone who have a link.
  const known = await accountTokens.find(database, 'password_reset', given.token, now());
  const owner = await accountOf(services, database, known, ownAddress);
  // The setting, or the role, may have changed since the mail.
  if (owner === undefined || !mayUsePassword(owner, services.policy)) throw invalidLink();
  const passwordHash = await passwords.hash(given.password);
  await database.transaction(async (transaction) => {
    const { account } = await proveByLink(services, transaction, 'password_reset', given.token);
    await endUnproven(services, transaction, account);
    const values = { passwordHash, verified: true, ...settled(account) };
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
    await mails?.queue(transaction, { kind: 'password_changed', account: account.id, language: given.language });
  });
}

/** What waits for nothing any more once the owner of the address is here. */
export const settled = ({ pendingEmail, invitedAt }: Account) => ({
  ...(pendingEmail === null ? {} : { pendingEmail: null }),
  ...(invitedAt === null ? {} : { invitedAt: null }),
});
