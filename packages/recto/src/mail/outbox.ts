import type { MailLocation, MailSender } from '../config/mail-setting-type.ts';
import { JobDelayed, type JobEnd, JobRejected } from '../jobs/job-kind.ts';
import type { MailMessage } from './mail-message.ts';
import { MailDelayed, MailRefused } from './mail-problem.ts';
import { KeptMails } from './transports/kept-mails.ts';
import type { MailTransport } from './transports/mail-transport.ts';

/** How mails are sent. */
export interface MailSettings {
  readonly location: MailLocation;
  readonly from: MailSender;
  /** The origin that links begin with. */
  readonly origin: string;
  /** The folder with templates. */
  readonly folder: string;
}

export interface OutboxOptions extends MailSettings {
  /** Counts a mail. Resolves with 0 when it may be sent, otherwise with the milliseconds until it may. */
  readonly count: () => Promise<number>;
  readonly now: () => number;
}

/** A run of a job that sends a mail. */
export interface MailRun {
  readonly signal: AbortSignal;
  now(): number;
}

/** Sends the mails of one process. */
export class Outbox {
  readonly settings: MailSettings;
  /** Those of `log:`. */
  readonly kept = new KeptMails();
  readonly #options: OutboxOptions;
  #transport: Promise<MailTransport> | undefined;

  constructor(options: OutboxOptions) {
    this.settings = options;
    this.#options = options;
  }

  /**
   * Sends a mail as the run of a job. `compose` is called right before: what it puts into the mail is stored nowhere. Throws
   * `JobRejected` where another attempt would not help; the job runs again later otherwise.
   */
  async send(run: MailRun, compose: () => Promise<MailMessage>): Promise<JobEnd | undefined> {
    const wait = await this.#options.count();
    if (wait > 0) return { againAt: run.now() + wait };
    try {
      await (await this.transport()).send(await compose(), run.signal);
    } catch (error) {
      if (error instanceof MailRefused) throw new JobRejected(error.message);
      if (error instanceof MailDelayed) throw new JobDelayed(error.message);
      throw error;
    }
    return undefined;
  }

  /** Opened at the first mail. */
  transport(): Promise<MailTransport> {
    this.#transport ??= this.#open();
    return this.#transport;
  }

  async #open(): Promise<MailTransport> {
    const { location, from, now } = this.#options;
    const { openTransport } = await import('./transports/open-transport.ts');
    return openTransport(location, { from, now, kept: this.kept });
  }
}
