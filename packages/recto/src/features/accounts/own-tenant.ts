import type { Caller } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';

/** The error of an admin who belongs to a tenant and gives an account or token another tenant, or none. */
export function tenantFaults({ tenant }: Caller, given: unknown): readonly FieldFault[] {
  if (tenant === undefined || given === undefined || given === tenant) return [];
  return [{ field: 'tenant_id', code: 'not_allowed', message: `Must be "${tenant}", as that of the caller.` }];
}

/**
 * The error of an admin who belongs to a tenant and says that an address is verified, or no longer: rules rely on that for content of
 * the whole installation. `present`: what holds.
 */
export function verifiedFaults({ tenant }: Caller, given: unknown, present: boolean): readonly FieldFault[] {
  if (tenant === undefined || given === undefined || given === present) return [];
  return [{ field: 'verified', code: 'not_allowed', message: 'Only admins without a tenant verify addresses.' }];
}
