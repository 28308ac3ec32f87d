import { english } from '../english.ts';

/** English texts of asking for a new password. They are loaded when somebody asks. */
export const forgot = english('forgot', {
  title: 'Forgot your password?',
  lead: 'Enter the email address of your account. You get a link to set a new password.',
  send: 'Send the link',
  sent: 'If there is an account with the address {email}, a mail with a link is on its way. The link works for one hour.',
  back: 'Back to sign-in',
} as const);
