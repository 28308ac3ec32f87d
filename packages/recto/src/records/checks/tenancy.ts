import { type Caller, callerTenant, tenantAsked } from '../../base/caller.ts';
import type { FieldFault } from '../../base/problem.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import type { RecordChanges } from './payload.ts';

/** The tenant of a stored record; null for none. */
export function tenantOfRecord({ partition }: ContentType, record: StoredRecord): string | null {
  const tenant = partition === null ? null : record[partition];
  return typeof tenant === 'string' ? tenant : null;
}

/** The tenant of a record that is being written; `current` is null for a new one. */
export function tenantOfChanges(
  type: ContentType,
  changes: RecordChanges,
  current: StoredRecord | null,
): string | null {
  if (current !== null) return tenantOfRecord(type, current);
  const field = partitionField(type);
  const tenant = field === undefined ? null : changes.values.get(field);
  return typeof tenant === 'string' ? tenant : null;
}

/**
 * Gives a new record its tenant: the one that the request is about. Who belongs to none says it in the payload, by an
 * admin route. Returns an error if another was sent.
 */
export function assignTenant(
  type: ContentType,
  admin: boolean,
  caller: Caller,
  sent: RecordChanges,
): readonly FieldFault[] {
  const field = partitionField(type);
  const asked = tenantAsked(caller);
  if (field === undefined || (asked === null && admin)) return [];
  const given = sent.values.get(field) ?? null;
  sent.values.set(field, asked);
  return given === null || given === asked ? [] : [otherTenant(field.name)];
}

/** Whether a request may create a single type's record for the tenant. Anonymous callers may not: they can make tenants up. */
export function mayBeginTenant(caller: Caller): boolean {
  const asked = tenantAsked(caller);
  if (asked === null || asked === caller.tenant) return true;
  return caller.kind !== 'anonymous' && caller.role !== 'member';
}

/** Whether a caller may know of a record of this tenant, or of none: for who belongs to a tenant, its own records alone. */
export const mayKnowOf = (caller: Caller, tenant: string | null): boolean =>
  callerTenant(caller) === null || tenant === null || tenant === callerTenant(caller);

export const partitionField = ({ partition, field }: ContentType): Field | undefined =>
  partition === null ? undefined : field.get(partition);

const otherTenant = (field: string): FieldFault => ({
  field,
  code: 'not_allowed',
  message: 'A record belongs to the tenant of the request that creates it.',
});
