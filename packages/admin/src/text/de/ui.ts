import type { Catalogue } from '../catalogue.ts';

/** German texts of the building blocks. */
export const ui: Catalogue['ui'] = {
  close: 'Schließen',
  cancel: 'Abbrechen',
  confirm: 'Bestätigen',
  notifications: 'Mitteilungen',
  dismiss: 'Schließen',
  retry: 'Noch einmal versuchen',
  errorTitle: 'Das konnte nicht geladen werden',
  required: 'erforderlich',
  apiAddress: 'Adresse in der API:',
  noMatch: 'Nichts gefunden',
  loading: 'Wird geladen …',
  showOptions: 'Auswahl zeigen',
  justNow: 'gerade eben',
  range: '{first}–{last} von {total}',
  previousPage: 'Vorige Seite',
  nextPage: 'Nächste Seite',
  copy: '{name} kopieren',
  copied: '{name} kopiert',
  notCopied: 'Dieser Browser lässt die Seite nichts kopieren.',
  copySelected: 'Markiert: Strg+C kopiert',
  unsavedTitle: 'Ungespeicherte Änderungen',
  unsavedText: 'Was Sie auf dieser Seite geändert haben, ist nicht gespeichert.',
  leave: 'Verlassen, ohne zu speichern',
};
