import type { Catalogue } from '../catalogue.ts';

/** French texts of what is shown while the service cannot be reached. */
export const offline: Catalogue['offline'] = {
  title: 'Le service est injoignable',
  text: 'Cette page réessaie d’elle-même et continue dès que la connexion est rétablie.',
  again: 'Réessayer',
  trying: 'Nouvel essai…',
  still: 'Il n’y a toujours pas de connexion.',
  writing: 'Ce que vous écriviez',
  writingText:
    'Ce navigateur garde ce qui n’est pas encore enregistré. Le formulaire le propose dès que le service est joignable.',
  untitled: 'Sans titre',
  kept: '{type}, {when}',
  empty: 'Vide',
  none: 'Rien de ce que vous avez écrit dans ce navigateur n’attend d’être enregistré.',
};
