import type { Catalogue } from '../catalogue.ts';

/** French texts of notes on records. */
export const notes: Catalogue['notes'] = {
  title: 'Notes',
  close: 'Fermer les notes',
  none: 'Aucune note ouverte.',
  record: 'Tout le contenu',
  about: 'À propos de : {place}',
  aboutRecord: 'Plutôt à propos de tout le contenu',
  new: 'Nouvelle note',
  write: 'Écrire la note',
  reply: 'Répondre',
  resolve: 'Résoudre',
  reopen: 'Rouvrir',
  resolved: { one: 'Une note résolue', other: '{count} notes résolues' },
  edit: 'Modifier',
  change: 'Modifier la note',
  changed: 'modifiée',
  mention: 'Mentionner quelqu’un',
  mentioned: 'Personnes mentionnées',
  removeMention: 'Ne pas mentionner {name}',
  mentions: 'Pour {names}',
  nobody: 'Personne ne porte ce nom.',
  go: 'Aller à {place}',
};
