import type { Caller } from '../../base/caller.ts';
import { conflict, notFound } from '../../base/problem.ts';
import type { Executor, Transaction } from '../../database/database.ts';
import type { Account } from '../account.ts';
import { logAccount } from '../account-event.ts';
import { noSuchAccount } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { hasPassword } from '../flows/nobodys-password.ts';
import { mayUseCodes } from '../flows/sign-in-code.ts';
import { mayUsePassword } from '../password-policy.ts';
import { type GivenProviderCode, invalidProviderCode } from './exchange-code.ts';
import type { Identity } from './identity-store.ts';
import { onceMore } from './once-more.ts';

type Services = AuthServices & { readonly by?: Caller };

/**
 * Adds an identity to the account of the caller, who is signed in and has come back from the provider with its code. Throws 401
 * `invalid_code`, 409 `identity_in_use`.
 */
export async function linkIdentity(
  services: Services,
  id: string,
  { language, label, ...given }: GivenProviderCode & { readonly language: string; label(provider: string): string },
): Promise<Identity> {
  const { database, identities, providerCodes, mails, now, by } = services;
  const taken = await database.transaction((transaction) =>
    providerCodes.take(transaction, { ...given, purpose: 'link' }, now()),
  );
  if (taken === undefined) throw invalidProviderCode();
  const link = async (transaction: Transaction): Promise<Identity> => {
    const account = await accountOf(services, transaction, id);
    const known = await identities.find(transaction, taken);
    if (known !== undefined && known.account !== id)
      throw conflict('identity_in_use', 'Another account signs in with this identity.');
    if (known !== undefined) return known;
    const { provider, issuer, subject, email } = taken;
    const identity = await identities.insert(transaction, { account: id, provider, issuer, subject, email }, now());
    logAccount(transaction, { account, action: 'update', also: ['identities'], by, now: now() });
    await mails?.queue(transaction, { kind: 'identity_linked', account: id, provider: label(provider), language });
    return identity;
  };
  return onceMore(database, () => database.transaction(link));
}

/** Removes an identity of an account. Throws 404, and 409 `last_sign_in_method` where nothing else would open the account. */
export async function unlinkIdentity(services: Services, id: string, identity: string): Promise<void> {
  const { database, identities, now, by } = services;
  await database.transaction(async (transaction) => {
    const account = await accountOf(services, transaction, id);
    const all = await identities.list(transaction, id);
    if (!all.some((one) => one.id === identity)) throw notFound('There is no such identity.');
    const others = all.filter((one) => one.id !== identity);
    if (!(await hasOtherMethod(services, transaction, account, others)))
      throw conflict('last_sign_in_method', 'Nothing else opens this account: set a password or add a passkey first.');
    await identities.remove(transaction, identity);
    logAccount(transaction, { account, action: 'update', also: ['identities'], by, now: now() });
  });
}

/** Whether somebody can sign in to the account without the identity that goes. */
async function hasOtherMethod(
  { policy, mails, providers, passkeys, relyingParty }: AuthServices,
  executor: Executor,
  account: Account,
  others: readonly Identity[],
): Promise<boolean> {
  if (others.some((identity) => providers?.opens(identity) === true)) return true;
  if (hasPassword(account) && mayUsePassword(account, policy)) return true;
  if (mails !== undefined && mayUseCodes(account, policy)) return true;
  return relyingParty !== undefined && (await passkeys.of(executor, account.id)).length > 0;
}

async function accountOf({ accounts }: AuthServices, executor: Executor, id: string): Promise<Account> {
  const account = await accounts.byId(executor, id);
  if (account === undefined) throw noSuchAccount();
  return account;
}
