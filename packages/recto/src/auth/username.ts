import { foldKey } from './email-address.ts';

export const usernameMaxLength = 64;

export const usernamePattern = '^[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}._-]*$';

const shape = new RegExp(usernamePattern, 'u');

export interface Username {
  readonly name: string;
  /** What two spellings of one name share. */
  readonly key: string;
}

/** Reads a username: 1 to 64 letters, digits, dots, hyphens and underscores of any script; undefined when it is none. */
export function parseUsername(text: string): Username | undefined {
  const name = text.normalize('NFC');
  if (!shape.test(name) || [...name].length > usernameMaxLength) return undefined;
  return { name, key: foldKey(name) };
}
