import type { Transaction } from '../../database/database.ts';
import type { Account } from '../account.ts';
import type { AuthServices } from '../auth-services.ts';
import { demandsFactor } from './factor-policy.ts';

/** Has the days of grace begin for an account whose session lacks a demanded factor. Once begun, they are not begun again. */
export async function askForFactor(
  { accounts, policy, now }: Pick<AuthServices, 'accounts' | 'policy' | 'now'>,
  transaction: Transaction,
  { id, role, secondFactorAskedAt }: Account,
  secondFactor: boolean,
): Promise<void> {
  if (secondFactor || secondFactorAskedAt !== null || !demandsFactor(policy.secondFactor, role)) return;
  await accounts.recordFactorAsked(transaction, id, now());
}
