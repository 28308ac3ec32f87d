import { existsSync } from 'node:fs';
import { FatalError } from '../../base/fatal-error.ts';
import type { Settings } from '../../config/settings.ts';

/** Checks the mail templates of the project, where mail is on. Rejects with a `FatalError` that lists every error. */
export async function checkTemplates({ mailUrl, mailsDir }: Settings): Promise<void> {
  if (mailUrl === undefined || !existsSync(mailsDir)) return;
  const { ownTemplateFaults } = await import('../../mail/templates/own-templates.ts');
  const faults = await ownTemplateFaults(mailsDir);
  if (faults.length > 0)
    throw new FatalError(`Templates of mails are not right:\n${faults.map((one) => `  ${one}`).join('\n')}`);
}
