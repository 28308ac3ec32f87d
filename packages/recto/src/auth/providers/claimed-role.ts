import { isBuiltInRole, type Role } from '../../base/caller.ts';
import type { ProviderIdentity } from './provider-identity.ts';

/**
 * The role that the claims of a sign-in give: of those that its groups have, `admin` before `editor`, before roles of the installation's
 * own in the order of the provider's `roles`, before `member`; `member` where they have none. Undefined where the provider has no say
 * in roles.
 */
export function claimedRole({ provider, groups }: Pick<ProviderIdentity, 'provider' | 'groups'>): Role | undefined {
  const { roleClaim, roles } = provider;
  if (roleClaim === null) return undefined;
  const given = groups.flatMap((group) => (Object.hasOwn(roles, group) ? (roles[group] ?? []) : []));
  const own = Object.values(roles).filter((role) => !isBuiltInRole(role));
  return ['admin', 'editor', ...own].find((role) => given.includes(role)) ?? 'member';
}
