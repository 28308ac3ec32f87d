/** How two values of one field are compared. */
export type Same = (one: unknown, other: unknown) => boolean;

/** One field of an open record. Fields are merged as a whole: a group, a list or blocks is one value. */
export interface FieldState {
  /** What the service had when `mine` was begun, or what it has stored of it since. */
  readonly base: unknown;
  /** The value here that `base` stands for. The service stores `8.50` as `8.5`: then `synced` is what was typed. */
  readonly synced: unknown;
  /** What the form shows. */
  readonly mine: unknown;
  /** What another has saved since `base`. Absent: nothing. */
  readonly theirs?: { readonly value: unknown };
  /** The service itself asks which of both holds, though nothing was typed here: a draft and its record. */
  readonly contested?: true;
}

export const cleanField = (value: unknown): FieldState => ({ base: value, synced: value, mine: value });

/** Whether the service lacks what was typed. */
export const isDirty = ({ base, synced, mine }: FieldState, same: Same): boolean =>
  !same(mine, synced) && !same(mine, base);

/** Whether both sides changed it, so that a person has to choose. */
export const isConflict = (field: FieldState, same: Same): boolean =>
  field.theirs !== undefined &&
  (field.contested === true || isDirty(field, same)) &&
  !same(field.mine, field.theirs.value);

/** Typing. */
export const changed = (field: FieldState, mine: unknown): FieldState => ({ ...field, mine });

/**
 * The service has stored a request of this record alone: `value` is what it has now, `sent` what it was sent, if this field was. What
 * is shown changes only in a field that nobody is in, and that was not edited since.
 */
export function answered(
  field: FieldState,
  value: unknown,
  sent: { readonly value: unknown } | undefined,
  hasFocus: boolean,
  same: Same,
): FieldState {
  // A request that did not have the field says nothing about what another has saved of it.
  if (sent === undefined && field.theirs !== undefined) return merged(field, value, hasFocus, same);
  const synced = sent === undefined ? field.synced : sent.value;
  const edited = sent === undefined ? isDirty(field, same) : !same(field.mine, sent.value);
  if (edited) return { base: value, synced: sent === undefined ? value : synced, mine: field.mine };
  return hasFocus ? { base: value, synced: field.mine, mine: field.mine } : cleanField(value);
}

/** Somebody else may have changed the record: `value` is what the service has now. */
export function merged(field: FieldState, value: unknown, hasFocus: boolean, same: Same): FieldState {
  const { base, synced, mine } = field;
  if (same(value, base)) return { base, synced, mine };
  if (same(mine, value)) return { base: value, synced: mine, mine };
  if (!isDirty(field, same) && !hasFocus) return cleanField(value);
  // A field that somebody is in keeps what it shows. It takes theirs when it is left, unless it is edited before: then both changed it.
  return { base, synced, mine, theirs: { value } };
}

/** The field was left: it shows what the service has, unless it was edited. */
export function left(field: FieldState, same: Same): FieldState {
  if (isDirty(field, same) || field.contested === true) return field;
  return cleanField(field.theirs === undefined ? field.base : field.theirs.value);
}

/** A person chose, in a conflict. With `mine`, the next request overwrites theirs, which was seen. */
export function chosen(field: FieldState, side: 'mine' | 'theirs'): FieldState {
  if (field.theirs === undefined) return field;
  const { value } = field.theirs;
  if (side === 'mine') return { base: value, synced: value, mine: field.mine };
  // A draft still has to be changed to what the record has.
  return field.contested === true ? { base: field.base, synced: field.base, mine: value } : cleanField(value);
}

/** What was typed is thrown away. */
export const discarded = (field: FieldState): FieldState =>
  cleanField(field.theirs === undefined ? field.base : field.theirs.value);

/** A text that was kept elsewhere is taken up again: `mine`, begun from `base`. */
export function restored(
  field: FieldState,
  kept: { readonly base: unknown; readonly mine: unknown },
  same: Same,
): FieldState {
  const now = field.theirs === undefined ? field.base : field.theirs.value;
  if (same(kept.mine, now)) return cleanField(now);
  const { base, mine } = kept;
  if (same(now, base)) return { base: now, synced: now, mine };
  return { base, synced: base, mine, theirs: { value: now } };
}
