import type { MailSender } from '../../config/mail-setting-type.ts';
import { asciiDomain } from '../mail-address.ts';
import type { MailMessage } from '../mail-message.ts';

/**
 * A mail as nodemailer takes it. Addresses are objects of addresses that our own check accepted, never text: the library's parser
 * would find several in one text, with line breaks too. Bodies are strings, so that it opens no file and no address.
 */
export const composed = ({ to, subject, text, html }: MailMessage, from: MailSender) => ({
  from: { name: from.name, address: asciiDomain(from.email).address },
  to: [{ name: '', address: to.address }],
  envelope: { from: asciiDomain(from.email).address, to: [to.address] },
  subject: subject.replace(/\p{Cc}+/gu, ' '),
  text,
  ...(html === undefined ? {} : { html }),
  // Out-of-office programs leave mails of programs alone (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
