import type { Caller } from '../../base/caller.ts';
import { logAccount } from '../account-event.ts';
import type { AuthServices } from '../auth-services.ts';
import { authGeneration } from '../auth-tables.ts';
import { proveByLink } from './proven-account.ts';

/** Confirms an address by the link. Throws 401 `invalid_link`. */
export async function confirmVerification(
  services: AuthServices & { readonly by?: Caller },
  given: string,
): Promise<void> {
  const { database, accounts, now, by } = services;
  await database.transaction(async (transaction) => {
    const { account } = await proveByLink(services, transaction, 'verification', given);
    const values = { verified: true };
    await accounts.update(transaction, account.id, values, now());
    logAccount(transaction, { account, action: 'update', values, by, now: now() });
    transaction.touch(authGeneration);
  });
}
