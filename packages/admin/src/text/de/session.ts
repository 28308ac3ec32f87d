import type { Catalogue } from '../text.ts';

/** German texts of signing in and out. */
export const session: Catalogue['session'] = {
  signInTitle: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  signIn: 'Anmelden',
  forgot: 'Passwort vergessen?',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  limited: {
    one: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunde wieder.',
    other: 'Zu viele Versuche. Versuchen Sie es in {count} Sekunden wieder.',
  },
  offline: 'Der Dienst ist nicht erreichbar.',
  unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
  emailMissing: 'Geben Sie Ihre E-Mail-Adresse ein.',
  passwordMissing: 'Geben Sie Ihr Passwort ein.',
  endedTitle: 'Ihre Sitzung ist beendet',
  ended: 'Melden Sie sich an, um fortzufahren. Nichts, was Sie geschrieben haben, ist verloren.',
  endedNote: 'Ihre Sitzung ist beendet. Melden Sie sich an, um zu speichern; was Sie schreiben, bleibt hier.',
  leave: 'Stattdessen abmelden',
  memberTitle: 'Kein Zugang',
  member:
    'Sie sind als {email} angemeldet. Konten mit der Rolle member können die Verwaltung nicht benutzen: Bitten Sie einen Admin dieser Website um die Rolle editor.',
  welcome: 'Angemeldet als {email}.',
  setUpTitle: 'Diese Website einrichten',
  setUpLead:
    'Wählen Sie die E-Mail-Adresse und das Passwort, mit denen Sie sich anmelden werden. Sie ersetzen die des ersten Starts.',
  code: 'Einrichtungscode',
  codeHelp: 'Der Dienst hat ihn beim ersten Start als Passwort des ersten Admins ausgegeben.',
  newPassword: 'Neues Passwort',
  newPasswordHelp: 'Mindestens 8 Zeichen.',
  newPasswordShort: 'Das Passwort muss mindestens 8 Zeichen haben.',
  setUp: 'Einrichten',
  codeMissing: 'Geben Sie den Einrichtungscode ein.',
  codeWrong:
    'Dieser Code ist falsch oder wurde schon verwendet. Melden Sie sich an, wenn die Website eingerichtet ist.',
  toSignIn: 'Anmelden',
  setUpDone: 'Die Website ist eingerichtet. Sie sind angemeldet.',
};
