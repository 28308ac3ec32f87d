import type { Catalogue } from '../catalogue.ts';

/** French texts of asking for a new password. */
export const forgot: Catalogue['forgot'] = {
  title: 'Mot de passe oublié ?',
  lead: 'Saisissez l’adresse e-mail de votre compte. Vous recevrez un lien pour définir un nouveau mot de passe.',
  send: 'Envoyer le lien',
  sent: 'S’il existe un compte avec l’adresse {email}, un e-mail avec un lien est en route. Le lien est valable une heure.',
  back: 'Retour à la connexion',
};
