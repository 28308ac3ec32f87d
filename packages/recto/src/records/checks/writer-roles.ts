import { type Caller, callerRole } from '../../base/caller.ts';
import { forbidden } from '../../base/problem.ts';
import type { StoredRecord } from '../../definition/protocol.ts';
import type { RecordChanges } from './payload.ts';

/**
 * Throws 403 where a write changes a field that is for other roles. `current` is null for a new record. On public routes a
 * private field is rejected with any value: whether it is the stored one would reveal that.
 */
export function requireWriters(
  { caller, admin }: { readonly caller: Caller; readonly admin: boolean },
  { values }: RecordChanges,
  current: StoredRecord | null,
): void {
  // The service itself, by a route of its own.
  if (caller.isSystem === true && admin) return;
  const role = callerRole(caller);
  for (const [field, value] of values) {
    const { name, writers } = field;
    const isCompared = admin || !field.private || current === null;
    if (writers === undefined || (isCompared && value === (current?.[name] ?? null))) continue;
    if (role !== null && writers.includes(role)) continue;
    throw forbidden('insufficient_role', `Only the role ${writers.join(' or ')} may set ${name}.`);
  }
}
