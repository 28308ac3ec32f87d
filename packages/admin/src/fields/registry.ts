import BooleanField from './boolean/BooleanField.svelte';
import DateField from './date/DateField.svelte';
import EnumField from './enum/EnumField.svelte';
import type { FieldInfo } from './field.ts';
import type { FieldType, LazyField } from './field-type.ts';
import { jsonText } from './json/read-json.ts';
import { lazyField } from './lazy-field.ts';
import NumberField from './number/NumberField.svelte';
import TextField from './text/TextField.svelte';

const plain = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The words of HTML or Markdown, without the markup, for people to read; never shown as markup. */
const words = (value: unknown): string =>
  plain(value)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

const simple = (component: FieldType['component']): FieldType => ({ component, summary: plain });
const count = (value: unknown): string => (Array.isArray(value) ? String(value.length) : '');
const nothing = (): string => '';

/**
 * The types of fields, by the name that definitions have for them. Those that few forms have are loaded when a form needs them: `loadFields`
 * does it beside the record, so that they are there when the form is.
 */
export const fieldTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['text', simple(TextField)],
  [
    'richtext',
    { component: lazyField(() => import('./richtext/RichtextField.svelte'), { isHeavy: true }), summary: words },
  ],
  ['integer', simple(NumberField)],
  ['bigint', simple(NumberField)],
  ['decimal', simple(NumberField)],
  ['float', simple(NumberField)],
  ['boolean', simple(BooleanField)],
  ['date', simple(DateField)],
  ['time', simple(DateField)],
  ['datetime', simple(lazyField(() => import('./date/DatetimeField.svelte')))],
  ['email', simple(lazyField(() => import('./text/AddressField.svelte')))],
  ['enum', simple(EnumField)],
  ['uid', simple(lazyField(() => import('./uid/UidField.svelte')))],
  ['password', { component: lazyField(() => import('./password/PasswordField.svelte')), summary: nothing }],
  ['json', { component: lazyField(() => import('./json/JsonField.svelte')), summary: jsonText }],
  ['group', { component: lazyField(() => import('./group/GroupField.svelte')), summary: nothing }],
  ['list', { component: lazyField(() => import('./list/ListField.svelte')), summary: count }],
  ['blocks', { component: lazyField(() => import('./blocks/BlocksField.svelte')), summary: count }],
  ['relation', { component: lazyField(() => import('./relation/RelationField.svelte')), summary: nothing }],
  ['media', { component: lazyField(() => import('./media/MediaField.svelte')), summary: nothing }],
  [
    'tags',
    {
      component: lazyField(() => import('./tags/TagsField.svelte')),
      summary: (value) => (Array.isArray(value) ? value.join(', ') : ''),
    },
  ],
]);

const unknownType: FieldType = {
  component: lazyField(() => import('./UnknownField.svelte')),
  summary: (value) => jsonText(value ?? null),
};

/** What edits and shows values of a field. */
export const fieldType = ({ type }: Pick<FieldInfo, 'type'>): FieldType => fieldTypes.get(type) ?? unknownType;

/** Loads what a form of these fields needs, those inside of fields included. Heavy parts come later by themselves. */
export async function loadFields(fields: readonly FieldInfo[]): Promise<void> {
  const loading = [...lazyFieldsOf(fields)].map((field) => [field, field.load()] as const);
  await Promise.all(loading.filter(([{ isHeavy }]) => !isHeavy).map(([, loaded]) => loaded));
}

function lazyFieldsOf(fields: readonly FieldInfo[], found = new Set<LazyField>()): ReadonlySet<LazyField> {
  for (const field of fields) {
    const { component } = fieldType(field);
    if ('load' in component && component.loaded === undefined) found.add(component);
    lazyFieldsOf(field.fields, found);
    if (field.item !== undefined) lazyFieldsOf([field.item], found);
    for (const block of field.blocks) lazyFieldsOf(block.fields, found);
  }
  return found;
}
