import type { Role } from '../base/caller.ts';
import { type FieldFault, invalid } from '../base/problem.ts';
import { isTenantId, tenantRule } from '../base/tenant-id.ts';
import { datetimeKind } from '../values/datetime.ts';
import type { NewApiToken } from './api-token-store.ts';

export const tokenNameMaxLength = 200;

/** Unchecked input for a new API token. */
export interface ApiTokenInput {
  readonly name: string;
  readonly role?: Role;
  /** Null: none. */
  readonly tenant_id?: string | null;
  /** RFC 3339; null: never. */
  readonly expires_at?: string | null;
}

/** Reads the input for a new token; throws 422 with what `apiTokenErrors` finds. */
export function readApiTokenInput(input: ApiTokenInput, now: number): Omit<NewApiToken, 'createdBy'> {
  const errors = apiTokenErrors(input, now);
  if (errors.length > 0) throw invalid(errors);
  const { name, role = 'member', tenant_id: tenant = null } = input;
  return { name: name.trim(), role, tenant, expiresAt: instantOf(input.expires_at ?? null) ?? null };
}

/** Errors in the given members: an invisible name, an expiry that is not in the future, an invalid tenant. */
export function apiTokenErrors(
  { name, tenant_id: tenant, expires_at: expiry }: Readonly<Record<string, unknown>> | ApiTokenInput,
  now: number,
): readonly FieldFault[] {
  return [
    ...(typeof name === 'string' ? nameErrors(name) : []),
    ...(typeof expiry === 'string' ? expiryErrors(instantOf(expiry), now) : []),
    ...(typeof tenant === 'string' && !isTenantId(tenant)
      ? [{ field: 'tenant_id', code: 'bad_format', message: tenantRule }]
      : []),
  ];
}

function nameErrors(name: string): readonly FieldFault[] {
  if (!name.isWellFormed() || name.trim() === '' || /\p{Cc}/u.test(name))
    return [{ field: 'name', code: 'bad_format', message: 'Must be visible text without control characters.' }];
  if ([...name].length <= tokenNameMaxLength) return [];
  return [{ field: 'name', code: 'too_long', message: `Must have at most ${tokenNameMaxLength} characters.` }];
}

function expiryErrors(expiresAt: number | null | undefined, now: number): readonly FieldFault[] {
  if (expiresAt === undefined)
    return [{ field: 'expires_at', code: 'bad_format', message: 'Must be a time such as 2030-01-31T12:00:00Z.' }];
  if (expiresAt === null || expiresAt > now) return [];
  return [{ field: 'expires_at', code: 'in_the_past', message: 'Must be in the future.' }];
}

/** Null: never; undefined: no time. */
function instantOf(text: string | null): number | null | undefined {
  if (text === null) return null;
  const instant = datetimeKind.fromJson(text);
  return instant === undefined ? undefined : Date.parse(String(instant));
}
