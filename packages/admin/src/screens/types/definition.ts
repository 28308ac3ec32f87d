import type { MessageKey } from '../../text/text.ts';
import { type Json, transitionsAmong } from './transitions.ts';

/** A definition while it is edited: JSON as the service takes it. Parts that no control shows are kept as they are. */

export type { Json } from './transitions.ts';

export interface DraftField extends Json {
  readonly name?: string;
  readonly field_type: string;
}

export interface DraftBlock extends Json {
  readonly name?: string;
  readonly fields?: readonly DraftField[];
}

export interface DraftDefinition extends Json {
  readonly singular: string;
  readonly plural?: string;
  readonly name?: string;
  readonly kind?: 'collection' | 'single';
  readonly fields?: readonly DraftField[];
  readonly protocols?: readonly (string | DraftProtocol)[];
  readonly api?: Readonly<Record<string, Json>>;
  readonly admin?: Json;
}

export interface DraftProtocol extends Json {
  readonly name: string;
}

/** A copy with one member set; undefined, an empty text and an empty list leave it out. */
export function withMember<T extends Json>(part: T, name: string, value: unknown): T {
  const isAbsent = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  const { [name]: _, ...rest } = part;
  // The same members but one, which the caller knows to fit.
  return (isAbsent ? rest : { ...part, [name]: value }) as T;
}

/** With other values: texts of values that are no longer there go, and so do the moves of statuses. */
export function withValues<T extends Json>(part: T, name: string, values: readonly string[]): T {
  const { value_labels: labels, transitions } = part;
  const moves = typeof transitions === 'object' && transitions !== null ? { ...transitions } : undefined;
  const changed = {
    ...part,
    [name]: values,
    ...(moves === undefined ? {} : { transitions: transitionsAmong(moves, values) }),
  };
  if (typeof labels !== 'object' || labels === null) return changed;
  const kept = Object.entries(labels).filter(([value]) => values.includes(value));
  return withMember(changed, 'value_labels', kept.length === 0 ? undefined : Object.fromEntries(kept));
}

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** An option of a field type, and the control for it. */
export type FieldOption =
  | {
      readonly name: string;
      readonly kind: 'number' | 'text' | 'bound' | 'boolean';
      readonly label: MessageKey;
      readonly help?: MessageKey;
    }
  | { readonly name: string; readonly kind: 'special' };

interface FieldTypeInfo {
  readonly label: MessageKey;
  readonly group: MessageKey;
  readonly options: readonly FieldOption[];
  /** How a default is entered; absent: there is none. */
  readonly default?: 'text' | 'number' | 'boolean' | 'json' | 'enum';
}

const lengths: readonly FieldOption[] = [
  { name: 'max_length', kind: 'number', label: 'types.maxLength' },
  { name: 'min_length', kind: 'number', label: 'types.minLength' },
  { name: 'pattern', kind: 'text', label: 'types.pattern', help: 'types.patternHelp' },
];
const bounds: readonly FieldOption[] = [
  { name: 'min', kind: 'bound', label: 'types.min' },
  { name: 'max', kind: 'bound', label: 'types.max' },
];
const counts: readonly FieldOption[] = [
  { name: 'min_items', kind: 'number', label: 'types.minItems' },
  { name: 'max_items', kind: 'number', label: 'types.maxItems' },
];
const special = (...names: readonly string[]): readonly FieldOption[] =>
  names.map((name) => ({ name, kind: 'special' }));

/** The field types, in the order of the menu. */
export const fieldTypes: Readonly<Record<string, FieldTypeInfo>> = {
  text: { label: 'types.typeText', group: 'types.groupText', options: lengths, default: 'text' },
  richtext: {
    label: 'types.typeRichtext',
    group: 'types.groupText',
    options: [...special('format', 'sanitize'), ...lengths],
    default: 'text',
  },
  email: { label: 'types.typeEmail', group: 'types.groupText', options: lengths, default: 'text' },
  uid: {
    label: 'types.typeUid',
    group: 'types.groupText',
    options: [...special('target_field'), { name: 'max_length', kind: 'number', label: 'types.maxLength' }],
  },
  password: { label: 'types.typePassword', group: 'types.groupText', options: lengths },
  integer: { label: 'types.typeInteger', group: 'types.groupNumbers', options: bounds, default: 'number' },
  decimal: { label: 'types.typeDecimal', group: 'types.groupNumbers', options: bounds, default: 'text' },
  float: { label: 'types.typeFloat', group: 'types.groupNumbers', options: bounds, default: 'number' },
  bigint: { label: 'types.typeBigint', group: 'types.groupNumbers', options: bounds, default: 'text' },
  date: { label: 'types.typeDate', group: 'types.groupTime', options: bounds, default: 'text' },
  datetime: { label: 'types.typeDatetime', group: 'types.groupTime', options: bounds, default: 'text' },
  time: { label: 'types.typeTime', group: 'types.groupTime', options: bounds, default: 'text' },
  boolean: { label: 'types.typeBoolean', group: 'types.groupChoice', options: [], default: 'boolean' },
  enum: { label: 'types.typeEnum', group: 'types.groupChoice', options: special('enum_values'), default: 'enum' },
  relation: { label: 'types.typeRelation', group: 'types.groupLinks', options: special('relation') },
  media: {
    label: 'types.typeMedia',
    group: 'types.groupLinks',
    options: [
      { name: 'multiple', kind: 'boolean', label: 'types.multiple' },
      { name: 'external', kind: 'boolean', label: 'types.external' },
    ],
  },
  group: { label: 'types.typeGroup', group: 'types.groupStructure', options: special('fields') },
  list: { label: 'types.typeList', group: 'types.groupStructure', options: [...special('item'), ...counts] },
  blocks: { label: 'types.typeBlocks', group: 'types.groupStructure', options: [...special('blocks'), ...counts] },
  json: { label: 'types.typeJson', group: 'types.groupStructure', options: [], default: 'json' },
};

