import { newId } from '../../base/ids.ts';
import type { MailMessage } from '../mail-message.ts';

/** A mail that was kept instead of sent. */
export interface KeptMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

const mostKept = 100;

/** The last mails of `log:`, in memory alone. */
export class KeptMails {
  #mails: readonly KeptMail[] = [];

  /** The newest first. */
  get all(): readonly KeptMail[] {
    return this.#mails;
  }

  add({ to, subject, text, html }: MailMessage, sentAt: number): void {
    const mail = { id: newId(), to: to.address, subject, text, html: html ?? null, sentAt };
    this.#mails = [mail, ...this.#mails].slice(0, mostKept);
  }
}
