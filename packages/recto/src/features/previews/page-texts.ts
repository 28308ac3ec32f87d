import type { MailLanguage } from '../../mail/templates/mail-kind.ts';

/** What the service's own page for previews says besides the record. */
export const pageTexts: Readonly<Record<MailLanguage, Readonly<Record<PageText, string>>>> = {
  en: {
    title: 'Preview',
    loading: 'Loading the preview…',
    ended: 'This preview has ended, or shows nothing that is there.',
    failed: 'The preview cannot be loaded at the moment. Load this page again later.',
    waiting: 'Readers do not see this record. What is written in the form appears here.',
    yes: 'Yes',
    no: 'No',
    file: 'A file',
    record: 'Another record',
  },
  de: {
    title: 'Vorschau',
    loading: 'Die Vorschau wird geladen …',
    ended: 'Diese Vorschau ist abgelaufen oder zeigt nichts, was es gibt.',
    failed: 'Die Vorschau kann gerade nicht geladen werden. Laden Sie diese Seite später noch einmal.',
    waiting: 'Leser sehen diesen Eintrag nicht. Was im Formular geschrieben wird, erscheint hier.',
    yes: 'Ja',
    no: 'Nein',
    file: 'Eine Datei',
    record: 'Ein anderer Eintrag',
  },
  fr: {
    title: 'Aperçu',
    loading: 'Chargement de l’aperçu…',
    ended: 'Cet aperçu a expiré, ou ne montre rien qui existe.',
    failed: 'L’aperçu ne peut pas être chargé pour le moment. Rechargez cette page plus tard.',
    waiting: 'Les lecteurs ne voient pas cette fiche. Ce qui est écrit dans le formulaire apparaît ici.',
    yes: 'Oui',
    no: 'Non',
    file: 'Un fichier',
    record: 'Une autre fiche',
  },
};

type PageText = 'title' | 'loading' | 'ended' | 'failed' | 'waiting' | 'yes' | 'no' | 'file' | 'record';
