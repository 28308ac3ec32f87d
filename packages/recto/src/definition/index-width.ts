import type { Field } from './content-type.ts';

/** The most characters that the values of one `indexed` field may have. */
export const mostIndexedCharacters = 500;

/** The most that those of all fields of one index may have: PostgreSQL's hold about 2,700 bytes, and a character takes up to 4. */
export const mostIndexCharacters = 600;

/** The characters that a field's values take in an index; infinite for texts of any length. */
export function indexWidth({ type, options }: Field): number {
  if (type.kind !== 'text') return 0;
  if (options.enum_values !== undefined) return Math.max(0, ...options.enum_values.map((value) => value.length));
  return options.max_length ?? type.longest ?? Number.POSITIVE_INFINITY;
}
