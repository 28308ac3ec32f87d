import { adminRoutes } from '../../api/admin-routes.ts';
import { languageCode } from '../../text/text.ts';
import { session } from '../session.svelte.ts';

/** What has happened that concerns somebody. */
export interface Notification {
  readonly id: string;
  readonly kind: 'assigned' | 'mentioned' | 'review_asked' | 'approved' | 'sent_back' | 'published' | 'release_failed';
  /** The singular of a content type; null: it is about a release. */
  readonly type: string | null;
  readonly record: string | null;
  readonly title: string | null;
  readonly note: { readonly id: string; readonly field: string | null; readonly text: string } | null;
  readonly release: string | null;
  readonly actor: { readonly id: string; readonly name: string | null } | null;
  readonly at: string;
  readonly read_at: string | null;
}

export interface NotificationPage {
  readonly items: readonly Notification[];
  /** Up to 100. */
  readonly unread: number;
  readonly next: string | null;
}

/** When somebody gets a mail about what they have not read. */
export const mailPreferences = ['off', 'at_once', 'daily'] as const;
export type MailPreference = (typeof mailPreferences)[number];

interface Settings {
  readonly mail: MailPreference;
}

const settings = '/auth/me/notification-settings';
const root = '/auth/me/notifications';

export const notificationRoutes = {
  list: (before: string | undefined, background: boolean) =>
    session.client.request<NotificationPage>('GET', root, {
      query: before === undefined ? {} : { before },
      background,
    }),
  unread: (background: boolean) =>
    session.client.request<NotificationPage>('GET', root, { query: { unread: true, page_size: 1 }, background }),
  /** Null: the service sends no mail. */
  mail: async (signal: AbortSignal): Promise<MailPreference | null> => {
    if (!(await adminRoutes.authOptions(signal)).mail) return null;
    return (await session.client.request<Settings>('GET', settings)).mail;
  },
  keepMail: (mail: MailPreference) =>
    session.client.request<Settings>('PUT', settings, {
      body: { mail },
      headers: { 'Accept-Language': languageCode() },
    }),
  read: (which: { readonly ids: readonly string[] } | { readonly before: string }) =>
    session.client.request<void>('POST', `${root}/read`, { body: { ...which } }),
};
