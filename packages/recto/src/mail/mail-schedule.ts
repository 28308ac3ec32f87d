import { backoff } from '../jobs/backoff.ts';

/**
 * How mails are tried: again after 5 seconds, then after twice as long each time, up to an hour. So many attempts are two days and a
 * half: a mail server may be away for a weekend.
 */
export const mailAttempts = 70;

/** How many mails a process sends at a time. More than there are connections, so that none waits for a commit. */
export const mailsAtATime = 12;

export const mailRetry = (attempts: number): number => backoff(attempts);
