/**
 * Why somebody is notified. `review_asked`: a record has come to a stage that they decide on; `approved`: theirs has come further;
 * `sent_back`: theirs has come back; `published`: theirs is published, or what changed in it.
 */
export const notificationKinds = [
  'assigned',
  'mentioned',
  'review_asked',
  'approved',
  'sent_back',
  'published',
  'release_failed',
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What a notification is about. */
export type NotificationSubject =
  | { readonly type: string; readonly record: string; readonly note: string | null; readonly release: null }
  | { readonly type: null; readonly record: null; readonly note: null; readonly release: string };

/** A notification, as it is made. Times are milliseconds since 1970. */
export type NewNotification = NotificationSubject & {
  /** Whose it is. */
  readonly account: string;
  readonly kind: NotificationKind;
  /** There is one of an account for each of these: `mentioned:NOTE`, `assigned:EVENT`. */
  readonly once: string;
  /** The account or API token that has done it; null: the service. */
  readonly actor: string | null;
  /** When it happened. */
  readonly at: number;
};

/** A stored notification. */
export type Notification = NewNotification & {
  /** A UUIDv7: later ones are greater. */
  readonly id: string;
  readonly readAt: number | null;
  readonly mailedAt: number | null;
};

/** When somebody gets a mail about what they have not read. */
export const mailPreferences = ['off', 'at_once', 'daily'] as const;
export type MailPreference = (typeof mailPreferences)[number];

/** What somebody has set; who has set nothing gets no mails. */
export interface NotificationSettings {
  readonly mail: MailPreference;
  /** The tag of the language of the mails. */
  readonly language: string;
}

/** How long notifications are kept, in days. */
export const notificationDays = 90;
