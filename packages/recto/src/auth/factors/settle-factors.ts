import type { Transaction } from '../../database/database.ts';
import type { AuthServices } from '../auth-services.ts';
import { hasFactor, type OwnFactors } from './factor-store.ts';

/**
 * Brings up to date what follows from the factors of an account, after they have changed: without any, its recovery codes and pending
 * challenges end, and no session counts as one with a second factor. Returns what the account has now.
 */
export async function settleFactors(
  { accounts, factors, sessions }: Pick<AuthServices, 'accounts' | 'factors' | 'sessions'>,
  transaction: Transaction,
  account: string,
): Promise<OwnFactors> {
  const own = await factors.of(transaction, account);
  await accounts.recordFactor(transaction, account, hasFactor(own));
  if (hasFactor(own)) return own;
  await factors.removeStandIns(transaction, account);
  await sessions.forgetFactor(transaction, account);
  return { ...own, recoveryCodes: 0 };
}
