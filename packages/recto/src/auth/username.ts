import { foldKey } from '../base/email-address.ts';
import { hasInvisible } from '../base/invisible-characters.ts';

export const usernameMaxLength = 64;

export const usernamePattern = '^[\\p{L}\\p{N}][\\p{L}\\p{N}\\p{M}._-]*$';

const shape = new RegExp(usernamePattern, 'u');

export interface Username {
  readonly name: string;
  /** The key that all spellings of a name share. */
  readonly key: string;
}

/**
 * Reads a username: 1 to 64 letters, digits, dots, hyphens and underscores of any script, none of them invisible; undefined when it is
 * invalid. Some invisible characters are letters or marks to Unicode, so this form alone would allow two accounts that look the same.
 */
export function parseUsername(text: string): Username | undefined {
  const name = text.normalize('NFC');
  if (!shape.test(name) || hasInvisible(name) || [...name].length > usernameMaxLength) return undefined;
  return { name, key: foldKey(name) };
}
