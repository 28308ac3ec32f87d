import { languagesOf } from '../../../api/content-languages.ts';
import { fieldLabel } from '../../../api/field-label.ts';
import { statusLabel, type ValueLabels, valueLabels } from '../../../api/own-names.ts';
import { readableValue } from '../../../api/readable-name.ts';
import { type LabelText, readerText } from '../../../api/reader-text.ts';
import { t } from '../../../text/text.ts';

/** What this folder reads of a content type: `ContentTypeInfo` has it. */
export interface ListedType {
  readonly singular: string;
  readonly plural: string;
  readonly source: 'file' | 'api' | 'built_in';
  readonly fields: readonly ListedFieldEntry[];
  /** The languages of the content, the default first; absent: there is one. */
  readonly languages?: readonly string[];
  readonly definition: ListedDefinition;
}

export interface ListedFieldEntry {
  readonly name: string;
  readonly field_type: string;
  readonly origin: 'engine' | 'declared' | 'protocol';
  readonly required: boolean;
  readonly writable: boolean;
  readonly target: string | null;
  readonly many: boolean;
}

export interface ListedDefinition {
  /** Names, or objects with the options of the protocol. */
  readonly protocols?: readonly unknown[];
  readonly fields?: readonly { readonly name: string; readonly [option: string]: unknown }[];
  readonly admin?: {
    readonly title_field?: string;
    readonly list_columns?: readonly string[];
    readonly labels?: Readonly<Record<string, LabelText>>;
  };
}

/** How values of a field are shown and compared. */
export type FieldKind =
  | 'text'
  | 'richtext'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'choice'
  | 'status'
  | 'relation'
  | 'relations'
  | 'media'
  | 'id'
  | 'tags'
  | 'structure';

/** A field of a type, as lists have it. */
export interface ListField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Of a choice or status: what it can be. */
  readonly values: readonly string[];
  /** What its definition calls some of these. */
  readonly valueLabels?: ValueLabels | undefined;
  /** Of a relation: the singular of the type, or `users`. */
  readonly target: string | null;
  readonly sortable: boolean;
  readonly filterable: boolean;
  /** It can be set for many records at a time. */
  readonly settable: boolean;
  readonly required: boolean;
  /** It has the id of an account, or its profile. */
  readonly isAccount: boolean;
}

const kinds: Readonly<Record<string, FieldKind>> = {
  text: 'text',
  uid: 'text',
  email: 'text',
  nickname: 'text',
  richtext: 'richtext',
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  enum: 'choice',
  status: 'status',
  id: 'id',
  tags: 'tags',
  media: 'media',
};

const sorted: ReadonlySet<FieldKind> = new Set([
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'time',
  'choice',
  'status',
  'id',
]);
/** Of the protocols that keep who wrote a record. */
const accounts: ReadonlySet<string> = new Set(['created_by', 'updated_by', 'author_id']);
const notFiltered: ReadonlySet<FieldKind> = new Set(['structure', 'tags']);

/** The languages that a record says something in: shown like a field. */
export const languagesColumn = '__languages';

/** The fields of a type that a list can show, in the order of records. Passwords and engine JSON are none. */
export function listFields(type: ListedType): readonly ListField[] {
  const declared = new Map((type.definition.fields ?? []).map((field) => [field.name, field]));
  const fields = type.fields
    .filter(({ name, field_type }) => field_type !== 'password' && !name.startsWith('__'))
    .map((entry): ListField => {
      const definition = declared.get(entry.name);
      const kind = kindOf(entry);
      return {
        name: entry.name,
        label: fieldLabel(type, { name: entry.name, origin: entry.origin, label: definition?.label }),
        kind,
        values: kind === 'choice' || kind === 'status' ? valuesOf(entry, type) : [],
        valueLabels: kind === 'choice' || kind === 'status' ? valueLabels(type, entry.name) : undefined,
        target: entry.target,
        // The other side of a relation has no column here.
        sortable: sorted.has(kind),
        filterable: !notFiltered.has(kind) && !(kind === 'media' && entry.many),
        settable:
          entry.writable && ['text', 'number', 'boolean', 'date', 'datetime', 'choice', 'relation'].includes(kind),
        required: entry.required,
        isAccount: entry.target === 'users' || (entry.origin === 'protocol' && accounts.has(entry.name)),
      };
    });
  return languagesOf(type).length > 0 ? [...fields, ofLanguages()] : fields;
}

