import type { Caller } from '../../base/caller.ts';
import { parseEmail } from '../../base/email-address.ts';
import { logAccount } from '../account-event.ts';
import { runInAccountTransaction } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { nobodysPassword } from './nobodys-password.ts';
import { invalidLink, proveByLink } from './proven-account.ts';

type Parts = AuthServices & { readonly by?: Caller };

interface GivenLink {
  readonly token: string;
  readonly language: string;
}

/**
 * Gives the account the address that it waits for, by the link sent there. The old address gets a notice with a way back, if it was
 * confirmed: otherwise it may be a stranger's. Throws 401 `invalid_link`.
 */
export async function confirmEmailChange(services: Parts, { token: given, language }: GivenLink): Promise<void> {
  const { accounts, accountTokens, mails, now, by } = services;
  await runInAccountTransaction(services, async (transaction) => {
    const { account } = await proveByLink(services, transaction, 'email_change', given, (one) => one.pendingEmail);
    const email = parseEmail(account.pendingEmail ?? '');
    const holder = email === undefined ? undefined : await accounts.byEmailKey(transaction, email.key);
    if (email === undefined || (holder !== undefined && holder.id !== account.id)) throw invalidLink();
    const values = { email, verified: true, pendingEmail: null };
    await accountTokens.end(transaction, account.id, [
      'verification',
      'password_reset',
      'email_change',
      'sign_in_code',
    ]);
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
    if (!account.verified) return;
    const { id, email: address } = account;
    await mails?.queue(transaction, { kind: 'email_changed', account: id, address, at: now(), language });
  });
}

/**
 * Takes a change of the address back, by the link sent to the old one. Whoever changed it knew the password and may be signed in:
 * both end, with the API tokens made since, and the old address gets a link for a new password. Throws 401 `invalid_link`.
 */
export async function revertEmailChange(services: Parts, { token: given, language }: GivenLink): Promise<void> {
  const { database, accounts, accountTokens, sessions, apiTokens, identities, mails, now, by } = services;
  const known = await accountTokens.find(database, 'email_revert', given, now());
  if (known === undefined) throw invalidLink();
  const passwordHash = nobodysPassword();
  await runInAccountTransaction(services, async (transaction) => {
    const token = await accountTokens.find(transaction, 'email_revert', given, now());
    // Neither the address nor the password of today counts: whoever changed the one may have changed the other.
    const account = token === undefined ? undefined : await accounts.byId(transaction, token.account);
    const email = parseEmail(token?.address ?? '');
    if (token === undefined || account === undefined || account.disabled || email === undefined) throw invalidLink();
    const holder = await accounts.byEmailKey(transaction, email.key);
    if (holder !== undefined && holder.id !== account.id) throw invalidLink();
    await accountTokens.end(transaction, account.id);
    await sessions.endAll(transaction, account.id, now());
    await apiTokens.removeOf(transaction, account.id, now(), token.createdAt);
    await identities.removeOf(transaction, account.id, token.createdAt);
    const values = { email, verified: true, passwordHash, pendingEmail: null };
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
    await mails?.queue(transaction, { kind: 'password_reset', account: account.id, language });
  });
}
