import type { MailMessage } from '../mail-message.ts';

/** What sends mails. */
export interface MailTransport {
  /** Resolves once the mail is in the hands of whoever delivers it. Rejects with `MailRefused` or `MailDelayed`. */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
  /** Whether mails could be sent now; sends none. Rejects with `MailDelayed`. */
  check(): Promise<void>;
  /** Closes what is open between mails. */
  close(): void;
}
