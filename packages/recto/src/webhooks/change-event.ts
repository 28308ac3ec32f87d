import type { LoggedEvent } from '../events/logged-event.ts';
import type { ChangeAction } from '../records/write/change-log.ts';

export const changeActions = [
  'create',
  'update',
  'delete',
  'publish',
  'unpublish',
  'restore',
] as const satisfies readonly ChangeAction[];

/** A committed change, as webhooks need it. */
export type ChangeEvent = Pick<
  LoggedEvent,
  'seq' | 'type' | 'record' | 'action' | 'changed' | 'tenant' | 'at' | 'release'
>;
