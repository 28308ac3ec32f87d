import type { Rule } from '../rules/rule.ts';

export const endpointNames = ['list', 'get', 'create', 'update', 'delete'] as const;
export type EndpointName = (typeof endpointNames)[number];

export const accessLevels = ['none', 'public', 'member', 'admin'] as const;
export type AccessLevel = (typeof accessLevels)[number];

/** One endpoint's options (service specification, section 5.2), rules compiled. */
export interface Endpoint {
  readonly access: AccessLevel;
  readonly filter: Rule | null;
  readonly filterAuth: Rule | null;
  readonly cache: boolean;
  /** The whitelist of fields returned, `id` always among them; null: all that are not private. */
  readonly fields: ReadonlySet<string> | null;
}
