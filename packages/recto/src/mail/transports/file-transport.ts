import { constants } from 'node:fs';
import { access, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../../base/ids.ts';
import type { MailSender } from '../../config/mail-setting-type.ts';
import { MailDelayed } from '../mail-problem.ts';
import type { MailTransport } from './mail-transport.ts';
import { composed } from './smtp-mail.ts';

/** Writes each mail into a file of its own, which only its owner may read: mails contain links that open accounts. */
export async function fileTransport(folder: string, from: MailSender): Promise<MailTransport> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(message) {
      const { message: bytes } = await composer.sendMail(composed(message, from));
      const name = join(folder, `${newId()}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${name}.part`, bytes as Buffer, { mode: 0o600, flush: true });
        await rename(`${name}.part`, name);
      } catch (error) {
        throw new MailDelayed(`The mail cannot be written into the folder of RECTO_MAIL_URL${codeOf(error)}.`);
      }
    },
    async check() {
      try {
        await access(await existing(folder), constants.W_OK | constants.X_OK);
      } catch (error) {
        throw new MailDelayed(`The folder of RECTO_MAIL_URL cannot be written to${codeOf(error)}.`);
      }
    },
    close() {},
  };
}

/** The folder, or the one that it would be made in. */
async function existing(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const above = dirname(folder);
    if (codeOf(error) !== ' (ENOENT)' || above === folder) throw error;
    return existing(above);
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
