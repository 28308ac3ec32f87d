import type { Catalogue } from '../catalogue.ts';

/** French texts of the area "list". */
export const list: Catalogue['list'] = {
  newRecord: 'Créer : {name}',
  createFirst: 'Créer le premier',
  languages: 'Langues',
  search: 'Rechercher',
  all: 'Tous',
  statuses: 'Par statut',
  scheduled: 'Planifiés',
  scheduledFor: 'Planifié pour le {time}',
  unknownType: 'Il n’y a pas de type de contenu à cette adresse.',
  unknownTypeTitle: 'Introuvable',

  // Columns
  columns: 'Colonnes',
  sortBy: 'Trier par {label}',
  'layouts.table': 'Tableau',
  'layouts.cards': 'Cartes',
  'layouts.board': 'Panneau',
  'densities.compact': 'Compacte',
  'densities.normal': 'Normale',
  'densities.roomy': 'Aérée',

  // Filter
  filter: 'Filtrer',
  clearFilters: 'Effacer les filtres',
  yes: 'oui',
  no: 'non',
  opEmpty: 'est vide',

  // Views
  views: 'Vues',
  viewNamed: 'Vue : {name}',
  viewChanged: 'Vue : {name} (modifiée)',
  deleteViewTitle: 'Supprimer la vue « {name} » ?',
  deleteOwnView: 'Cette action est irréversible.',
  deleteSharedView: 'Tous ceux qui l’utilisent la perdent. Cette action est irréversible.',
  viewDeleted: 'La vue « {name} » est supprimée.',

  // Selection and actions
  news: { one: '{count} nouveau : l’afficher', other: '{count} nouveaux : les afficher' },
  selectAll: 'Tout sélectionner',
  selectRow: 'Sélectionner {title}',
  delete: 'Supprimer',
  tooManyFound:
    'Au plus 10 000 contenus peuvent être modifiés un par un. Utilisez un filtre, ou cherchez avec plus de mots.',
  undo: 'Annuler',
  jobFailed: {
    one: '{count} contenu n’a pas pu être modifié : {reason}',
    other: '{count} contenus n’ont pas pu être modifiés. Le premier : {reason}',
  },

  // Pages
  pages: 'Pages',
  range: '{first}–{last} sur {total}',
  rangeOpen: '{first}–{last}',
  about: 'environ {total}',
  moreThan: 'plus de {total}',
  firstPage: 'Première page',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  lastPage: 'Dernière page',

  // States
  emptyTitle: 'Rien pour le moment : {type}',
  emptyText: 'Ce que vous créez ici est servi à {address}.',
  noResultTitle: 'Aucun résultat',
  noResultText: 'Aucun contenu ne correspond à cette recherche et à ces filtres.',
  noDeletedTitle: 'Rien n’est supprimé',
  noDeletedText: 'Les contenus supprimés restent ici jusqu’à ce qu’ils soient restaurés ou supprimés définitivement.',
  forbiddenTitle: 'Vous ne pouvez pas voir ces contenus',
  forbiddenText: 'Demandez l’accès à un administrateur.',
  filterErrorTitle: 'Ce filtre ne fonctionne pas',
  asOf: 'État au',
  editFilter: 'Modifier le filtre',
  showDeleted: 'Supprimés',
  hideDeleted: 'Revenir à tous',
  deletedTitle: '{type} : supprimés',
  noTitle: 'Sans titre',
  missing: 'Indisponible',
  none: '–',
  me: 'Moi',
  items: { one: '{count} élément', other: '{count} éléments' },
  more: 'Plus',

  // Trees and manual order
  moveHelp:
    'Alt avec les flèches haut et bas déplace un contenu parmi ses voisins ; dans une arborescence, Alt avec les flèches gauche et droite le déplace d’un niveau.',
  movedTo: '{title} est maintenant en position {position}.',
  manualOrder: 'Ordre manuel',
};
