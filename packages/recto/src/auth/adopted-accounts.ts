import { newId } from '../base/ids.ts';
import type { Executor, Transaction } from '../database/database.ts';
import { slugify } from '../definition/fields/slug.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './account-store.ts';
import type { EmailAddress } from './email-address.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { parseUsername } from './username.ts';

/** A domain that nobody has (RFC 6761, section 6.4). */
export const importedDomain = 'imported.invalid';

/** Someone who has written elsewhere. */
export interface Adoptee {
  /** Null where it is not known: the account gets one at `importedDomain`, to which no mail goes. */
  readonly email: EmailAddress | null;
  /** Taken over where it can be a username and is free. */
  readonly username: string;
}

/** Accounts for people whose writing is brought in: they have not asked for one, and cannot sign in until an admin sets them a password. */
export class AdoptedAccounts {
  readonly #accounts: AccountStore;
  readonly #passwordHash: string;
  readonly #now: () => number;

  static async open(parts: {
    readonly accounts: AccountStore;
    readonly passwords: PasswordHasher;
    readonly now: () => number;
  }): Promise<AdoptedAccounts> {
    // The hash of a password that nobody has ever seen: signing in takes its usual way, and fails.
    const nobodys = await parts.passwords.hash(`${crypto.randomUUID()}${crypto.randomUUID()}`);
    return new AdoptedAccounts(parts.accounts, nobodys, parts.now);
  }

  private constructor(accounts: AccountStore, passwordHash: string, now: () => number) {
    this.#accounts = accounts;
    this.#passwordHash = passwordHash;
    this.#now = now;
  }

  byId(executor: Executor, id: string): Promise<Account | undefined> {
    return this.#accounts.byId(executor, id);
  }

  byEmail(executor: Executor, email: EmailAddress): Promise<Account | undefined> {
    return this.#accounts.byEmailKey(executor, email.key);
  }

  /** A member with that address, which no account may have. A username that is taken or cannot be one is left out. */
  async make(transaction: Transaction, { email, username }: Adoptee): Promise<Account> {
    const name = parseUsername(username);
    const taken = await this.#accounts.taken(transaction, { username: name?.key }, undefined);
    return this.#accounts.insert(
      transaction,
      {
        id: newId(),
        email: email ?? unknownAddress(username),
        username: name === undefined || taken.username ? null : name,
        passwordHash: this.#passwordHash,
        role: 'member',
        tenant: null,
      },
      this.#now(),
    );
  }
}

/** An address that is nobody else's, and that an admin can tell whose account it is by. */
function unknownAddress(username: string): EmailAddress {
  const id = newId();
  const address = `${slugify(username).slice(0, 40)}-${id.slice(-12)}@${importedDomain}`;
  return { address, key: address };
}
