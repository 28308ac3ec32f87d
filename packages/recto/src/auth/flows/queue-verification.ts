import type { Account } from '../account.ts';
import type { AuthServices } from '../auth-services.ts';

/** Mails a link that confirms the account's address, unless it is confirmed or has had its mails. */
export async function queueVerification(
  { mails, database, limits }: Pick<AuthServices, 'mails' | 'database' | 'limits'>,
  account: Pick<Account, 'id' | 'emailKey' | 'verified'>,
  { address, language }: { readonly address: string; readonly language: string },
): Promise<void> {
  if (mails === undefined || account.verified) return;
  if (!(await limits.mail('verification', address, account.emailKey))) return;
  await database.transaction((transaction) =>
    mails.queue(transaction, { kind: 'verification', account: account.id, language }),
  );
}
