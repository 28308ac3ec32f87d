import { english } from '../english.ts';

/** English texts of signing in and out. */
export const session = english('session', {
  signInTitle: 'Sign in',
  email: 'Email',
  password: 'Password',
  signIn: 'Sign in',
  forgot: 'Forgot password?',
  wrong: 'The email address or the password is wrong.',
  limited: {
    one: 'Too many attempts. Try again in {count} second.',
    other: 'Too many attempts. Try again in {count} seconds.',
  },
  offline: 'The service cannot be reached.',
  unreachable: 'The service cannot be reached. Check the connection and try again.',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
  endedTitle: 'Your session has ended',
  ended: 'Sign in to go on where you were. Nothing you typed is lost.',
  endedNote: 'Your session has ended. Sign in to save; what you type stays here.',
  leave: 'Sign out instead',
  memberTitle: 'No access',
  member:
    'You are signed in as {email}. Accounts with the role member cannot use the admin: ask an admin of this site for the role editor.',
  welcome: 'Signed in as {email}.',
  setUpTitle: 'Set up this site',
  setUpLead: 'Choose the email address and password that you will sign in with. They replace those of the first start.',
  code: 'Setup code',
  codeHelp: 'The service printed it when it was started for the first time, as the password of the first admin.',
  newPassword: 'New password',
  newPasswordHelp: 'At least 8 characters.',
  newPasswordShort: 'The password must have at least 8 characters.',
  setUp: 'Set up',
  codeMissing: 'Enter the setup code.',
  codeWrong: 'This code is wrong, or it has been used. Sign in if the site has been set up.',
  toSignIn: 'Sign in',
  setUpDone: 'The site is set up. You are signed in.',
} as const);
