import type { Role } from '../base/caller.ts';

/** An account as it is stored. `passwordHash` never leaves this floor. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly username: string | null;
  readonly passwordHash: string;
  readonly role: Role;
  readonly disabled: boolean;
  /** The tenant that it belongs to; null: none. */
  readonly tenant: string | null;
  /** Canonical datetimes. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What changes of an account: what is left out stays. */
export interface AccountValues {
  readonly email?: { readonly address: string; readonly key: string };
  readonly username?: { readonly name: string; readonly key: string } | null;
  readonly passwordHash?: string;
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly tenant?: string | null;
}

/** What a new account is made of. */
export type NewAccount = Required<Omit<AccountValues, 'disabled'>> & { readonly id: string };
