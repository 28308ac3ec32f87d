import type { Catalogue } from '../catalogue.ts';

/** German texts of content in several languages. */
export const languages: Catalogue['languages'] = {
  switch: 'Sprache: {language}',
  complete: 'Vollständig',
  none: 'Noch nichts',
  missing: 'Es fehlt: {fields}',
  more: '{fields} und {count} weitere',
  source: 'Ausgangssprache',
  outdated: '{source} wurde seither geändert',
  unknown: 'Konnte nicht gelesen werden',

  bandComplete: 'Nichts fehlt',
  bandClosed: 'Ihre Rolle schreibt nicht auf {language}.',
  bandPublic: 'Dieser Eintrag ist veröffentlicht: Was Sie in der Sprache {language} speichern, ist sofort öffentlich.',
  compare: 'Vergleichen mit',
  beside: 'Nebeneinander',
  copy: 'Aus {source} kopieren',
  copyEmpty: 'Leere Felder füllen',
  copyAll: 'Alle Felder ersetzen',
  copied: {
    one: '{count} Feld ist kopiert. Speichern Sie es, wenn es stimmt.',
    other: '{count} Felder sind kopiert. Speichern Sie sie, wenn sie stimmen.',
  },
  nothingToCopy: 'Es gibt nichts zu kopieren.',
  remove: '{language} entfernen',
  removeTitle: '{language} entfernen?',
  removeText:
    'Was dieser Eintrag in der Sprache {language} sagt, wird entfernt: {fields}. Die anderen Sprachen bleiben, wie sie sind.',
  removeKept:
    'Was dieser Eintrag in der Sprache {language} sagt, wird entfernt: {fields}. Die anderen Sprachen bleiben, wie sie sind, und frühere Versionen behalten es.',
  removed: '{language} ist entfernt.',

  shared: 'Gilt für alle Sprachen.',
  editShared: 'Bearbeiten in: {language}',
  editSharedLabel: 'Bearbeiten in: {language}: {field}',
  inSource: '{field} ({source})',
  emptyInSource: 'Leer ({source})',
  copyField: 'Kopieren',
  copyFieldLabel: 'Kopieren: {field} ({source})',

  listIn: 'Sprache: {language}',
  listShow: 'Anzeigen in',
  listMissing: 'Nur Einträge ohne',
  listAll: 'Alle Einträge',
  listMissingIn: 'Ohne {language}',
  listMissingEnd: 'Alle Einträge anzeigen',

  progress: 'Übersetzungen',
  progressOf: '{done} von {total}',
  progressMissing: '{count} fehlen',
  progressLabel: '{type}, {language}: {count} fehlen',
};
