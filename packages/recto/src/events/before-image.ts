import type { ContentType, Field } from '../definition/content-type.ts';
import { perType } from '../definition/per-type.ts';
import type { StoredRecord } from '../definition/protocol.ts';
import { scalarKindOf } from '../definition/stored-field.ts';
import type { FormerRecord } from '../records/read/previous-visibility.ts';

/** The longest text of an image, in UTF-16 units. */
const longestText = 255;

/** The columns of an image: no secrets, and no JSON. */
const imageFields = perType((type): readonly Field[] =>
  type.fields.filter((field) => !field.type.secret && scalarKindOf(field) !== undefined),
);

/** Another text as soon as the type's definition is another, and with it possibly who sees which records. */
const definitionMark = perType(({ definition }): string => Bun.hash(JSON.stringify(definition)).toString(36));

/**
 * A record's short columns, by which it is found out later who could see it, as a JSON text. Nulls and long texts are left out;
 * the latter are named.
 */
export function beforeImage(type: ContentType, record: StoredRecord): string {
  const values: Record<string, unknown> = {};
  const long: string[] = [];
  for (const { name } of imageFields(type)) {
    const value = record[name] ?? null;
    if (value === null) continue;
    if (typeof value === 'string' && value.length > longestText) long.push(name);
    else values[name] = typeof value === 'bigint' ? String(value) : value;
  }
  return JSON.stringify({ mark: definitionMark(type), values, ...(long.length > 0 && { long }) });
}

interface Image {
  readonly mark: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly long?: readonly string[];
}

/** The record of an image; `outdated` where the type had another definition then. */
export function readImage(type: ContentType, text: string, at: string): FormerRecord | 'outdated' {
  // `beforeImage` is the only writer of the column.
  const { mark, values, long = [] } = JSON.parse(text) as Image;
  if (mark !== definitionMark(type)) return 'outdated';
  const fields = imageFields(type);
  const decoded = fields.map((field) => {
    const value = values[field.name] ?? null;
    return [field.name, value !== null && scalarKindOf(field) === 'bigint' ? BigInt(value) : value] as const;
  });
  const known = new Set(fields.map(({ name }) => name).filter((name) => !long.includes(name)));
  return { type, values: Object.fromEntries(decoded), known, at };
}
