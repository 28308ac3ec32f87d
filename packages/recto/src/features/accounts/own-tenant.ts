import { type Caller, callerRole, isBuiltInRole } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';

/** The error of an admin who belongs to a tenant and gives an account or token another tenant, or none. */
export function tenantFaults({ tenant }: Caller, given: unknown): readonly FieldFault[] {
  if (tenant === undefined || given === undefined || given === tenant) return [];
  return [{ field: 'tenant_id', code: 'not_allowed', message: `Must be "${tenant}", as that of the caller.` }];
}

/**
 * Whether the caller can say that an address is verified: rules rely on that for content of the whole installation, and providers link
 * accounts by it. So admins of a tenant cannot, nor can roles of the installation's own.
 */
export function mayVerify(caller: Caller): boolean {
  const role = callerRole(caller);
  return caller.tenant === undefined && role !== null && isBuiltInRole(role);
}

/** The error of a caller who may not say that an address is verified, or no longer. `present`: what holds. */
export function verifiedFaults(caller: Caller, given: unknown, present: boolean): readonly FieldFault[] {
  if (given === undefined || given === present || mayVerify(caller)) return [];
  return [{ field: 'verified', code: 'not_allowed', message: 'Only admins without a tenant verify addresses.' }];
}
