import type { AccountTexts } from '../../../account/account-texts.ts';

/** German texts of the pages that links in mails lead to. */
export const texts: AccountTexts = {
  actions: {
    verification: {
      title: 'E-Mail-Adresse bestätigen',
      intro:
        'Bestätigen Sie, dass die Adresse Ihnen gehört. Wenn Sie dieses Konto nicht angelegt haben, schließen Sie diese Seite: Wer es angelegt hat, kennt sein Passwort.',
      button: 'Adresse bestätigen',
      done: 'Die Adresse ist bestätigt. Sie können diese Seite schließen.',
    },
    'password-reset': {
      title: 'Neues Passwort festlegen',
      intro: 'Mit dem neuen Passwort werden Sie überall abgemeldet.',
      button: 'Passwort festlegen',
      done: 'Das Passwort ist festgelegt. Sie können sich jetzt damit anmelden.',
    },
    forgot: {
      title: 'Passwort vergessen?',
      intro:
        'Geben Sie die Adresse Ihres Kontos ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen.',
      button: 'Link senden',
      done: 'Wenn es ein Konto mit dieser Adresse gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
    },
    'email-change': {
      title: 'Neue Adresse bestätigen',
      intro: 'Ihr Konto bekommt diese E-Mail-Adresse, sobald Sie sie bestätigen.',
      button: 'Adresse bestätigen',
      done: 'Ihr Konto hat die neue Adresse. Melden Sie sich ab jetzt damit an.',
    },
    'email-revert': {
      title: 'Änderung zurücknehmen',
      intro:
        'Ihr Konto bekommt seine alte E-Mail-Adresse zurück. Alle werden abgemeldet, und das Passwort gilt nicht mehr.',
      button: 'Änderung zurücknehmen',
      done: 'Ihr Konto hat wieder seine alte Adresse. Eine E-Mail mit einem Link für ein neues Passwort ist unterwegs.',
    },
    invitation: {
      title: 'Einladung annehmen',
      intro: 'Wählen Sie ein Passwort, um sich anzumelden.',
      button: 'Einladung annehmen',
      done: 'Ihr Konto ist bereit.',
    },
  },
  email: 'E-Mail-Adresse',
  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen.',
  username: 'Benutzername (freiwillig)',
  usernameHint: 'Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.',
  working: 'Einen Moment …',
  invalidLink:
    'Dieser Link gilt nicht mehr. Vielleicht wurde er schon benutzt oder durch einen neueren ersetzt, oder seine Zeit ist vorbei.',
  askAgain: 'Neuen Link anfordern',
  noLink: 'Öffnen Sie diese Seite über den Link in der E-Mail.',
  unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  tooMany: 'Das waren zu viele Versuche. Versuchen Sie es später noch einmal.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.',
  factorNext: 'Das Passwort ist festgelegt. Melden Sie sich damit und mit Ihrem zweiten Faktor an.',
  toAdmin: 'Weiter zur Verwaltung',
  tooShort: 'Ein Passwort hat mindestens 8 Zeichen.',
  taken: 'Das ist schon vergeben.',
  notValid: 'Das ist nicht gültig.',
  unknown: 'Diese Seite gibt es nicht.',
};
