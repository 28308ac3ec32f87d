import type { Role } from '../base/caller.ts';
import { type FieldFault, invalid } from '../base/problem.ts';
import { isTenantId, tenantRule } from '../base/tenant-id.ts';
import { datetimeKind } from '../values/datetime.ts';
import type { NewApiToken } from './api-token-store.ts';

export const tokenNameMaxLength = 200;

/** What a caller gives of a new API token, not looked at yet. */
export interface ApiTokenInput {
  readonly name: string;
  readonly role?: Role;
  /** Null: none. */
  readonly tenant_id?: string | null;
  /** RFC 3339; null: never. */
  readonly expires_at?: string | null;
}

/** Reads what a new token is made of; throws 422 for a name that cannot be shown, or an expiry that is no future instant. */
export function readApiTokenInput(input: ApiTokenInput, now: number): Omit<NewApiToken, 'createdBy'> {
  const { name, role = 'member', tenant_id: tenant = null, expires_at = null } = input;
  const faults: FieldFault[] = [];
  if (!name.isWellFormed() || name.trim() === '' || /\p{Cc}/u.test(name))
    faults.push({ field: 'name', code: 'bad_format', message: 'Must be visible text without control characters.' });
  else if ([...name].length > tokenNameMaxLength)
    faults.push({ field: 'name', code: 'too_long', message: `Must have at most ${tokenNameMaxLength} characters.` });
  const expiry = expires_at === null ? null : datetimeKind.fromJson(expires_at);
  const expiresAt = expiry === null ? null : Date.parse(String(expiry));
  if (expiry === undefined)
    faults.push({ field: 'expires_at', code: 'bad_format', message: 'Must be a time such as 2030-01-31T12:00:00Z.' });
  else if (expiresAt !== null && expiresAt <= now)
    faults.push({ field: 'expires_at', code: 'in_the_past', message: 'Must be in the future.' });
  if (tenant !== null && !isTenantId(tenant))
    faults.push({ field: 'tenant_id', code: 'bad_format', message: tenantRule });
  if (faults.length > 0) throw invalid(faults);
  return { name: name.trim(), role, tenant, expiresAt };
}
