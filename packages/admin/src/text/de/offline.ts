import type { Catalogue } from '../catalogue.ts';

/** German texts of what is shown while the service cannot be reached. */
export const offline: Catalogue['offline'] = {
  title: 'Der Dienst ist nicht erreichbar',
  text: 'Diese Seite versucht es von selbst wieder und macht weiter, sobald es eine Verbindung gibt.',
  again: 'Noch einmal versuchen',
  trying: 'Versuch läuft…',
  still: 'Es gibt noch keine Verbindung.',
  writing: 'Woran Sie geschrieben haben',
  writingText:
    'Dieser Browser behält, was noch nicht gespeichert ist. Das Formular bietet es an, sobald der Dienst erreichbar ist.',
  untitled: 'Ohne Titel',
  kept: '{type}, {when}',
  empty: 'Leer',
  none: 'Nichts, was Sie in diesem Browser geschrieben haben, wartet auf das Speichern.',
};
