import type { AccountTexts } from '../../../account/account-texts.ts';

/** English texts of the pages that links in mails lead to. */
export const texts: AccountTexts = {
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
