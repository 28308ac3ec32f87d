import { slugify } from '../../definition/fields/slug.ts';

/**
 * The slug that an item gets for its own (`wp:post_name`, percent-encoded where it is not ASCII) and its title; undefined
 * where it has neither. Slugs here are of Latin letters and digits: of one in another script that would leave the digits
 * alone or nothing (`επίπεδο-2`), one is made of the title, or of a hash where the title is no better.
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

/** Whether a letter of a text is there, in its Latin form, in a slug of it. */
const hasLatin = (text: string): boolean =>
  /[a-z]/.test(slugify(text.replace(/[^\p{L}\p{M}]+/gu, '')).replace(hashed, ''));

/** What `slugify` makes of a text without Latin letters. */
const hashed = /^n-[0-9a-f]{10}$/;

function decoded(postName: string): string {
  try {
    return decodeURIComponent(postName);
  } catch {
    // Cut in the middle of a character, as WordPress does with long ones.
    return postName.replace(/(?:%[0-9a-f]{2})+/gi, (part) =>
      Buffer.from(part.replaceAll('%', ''), 'hex')
        .toString('utf8')
        .replace(/\uFFFD+$/, ''),
    );
  }
}
