import type { Caller } from '../base/caller.ts';
import type { Account } from './account.ts';
import { logAccount } from './account-event.ts';
import type { AuthServices } from './auth-services.ts';
import type { WhichSessions } from './session-store.ts';

/** Ends sessions of an account at once, everywhere, and logs that. Returns how many there were. */
export function endSessions(
  { database, sessions, now }: Pick<AuthServices, 'database' | 'sessions' | 'now'>,
  account: Pick<Account, 'id' | 'tenant'>,
  which: WhichSessions,
  by: Caller,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const ended = await sessions.endOf(transaction, account.id, now(), which);
    if (ended > 0) logAccount(transaction, { account, action: 'update', also: ['sessions'], by, now: now() });
    return ended;
  });
}
