import type { Settings } from '../../config/settings.ts';
import { ownTemplateFaults } from '../../mail/templates/own-templates.ts';
import { KeptMails } from '../../mail/transports/kept-mails.ts';
import { openTransport } from '../../mail/transports/open-transport.ts';
import { type Finding, fail, messageOf, ok, warn } from '../finding.ts';
import { mailSettings } from './mail-outbox.ts';

const check = 'mail';

/** Whether mails could be sent: the templates, and the server with its certificate and password. Sends none. */
export async function mailFinding(settings: Settings): Promise<Finding> {
  const mail = mailSettings(settings);
  if (mail === undefined) return ok(check, 'off');
  const faults = await ownTemplateFaults(mail.folder);
  if (faults.length > 0) return fail(check, faults.join('; '), 'docs/mail.md says what a template may have.');
  const transport = await openTransport(mail.location, { ...mail, kept: new KeptMails(), now: Date.now });
  try {
    await transport.check();
  } catch (error) {
    return warn(check, messageOf(error), 'Check RECTO_MAIL_URL and the network. Mails wait in the outbox until then.');
  } finally {
    transport.close();
  }
  switch (mail.location.kind) {
    case 'log':
      return ok(check, 'kept in the memory of the process, for a development');
    case 'file':
      return ok(check, 'written into files');
    case 'smtp':
      return ok(check, 'the mail server takes mails');
  }
}
