import type { Catalogue } from '../catalogue.ts';

/** French texts of pictures of other sites. */
export const pictures: Catalogue['pictures'] = {
  far: {
    one: 'Une image d’un autre site est affichée comme son adresse.',
    other: '{count} images d’autres sites sont affichées comme leurs adresses.',
  },
  label: 'Images d’autres sites',
  fetch: { one: 'Récupérer l’image', other: 'Récupérer {count} images' },
  fetching: { one: 'Récupération de l’image…', other: 'Récupération de l’image {at} sur {count}…' },
  progress: 'Images récupérées',
  stop: 'Arrêter',
  notFetched: '{address} : {reason}',
  fetched: {
    one: 'L’image est maintenant dans la médiathèque.',
    other: '{count} images sont maintenant dans la médiathèque.',
  },
};
