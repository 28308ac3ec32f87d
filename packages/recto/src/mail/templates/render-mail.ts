import type { MailMessage } from '../mail-message.ts';
import type { MailSettings } from '../outbox.ts';
import type { MailKind, MailValues } from './mail-kind.ts';

export type RenderedMail = Omit<MailMessage, 'to'>;

/** A mail of the service in a language, from the templates of the project or its own. They are loaded with the first mail. */
export async function renderMail(
  kind: MailKind,
  language: string,
  values: MailValues,
  settings: Pick<MailSettings, 'from' | 'origin' | 'folder'>,
): Promise<RenderedMail> {
  const { renderTemplates } = await import('./render-templates.ts');
  return renderTemplates(kind, language, values, settings);
}
