import { StartRefused } from '../errors/start-refused.ts';
import { newId } from '../ids/ids.ts';
import { checkAccountInput } from './account-input.ts';
import type { AuthServices } from './auth-services.ts';
import { authGeneration } from './auth-tables.ts';

export interface FirstAdmin {
  readonly email: string;
  /** To be shown to the operator now: it is known nowhere else. Null where the settings gave the password. */
  readonly generatedPassword: string | null;
}

/** The address of the first admin where the settings name none. */
const defaultEmail = 'admin@recto.local';

/**
 * Sees to it that there is an admin, and tells the one it made; undefined when there was one. An account that has the
 * configured address already becomes the admin, with the configured password.
 * Throws `StartRefused` when only one of address and password is set, or one of them will not do.
 */
export async function ensureFirstAdmin(
  parts: Pick<AuthServices, 'database' | 'accounts' | 'sessions' | 'passwords' | 'now'>,
  configured: { readonly email: string | undefined; readonly password: string | undefined },
): Promise<FirstAdmin | undefined> {
  const { database, accounts, sessions, passwords, now } = parts;
  if ((configured.email === undefined) !== (configured.password === undefined))
    throw new StartRefused('RECTO_ADMIN_EMAIL and RECTO_ADMIN_PASSWORD must be set together.');
  const generated = configured.password === undefined ? newPassword() : null;
  const password = configured.password ?? generated ?? '';
  const { values, faults } = checkAccountInput({ email: configured.email ?? defaultEmail, password });
  const { email } = values;
  if (faults.length > 0 || email === undefined)
    throw new StartRefused(`The first admin cannot be made: ${faults.map(({ message }) => message).join(' ')}`);

  if (await accounts.hasAdmin(database)) return undefined;
  const passwordHash = await passwords.hash(password);
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
    return { email: email.address, generatedPassword: generated };
  });
}

const newPassword = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
