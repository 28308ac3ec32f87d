import type { Role } from '../base/caller.ts';

/** An account as it is stored. `passwordHash` never leaves this module. */
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

/** A change of an account: omitted members stay as they are. */
export interface AccountValues {
  readonly email?: { readonly address: string; readonly key: string };
  readonly username?: { readonly name: string; readonly key: string } | null;
  readonly passwordHash?: string;
  readonly role?: Role;
  readonly disabled?: boolean;
  readonly tenant?: string | null;
}

/** The data of a new account. */
export type NewAccount = Required<Omit<AccountValues, 'disabled'>> & { readonly id: string };
