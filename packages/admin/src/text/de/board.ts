import type { Catalogue } from '../catalogue.ts';

/** German texts of the board. */
export const board: Catalogue['board'] = {
  moved: '{title} ist jetzt „{status}“.',
  help: 'Ziehen Sie eine Karte in eine andere Spalte, oder drücken Sie darauf Alt mit ← oder →.',
  limit:
    'Das sind {shown} von {total} Einträgen: die dieser Seite. Ein Filter oder mehr Einträge je Seite zeigen andere.',
  undoneBut: {
    one: 'Rückgängig gemacht, bis auf einen Eintrag, der seitdem geändert wurde: {titles}',
    other: 'Rückgängig gemacht, bis auf {count} Einträge, die seitdem geändert wurden: {titles}',
  },
};
