import type { Catalogue } from '../catalogue.ts';

/** French texts of what has changed since somebody was here. */
export const visits: Catalogue['visits'] = {
  new: 'Nouveau',
  changed: 'Modifié',
  note: {
    one: 'Un contenu a changé depuis votre dernière visite ({when}).',
    other: '{count} contenus ont changé depuis votre dernière visite ({when}).',
  },
  show: 'Les afficher',
  showAll: 'Tout afficher',
  seeAll: 'Tout marquer comme vu',
  seen: 'Toutes les modifications sont marquées comme vues.',
};
