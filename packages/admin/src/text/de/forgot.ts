import type { Catalogue } from '../catalogue.ts';

/** German texts of asking for a new password. */
export const forgot: Catalogue['forgot'] = {
  title: 'Passwort vergessen?',
  lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Sie bekommen einen Link, mit dem Sie ein neues Passwort setzen.',
  send: 'Link senden',
  sent: 'Wenn es ein Konto mit der Adresse {email} gibt, ist eine E-Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
  back: 'Zurück zur Anmeldung',
};
