import type { MailLanguage } from '../mail/templates/mail-kind.ts';
import type { NotificationKind } from './notification.ts';

/** What a mail says of a notification: who has done it, and the title of what it is about. */
type Sentence = (who: string, title: string) => string;

interface NotificationTexts {
  readonly kinds: Readonly<Record<NotificationKind, Sentence>>;
  readonly somebody: string;
  readonly untitled: string;
}

/** A language that is missing, or a sentence of one, is a type error. */
export const notificationTexts: Readonly<Record<MailLanguage, NotificationTexts>> = {
  en: {
    somebody: 'Somebody',
    untitled: 'Untitled',
    kinds: {
      assigned: (who, title) => `${who} assigned “${title}” to you`,
      mentioned: (who, title) => `${who} mentioned you in a note on “${title}”`,
      review_asked: (who, title) => `${who} asks for a review of “${title}”`,
      approved: (who, title) => `${who} approved “${title}”`,
      sent_back: (who, title) => `${who} sent “${title}” back`,
      published: (_, title) => `“${title}” was published`,
      release_failed: (_, title) => `The release “${title}” was not published`,
    },
  },
  de: {
    somebody: 'Jemand',
    untitled: 'Ohne Titel',
    kinds: {
      assigned: (who, title) => `${who} hat Ihnen „${title}“ zugewiesen`,
      mentioned: (who, title) => `${who} hat Sie in einer Notiz zu „${title}“ erwähnt`,
      review_asked: (who, title) => `${who} bittet um Prüfung von „${title}“`,
      approved: (who, title) => `${who} hat „${title}“ freigegeben`,
      sent_back: (who, title) => `${who} hat „${title}“ zurückgegeben`,
      published: (_, title) => `„${title}“ wurde veröffentlicht`,
      release_failed: (_, title) => `Das Release „${title}“ wurde nicht veröffentlicht`,
    },
  },
  fr: {
    somebody: 'Quelqu’un',
    untitled: 'Sans titre',
    kinds: {
      assigned: (who, title) => `${who} vous a attribué « ${title} »`,
      mentioned: (who, title) => `${who} vous a mentionné dans une note sur « ${title} »`,
      review_asked: (who, title) => `${who} demande une relecture de « ${title} »`,
      approved: (who, title) => `${who} a approuvé « ${title} »`,
      sent_back: (who, title) => `${who} a renvoyé « ${title} »`,
      published: (_, title) => `« ${title} » a été publié`,
      release_failed: (_, title) => `La parution « ${title} » n’a pas été publiée`,
    },
  },
};
