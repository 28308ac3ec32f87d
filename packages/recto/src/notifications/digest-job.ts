import Type from 'typebox';
import type { JobType } from '../jobs/job-kind.ts';
import { mailAttempts, mailRetry, mailsAtATime } from '../mail/mail-schedule.ts';
import type { MailPreference } from './notification.ts';

/** Mails an account what it has not read. One such job of an account waits at a time. */
export const digestJob = {
  name: 'notifications.mail',
  payload: Type.Object({ account: Type.String() }),
  attempts: mailAttempts,
  retryAfter: mailRetry,
  concurrency: mailsAtATime,
} as const satisfies JobType;

export const digestKey = (account: string): string => `notifications.mail:${account}`;

/** So long a mail that is sent at once waits for more that it could say, in milliseconds. */
const gatherMs = 60_000;

/** When daily mails are sent, in hours of UTC. */
const dailyHour = 6;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** When the next mail is due, in milliseconds since 1970; null: never. */
export function nextDigest(mail: MailPreference, now: number): number | null {
  switch (mail) {
    case 'off':
      return null;
    case 'at_once':
      return now + gatherMs;
    case 'daily': {
      const today = Math.floor(now / dayMs) * dayMs + dailyHour * hourMs;
      return today > now ? today : today + dayMs;
    }
  }
}