/** The field types that can have a value for each language. */
export const localizable: ReadonlySet<string> = new Set([
  ...['text', 'richtext', 'uid', 'json', 'enum', 'group', 'list', 'blocks', 'relation', 'media'],
]);

/** What a field of a type begins with. */
export function newField(fieldType: string): DraftField {
  switch (fieldType) {
    case 'enum':
      return { name: '', field_type: fieldType, enum_values: [] };
    case 'relation':
      return { name: '', field_type: fieldType, relation: { relation_type: 'many_to_one', target: '' } };
    case 'group':
    case 'list':
      return { name: '', field_type: fieldType, fields: [] };
    case 'blocks':
      return { name: '', field_type: fieldType, blocks: [] };
    default:
      return { name: '', field_type: fieldType };
  }
}

/** A field as another type: what the new type does not know goes. */
export function asType(field: DraftField, fieldType: string): DraftField {
  const known = new Set([
    ...['name', 'label', 'description', 'help', 'placeholder', 'required', 'private', 'immutable', 'renamed_from'],
    ...(fieldTypes[fieldType]?.options.map(({ name }) => name) ?? []),
    ...(localizable.has(fieldType) ? ['localized'] : []),
  ]);
  const kept = Object.fromEntries(Object.entries(field).filter(([name]) => known.has(name)));
  return { ...newField(fieldType), ...kept, field_type: fieldType };
}

export const relationTypes: readonly { readonly value: string; readonly label: MessageKey }[] = [
  { value: 'many_to_one', label: 'types.manyToOne' },
  { value: 'many_to_many', label: 'types.manyToMany' },
  { value: 'one_to_one', label: 'types.oneToOne' },
  { value: 'one_to_many', label: 'types.oneToMany' },
];

export interface ProtocolOption {
  readonly name: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'list' | 'direction' | 'transitions';
  readonly label: MessageKey;
  readonly help?: MessageKey;
}

/** The protocols in plain words, those that are used most first. */
export const protocols: readonly {
  readonly name: string;
  readonly text: MessageKey;
  readonly options: readonly ProtocolOption[];
}[] = [
  { name: 'timestampable', text: 'types.timestampable', options: [] },
  { name: 'ownable', text: 'types.ownable', options: [] },
  {
    name: 'statusable',
    text: 'types.statusable',
    options: [
      { name: 'values', kind: 'list', label: 'types.optionValues', help: 'types.enumValuesHelp' },
      { name: 'default', kind: 'text', label: 'types.optionDefaultStatus' },
      { name: 'schedule', kind: 'text', label: 'types.optionSchedule' },
      { name: 'published', kind: 'text', label: 'types.optionPublished' },
      { name: 'transitions', kind: 'transitions', label: 'types.transitions' },
    ],
  },
  {
    name: 'versionable',
    text: 'types.versionable',
    options: [
      { name: 'keep', kind: 'number', label: 'types.optionKeep' },
      { name: 'max_age_days', kind: 'number', label: 'types.optionMaxAge' },
      { name: 'drafts', kind: 'boolean', label: 'types.optionDrafts' },
    ],
  },
  { name: 'assignable', text: 'types.assignable', options: [] },
  { name: 'soft_deletable', text: 'types.soft_deletable', options: [] },
  {
    name: 'lockable',
    text: 'types.lockable',
    options: [{ name: 'required', kind: 'boolean', label: 'types.optionLockRequired' }],
  },
  { name: 'expirable', text: 'types.expirable', options: [] },
  {
    name: 'sortable',
    text: 'types.sortable',
    options: [
      { name: 'field', kind: 'text', label: 'types.optionSortField', help: 'types.optionSortFieldHelp' },
      { name: 'direction', kind: 'direction', label: 'types.optionDirection' },
    ],
  },
  { name: 'nestable', text: 'types.nestable', options: [] },
  { name: 'tenantable', text: 'types.tenantable', options: [] },
  {
    name: 'metaable',
    text: 'types.metaable',
    options: [{ name: 'private', kind: 'boolean', label: 'types.optionMetaPrivate' }],
  },
];

export const endpoints = ['list', 'get', 'create', 'update', 'delete'] as const;
export type Endpoint = (typeof endpoints)[number];

export const accessLevels: readonly { readonly value: string; readonly label: MessageKey }[] = [
  { value: 'none', label: 'types.accessNone' },
  { value: 'public', label: 'types.accessPublic' },
  { value: 'member', label: 'types.accessMember' },
  { value: 'admin', label: 'types.accessAdmin' },
];

export const defaultAccess: Readonly<Record<Endpoint, MessageKey>> = {
  list: 'types.accessPublic',
  get: 'types.accessPublic',
  create: 'types.accessMember',
  update: 'types.accessMember',
  delete: 'types.accessAdmin',
};

/** The parts in which the builder edits, and what paths of errors belong to each. */
export function tabOf(path: string): 'fields' | 'access' | 'behaviour' | 'display' {
  if (path.startsWith('api')) return 'access';
  if (path.startsWith('protocols')) return 'behaviour';
  if (path.startsWith('admin')) return 'display';
  return 'fields';
}
