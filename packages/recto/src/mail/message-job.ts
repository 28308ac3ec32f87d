import Type, { type Static } from 'typebox';
import { type JobKind, JobRejected, type JobType, jobKind } from '../jobs/job-kind.ts';
import { mailAddress } from './mail-address.ts';
import { mailAttempts, mailRetry, mailsAtATime } from './mail-schedule.ts';
import type { Outbox } from './outbox.ts';
import { renderMail } from './templates/render-mail.ts';

const messageSchema = Type.Union([
  /** Shows that mails arrive. */
  Type.Object({ kind: Type.Literal('test'), to: Type.String(), language: Type.String() }),
  /** Of code of the deployment. */
  Type.Object({
    kind: Type.Literal('message'),
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: Type.Optional(Type.String()),
  }),
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
    return outbox.send(work, async () => {
      if (payload.kind === 'test') return { to, ...(await renderMail('test', payload.language, {}, outbox.settings)) };
      const { subject, text, html } = payload;
      return { to, subject, text, html };
    });
  });
