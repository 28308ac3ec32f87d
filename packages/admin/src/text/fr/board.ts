import type { Catalogue } from '../catalogue.ts';

/** French texts of the board. */
export const board: Catalogue['board'] = {
  moved: '{title} est maintenant « {status} ».',
  move: 'Déplacer {title}',
  moveTo: 'Déplacer vers',
  help: 'Faites glisser une carte vers une autre colonne, appuyez sur Alt avec ← ou → sur elle, ou utilisez son menu.',
  more: 'Afficher plus',
  moreOf: 'Afficher plus : {status}',
  empty: 'Rien ici',
  needsRoles: 'Ce contenu reste où il est : seul le rôle {roles} le fait passer de « {from} » à « {to} ».',
  needsAdmin: 'Ce contenu reste où il est : seul un administrateur le fait passer de « {from} » à « {to} ».',
  needsPublish: 'Ce contenu reste où il est : votre rôle ne publie pas, et ne retire rien de ce qui est publié.',
  noWay: 'Ce contenu reste où il est : « {from} » ne change plus.',
  otherWay: 'Ce contenu reste où il est : ce qui est « {from} » ne devient pas « {to} » directement, mais {next}.',
  onlyRoles: 'Seulement pour {roles}',
  onlyPublishers: 'Votre rôle ne publie pas',
  notFromHere: 'Pas depuis cet état',
  undoneBut: {
    one: 'Annulé, sauf pour un contenu modifié depuis : {titles}',
    other: 'Annulé, sauf pour {count} contenus modifiés depuis : {titles}',
  },
};
