import type { ContentTypeInfo } from './content-type-info.ts';

const texts: ReadonlySet<string> = new Set([
  'text',
  'uid',
  'email',
  'enum',
  'integer',
  'bigint',
  'decimal',
  'date',
  'datetime',
]);
const usualNames = [
  'title',
  'name',
  'label',
  'headline',
  'subject',
  'email',
  'slug',
  'file_name',
  'filename',
  'content',
];

/** The product's own types whose records are not called by a field of a usual name: comments by who wrote them, never by an address. */
const ownTitles: Readonly<Record<string, readonly string[]>> = { comment: ['nickname', 'content'] };

/** The field that a record is called by: the hint of its definition, a field of a usual name, or the first text. */
export function titleField({ definition, fields }: ContentTypeInfo): string | undefined {
  const hint = definition.admin?.title_field;
  if (hint !== undefined) return hint;
  const own = fields.filter(({ origin, field_type }) => origin !== 'engine' && texts.has(field_type));
  return (
    usualNames.map((name) => own.find((field) => field.name === name)).find(Boolean) ??
    own.find(({ field_type }) => field_type === 'text')
  )?.name;
}

const longest = 200;

/** What a record is called; undefined where it has no value that could stand for it. */
export function recordTitle(type: ContentTypeInfo, record: Readonly<Record<string, unknown>>): string | undefined {
  const own = type.source === 'built_in' ? ownTitles[type.singular] : undefined;
  const text = (own ?? [titleField(type)]).map((name) => textOf(record[name ?? ''])).find((each) => each !== '') ?? '';
  return text === '' ? undefined : shortened(text);
}

/** A text that stands for its record, such as that of a comment. */
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** The page of a record in the admin. Files and comments have screens of their own. */
export function recordPath({ singular, source, plural }: ContentTypeInfo, id: string): string {
  if (source === 'built_in' && singular === 'media') return `/media?file=${encodeURIComponent(id)}`;
  if (source === 'built_in' && singular === 'comment') return `/comments?id=${encodeURIComponent(id)}`;
  return `/content/${plural}/${encodeURIComponent(id)}`;
}
