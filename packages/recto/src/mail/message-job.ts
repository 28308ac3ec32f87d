import Type, { type Static } from 'typebox';
import { type JobKind, JobRejected, type JobType, jobKind } from '../jobs/job-kind.ts';
import { mailAddress } from './mail-address.ts';
import { mailAttempts, mailRetry, mailsAtATime } from './mail-schedule.ts';
import type { Outbox } from './outbox.ts';
import { renderMail } from './templates/render-mail.ts';

const messageSchema = Type.Union([
  /** Shows that mails arrive. */
  Type.Object({ kind: Type.Literal('test'), to: Type.String(), language: Type.String() }),
]);

/** A mail that was written elsewhere, or that holds nothing secret. */
export type QueuedMessage = Static<typeof messageSchema>;

export const messageJob = {
  name: 'mail.message',
  payload: messageSchema,
  attempts: mailAttempts,
  retryAfter: mailRetry,
  concurrency: mailsAtATime,
} as const satisfies JobType;

export const messageKind = (outbox: Outbox): JobKind =>
  jobKind(messageJob, async (work) => {
    const { payload } = work;
    const to = mailAddress(payload.to);
    if (to === undefined) throw new JobRejected('This is not an address that mail can be sent to.');
    return outbox.send(work, async () => ({
      to,
      ...(await renderMail('test', payload.language, {}, outbox.settings)),
    }));
  });
