import { newId } from '../base/ids.ts';
import { StartRefused } from '../base/start-refused.ts';
import { checkAccountInput } from './account-input.ts';
import type { AuthServices } from './auth-services.ts';
import { authGeneration } from './auth-tables.ts';
import type { EmailAddress } from './email-address.ts';

export interface FirstAdmin {
  readonly email: string;
  /** To be shown to the operator now: it is known nowhere else. Null where the settings gave the password. */
  readonly generatedPassword: string | null;
}

/** The address of the first admin where the settings name none. */
const defaultEmail = 'admin@recto.local';

/** An admin that is not there yet, with its password hashed. */
export interface FirstAdminDraft {
  readonly email: EmailAddress;
  readonly passwordHash: string;
  readonly generatedPassword: string | null;
}

/**
 * Gets the first admin ready, which takes the time of hashing a password; undefined where there is an admin. Throws `StartRefused`
 * when only one of address and password is set, or one of them will not do.
 */
export async function draftFirstAdmin(
  { database, accounts, passwords }: Pick<AuthServices, 'database' | 'accounts' | 'passwords'>,
  configured: { readonly email: string | undefined; readonly password: string | undefined },
): Promise<FirstAdminDraft | undefined> {
  if ((configured.email === undefined) !== (configured.password === undefined))
    throw new StartRefused('RECTO_ADMIN_EMAIL and RECTO_ADMIN_PASSWORD must be set together.');
  const generatedPassword = configured.password === undefined ? newPassword() : null;
  const password = configured.password ?? generatedPassword ?? '';
  const { values, faults } = checkAccountInput({ email: configured.email ?? defaultEmail, password });
  const { email } = values;
  if (faults.length > 0 || email === undefined)
    throw new StartRefused(`The first admin cannot be made: ${faults.map(({ message }) => message).join(' ')}`);
  if (await accounts.hasAdmin(database)) return undefined;
  return { email, passwordHash: await passwords.hash(password), generatedPassword };
}

/**
 * Makes the admin and tells it; undefined where there is one by now. An account that has the address already becomes the
 * admin, with the draft's password.
 */
export function makeFirstAdmin(
  { database, accounts, sessions, now }: Pick<AuthServices, 'database' | 'accounts' | 'sessions' | 'now'>,
  { email, passwordHash, generatedPassword }: FirstAdminDraft,
): Promise<FirstAdmin | undefined> {
  return database.transaction(async (transaction) => {
    // Another process may be starting at the same moment.
    await accounts.lockAdmins(transaction);
    if (await accounts.hasAdmin(transaction)) return undefined;
    const existing = await accounts.byEmailKey(transaction, email.key);
    if (existing === undefined) {
      const admin = { id: newId(), email, username: null, passwordHash, role: 'admin', tenant: null } as const;
      await accounts.insert(transaction, admin, now());
    } else {
      // Whoever registered this address before is not its owner by that: only the password of the settings opens it.
      await sessions.endAll(transaction, existing.id, now());
      await accounts.update(
        transaction,
        existing.id,
        { role: 'admin', disabled: false, tenant: null, passwordHash },
        now(),
      );
      transaction.touch(authGeneration);
    }
    return { email: email.address, generatedPassword };
  });
}

const newPassword = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
