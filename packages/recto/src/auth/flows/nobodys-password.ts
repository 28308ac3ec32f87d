import type { Account } from '../account.ts';

/** No hash begins with it. */
const mark = '!';

/** In place of the hash of a password: no password matches it. Each is another one, so that links from before it end. */
export const nobodysPassword = (): string => `${mark}${crypto.randomUUID()}`;

/** Whether somebody may know the password of an account. */
export const hasPassword = ({ passwordHash }: Pick<Account, 'passwordHash'>): boolean => !passwordHash.startsWith(mark);
