import type { RevisionRetention } from '../../definition/protocol.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A record's own columns and relations to many by field name, as an admin's read returns them. */
export type RevisionBody = Readonly<Record<string, JsonValue>>;

/** A revision without its record. */
export interface RevisionHead {
  /** Counts up from 1 with each version of the record. */
  readonly revision: number;
  /** What made it: `create`, `update`, `restore`, `delete`, another action's name, or `existing` for what was there before. */
  readonly action: string;
  /** The id of an account or API token; null for an anonymous caller, and for what was there before. */
  readonly author: string | null;
  readonly authorKind: 'account' | 'api_token' | null;
  /** Canonical datetime. */
  readonly at: string;
  /** The revision that was brought back. */
  readonly restoredFrom: number | null;
  /** Names of the fields that differ from the version before; none for a first one. */
  readonly changed: readonly string[];
  /** Names of the fields that were private then. */
  readonly privateFields: ReadonlySet<string>;
  /** What a person calls it; null: nothing. */
  readonly name: string | null;
}

/** What a version says of its making before it has a number. Nobody has named it. */
export type NewRevision = Omit<RevisionHead, 'revision' | 'name'>;

/** The action of a revision that the autosaves of a sitting move along. A name keeps it where it is. */
export const movingAction = 'autosave';

export const isMoving = ({ action, name }: RevisionHead): boolean => action === movingAction && name === null;

const dayMs = 86_400_000;

/** Revisions that were made before this time (a canonical datetime) are kept no more; undefined: age does not matter. */
export const ageLimit = ({ maxAgeDays }: RevisionRetention, now: string): string | undefined =>
  maxAgeDays === null ? undefined : new Date(Date.parse(now) - maxAgeDays * dayMs).toISOString();
