import type { AccountTexts } from '../../../account/account-texts.ts';

/** French texts of the pages that links in mails lead to. */
export const texts: AccountTexts = {
  actions: {
    verification: {
      title: 'Confirmer votre adresse e-mail',
      intro:
        'Confirmez que l’adresse est la vôtre. Si vous n’avez pas créé ce compte, fermez cette page : la personne qui l’a créé connaît son mot de passe.',
      button: 'Confirmer l’adresse',
      done: 'L’adresse est confirmée. Vous pouvez fermer cette page.',
    },
    'password-reset': {
      title: 'Définir un nouveau mot de passe',
      intro: 'Le nouveau mot de passe vous déconnecte partout.',
      button: 'Définir le mot de passe',
      done: 'Le mot de passe est défini. Vous pouvez maintenant vous connecter avec.',
    },
    forgot: {
      title: 'Mot de passe oublié ?',
      intro: 'Saisissez l’adresse de votre compte. Nous vous envoyons un lien pour définir un nouveau mot de passe.',
      button: 'Envoyer le lien',
      done: 'S’il existe un compte avec cette adresse, un e-mail avec un lien est en route. Le lien est valable une heure.',
    },
    'email-change': {
      title: 'Confirmer votre nouvelle adresse',
      intro: 'Votre compte reçoit cette adresse e-mail dès que vous la confirmez.',
      button: 'Confirmer l’adresse',
      done: 'Votre compte a la nouvelle adresse. Connectez-vous désormais avec elle.',
    },
    'email-revert': {
      title: 'Annuler le changement',
      intro:
        'Votre compte retrouve son ancienne adresse e-mail. Tout le monde est déconnecté, et le mot de passe n’est plus valable.',
      button: 'Annuler le changement',
      done: 'Votre compte a retrouvé son ancienne adresse. Un e-mail avec un lien pour définir un nouveau mot de passe est en route.',
    },
    invitation: {
      title: 'Accepter votre invitation',
      intro: 'Choisissez un mot de passe pour vous connecter.',
      button: 'Accepter l’invitation',
      done: 'Votre compte est prêt.',
    },
  },
  email: 'Adresse e-mail',
  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins 8 caractères.',
  username: 'Nom d’utilisateur (facultatif)',
  usernameHint: 'Lettres, chiffres, points, tirets et traits de soulignement.',
  working: 'Un instant…',
  invalidLink: 'Ce lien n’est plus valable. Il a peut-être déjà servi, été remplacé par un plus récent, ou expiré.',
  askAgain: 'Demander un nouveau lien',
  noLink: 'Ouvrez cette page avec le lien de l’e-mail.',
  unreachable: 'Le service est injoignable. Vérifiez votre connexion et réessayez.',
  tooMany: 'Il y a eu trop de tentatives. Réessayez plus tard.',
  failed: 'Cela n’a pas fonctionné. Réessayez dans un instant.',
  factorNext: 'Le mot de passe est défini. Connectez-vous avec lui et votre second facteur.',
  toAdmin: 'Continuer vers l’administration',
  tooShort: 'Un mot de passe a au moins 8 caractères.',
  taken: 'Ceci est déjà pris.',
  notValid: 'Ceci n’est pas valable.',
  unknown: 'Cette page n’existe pas.',
};
