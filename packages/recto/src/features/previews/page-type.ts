import type { ContentType } from '../../definition/content-type.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import { plainText } from '../../definition/screen-text.ts';
import type { ScreenText } from '../../definition/screen-text-schema.ts';
import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';

/** A field as the page shows it. */
interface PageField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** Of a rich text: whether it is Markdown, which is shown as it is written. */
  readonly markdown?: true;
  readonly fields?: readonly PageField[];
  readonly item?: PageField;
  readonly blocks?: readonly Omit<PageField, 'type'>[];
}

/** A type as the service's own page shows its records. */
export interface PageType {
  readonly singular: string;
  readonly plural: string;
  readonly name: string;
  /** The field that is the heading; null: none. */
  readonly title: string | null;
  readonly fields: readonly PageField[];
}

/**
 * What the page needs of a type: the fields that `get` shows everybody, in the order of the definition. Where `get` is closed, those
 * that are not private: an editor sees the values of the form in them.
 */
export function pageType(type: ContentType, language: string): PageType {
  const { definition, endpoints } = type;
  const isOpen = endpoints.get.access !== 'none';
  const open = isOpen ? readableFields(type, endpointViews.get) : type.fields.filter((field) => !field.type.secret);
  const shown = new Set(open.filter((field) => !field.private).map(({ name }) => name));
  // Written as JSON, whatever their schema says.
  const written = definition.fields as unknown as JsonValue | undefined;
  const fields = fieldsIn(written, language).filter(({ name }) => shown.has(name));
  const named = definition.admin?.title_field;
  const title = [named, 'title', 'name'].find((name) => name !== undefined && shown.has(name)) ?? null;
  const { singular, plural } = type;
  return { singular, plural, name: textIn(definition.admin?.label, language) ?? type.name, title, fields };
}

/** What is private inside a field is in no public answer, and not here. Slugs are parts of addresses. */
const fieldsIn = (written: JsonValue | undefined, language: string): readonly PageField[] =>
  (Array.isArray(written) ? written : []).flatMap((field: JsonValue) =>
    isTable(field) && field.private !== true && field.field_type !== 'uid' && typeof field.name === 'string'
      ? [fieldOf(field, field.name, language)]
      : [],
  );

function fieldOf(written: Table, name: string, language: string): PageField {
  const { field_type, label, format, fields, item, blocks } = written;
  return {
    name,
    label: labelOf(label, name, language),
    type: String(field_type),
    ...(format === 'markdown' ? { markdown: true } : {}),
    ...(fields === undefined ? {} : { fields: fieldsIn(fields, language) }),
    ...(isTable(item) ? { item: fieldOf(item, name, language) } : {}),
    ...(Array.isArray(blocks) ? { blocks: blocks.flatMap((block: JsonValue) => blockOf(block, language)) } : {}),
  };
}

function blockOf(block: JsonValue, language: string): readonly Omit<PageField, 'type'>[] {
  if (!isTable(block) || typeof block.name !== 'string') return [];
  const { name, label, fields } = block;
  return [{ name, label: labelOf(label, name, language), fields: fieldsIn(fields, language) }];
}

function labelOf(label: JsonValue | undefined, name: string, language: string): string {
  // Definitions are checked: a label is a text, or texts by language.
  const text = typeof label === 'string' || isTable(label) ? textIn(label as ScreenText, language) : undefined;
  const words = name.replaceAll(/[_-]/g, ' ');
  return text ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const textIn = (text: ScreenText | undefined, language: string): string | undefined =>
  typeof text === 'object' ? (text[language] ?? plainText(text)) : text;
