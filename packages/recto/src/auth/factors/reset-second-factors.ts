import type { Caller } from '../../base/caller.ts';
import { logAccount } from '../account-event.ts';
import { findAccount } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { clearSecondFactors } from './clear-second-factors.ts';

type Parts = Pick<AuthServices, 'database' | 'accounts' | 'factors' | 'sessions' | 'mails' | 'now'>;

/**
 * Removes all second factors of an account, for somebody who has lost them, and ends its sessions. Its password stays. The account gets a
 * mail. Resolves with whether there were any. Throws 404.
 */
export async function resetSecondFactors(
  parts: Parts & { readonly by?: Caller },
  id: string,
  { within, language = 'en' }: { readonly within?: string | undefined; readonly language?: string } = {},
): Promise<boolean> {
  const { database, sessions, mails, now, by } = parts;
  return database.transaction(async (transaction) => {
    const account = await findAccount(parts, transaction, id, within);
    const had = await clearSecondFactors(parts, transaction, id);
    if (!had) return false;
    await sessions.endAll(transaction, id, now());
    logAccount(transaction, { account, action: 'update', also: ['second_factors', 'sessions'], by, now: now() });
    await mails?.queue(transaction, { kind: 'second_factor_changed', account: id, language });
    return true;
  });
}
