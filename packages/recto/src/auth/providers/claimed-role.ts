import type { Role } from '../../base/caller.ts';
import type { ProviderIdentity } from './provider-identity.ts';

const rising: readonly Role[] = ['member', 'editor', 'admin'];

/**
 * The role that the claims of a sign-in give: the highest of those that its groups have, or `member` where they have none. Undefined
 * where the provider has no say in roles.
 */
export function claimedRole({ provider, groups }: Pick<ProviderIdentity, 'provider' | 'groups'>): Role | undefined {
  const { roleClaim, roles } = provider;
  if (roleClaim === null) return undefined;
  const given = groups.flatMap((group) => (Object.hasOwn(roles, group) ? (roles[group] ?? []) : []));
  return rising.findLast((role) => given.includes(role)) ?? 'member';
}
