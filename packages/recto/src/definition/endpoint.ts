import type { Role } from '../base/caller.ts';
import type { Rule } from '../rules/rule.ts';

export const endpointNames = ['list', 'get', 'create', 'update', 'delete'] as const;
export type EndpointName = (typeof endpointNames)[number];

export const accessLevels = ['none', 'public', 'member', 'admin'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** Who may call an endpoint: everyone of a level, or callers of some roles and admins. */
export type Access = AccessLevel | readonly Role[];

export const isRoleList = (access: Access): access is readonly Role[] => typeof access === 'object';

/** One endpoint's options (service specification, section 5.2), rules compiled. */
export interface Endpoint {
  readonly access: Access;
  readonly filter: Rule | null;
  readonly filterAuth: Rule | null;
  readonly cache: boolean;
  /** The whitelist of fields returned, `id` always among them; null: all that are not private. */
  readonly fields: ReadonlySet<string> | null;
}
