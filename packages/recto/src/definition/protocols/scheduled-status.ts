import type { FieldFault } from '../../base/problem.ts';
import { datetimeField } from '../fields/datetime-field.ts';
import type { ChangedValues, ScheduledUpdate, StoredRecord, WriteMoment } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

export const statusColumn = 'status';
const column = 'scheduled_at';

/**
 * A status that moves to `to` by itself at a time that editors set. A move by hand ends the schedule: it was made for
 * the state that the record was in.
 */
export function scheduledStatus(to: string) {
  const field = protocolField(column, datetimeField, {
    writable: true,
    required: false,
    private: true,
    writers: ['admin', 'editor'],
    indexed: true,
    description: `When the status becomes ${to} by itself; null: not at all. A time that is past: at once.`,
  });
  const update: ScheduledUpdate = { at: column, sets: { [statusColumn]: to } };
  return {
    field,
    update,
    /** Of a time that a write sets: 422 where the status may not become `to` from what it is then. */
    faults(
      { changed, now, restored }: WriteMoment,
      current: StoredRecord | null,
      errorOf: MoveError,
    ): readonly FieldFault[] {
      const at = changed[column];
      if (restored === true || typeof at !== 'string' || at === current?.[column]) return [];
      const from = changed[statusColumn] ?? current?.[statusColumn];
      if (from === to && at <= now) return [];
      const message = from === to ? `The status is ${to} already.` : errorOf(from, to);
      return message === undefined ? [] : [{ field: column, code: 'transition_not_allowed', message }];
    },
    values({ changed, now }: Pick<WriteMoment, 'changed' | 'now'>, current: StoredRecord | null): ChangedValues {
      const at = changed[column];
      const status = changed[statusColumn];
      const isNew = at !== undefined && at !== (current?.[column] ?? null);
      if (isNew && typeof at === 'string' && at <= now) return { [statusColumn]: to, [column]: null };
      const isMoved = current !== null && status !== undefined && status !== current[statusColumn];
      return isMoved && !isNew ? { [column]: null } : {};
    },
  };
}

/** Why the status may not move so; undefined: it may. */
export type MoveError = (from: unknown, to: string) => string | undefined;
