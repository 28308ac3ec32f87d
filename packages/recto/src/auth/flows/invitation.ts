import type { Caller } from '../../base/caller.ts';
import { conflict, invalid } from '../../base/problem.ts';
import type { Account } from '../account.ts';
import { logAccount } from '../account-event.ts';
import { checkAccountInput } from '../account-input.ts';
import { accountFaults, findAccount, runInAccountTransaction } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { enter, type SignedIn, type SignInServices, signedIn } from '../enter.ts';
import { accountOf, endUnproven, invalidLink, proveByLink } from './proven-account.ts';

/**
 * Mails an invitation again; the earlier link ends. Without mail, returns the token of a link to hand over. Throws 404, and 409
 * `invitation_accepted`: a link to an account in use would open it to whoever has the link.
 */
export async function inviteAgain(
  services: AuthServices & { readonly by?: Caller },
  id: string,
  { within, language }: { readonly within: string | undefined; readonly language: string },
): Promise<string | undefined> {
  const { database, accounts, accountTokens, mails, now, by } = services;
  return database.transaction(async (transaction) => {
    const account = await findAccount(services, transaction, id, within);
    if (account.invitedAt === null)
      throw conflict('invitation_accepted', 'The account has no invitation that waits to be accepted.');
    const values = { invitedAt: now() };
    await accounts.update(transaction, id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    if (mails === undefined)
      return accountTokens.issue(transaction, 'invitation', { ...account, address: account.email }, now());
    await mails.queue(transaction, { kind: 'invitation', account: id, language });
    return undefined;
  });
}

/** The address of an account that waits for its invitation to be accepted; null for any other. */
const invited = ({ email, invitedAt }: Account): string | null => (invitedAt === null ? null : email);

/** Accepts an invitation by its link, and signs in. Throws 401 `invalid_link`, 422. */
export async function acceptInvitation(
  services: SignInServices & { readonly by?: Caller },
  given: { readonly token: string; readonly password: string; readonly username?: string | null | undefined },
): Promise<SignedIn> {
  const { database, accounts, accountTokens, passwords, mails, now, by } = services;
  const known = await accountTokens.find(database, 'invitation', given.token, now());
  if ((await accountOf(services, database, known, invited)) === undefined) throw invalidLink();
  const input = { password: given.password, username: given.username ?? undefined };
  const faults = await accountFaults(services, input, known?.account);
  if (faults.length > 0) throw invalid(faults);
  const { username } = checkAccountInput(input).values;
  const passwordHash = await passwords.hash(given.password);
  const entrance = await runInAccountTransaction(services, async (transaction) => {
    const { account } = await proveByLink(services, transaction, 'invitation', given.token, invited);
    await endUnproven(services, transaction, account);
    // A link that was handed over says nothing about the address.
    const proof = mails === undefined ? {} : { verified: true };
    const name = username === undefined ? {} : { username };
    const values = { passwordHash, invitedAt: null, ...proof, ...name };
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
    return enter(services, transaction, (await accounts.byId(transaction, account.id)) ?? account, {
      kind: 'invitation',
    });
  });
  return signedIn(services, entrance);
}
