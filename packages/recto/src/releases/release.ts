import type { AuthenticatedCaller } from '../base/caller.ts';
import type { HeldValues, MadeChange } from '../records/drafts/held-changes.ts';

/** What can be done with a record in a release. */
export const itemActions = ['publish', 'unpublish', 'archive', 'delete'] as const;
export type ItemAction = (typeof itemActions)[number];

/** `publishing` is a scheduled one whose time has come. */
export const releaseStatuses = ['open', 'scheduled', 'publishing', 'done', 'failed'] as const;
export type ReleaseStatus = (typeof releaseStatuses)[number];

/** The most items of a release: they are published in one transaction. */
export const mostItems = 1_000;

export const longestName = 200;
export const longestDescription = 2_000;

/** Who schedules a release, as it is kept until then. */
export interface Scheduler {
  readonly kind: AuthenticatedCaller['kind'];
  readonly id: string;
  /** The tenant that they belonged to. */
  readonly tenant?: string;
  /** The tenant that their request named. */
  readonly visited?: string;
}

/** What speaks against publishing. */
export interface ReleaseProblem {
  /** The item's id; null: it is about the release. */
  readonly item: string | null;
  /** The singular name of a content type. */
  readonly type: string | null;
  /** Null for a record that begins with the release. */
  readonly record: string | null;
  /** A path into the record, such as `body[2].author`; empty: it is about the whole record. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** The problems with which a scheduled release has failed. */
export interface Failure {
  readonly problems: readonly ReleaseProblem[];
  /** With whose rights it was tried: others learn less. */
  readonly role: string | null;
}

/** Times are milliseconds since 1970, but `scheduledAt`, a canonical datetime. */
export interface Release {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: Exclude<ReleaseStatus, 'publishing'>;
  readonly scheduledAt: string | null;
  readonly timeZone: string | null;
  readonly scheduledBy: Scheduler | null;
  readonly failure: Failure | null;
  /** The release that it takes back. */
  readonly reverts: string | null;
  readonly tenant: string | null;
  readonly version: number;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly publishedAt: number | null;
  readonly publishedBy: string | null;
}

/** What it takes to bring a record back as it was, besides its content. */
export interface KeptValues {
  readonly values: HeldValues;
  /** The record is gone, and is made once more. */
  readonly creates: boolean;
}

/** A record in a release, with changes of its own that no other release and no draft has. */
export interface ReleaseItem {
  /** Also the id that a record gets which begins with the release. */
  readonly id: string;
  readonly release: string;
  /** The singular name of a content type. */
  readonly type: string;
  /** Null for a record that begins with the release. */
  readonly record: string | null;
  /** The tag of the language that it is about; null: the default one, with what all languages share. */
  readonly language: string | null;
  readonly action: ItemAction;
  readonly changes: HeldValues;
  /** What the record held in these fields when they were changed. */
  readonly base: HeldValues;
  /** Of the inverse of another item, what only the service sets. */
  readonly kept: KeptValues | null;
  /** What became of the record; null: nothing yet, or it was so already. */
  readonly made: MadeChange | null;
  readonly addedBy: string | null;
  readonly addedAt: number;
}

/** The status as it is shown at a time. */
export const statusAt = ({ status, scheduledAt }: Release, now: number): ReleaseStatus =>
  status === 'scheduled' && scheduledAt !== null && Date.parse(scheduledAt) <= now ? 'publishing' : status;
