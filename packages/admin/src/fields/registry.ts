import BlocksField from './blocks/BlocksField.svelte';
import BooleanField from './boolean/BooleanField.svelte';
import DateField from './date/DateField.svelte';
import DatetimeField from './date/DatetimeField.svelte';
import EnumField from './enum/EnumField.svelte';
import type { FieldInfo } from './field.ts';
import type { FieldComponent, FieldType } from './field-type.ts';
import GroupField from './group/GroupField.svelte';
import JsonField from './json/JsonField.svelte';
import { jsonText } from './json/read-json.ts';
import ListField from './list/ListField.svelte';
import MediaField from './media/MediaField.svelte';
import NumberField from './number/NumberField.svelte';
import PasswordField from './password/PasswordField.svelte';
import RelationField from './relation/RelationField.svelte';
import TagsField from './tags/TagsField.svelte';
import AddressField from './text/AddressField.svelte';
import TextField from './text/TextField.svelte';
import UnknownField from './UnknownField.svelte';
import UidField from './uid/UidField.svelte';

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The words of HTML or Markdown, without the markup, for people to read; never shown as markup. */
const words = (value: unknown): string =>
  plain(value)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const simple = (component: FieldComponent): FieldType => ({ component, summary: plain });

/** The types of fields, by the name that definitions have for them. */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['text', simple(TextField)],
  ['richtext', { component: { load: () => import('./richtext/RichtextField.svelte') }, summary: words }],
  ['integer', simple(NumberField)],
  ['bigint', simple(NumberField)],
  ['decimal', simple(NumberField)],
  ['float', simple(NumberField)],
  ['boolean', simple(BooleanField)],
  ['date', simple(DateField)],
  ['time', simple(DateField)],
  ['datetime', simple(DatetimeField)],
  ['email', simple(AddressField)],
  ['enum', simple(EnumField)],
  ['uid', simple(UidField)],
  ['password', { component: PasswordField, summary: () => '' }],
  ['json', { component: JsonField, summary: jsonText }],
  ['group', { component: GroupField, summary: () => '' }],
  ['list', { component: ListField, summary: (value) => (Array.isArray(value) ? String(value.length) : '') }],
  ['blocks', { component: BlocksField, summary: (value) => (Array.isArray(value) ? String(value.length) : '') }],
  ['relation', { component: RelationField, summary: () => '' }],
  ['media', { component: MediaField, summary: () => '' }],
  ['tags', { component: TagsField, summary: (value) => (Array.isArray(value) ? value.join(', ') : '') }],
]);

const unknownType: FieldType = { component: UnknownField, summary: (value) => jsonText(value ?? null) };

/** What edits and shows values of a field. */
export const fieldType = ({ type }: Pick<FieldInfo, 'type'>): FieldType => fieldTypes.get(type) ?? unknownType;
