import type { Catalogue } from '../catalogue.ts';

/** French texts of content in several languages. */
export const languages: Catalogue['languages'] = {
  switch: 'Langue : {language}',
  complete: 'Complet',
  none: 'Rien pour le moment',
  missing: 'Il manque : {fields}',
  more: '{fields} et {count} de plus',
  source: 'Langue source',
  outdated: '{source} a changé depuis',
  unknown: 'Lecture impossible',

  bandComplete: 'Rien ne manque',
  bandClosed: 'Votre rôle n’écrit pas en {language}.',
  bandPublic: 'Ce contenu est publié : ce que vous enregistrez en {language} est public aussitôt.',
  compare: 'Comparer avec',
  beside: 'Côte à côte',
  copy: 'Copier : {source}',
  copyEmpty: 'Remplir les champs vides',
  copyAll: 'Remplacer tous les champs',
  copied: {
    one: '{count} champ est copié. Enregistrez-le quand il est juste.',
    other: '{count} champs sont copiés. Enregistrez-les quand ils sont justes.',
  },
  nothingToCopy: 'Il n’y a rien à copier.',
  remove: 'Supprimer : {language}',
  removeTitle: 'Supprimer : {language} ?',
  removeText: 'Ce que ce contenu dit en {language} est supprimé : {fields}. Les autres langues restent telles quelles.',
  removeKept:
    'Ce que ce contenu dit en {language} est supprimé : {fields}. Les autres langues restent telles quelles, et les révisions antérieures le gardent.',
  removed: 'Supprimé : {language}.',

  shared: 'Commun à toutes les langues.',
  editShared: 'Modifier en {language}',
  editSharedLabel: 'Modifier en {language} : {field}',
  inSource: '{field} en {source}',
  emptyInSource: 'Vide en {source}',
  copyField: 'Copier',
  copyFieldLabel: 'Copier {field} depuis {source}',

  listIn: 'Langue : {language}',
  listShow: 'Afficher en',
  listMissing: 'Seulement les contenus sans',
  listAll: 'Tous les contenus',
  listMissingIn: 'Sans {language}',
  listMissingEnd: 'Afficher tous les contenus',

  progress: 'Traductions',
  progressOf: '{done} sur {total}',
  progressMissing: '{count} à traduire',
  progressLabel: '{type}, {language} : {count} à traduire',
};
