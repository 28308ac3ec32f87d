/** English texts of signing in and out. */
export const session = {
  signInTitle: 'Sign in',
  email: 'Email',
  password: 'Password',
  signIn: 'Sign in',
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
  leave: 'Sign out instead',
  memberTitle: 'No access',
  member:
    'You are signed in as {email}. Accounts with the role member cannot use the admin: ask an admin of this site for the role editor.',
  welcome: 'Signed in as {email}.',
} as const;
