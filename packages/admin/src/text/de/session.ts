import type { Catalogue } from '../text.ts';

/** German texts of signing in and out. */
export const session: Catalogue['session'] = {
  signInTitle: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  signIn: 'Anmelden',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
};
