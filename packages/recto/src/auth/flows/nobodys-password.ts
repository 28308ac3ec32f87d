import type { PasswordHasher } from '../password-hasher.ts';

/** The hash of a password that nobody knows. */
export const nobodysPassword = ({ passwords }: { readonly passwords: PasswordHasher }): Promise<string> =>
  passwords.hash(`${crypto.randomUUID()}${crypto.randomUUID()}`);
