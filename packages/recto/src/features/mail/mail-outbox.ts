import type { Settings } from '../../config/settings.ts';
import { Outbox } from '../../mail/outbox.ts';
import type { ServiceCore } from '../service-core.ts';

/** What sends mails; undefined where mail is off. */
export function outboxOf({ settings, now, counters }: ServiceCore): Outbox | undefined {
  const options = mailSettings(settings);
  if (options === undefined) return undefined;
  const allowance = { name: 'mails', points: settings.mailPerHour, seconds: 60 * 60 };
  return new Outbox({ ...options, now, count: () => counters.count(allowance, 'all') });
}

/** The settings of mail; undefined where it is off. `Settings` are checked: with an address, the others are there. */
export function mailSettings({ mailUrl, mailFrom, url, mailsDir }: Settings) {
  if (mailUrl === undefined || mailFrom === undefined || url === undefined) return undefined;
  return { location: mailUrl, from: mailFrom, origin: url, folder: mailsDir };
}
