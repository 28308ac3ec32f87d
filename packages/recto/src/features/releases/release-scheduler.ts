import type { AuthServices } from '../../auth/auth-services.ts';
import { currentCaller } from '../../auth/current-caller.ts';
import { type AuthenticatedCaller, callerScopes, isBuiltInRole } from '../../base/caller.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import { hasRight, isInScope } from '../../http/operation-right.ts';
import type { Release } from '../../releases/release.ts';

const right = { may: 'releases' } as const;

/** Whether a caller may do something with releases at all. */
export function mayRelease(caller: AuthenticatedCaller, types: ContentTypes, method: 'GET' | 'POST'): boolean {
  const scopes = callerScopes(caller);
  if (scopes !== undefined && !isInScope(scopes, right, method)) return false;
  const own = types.ownRoles.find(caller.role);
  return isBuiltInRole(caller.role) ? caller.role !== 'member' : own !== undefined && hasRight(own, right);
}

/** Who scheduled a release, with the rights of now; undefined where they may not publish releases any more. */
export async function schedulerOf(
  { scheduledBy: by }: Release,
  auth: AuthServices,
  types: ContentTypes,
): Promise<AuthenticatedCaller | undefined> {
  const found = by === null ? undefined : await currentCaller(auth, by);
  if (by === null || found === undefined || found.tenant !== by.tenant) return undefined;
  if (!mayRelease(found, types, 'POST')) return undefined;
  return by.visited === undefined ? found : { ...found, visited: by.visited };
}
