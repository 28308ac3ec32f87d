import type { Principal } from '../auth/current-caller.ts';

/** What a preview token shows: one record, or everything that waits to be published. */
export const previewScopes = ['record', 'site'] as const;
export type PreviewScope = (typeof previewScopes)[number];

/** A preview token, without the token itself. Times are milliseconds since 1970. */
export interface Preview {
  readonly id: string;
  /** Who has made it: it shows what this account or API token may change. */
  readonly by: Principal;
  /** The session that it ends with; null: it is a link to share, or an API token has made it. */
  readonly session: string | null;
  /** The singular of the record's type. */
  readonly type: string;
  readonly record: string;
  readonly scope: PreviewScope;
  /** The tag of the language of reads that name none; null: the default. */
  readonly language: string | null;
  /** The release whose changes it shows in place of drafts; null: none. */
  readonly release: string | null;
  /** The time at which it shows records as they will stand then, a canonical datetime; null: as they would be published now. */
  readonly at: string | null;
  readonly tenant: string | null;
  /** What people call a link that they share; null: it is not shared. */
  readonly label: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** How long a token of an editor lives, in milliseconds. */
export const previewLifetime = 60 * 60 * 1000;

/** The longest that a link to share lives, in seconds. */
export const longestShare = 30 * 24 * 60 * 60;

export const longestLabel = 200;
