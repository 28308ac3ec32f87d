/** What people are called by those who work in the admin with them. No whole address: that is for those who manage accounts. */
export const workingName = (account: {
  readonly displayName: string | null | undefined;
  readonly username: string | null;
  readonly email: string;
}): string => account.displayName || account.username || account.email.replace(/@.*$/, '');
