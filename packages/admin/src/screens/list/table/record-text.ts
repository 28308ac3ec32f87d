import { htmlText } from '../../../api/html-text.ts';
import { t } from '../../../text/text.ts';
import { type ListedType, listFields, titleField } from '../data/list-fields.ts';

const titles = new WeakMap<ListedType, string>();

/** The name of the field that stands for records of a type. */
export function titleName(type: ListedType): string {
  const name = titles.get(type) ?? titleField(type, listFields(type))?.name ?? 'id';
  titles.set(type, name);
  return name;
}

/** What a record is called in lists. Of accounts: their display name. */
export function recordTitle(record: Readonly<Record<string, unknown>>, type: ListedType | undefined): string {
  const value = record[type === undefined ? 'display_name' : titleName(type)];
  return plainText(value) || t('list.noTitle');
}

/** A value in one line of text, without markup; empty for none. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** The words of HTML or Markdown, for one line. It is only ever shown as text. */
export const withoutMarkup = (value: unknown): string =>
  typeof value === 'string' ? plainText(htmlText(value.slice(0, 1_000).replace(/<[^>]*$/, ''))).slice(0, 200) : '';
