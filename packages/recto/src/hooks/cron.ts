import type { HookDatabase } from './content.ts';
import type { HookMails } from './hook-mail.ts';

/** What a job's handler is given. */
export interface CronContext {
  /** The content without rights; `asSystem()` has those of the service. */
  readonly db: HookDatabase;
  /** Sends mails through the service’s outbox. */
  readonly mail: HookMails;
  /** Aborted when the time is up, or the service stops. */
  readonly signal: AbortSignal;
}

export interface CronOptions {
  /** How long a run may take, in seconds. Default 10. */
  readonly timeout?: number;
}

/** A scheduled job of a deployment. */
export interface CronJob {
  readonly kind: 'cron';
  readonly schedule: string;
  readonly handler: (context: CronContext) => void | Promise<void>;
  readonly options: CronOptions;
}

/**
 * A job that runs at the times of a cron expression, in UTC; the default export of a file in `jobs/`. One process of all runs it.
 *
 * @example
 * export default cron('0 6 * * 1', async ({ db }) => {
 *   const { total } = await db.asSystem().articles.list({ page_size: 1 });
 *   console.log(`${total} articles`);
 * });
 */
export const cron = (schedule: string, handler: CronJob['handler'], options: CronOptions = {}): CronJob => ({
  kind: 'cron',
  schedule,
  handler,
  options,
});
