import type { Role } from '../../base/caller.ts';

/** What the settings say about second factors. */
export interface FactorPolicy {
  /** RECTO_REQUIRE_SECOND_FACTOR. */
  readonly required: 'off' | 'admins' | 'editors' | 'all';
  /** RECTO_SECOND_FACTOR_GRACE_DAYS. */
  readonly graceDays: number;
}

/** Whether accounts of a role have to have a second factor. */
export function demandsFactor({ required }: FactorPolicy, role: Role): boolean {
  switch (required) {
    case 'off':
      return false;
    case 'admins':
      return role === 'admin';
    case 'editors':
      // A role of the installation's own may do more than a member.
      return role !== 'member';
    case 'all':
      return true;
  }
}

const day = 24 * 60 * 60 * 1000;

/**
 * From when on a session without a second factor can do nothing but set one up, in milliseconds since 1970; infinity where none is
 * demanded. An account that was not asked yet is asked when its tokens are next renewed, which they are within minutes.
 */
export function setupFrom(
  policy: FactorPolicy,
  {
    role,
    secondFactor,
    askedAt,
  }: { readonly role: Role; readonly secondFactor: boolean; readonly askedAt: number | null },
): number {
  if (secondFactor || !demandsFactor(policy, role)) return Number.POSITIVE_INFINITY;
  if (policy.graceDays === 0) return Number.NEGATIVE_INFINITY;
  return askedAt === null ? Number.POSITIVE_INFINITY : askedAt + policy.graceDays * day;
}
