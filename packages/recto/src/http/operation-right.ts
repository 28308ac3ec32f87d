import { type Caller, callerRole, callerScopes } from '../base/caller.ts';
import { reaches, type TokenScopes } from '../base/token-scopes.ts';
import type { CompiledRole, OwnRoles, RoleAction, RoleMay } from '../definition/roles/role.ts';
import { roleActions } from '../definition/roles/role.ts';

/** What lets a role of the installation's own call an operation that is for roles. */
export type OperationRight =
  /** A right to the records of a content type; which of them, the operation decides by the role's rule. */
  | { readonly type: string; readonly action: RoleAction }
  /** One that belongs to no content type. */
  | { readonly may: Extract<keyof RoleMay, 'users' | 'events' | 'releases'> }
  /** Any right to the records of any content type: what the screens of the admin need. */
  | { readonly any: true };

/** Whether the scopes of an API token reach what an operation is for. */
export function isInScope(scopes: TokenScopes, right: OperationRight | undefined, method: string): boolean {
  if (right === undefined) return false;
  if ('any' in right) return true;
  if ('may' in right) return reaches(scopes, `may:${right.may}`, method === 'GET' ? 'read' : 'write');
  return reaches(scopes, right.type, right.action === 'list' || right.action === 'get' ? 'read' : 'write');
}

/** Whether a role has a right, for some records at least. */
export function hasRight({ types, may }: CompiledRole, right: OperationRight): boolean {
  if ('may' in right) return may[right.may];
  if ('type' in right) return (types.get(right.type)?.[right.action] ?? false) !== false;
  return [...types.values()].some((grant) => roleActions.some((action) => grant[action] !== false));
}

/** What decides on the rights of a caller: as long as it is the same text, nothing has been taken from them. */
export function writtenRights(caller: Caller, own: OwnRoles): string {
  const role = callerRole(caller);
  return JSON.stringify([role, callerScopes(caller) ?? null, (role === null ? null : own.find(role)?.written) ?? null]);
}
