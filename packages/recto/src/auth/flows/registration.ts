import type { Caller } from '../../base/caller.ts';
import { newId } from '../../base/ids.ts';
import { invalid, Problem } from '../../base/problem.ts';
import { logAccount } from '../account-event.ts';
import { checkAccountInput } from '../account-input.ts';
import { runInAccountTransaction } from '../accounts.ts';
import type { AuthServices } from '../auth-services.ts';
import { tokenHash } from '../opaque-token.ts';

/**
 * Registers an account that cannot sign in before its address is confirmed (RECTO_VERIFY_EMAIL=required). The response is the same
 * whether the address is taken: its owner gets a mail instead, with a link to a new password. Throws 422.
 */
export async function registerUnconfirmed(
  services: AuthServices & { readonly by?: Caller },
  input: { readonly email: string; readonly password: string; readonly username?: string | null | undefined },
  { address, language }: { readonly address: string; readonly language: string },
): Promise<void> {
  const { accounts, passwords, mails, limits, now, by } = services;
  const { values, faults } = checkAccountInput({ email: input.email, password: input.password });
  const { email } = values;
  const all = [...faults, ...usernameFaults(input.username)];
  if (all.length > 0 || email === undefined || mails === undefined) throw invalid(all);
  const passwordHash = await passwords.hash(input.password);
  const mayMail = await limits.mail('registration', address, email.key);
  const draft = { id: newId(), email, username: null, role: 'member', tenant: null, passwordHash } as const;
  try {
    await runInAccountTransaction(services, async (transaction) => {
      const existing = await accounts.byEmailKey(transaction, email.key);
      if (existing === undefined) {
        logAccount(transaction, { account: draft, action: 'create', by, now: now() });
        await accounts.insert(transaction, draft, now());
      }
      const kind = existing === undefined ? 'verification' : 'account_exists';
      const account = existing?.id ?? draft.id;
      if (existing === undefined || mayMail)
        await mails.queue(transaction, { kind, account, address_hash: tokenHash(email.key), language });
    });
  } catch (error) {
    // Another request has registered the address at the same moment.
    if (!(error instanceof Problem && error.status === 422)) throw error;
  }
}

/** Whether a username is taken would say, in a second request, whether the address of the first one was. */
const usernameFaults = (username: string | null | undefined) =>
  username === undefined || username === null
    ? []
    : [
        {
          field: 'username',
          code: 'not_allowed',
          message: 'A username can be chosen once the email address is confirmed.',
        },
      ];
