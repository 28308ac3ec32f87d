import type { Caller } from '../base/caller.ts';
import type { EmailAddress } from '../base/email-address.ts';
import { newId } from '../base/ids.ts';
import { withoutInvisible } from '../base/invisible-characters.ts';
import type { Executor, Transaction } from '../database/database.ts';
import { slugify } from '../definition/fields/slug.ts';
import { profileFields } from '../definition/profile/profile-fields.ts';
import type { Account } from './account.ts';
import { logAccount } from './account-event.ts';
import type { AccountStore } from './account-store.ts';
import { isImportableHash } from './imported-hash.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { parseUsername } from './username.ts';

/** A domain that never exists (RFC 6761, section 6.4). */
export const importedDomain = 'imported.invalid';

/** An author of imported content. */
export interface Adoptee {
  /** Null when unknown: the account gets an address at `importedDomain`, which receives no mail. */
  readonly email: EmailAddress | null;
  /** Used if it is a valid, free username. */
  readonly username: string;
  /** Shown with what they wrote; left out where it cannot be such a name. */
  readonly displayName?: string;
  /** What they say of themselves; left out where it cannot be such a text. */
  readonly profile?: { readonly bio?: string; readonly website?: string };
  /** Default: a new one. */
  readonly id?: string;
  /** A hash of another system; absent, null or one that cannot be verified here: the account cannot sign in before it gets a password. */
  readonly passwordHash?: string | null;
  /** Whether the address is known to be the person's. Default: no. */
  readonly verified?: boolean;
  /** Whether it is closed until an admin opens it: a new password alone does not. Default: no. */
  readonly disabled?: boolean;
  /** In milliseconds since 1970; default: now. */
  readonly createdAt?: number;
}

export interface AdoptingParts {
  readonly accounts: AccountStore;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly now: () => number;
  /** Who brings them in; default: the service, or its operator. */
  readonly by?: Caller;
}

/** Accounts for people of imported content. They are members, and cannot sign in until an admin sets a password, if the import brings no hash of one. */
export class AdoptedAccounts {
  readonly #accounts: AccountStore;
  readonly #passwordHash: string;
  readonly #now: () => number;
  readonly #by: Caller | undefined;

  static async open(parts: AdoptingParts): Promise<AdoptedAccounts> {
    // The hash of a random password: signing in takes the usual path, and fails.
    const nobodys = await parts.passwords.hash(`${crypto.randomUUID()}${crypto.randomUUID()}`);
    return new AdoptedAccounts(parts, nobodys);
  }

  private constructor(parts: AdoptingParts, passwordHash: string) {
    this.#accounts = parts.accounts;
    this.#passwordHash = passwordHash;
    this.#now = parts.now;
    this.#by = parts.by;
  }

  byId(executor: Executor, id: string): Promise<Account | undefined> {
    return this.#accounts.byId(executor, id);
  }

  byEmail(executor: Executor, email: EmailAddress): Promise<Account | undefined> {
    return this.#accounts.byEmailKey(executor, email.key);
  }

  /** Creates a member with that address, which must be free. A username that is taken or invalid is left out. */
  async make(transaction: Transaction, adoptee: Adoptee): Promise<Account> {
    const { email, username, displayName = '', passwordHash, profile = {} } = adoptee;
    const { verified = false, disabled = false } = adoptee;
    const name = parseUsername(username);
    const taken = await this.#accounts.taken(transaction, { username: name?.key }, undefined);
    const account = {
      id: adoptee.id ?? newId(),
      email: email ?? unknownAddress(username),
      username: name === undefined || taken.username ? null : name,
      passwordHash: passwordHash != null && isImportableHash(passwordHash) ? passwordHash : this.#passwordHash,
      role: 'member',
      tenant: null,
      verified: verified && email !== null,
      disabled,
      profile: {
        display_name: readableName(displayName),
        bio: profileText('bio', profile.bio),
        website: profileText('website', profile.website),
      },
    } as const;
    logAccount(transaction, { account, action: 'create', by: this.#by, now: this.#now() });
    return this.#accounts.insert(transaction, account, adoptee.createdAt ?? this.#now());
  }
}

/** A name without what could make it look like another. */
function readableName(text: string): string | null {
  const field = profileFields.display_name;
  const name = [...withoutInvisible(text).trim()].slice(0, field.type.longest).join('');
  const parsed = field.type.parse(name, field);
  return parsed.ok && parsed.value !== '' ? String(parsed.value) : null;
}

/** Null for a text that the field does not take. */
function profileText(name: 'bio' | 'website', text: string | undefined): string | null {
  if (text === undefined) return null;
  const field = profileFields[name];
  const parsed = field.type.parse(text, field);
  return parsed.ok && typeof parsed.value === 'string' && parsed.value !== '' ? parsed.value : null;
}

/** A unique address that shows an admin whose account it is. */
function unknownAddress(username: string): EmailAddress {
  const id = newId();
  const address = `${slugify(username).slice(0, 40)}-${id.slice(-12)}@${importedDomain}`;
  return { address, key: address };
}
