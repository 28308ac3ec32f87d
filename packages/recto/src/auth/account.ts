import type { Role } from '../base/caller.ts';
import type { ProfileName } from '../definition/profile/profile-fields.ts';

/** What an account says of itself to everyone; null: nothing. */
export type Profile = Readonly<Record<ProfileName, string | null>>;

/** An account as it is stored. `passwordHash` never leaves this module. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly emailKey: string;
  readonly username: string | null;
  readonly passwordHash: string;
  readonly role: Role;
  readonly disabled: boolean;
  /** Whether an admin has confirmed that the address is the person's. A new address is not. */
  readonly verified: boolean;
  /** The tenant that it belongs to; null: none. */
  readonly tenant: string | null;
  readonly profile: Profile;
  /** Whether everyone sees the profile, also before the account has published anything. */
  readonly profilePublic: boolean;
  /** Canonical datetimes. */
  /** The address that it gets once it is confirmed; null: none. */
  readonly pendingEmail: string | null;
  /** When it was invited, until it accepts; null: it was not, or has accepted. A canonical datetime. */
  readonly invitedAt: string | null;
  /** Whether it has a second factor. */
  readonly secondFactor: boolean;
  /** When it was first asked for the second factor that the settings demand; null: not yet. A canonical datetime. */
  readonly secondFactorAskedAt: string | null;
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
  readonly verified?: boolean;
  readonly tenant?: string | null;
  readonly profile?: Partial<Profile>;
  readonly profilePublic?: boolean;
  /** Null: none any more. */
  readonly pendingEmail?: string | null;
  /** Milliseconds since 1970; null: it has accepted. */
  readonly invitedAt?: number | null;
}

/** The data of a new account. */
export type NewAccount = Required<
  Omit<AccountValues, 'disabled' | 'verified' | 'profile' | 'profilePublic' | 'pendingEmail' | 'invitedAt'>
> &
  Pick<AccountValues, 'disabled' | 'verified' | 'profile' | 'profilePublic' | 'invitedAt'> & { readonly id: string };
