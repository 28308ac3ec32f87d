import Type from 'typebox';
import { isStorableText } from '../../values/text-kind.ts';
import { defineFieldType } from '../field-type.ts';
import { slugify } from './slug.ts';

/** Equal for tags that differ in letter case alone. */
export const tagKey = (tag: string): string => tag.normalize('NFKC').toLowerCase().normalize('NFKC').trim();

/** The name of a tag in addresses. Two tags may share one (`C` and `C++`): it then means both. */
export const tagSlug = (tag: string): string => slugify(tagKey(tag));

/** A list of short words, such as the tags of a post. Lists are filtered by one of them, in any letter case, or by its slug. */
export const tagsField = defineFieldType({
  name: 'tags',
  kind: 'json',
  input: () => Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
  output: () => Type.Array(Type.String()),
  parse(value) {
    const storable = Array.isArray(value) && value.every((tag) => typeof tag === 'string' && isStorableText(tag));
    if (storable) return { ok: true, value };
    return { ok: false, code: 'invalid_text', message: 'Must be well-formed Unicode without U+0000.' };
  },
  filteredByElement: true,
  filteredBy: { key: tagKey, keys: (tag) => [tagKey(tag), tagSlug(tag)] },
  filterAlias: 'tag',
  sortable: false,
});
