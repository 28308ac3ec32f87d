import { withoutEnding } from '../../base/without-ending.ts';
import { slugify } from '../../definition/fields/slug.ts';

/**
 * The slug that an item gets for its own (`wp:post_name`, percent-encoded where it is not ASCII) and its title; undefined
 * where it has neither. Slugs here consist of Latin letters and digits. A slug in another script, of which only digits or nothing
 * would remain (`επίπεδο-2`), is replaced by one from the title, or by a hash if the title has no Latin letters either.
 */
export function importedSlug(postName: string, title: string): string | undefined {
  const name = decoded(postName).replace(/__trashed(?:-\d+)?$/, '');
  const texts = [name, title].filter((text) => text !== '');
  const readable = texts.find((text) => (!/\p{L}/u.test(text) ? /\d/.test(text) : hasLatin(text)));
  const [first] = texts;
  if (readable !== undefined) return slugify(readable);
  if (first === undefined) return undefined;
  const digits = first.match(/[0-9]+/g)?.join('-');
  const letters = slugify(first.replace(/[0-9]+/g, ''));
  return digits === undefined ? letters : `${letters}-${digits}`;
}

/** Whether a slug keeps at least one letter of the text, in Latin form. */
const hasLatin = (text: string): boolean =>
  /[a-z]/.test(slugify(text.replace(/[^\p{L}\p{M}]+/gu, '')).replace(hashed, ''));

/** The result of `slugify` for a text without Latin letters. */
const hashed = /^n-[0-9a-f]{10}$/;

function decoded(postName: string): string {
  try {
    return decodeURIComponent(postName);
  } catch {
    // Cut in the middle of a character, as WordPress does with long ones.
    return postName.replace(/(?:%[0-9a-f]{2})+/gi, (part) =>
      withoutEnding(Buffer.from(part.replaceAll('%', ''), 'hex').toString('utf8'), '\uFFFD'),
    );
  }
}
