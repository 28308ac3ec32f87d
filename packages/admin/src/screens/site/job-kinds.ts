import { type MessageKey, t } from '../../text/text.ts';

const names: Readonly<Record<string, MessageKey>> = {
  'records.scheduled_updates': 'site.kindScheduled',
  'records.aged_revisions': 'site.kindRevisions',
  'records.expired_replies': 'site.kindReplies',
  'records.batch': 'site.kindBatch',
  'events.prune': 'site.kindEvents',
  'webhooks.fan_out': 'site.kindFanOut',
  'webhooks.deliver': 'site.kindDeliver',
  'webhooks.prune': 'site.kindWebhookPrune',
  'jobs.prune': 'site.kindJobPrune',
  'media.expired_uploads': 'site.kindUploads',
  'media.unused_files': 'site.kindFiles',
  'transfer.import': 'site.kindImport',
  'transfer.export': 'site.kindExport',
  'transfer.prune': 'site.kindTransferPrune',
  'mail.account': 'site.kindMailAccount',
  'mail.message': 'site.kindMailMessage',
  'editorial.releases': 'site.kindReleases',
  'notifications.read': 'site.kindNotifications',
  'notifications.mail': 'site.kindNotificationMail',
  'notifications.prune': 'site.kindNotificationPrune',
  'presence.prune': 'site.kindPresence',
  'admin_views.prune': 'site.kindViews',
  'hooks.after': 'site.kindHook',
  'hooks.again': 'site.kindHookAgain',
  'hooks.dispatch': 'site.kindHookDispatch',
};

export const jobKinds: readonly string[] = Object.keys(names);

/** Of the jobs that a project has of its own: the prefix of their kind, before their name. */
const cronPrefix = 'cron.';

/** What a kind of job does, in words; of a kind that is not known here, its name. */
export function jobKindName(kind: string): string {
  if (kind.startsWith(cronPrefix)) return t('site.kindCron', { name: kind.slice(cronPrefix.length) });
  const key = names[kind];
  return key === undefined ? kind : t(key);
}
