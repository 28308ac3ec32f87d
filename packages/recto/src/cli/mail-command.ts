import { FatalError } from '../base/fatal-error.ts';
import { exitCodes, type Terminal } from '../base/terminal.ts';
import { readSettings, settingsFileName } from '../config/settings.ts';
import { mailSettings } from '../features/mail/mail-outbox.ts';
import { mailAddress } from '../mail/mail-address.ts';
import { MailDelayed, MailRefused } from '../mail/mail-problem.ts';
import { TemplateError } from '../mail/templates/fill-template.ts';
import { type MailKind, mailKinds, namesOf } from '../mail/templates/mail-kind.ts';
import { ownTemplateFaults } from '../mail/templates/own-templates.ts';
import { renderMail } from '../mail/templates/render-mail.ts';
import { KeptMails } from '../mail/transports/kept-mails.ts';
import { openTransport } from '../mail/transports/open-transport.ts';

export interface PreviewOptions {
  readonly language: string;
  readonly html?: true;
}

/** `recto mail test`. */
export async function sendTestMail(terminal: Terminal, to: string): Promise<number> {
  const settings = mailSettings(readSettings(terminal.environment, settingsFileName));
  if (settings === undefined) throw new FatalError('Mail is off: RECTO_MAIL_URL is not set.');
  if (settings.location.kind === 'log')
    throw new FatalError('RECTO_MAIL_URL is log:, which sends nothing. Mails are in the inbox of the admin.');
  const address = mailAddress(to);
  if (address === undefined) throw new FatalError(`${JSON.stringify(to)} is not an email address.`);
  const transport = await openTransport(settings.location, { ...settings, kept: new KeptMails(), now: Date.now });
  try {
    await transport.send({ to: address, ...(await renderMail('test', 'en', {}, settings)) });
  } catch (error) {
    if (error instanceof MailRefused || error instanceof MailDelayed) throw new FatalError(error.message);
    if (error instanceof TemplateError) throw new FatalError(`A template of the mail is not right: ${error.message}.`);
    throw error;
  } finally {
    transport.close();
  }
  terminal.out(`Sent to ${address.address}.\n`);
  return exitCodes.done;
}

/** `recto mail preview`. Needs no mail server. */
export async function previewMail(terminal: Terminal, name: string, options: PreviewOptions): Promise<number> {
  const settings = readSettings(terminal.environment, settingsFileName);
  const kind = mailKinds.find((one) => one === name);
  if (kind === undefined) throw new FatalError(`There is no mail ${name}.`);
  const faults = await ownTemplateFaults(settings.mailsDir);
  if (faults.length > 0) throw new FatalError(faults.join('\n'));
  const { subject, text, html } = await renderMail(kind, options.language, sampleValues(kind), {
    from: settings.mailFrom ?? { name: 'Example', email: { address: 'mail@example.com', key: 'mail@example.com' } },
    origin: settings.url ?? 'https://cms.example.com',
    folder: settings.mailsDir,
  });
  terminal.out(options.html === true ? (html ?? '') : `Subject: ${subject}\n\n${text}`);
  return exitCodes.done;
}

const samples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  link: 'https://cms.example.com/account/example#rat_example',
  code: '1234 5678',
  count: '2',
  list: '• Ada assigned “On paper” to you\n• Ada mentioned you in a note on “On ink”',
  settings_link: 'https://cms.example.com/admin/profile',
};

const sampleValues = (kind: MailKind): Readonly<Record<string, string>> =>
  Object.fromEntries(namesOf(kind).flatMap((name) => (name in samples ? [[name, samples[name] ?? '']] : [])));
