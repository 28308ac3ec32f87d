import type { ContentType, Field } from '../definition/content-type.ts';
import { perType } from '../definition/per-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';

/** The longest text of an image, in UTF-16 units. */
const longestText = 255;

/** The columns of an image: no secrets, and no JSON. */
export const imageFields = perType((type): readonly Field[] =>
  type.fields.filter(
    ({ place, type: fieldType }) =>
      !fieldType.secret && (place.shape === 'to_one' || (place.shape === 'column' && place.kind !== 'json')),
  ),
);

/**
 * A record's short columns, by which it is found out later who could see it, as a JSON text. Nulls and long texts are left out;
 * the latter are named in `$long`.
 */
export function beforeImage(type: ContentType, record: StoredRecord): string {
  const image: Record<string, unknown> = {};
  const long: string[] = [];
  for (const { name } of imageFields(type)) {
    const value = record[name] ?? null;
    if (value === null) continue;
    if (typeof value === 'string' && value.length > longestText) long.push(name);
    else image[name] = typeof value === 'bigint' ? String(value) : value;
  }
  if (long.length > 0) image.$long = long;
  return JSON.stringify(image);
}
