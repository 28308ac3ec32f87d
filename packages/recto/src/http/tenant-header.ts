import Type from 'typebox';
import type { Caller } from '../base/caller.ts';
import { badRequest, forbidden } from '../base/problem.ts';
import { isTenantId, tenantPattern, tenantRule } from '../base/tenant-id.ts';

/** The request header that names the tenant whose records a request is about. */
export const tenantHeader = 'Recto-Tenant';

/** As operations on records of tenants declare it. */
export const tenantHeaders = {
  [tenantHeader]: Type.String({
    component: 'Tenant',
    pattern: tenantPattern,
    description: 'The tenant whose records the request is about. For callers who belong to no tenant.',
  }),
};

/** The caller with the tenant that the request names: 400 for what names none, 403 for another than the caller's own. */
export const visiting = (caller: Caller, headers: Headers): Caller => visitingNamed(caller, headers.get(tenantHeader));

/** The same, by the value of the header; null for none. */
export function visitingNamed(caller: Caller, named: string | null): Caller {
  if (named === null) return caller;
  if (!isTenantId(named)) throw badRequest('invalid_tenant', `${tenantHeader}: ${tenantRule}`);
  if (caller.tenant === undefined) return { ...caller, visited: named };
  if (caller.tenant === named) return caller;
  throw forbidden('other_tenant', `${tenantHeader} names a tenant other than your own.`);
}
