import type { EmailAddress } from '../base/email-address.ts';
import { FatalError } from '../base/fatal-error.ts';
import { newId } from '../base/ids.ts';
import { logAccount } from './account-event.ts';
import { checkAccountInput } from './account-input.ts';
import type { AuthServices } from './auth-services.ts';
import { authGeneration } from './auth-tables.ts';
import { type AccessServices, endAllAccess } from './flows/proven-account.ts';

export interface FirstAdmin {
  readonly email: string;
  /** Shown to the operator once: it is stored nowhere. Null when the settings contain the password. */
  readonly generatedPassword: string | null;
}

/** The default address of the first admin, where no mail arrives. */
export const defaultEmail = 'admin@recto.local';

/** An admin to be created, with its password hashed. */
export interface FirstAdminDraft {
  readonly email: EmailAddress;
  readonly passwordHash: string;
  readonly generatedPassword: string | null;
}

/**
 * Prepares the first admin, which includes hashing a password; undefined when an admin exists. Throws `FatalError`
 * when only one of address and password is set, or one of them is invalid.
 */
export async function draftFirstAdmin(
  { database, accounts, passwords }: Pick<AuthServices, 'database' | 'accounts' | 'passwords'>,
  configured: { readonly email: string | undefined; readonly password: string | undefined },
): Promise<FirstAdminDraft | undefined> {
  if ((configured.email === undefined) !== (configured.password === undefined))
    throw new FatalError('RECTO_ADMIN_EMAIL and RECTO_ADMIN_PASSWORD must be set together.');
  const generatedPassword = configured.password === undefined ? newPassword() : null;
  const password = configured.password ?? generatedPassword ?? '';
  const { values, faults } = checkAccountInput({ email: configured.email ?? defaultEmail, password });
  const { email } = values;
  if (faults.length > 0 || email === undefined)
    throw new FatalError(`The first admin cannot be created: ${faults.map(({ message }) => message).join(' ')}`);
  if (await accounts.hasAdmin(database)) return undefined;
  return { email, passwordHash: await passwords.hash(password), generatedPassword };
}

/**
 * Creates and returns the admin; undefined when one exists by now. An account that already has the address becomes the
 * admin, with the draft's password: sessions, links, second factors and identities of before open it no more.
 */
export function makeFirstAdmin(
  services: AccessServices & Pick<AuthServices, 'database'>,
  { email, passwordHash, generatedPassword }: FirstAdminDraft,
): Promise<FirstAdmin | undefined> {
  const { database, accounts, now } = services;
  return database.transaction(async (transaction) => {
    // Another process may be starting at the same moment.
    await accounts.lockAdmins(transaction);
    if (await accounts.hasAdmin(transaction)) return undefined;
    const existing = await accounts.byEmailKey(transaction, email.key);
    if (existing === undefined) {
      const admin = {
        id: newId(),
        email,
        username: null,
        passwordHash,
        role: 'admin',
        tenant: null,
        verified: true,
      } as const;
      await accounts.insert(transaction, admin, now());
      logAccount(transaction, { account: admin, action: 'create', now: now() });
    } else {
      // Registering this address earlier does not prove ownership, so the password from the settings replaces the old one, and
      // nothing else of before opens the account.
      await endAllAccess(services, transaction, existing.id);
      const values = { role: 'admin', disabled: false, tenant: null, passwordHash, verified: true } as const;
      await accounts.update(transaction, existing.id, values, now());
      logAccount(transaction, { account: existing, action: 'update', values, now: now() });
      transaction.touch(authGeneration);
    }
    return { email: email.address, generatedPassword };
  });
}

const newPassword = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
