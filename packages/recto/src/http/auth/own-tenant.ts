import type { Caller } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';

/** The error of an admin who belongs to a tenant and gives an account or token another tenant, or none. */
export function tenantFaults({ tenant }: Caller, given: unknown): readonly FieldFault[] {
  if (tenant === undefined || given === undefined || given === tenant) return [];
  return [{ field: 'tenant_id', code: 'not_allowed', message: `Must be "${tenant}", as that of the caller.` }];
}
