import type { Catalogue } from '../catalogue.ts';

/** French texts of the board. */
export const board: Catalogue['board'] = {
  moved: '{title} est maintenant « {status} ».',
  help: 'Faites glisser une carte vers une autre colonne, ou sélectionnez-la et appuyez sur Alt avec ← ou →.',
  limit:
    'Voici {shown} contenus sur {total} : ceux de cette page. Un filtre, ou plus de contenus par page, en montre d’autres.',
  undoneBut: {
    one: 'Annulé, sauf pour un contenu modifié depuis : {titles}',
    other: 'Annulé, sauf pour {count} contenus modifiés depuis : {titles}',
  },
};
