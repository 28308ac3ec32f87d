import Type, { type Static } from 'typebox';
import type { Transaction } from '../../database/database.ts';
import type { JobType } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { mailAttempts, mailRetry, mailsAtATime } from '../../mail/mail-schedule.ts';

/** The mails of accounts. Most go to the account's address. */
export const accountMailKinds = [
  'verification',
  'password_reset',
  'email_change',
  'email_changed',
  'password_changed',
  'second_factor_changed',
  'new_passkey',
  'invitation',
  'sign_in_code',
  'account_exists',
  'identity_linked',
] as const;
export type AccountMailKind = (typeof accountMailKinds)[number];

const payload = Type.Object({
  kind: Type.Enum([...accountMailKinds]),
  /** Null: no account has the address that somebody asked for. The job ends without a mail. */
  account: Type.Union([Type.String(), Type.Null()]),
  /** Whom somebody asked for, so that jobs look the same whether there is an account or not. */
  address_hash: Type.Optional(Type.String()),
  /** Of `email_changed`: the address that the account had. */
  address: Type.Optional(Type.String()),
  /** Of `email_changed`: when it was changed, in milliseconds since 1970. */
  at: Type.Optional(Type.Number()),
  /** Of `sign_in_code`: the hash of what the code belongs to. */
  challenge: Type.Optional(Type.String()),
  /** Of `identity_linked`: what the provider is called. */
  provider: Type.Optional(Type.String()),
  language: Type.String(),
});

/** A mail to an account. It holds no link and no code: those are made when the mail is composed, so that nothing stores them. */
export type AccountMail = Static<typeof payload>;

export const accountMailJob = {
  name: 'mail.account',
  payload,
  attempts: mailAttempts,
  retryAfter: mailRetry,
  concurrency: mailsAtATime,
} as const satisfies JobType;

/** Puts mails to accounts into the outbox. */
export class AccountMails {
  readonly #jobs: Jobs;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** There is a mail if, and only if, the transaction is committed. People wait for these: they go before all others. */
  async queue(transaction: Transaction, mail: AccountMail): Promise<void> {
    await this.#jobs.enqueueIn(transaction, accountMailJob, mail, { priority: 10 });
  }
}
