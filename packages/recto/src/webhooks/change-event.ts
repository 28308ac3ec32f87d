export const changeActions = ['create', 'update', 'delete', 'publish', 'unpublish', 'restore'] as const;
export type ChangeAction = (typeof changeActions)[number];

/** A committed change of a record, as webhooks need it. */
export interface ChangeEvent {
  /** Rises in the order of commits. */
  readonly seq: number;
  /** The singular name of the record's type. */
  readonly type: string;
  readonly record: string;
  readonly action: ChangeAction;
  /** The names of the fields that changed. */
  readonly changed: readonly string[];
  readonly tenant: string | null;
  /** Canonical datetime. */
  readonly at: string;
}
