import type { ContentType, Field } from '../../definition/content-type.ts';
import { valueKindOf } from '../../definition/stored-field.ts';
import { kinds } from '../../values/kinds.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { saysLanguage } from './entry-language.ts';
import type { WxrItem } from './wxr-entry.ts';

/** The useful ones among the private custom fields (beginning with `_`) of WordPress, themes and plugins. */
export const usefulMeta = {
  thumbnail: '_thumbnail_id',
  alt: '_wp_attachment_image_alt',
  template: '_wp_page_template',
  metaTitle: '_yoast_wpseo_title',
  metaDescription: '_yoast_wpseo_metadesc',
} as const;

const useful: ReadonlySet<string> = new Set(Object.values(usefulMeta));

export const wantsMeta = (key: string): boolean => !key.startsWith('_') || useful.has(key) || saysLanguage(key);

export const metaValue = (item: WxrItem, key: string): string => item.meta.find(([name]) => name === key)?.[1] ?? '';

export interface MappedMeta {
  /** Values of fields that `extends` added to the type, from custom fields of the same name. */
  readonly fields: Readonly<Record<string, JsonValue>>;
  /** The other custom fields, for `__meta`; one that occurs several times is an array. */
  readonly meta: Readonly<Record<string, JsonValue>>;
}

/** Maps an item's custom fields: to the type's field of that name if it accepts the value, otherwise to metadata. */
export function mapMeta(item: WxrItem, type: ContentType): MappedMeta {
  const values = new Map<string, string[]>();
  for (const [key, value] of item.meta) {
    if (!key.startsWith('_')) values.set(key, [...(values.get(key) ?? []), value]);
  }
  const fields: [string, JsonValue][] = [];
  const meta: [string, JsonValue][] = [];
  for (const [key, texts] of values) {
    const [text = ''] = texts;
    const field = addedField(type, key);
    const value = field === undefined || texts.length > 1 ? undefined : fieldValue(field, text);
    if (value !== undefined) fields.push([key, value]);
    else meta.push([key, texts.length > 1 ? texts : text]);
  }
  return { fields: Object.fromEntries(fields), meta: Object.fromEntries(meta) };
}

/** The fields of pages and posts that are mapped elsewhere, or have no counterpart in WordPress. */
const ownFields: ReadonlySet<string> = new Set([
  ...['title', 'slug', 'content', 'excerpt', 'template', 'parent_id', 'sort_order', 'cover_image', 'meta_title'],
  ...['meta_description', 'comments_open'],
]);

function addedField(type: ContentType, key: string): Field | undefined {
  const field = type.field.get(key);
  return field?.origin === 'declared' && !ownFields.has(key) ? field : undefined;
}

/** A text as a JSON value for a field; undefined where the field does not accept it. */
function fieldValue(field: Field, text: string): JsonValue | undefined {
  const { type } = field;
  const kind = valueKindOf(field);
  if (kind === undefined || type.secret) return undefined;
  const scalar = kind === 'boolean' ? flags.get(text) : kinds[kind].fromText(text);
  if (scalar === undefined) return undefined;
  const value = typeof scalar === 'bigint' ? String(scalar) : scalar;
  return type.parse(value, field).ok ? value : undefined;
}

/** WordPress has no booleans: plugins write them like this. */
const flags: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ '1': true, true: true, '0': false, false: false, '': false }),
);
