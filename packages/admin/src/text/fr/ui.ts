import type { Catalogue } from '../catalogue.ts';

/** French texts of the building blocks. */
export const ui: Catalogue['ui'] = {
  close: 'Fermer',
  cancel: 'Annuler',
  confirm: 'Confirmer',
  notifications: 'Notifications',
  dismiss: 'Fermer',
  retry: 'Réessayer',
  errorTitle: 'Le chargement a échoué',
  required: 'obligatoire',
  noMatch: 'Aucun résultat',
  loading: 'Chargement…',
  showOptions: 'Afficher les choix',
  justNow: 'à l’instant',
  range: '{first}–{last} sur {total}',
  previousPage: 'Page précédente',
  nextPage: 'Page suivante',
  apiAddress: 'Adresse dans l’API :',
  copy: 'Copier {name}',
  copied: '{name} : copié',
  notCopied: 'Ce navigateur ne permet pas à la page de copier.',
  copySelected: 'Sélectionné : Ctrl+C pour copier',
  unsavedTitle: 'Modifications non enregistrées',
  unsavedText: 'Ce que vous avez modifié sur cette page n’est pas enregistré.',
  leave: 'Quitter sans enregistrer',
};
