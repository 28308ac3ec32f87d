import type { Catalogue } from '../catalogue.ts';

/** French texts of the preview beside a form. */
export const preview: Catalogue['preview'] = {
  width: 'Largeur de la page',
  allWidth: 'Toute la place',
  tablet: 'Tablette',
  phone: 'Téléphone',
  release: 'Parution',
  noRelease: 'Sans parution',
  loading: 'Préparation de l’aperçu…',
  refused: 'Votre rôle ne crée pas d’aperçus de cette fiche.',
  failed: 'L’aperçu ne peut pas être préparé pour le moment. Fermez-le puis rouvrez-le.',
  share: 'Partager',
  shareTitle: 'Partager l’aperçu',
  shareLead: 'Avec le lien, des personnes sans compte voient cette fiche avec son brouillon, et rien d’autre.',
  label: 'Pour qui',
  labelHelp: 'Seuls vous et les admins le lisez.',
  labelMissing: 'Dites à qui le lien est destiné : vous le retrouverez ainsi.',
  time: 'Valable',
  days: { one: '{count} jour', other: '{count} jours' },
  make: 'Créer un lien',
  link: 'Lien',
  links: 'Liens valables',
  until: 'jusqu’au {time}',
  end: 'Mettre fin',
  endLink: 'Mettre fin au lien « {label} »',
  ended: 'Le lien « {label} » n’est plus valable.',
};
