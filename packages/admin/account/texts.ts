/** What a page says. */
export interface ActionTexts {
  readonly title: string;
  readonly intro: string;
  readonly button: string;
  readonly done: string;
}

export interface Texts {
  readonly actions: Readonly<Record<string, ActionTexts>>;
  readonly email: string;
  readonly newPassword: string;
  readonly passwordHint: string;
  readonly username: string;
  readonly usernameHint: string;
  readonly working: string;
  readonly invalidLink: string;
  readonly askAgain: string;
  readonly noLink: string;
  readonly unreachable: string;
  readonly tooMany: string;
  readonly failed: string;
  /** After an invitation to an account that has a second factor. */
  readonly factorNext: string;
  readonly toAdmin: string;
  readonly tooShort: string;
  readonly taken: string;
  readonly notValid: string;
  readonly unknown: string;
}

const en: Texts = {
  actions: {
    verification: {
      title: 'Confirm your email address',
      intro:
        'Confirm that the address is yours. If you did not create this account, close this page: whoever did knows its password.',
      button: 'Confirm the address',
      done: 'The address is confirmed. You can close this page.',
    },
    'password-reset': {
      title: 'Set a new password',
      intro: 'The new password signs you out everywhere.',
      button: 'Set the password',
      done: 'The password is set. You can sign in with it now.',
    },
    forgot: {
      title: 'Forgot your password?',
      intro: 'Enter the address of your account, and we send you a link to set a new password.',
      button: 'Send the link',
      done: 'If there is an account with this address, a mail with a link is on its way. The link works for one hour.',
    },
    'email-change': {
      title: 'Confirm your new address',
      intro: 'Your account gets this email address once you confirm it.',
      button: 'Confirm the address',
      done: 'Your account has the new address. Sign in with it from now on.',
    },
    'email-revert': {
      title: 'Take the change back',
      intro: 'Your account gets its old email address again. Everybody is signed out, and the password ends.',
      button: 'Take the change back',
      done: 'Your account has its old address again. A mail with a link to set a new password is on its way.',
    },
    invitation: {
      title: 'Accept your invitation',
      intro: 'Choose a password to sign in with.',
      button: 'Accept the invitation',
      done: 'Your account is ready.',
    },
  },
  email: 'Email address',
  newPassword: 'New password',
  passwordHint: 'At least 8 characters.',
  username: 'Username (optional)',
  usernameHint: 'Letters, digits, dots, hyphens and underscores.',
  working: 'One moment…',
  invalidLink:
    'This link is not valid any more. It may have been used or replaced by a newer one, or its time is over.',
  askAgain: 'Ask for a new link',
  noLink: 'Open this page by the link in the mail.',
  unreachable: 'The service cannot be reached. Check your connection and try again.',
  tooMany: 'There were too many attempts. Try again later.',
  failed: 'That did not work. Try again in a moment.',
  factorNext: 'The password is set. Sign in with it and your second factor.',
  toAdmin: 'Continue to the admin',
  tooShort: 'A password has at least 8 characters.',
  taken: 'This is taken already.',
  notValid: 'This is not valid.',
  unknown: 'There is no such page.',
};

const de: Texts = {
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

/** The texts for the language of a browser. */
export const textsFor = (language: string): { readonly language: string; readonly texts: Texts } =>
  /^de\b/i.test(language) ? { language: 'de', texts: de } : { language: 'en', texts: en };
