import type { Catalogue } from '../catalogue.ts';

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
  or: 'oder',
  usePasskey: 'Passkey verwenden',
  useCode: 'Mit einem Code per E-Mail anmelden',
  continueWith: 'Weiter mit {provider}',
  factorTitle: 'Zweiter Schritt',
  codeTitle: 'Mit einem Code anmelden',
  passkeyNone: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyFailed:
    'Dieser Browser konnte den Passkey nicht benutzen. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  passkeyKnown: 'Dieses Gerät hat schon einen Passkey für Ihr Konto.',
  passkeyElsewhere:
    'Passkeys dieser Website gelten nicht unter dieser Adresse. Öffnen Sie die Verwaltung unter ihrer Hauptadresse.',
  passkeyWrong: 'Dieser Passkey wird nicht angenommen. Vielleicht wurde er aus dem Konto entfernt.',
  stepUpRefused: 'Es wurde nichts geändert, weil Sie nicht bestätigt haben, dass Sie es sind.',
  providerDenied: 'Sie haben dort abgelehnt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  providerAway: 'Der Anbieter ist nicht erreichbar. Versuchen Sie es später, oder wählen Sie einen anderen Weg.',
  providerNoAccount: 'Hier gibt es kein Konto für Sie. Bitten Sie einen Admin dieser Website um eine Einladung.',
  providerLinkFirst:
    'Es gibt ein Konto mit Ihrer E-Mail-Adresse. Melden Sie sich wie gewohnt an, und verknüpfen Sie den Anbieter unter „Profil“.',
  providerNoEmail: 'Der Anbieter hat keine E-Mail-Adresse genannt.',
  providerUnverified: 'Bestätigen Sie zuerst Ihre E-Mail-Adresse über den Link in der E-Mail, die unterwegs ist.',
  providerDisabled: 'Dieses Konto ist gesperrt.',
  providerFailed:
    'Die Anmeldung dort hat nicht geklappt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
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
