import type { MailLocation, MailSender } from '../../config/mail-setting-type.ts';
import type { Settings } from '../../config/setting-table.ts';

/** How mails are sent, without a secret. */
export interface MailState {
  readonly to: string;
  readonly from: string;
  readonly url: string;
}

/** Null where the service sends no mail. */
export function mailState({ mailUrl, mailFrom, url }: Settings): MailState | null {
  if (mailUrl === undefined || mailFrom === undefined || url === undefined) return null;
  return { to: locationText(mailUrl), from: senderText(mailFrom), url };
}

/** From the parts that are no secret, so that no user and no password can be part of it. */
function locationText(location: MailLocation): string {
  if (location.kind === 'log') return 'log:';
  if (location.kind === 'file') return `file:${location.path}`;
  const host = location.host.includes(':') ? `[${location.host}]` : location.host;
  return `${location.secure ? 'smtps' : 'smtp'}://${host}:${location.port}`;
}

const senderText = ({ name, email }: MailSender): string =>
  name === '' ? email.address : `${name} <${email.address}>`;
