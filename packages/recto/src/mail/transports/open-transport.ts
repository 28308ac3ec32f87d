import type { MailLocation, MailSender } from '../../config/mail-setting-type.ts';
import type { KeptMails } from './kept-mails.ts';
import type { MailTransport } from './mail-transport.ts';

/** Opens what sends mails. The library is loaded here, at the first mail. */
export async function openTransport(
  location: MailLocation,
  { from, kept, now }: { readonly from: MailSender; readonly kept: KeptMails; readonly now: () => number },
): Promise<MailTransport> {
  switch (location.kind) {
    case 'log':
      return { send: async (message) => kept.add(message, now()), check: async () => undefined, close() {} };
    case 'file':
      return (await import('./file-transport.ts')).fileTransport(location.path, from);
    case 'smtp':
      return (await import('./smtp-transport.ts')).smtpTransport(location, from);
  }
}