const ofLanguages = (): ListField => ({
  ...{ name: languagesColumn, label: t('list.languages'), kind: 'tags', values: [], target: null },
  ...{ sortable: false, filterable: false, settable: false, required: false, isAccount: false },
});

function kindOf({ name, field_type, target, many }: ListedFieldEntry): FieldKind {
  if (field_type === 'media') return 'media';
  if (target !== null) return many ? 'relations' : 'relation';
  const kind = kinds[field_type] ?? 'structure';
  // The status of a type without the protocol is an ordinary field of that name.
  return kind === 'choice' && name === 'status' ? 'status' : kind;
}

/** What people read for an option of a choice, or for a status. */
export const valueLabel = (
  { kind, valueLabels: own }: Pick<ListField, 'kind' | 'valueLabels'>,
  value: string,
): string => readerText(own?.[value]) ?? (kind === 'status' ? statusLabel(value) : readableValue(value));

/** The product's own types have statuses that no definition names. */
const builtInStatuses: Readonly<Record<string, readonly string[]>> = {
  page: ['Draft', 'Published', 'Archived'],
  post: ['Draft', 'Published', 'Archived'],
  comment: ['Pending', 'Approved', 'Rejected', 'Spam'],
};

function valuesOf({ name }: ListedFieldEntry, type: ListedType): readonly string[] {
  const own = type.definition.fields?.find((field) => field.name === name)?.enum_values;
  if (isTexts(own)) return own;
  if (type.source === 'built_in') return builtInStatuses[type.singular] ?? [];
  const protocol = protocolOf(type, 'statusable');
  if (protocol === undefined) return [];
  return isTexts(protocol.values) ? protocol.values : ['draft', 'published', 'archived'];
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The options of a protocol that the type has; undefined without it. */
export function protocolOf(type: ListedType, name: string): Readonly<Record<string, unknown>> | undefined {
  for (const protocol of type.definition.protocols ?? []) {
    if (protocol === name) return {};
    if (typeof protocol === 'object' && protocol !== null && 'name' in protocol && protocol.name === name)
      return { ...protocol };
  }
  return undefined;
}

/** The field with the time at which the status of a record changes by itself; undefined where none does. */
export const scheduleField = ({ fields }: Pick<ListedType, 'fields'>): string | undefined =>
  fields.find(({ name, origin }) => name === 'scheduled_at' && origin === 'protocol')?.name;

/** The field that stands for a record. */
export function titleField(type: ListedType, fields: readonly ListField[]): ListField | undefined {
  const hinted = type.definition.admin?.title_field;
  const texts = fields.filter(({ kind }) => kind === 'text');
  return (
    fields.find(({ name }) => name === hinted) ??
    texts.find(({ name }) => ['title', 'name', 'headline', 'label', 'subject'].includes(name)) ??
    texts.find(({ required }) => required) ??
    texts[0] ??
    fields.find(({ name }) => name === 'id')
  );
}

/** The columns of a list that nobody has chosen others for: what the definition says, or a few that distinguish records. */
export function defaultColumns(type: ListedType, fields: readonly ListField[]): readonly string[] {
  const title = titleField(type, fields)?.name;
  const hinted = (type.definition.admin?.list_columns ?? []).filter((name) =>
    fields.some((field) => field.name === name),
  );
  if (hinted.length > 0) return hinted;
  const has = (wanted: (field: ListField) => boolean, most: number): readonly string[] =>
    fields
      .filter((field) => field.name !== title && wanted(field))
      .slice(0, most)
      .map(({ name }) => name);
  const names = [
    title ?? 'id',
    ...has(({ kind }) => kind === 'status', 1),
    ...has(({ kind, name }) => kind === 'relation' && name !== 'parent_id', 2),
    ...has(
      ({ kind, name }) => kind === 'number' && name !== 'position' && name !== 'depth' && name !== 'lock_version',
      1,
    ),
    ...has(({ name }) => name === 'published_at', 1),
    ...has(({ name }) => name === 'updated_at', 1),
    ...has(({ name }) => name === languagesColumn, 1),
  ];
  const more = has(
    ({ name, kind }) => !names.includes(name) && (kind === 'text' || kind === 'boolean') && name !== 'slug',
    2,
  );
  return names.length > 2 ? names : [...names, ...more];
}
