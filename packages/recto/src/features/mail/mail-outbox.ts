import type { Settings } from '../../config/settings.ts';
import { Outbox } from '../../mail/outbox.ts';
import type { FeatureContext } from '../feature.ts';

/** One for each service, whatever its content types are at the moment. */
const outboxes = new WeakMap<object, Outbox>();

/** What sends mails; undefined where mail is off. */
export function outboxOf({ auth, settings, now }: Pick<FeatureContext, 'auth' | 'settings' | 'now'>) {
  const known = outboxes.get(auth);
  if (known !== undefined) return known;
  const options = mailSettings(settings);
  if (options === undefined) return undefined;
  const allowance = { name: 'mails', points: settings.mailPerHour, seconds: 60 * 60 };
  const outbox = new Outbox({ ...options, now, count: () => auth.counters.count(allowance, 'all') });
  outboxes.set(auth, outbox);
  return outbox;
}

/** The settings of mail; undefined where it is off. `Settings` are checked: with an address, the others are there. */
export function mailSettings({ mailUrl, mailFrom, url, mailsDir }: Settings) {
  if (mailUrl === undefined || mailFrom === undefined || url === undefined) return undefined;
  return { location: mailUrl, from: mailFrom, origin: url, folder: mailsDir };
}
