import type { Catalogue } from '../catalogue.ts';

/** German texts of notes on records. */
export const notes: Catalogue['notes'] = {
  title: 'Notizen',
  close: 'Notizen schließen',
  none: 'Keine offenen Notizen.',
  record: 'Der ganze Eintrag',
  about: 'Zu: {place}',
  aboutRecord: 'Stattdessen zum ganzen Eintrag',
  new: 'Neue Notiz',
  write: 'Notiz schreiben',
  reply: 'Antworten',
  resolve: 'Erledigt',
  reopen: 'Wieder öffnen',
  resolved: { one: 'Eine erledigte Notiz', other: '{count} erledigte Notizen' },
  edit: 'Bearbeiten',
  change: 'Notiz ändern',
  changed: 'bearbeitet',
  mention: 'Jemanden erwähnen',
  mentioned: 'Erwähnt',
  removeMention: '{name} nicht erwähnen',
  mentions: 'Für {names}',
  nobody: 'Niemand heißt so.',
  go: 'Zu {place} gehen',
};
