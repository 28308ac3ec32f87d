import type { Transaction } from '../../database/database.ts';
import type { AuthServices } from '../auth-services.ts';
import { hasFactor } from './factor-store.ts';
import { settleFactors } from './settle-factors.ts';

/**
 * Removes all second factors of an account as part of a transaction: passkeys, the app with its codes, recovery codes, and what waits for
 * them. Returns whether there were any. Sessions, the event and a notice are the caller's to see to.
 */
export async function clearSecondFactors(
  services: Pick<AuthServices, 'accounts' | 'factors' | 'sessions'>,
  transaction: Transaction,
  account: string,
): Promise<boolean> {
  const had = hasFactor(await services.factors.of(transaction, account));
  await services.factors.remove(transaction, account);
  await settleFactors(services, transaction, account);
  return had;
}
