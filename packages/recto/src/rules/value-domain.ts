import { isId } from '../base/ids.ts';
import { isTenantId, longestTenantId } from '../base/tenant-id.ts';
import { matchesLike } from './like.ts';

/** The values of a text field that cannot hold every text: a few words, or texts of one form. */
export interface ValueDomain {
  /** What the values are: completes "must be". */
  readonly wanted: string;
  /** All values, where there are few. */
  readonly words: readonly string[];
  /** The text as the field stores it; undefined if the field can never hold it. */
  find(text: string): string | undefined;
  /** Whether a LIKE pattern matches at least one value. */
  matches(pattern: string): boolean;
}

/** Values that a message lists. */
const mostListed = 12;

/** One of a few words. With `anyCase` they are accepted in any letter case. */
export function wordDomain(words: readonly string[], anyCase = false): ValueDomain {
  const listed = words.slice(0, mostListed).join(', ');
  return {
    wanted: `one of ${listed}${words.length > mostListed ? ', …' : ''}`,
    words,
    find(text) {
      if (words.includes(text)) return text;
      return anyCase ? words.find((word) => word.toLowerCase() === text.toLowerCase()) : undefined;
    },
    matches: (pattern) => words.some((word) => matchesLike(word, pattern)),
  };
}

/** An id of a record or account. */
export const idDomain: ValueDomain = {
  wanted: 'an id (a UUID in lower case)',
  words: [],
  find: (text) => (isId(text) ? text : undefined),
  // Every hex digit can stand where another does: with all of them made equal, one id stands for all.
  matches: (pattern) => matchesLike('00000000-0000-0000-0000-000000000000', pattern.replace(/[0-9a-f]/gi, '0')),
};

/** The name of a tenant. */
export const tenantDomain: ValueDomain = {
  wanted: `a tenant: 1 to ${longestTenantId} letters a to z, digits, "-" or "_", a letter or digit first`,
  words: [],
  find: (text) => (isTenantId(text) ? text : undefined),
  matches: (pattern) => /^(?:[A-Za-z0-9_%-]|\\_)+$/.test(pattern),
};
