import type { MailAddress } from './mail-address.ts';

/** A mail that is ready to be sent. */
export interface MailMessage {
  readonly to: MailAddress;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
}
