import type { MailLanguage } from './mail-kind.ts';
import type { MailTexts } from './mail-text.ts';
import { germanMails } from './mail-text-de.ts';
import { englishMails } from './mail-text-en.ts';
import { frenchMails } from './mail-text-fr.ts';

/** What the mails say, by language. */
export const mailTexts: Readonly<Record<MailLanguage, MailTexts>> = {
  en: englishMails,
  de: germanMails,
  fr: frenchMails,
};
