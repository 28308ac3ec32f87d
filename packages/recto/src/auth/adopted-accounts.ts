import { newId } from '../base/ids.ts';
import type { Executor, Transaction } from '../database/database.ts';
import type { Account } from './account.ts';
import type { AccountStore } from './account-store.ts';
import type { EmailAddress } from './email-address.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { parseUsername } from './username.ts';

/** Someone who has written elsewhere. */
export interface Adoptee {
  readonly email: EmailAddress;
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

  /** A member with that address. No account may have the address. */
  async make(transaction: Transaction, { email, username }: Adoptee): Promise<Account> {
    const name = parseUsername(username);
    const taken = await this.#accounts.taken(transaction, { username: name?.key }, undefined);
    return this.#accounts.insert(
      transaction,
      {
        id: newId(),
        email,
        username: name === undefined || taken.username ? null : name,
        passwordHash: this.#passwordHash,
        role: 'member',
        tenant: null,
      },
      this.#now(),
    );
  }
}
