import type { MailMessage } from '../mail-message.ts';
import { defaultHtml, defaultText } from './default-template.ts';
import { escapeHtml, fillTemplate, oneLine } from './fill-template.ts';
import { type MailKind, type MailLanguage, type MailValues, mailLanguage } from './mail-kind.ts';
import { mailTexts } from './mail-texts.ts';
import { type OwnTemplates, readOwnTemplates, templateNames } from './own-templates.ts';

interface TemplateSettings {
  readonly from: { readonly name: string };
  readonly origin: string;
  readonly folder: string;
}

/** As `renderMail`. Files are read anew for each mail, so that a change of a template needs no restart. */
export async function renderTemplates(
  kind: MailKind,
  tag: string,
  values: MailValues,
  { from, origin, folder }: TemplateSettings,
): Promise<Omit<MailMessage, 'to'>> {
  const language = mailLanguage(tag);
  const own = await readOwnTemplates(folder);
  const all = { site: from.name || new URL(origin).host, url: origin, ...values };
  const texts = mailTexts[language];
  const ownText = ownTemplate(own, kind, language, 'txt');
  const source = ownText ?? defaultText(texts.kinds[kind], texts);
  const ownHtml = ownTemplate(own, kind, language, 'html');
  // A text of the project has no built-in HTML beside it, which would say something else.
  const html = ownHtml ?? (ownText === undefined ? defaultHtml(texts.kinds[kind], texts, language) : undefined);
  const [first = '', ...rest] = fillTemplate(source, all, oneLine).split(/\r?\n/);
  return {
    subject: first.replace(/^Subject:\s*/, ''),
    text: `${rest.join('\n').trim()}\n`,
    ...(html === undefined ? {} : { html: fillTemplate(html, all, escapeHtml) }),
  };
}

const ownTemplate = (own: OwnTemplates, kind: MailKind, language: MailLanguage, form: 'html' | 'txt') =>
  templateNames(kind, language, form)
    .map((name) => own.get(name))
    .find((source) => source !== undefined);
