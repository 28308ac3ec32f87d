import { slugify } from '../../definition/fields/slug.ts';

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** A `uid` as a slug here, which has letters, digits and hyphens alone. */
export function slugOf(value: string, remark: (text: string) => void): string | null {
  if (value === '') return null;
  if (slug.test(value) && value.length <= 200) return value;
  remark('with a slug that has other characters than a to z, digits and hyphens: changed');
  return slugify(value);
}
