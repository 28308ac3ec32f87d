import type { Catalogue } from '../text.ts';

/** German texts of the frame around every screen. */
export const app: Catalogue['app'] = {
  mainNavigation: 'Hauptmenü',
  skip: 'Zum Inhalt springen',
  home: 'Start',
  content: 'Inhalte',
  media: 'Medien',
  comments: 'Kommentare',
  types: 'Inhaltstypen',
  users: 'Benutzer',
  settings: 'Einstellungen',
  signOut: 'Abmelden',
};
