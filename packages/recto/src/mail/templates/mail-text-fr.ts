import type { MailTexts } from './mail-text.ts';

export const frenchMails: MailTexts = {
  orOpen: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  from: 'Cet e-mail a été envoyé par {{site}} ({{url}}).',
  kinds: {
    verification: {
      subject: 'Confirmez votre adresse e-mail pour {{site}}',
      lines: [
        'Quelqu’un a créé un compte sur {{site}} avec l’adresse {{email}}. Si c’est vous, confirmez que l’adresse est la vôtre.',
      ],
      button: 'Confirmer l’adresse',
      after: [
        'Le lien est valable 24 heures.',
        'Si ce n’est pas vous, ne confirmez pas : la personne qui a créé le compte connaît son mot de passe. Vous pouvez ignorer cet e-mail.',
      ],
    },
    password_reset: {
      subject: 'Définissez un nouveau mot de passe pour {{site}}',
      lines: ['Quelqu’un a demandé un nouveau mot de passe pour le compte {{email}} sur {{site}}.'],
      button: 'Définir un nouveau mot de passe',
      after: [
        'Le lien est valable une heure. Si ce n’est pas vous, vous pouvez ignorer cet e-mail : le mot de passe ne change pas.',
      ],
    },
    account_exists: {
      subject: 'Vous avez déjà un compte sur {{site}}',
      lines: [
        'Quelqu’un a voulu s’inscrire sur {{site}} avec l’adresse {{email}}, qui a déjà un compte.',
        'Si c’est vous et que vous avez oublié le mot de passe, définissez-en un nouveau.',
      ],
      button: 'Définir un nouveau mot de passe',
      after: ['Le lien est valable une heure. Si ce n’est pas vous, vous pouvez ignorer cet e-mail.'],
    },
    email_change: {
      subject: 'Confirmez votre nouvelle adresse e-mail pour {{site}}',
      lines: ['Le compte {{email}} sur {{site}} doit recevoir cette adresse. Confirmez qu’elle est la vôtre.'],
      button: 'Confirmer l’adresse',
      after: ['Le lien est valable 24 heures. Si ce n’est pas vous, ne confirmez pas : le compte garde son adresse.'],
    },
    email_changed: {
      subject: 'L’adresse e-mail de votre compte sur {{site}} a changé',
      lines: [
        'Votre compte sur {{site}} a maintenant l’adresse {{email}}.',
        'Si ce n’est pas vous, annulez le changement. Tout le monde est alors déconnecté et le mot de passe n’est plus valable ; vous recevez ensuite un lien pour en définir un nouveau.',
      ],
      button: 'Annuler le changement',
      after: ['Le lien est valable 7 jours.'],
    },
    password_changed: {
      subject: 'Votre mot de passe pour {{site}} a changé',
      lines: [
        'Le compte {{email}} sur {{site}} a un nouveau mot de passe, et a été déconnecté partout.',
        'Si ce n’est pas vous, définissez un nouveau mot de passe avec « Mot de passe oublié », ou contactez les responsables de {{site}}.',
      ],
    },
    identity_linked: {
      subject: 'Votre compte sur {{site}} peut être ouvert avec {{provider}}',
      lines: [
        'Désormais, {{provider}} ouvre le compte {{email}} sur {{site}}.',
        'Si ce n’est pas vous, retirez {{provider}} de votre compte, ou contactez les responsables de {{site}}.',
      ],
    },
    second_factor_changed: {
      subject: 'Le second facteur de votre compte sur {{site}} a changé',
      lines: [
        'Un second facteur du compte {{email}} sur {{site}} a été ajouté ou retiré, ou le compte a de nouveaux codes de récupération.',
        'Si ce n’est pas vous, changez votre mot de passe, et contactez les responsables de {{site}}.',
      ],
    },
    new_passkey: {
      subject: 'Votre compte sur {{site}} a une nouvelle clé d’accès',
      lines: [
        'Une clé d’accès a été ajoutée au compte {{email}} sur {{site}}. Quiconque la possède peut se connecter.',
        'Si ce n’est pas vous, retirez-la et changez votre mot de passe, ou contactez les responsables de {{site}}.',
      ],
    },
    invitation: {
      subject: 'Vous êtes invité sur {{site}}',
      lines: [
        'Vous êtes invité sur {{site}}, avec l’adresse {{email}}. Choisissez un mot de passe pour vous connecter.',
      ],
      button: 'Accepter l’invitation',
      after: ['Le lien est valable 7 jours. Si vous ne connaissez pas {{site}}, vous pouvez ignorer cet e-mail.'],
    },
    sign_in_code: {
      subject: 'Votre code pour {{site}} : {{code}}',
      lines: ['Avec ce code, vous vous connectez à {{site}} en tant que {{email}} :'],
      code: '{{code}}',
      after: [
        'Il est valable 10 minutes, sur l’appareil qui l’a demandé. Ne le transmettez à personne. Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail.',
      ],
    },
    notifications: {
      subject: '{{count}} nouveautés sur {{site}}',
      lines: ['Voici ce qui vous attend sur {{site}} :', '{{list}}'],
      button: 'Ouvrir l’administration',
      after: [
        'Vous recevez cet e-mail parce que vous l’avez demandé. Changez cela, ou arrêtez-le, sur la page de votre compte : {{settings_link}}',
      ],
    },
    test: {
      subject: '{{site}} : l’envoi d’e-mails fonctionne',
      lines: ['Ceci est un test. Si vous pouvez le lire, {{site}} peut envoyer des e-mails.'],
    },
  },
};
