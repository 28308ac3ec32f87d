import { oneLine } from '../../base/printable.ts';
import type { Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { PocketbaseField } from './pocketbase-collections.ts';

/** What a field becomes: keys of a definition's field, with what is lost. */
export interface PlannedField {
  readonly definition: Table;
  readonly lost: readonly string[];
}

/** What the field of a relation leads to here; undefined: to nothing that is brought in. */
export type TargetOf = (collectionId: string) => string | undefined;

/** The unique indexes of a collection that have one column: by its name. */
export type UniqueColumns = ReadonlySet<string>;

/** A field here that holds the values of one of PocketBase; a sentence why there is none. */
export function plannedField(field: PocketbaseField, isUnique: boolean, targetOf: TargetOf): PlannedField | string {
  const planned = byType(field, isUnique, targetOf);
  if (typeof planned === 'string') return planned;
  const common = {
    // A bool of PocketBase that is required must be true, which no definition says.
    ...(field.required && field.type !== 'bool' && field.type !== 'number' ? { required: true } : {}),
    ...(field.hidden ? { private: true } : {}),
    ...(isUnique && planned.definition.relation === undefined ? { unique: true } : {}),
    ...helpOf(field.raw),
  };
  const lost =
    field.required && (field.type === 'bool' || field.type === 'number') ? ['that it must not be 0 or false'] : [];
  return { definition: { ...planned.definition, ...common }, lost: [...planned.lost, ...lost] };
}

function helpOf({ help }: Table): Table {
  return typeof help === 'string' && help.trim() !== '' ? { help: oneLine(help) } : {};
}

function byType(field: PocketbaseField, isUnique: boolean, targetOf: TargetOf): PlannedField | string {
  const { raw } = field;
  switch (field.type) {
    case 'text':
      return text(raw, isUnique);
    case 'editor':
      return { definition: { field_type: 'richtext' }, lost: [] };
    case 'number':
      return number(raw);
    case 'bool':
      return { definition: { field_type: 'boolean', default: false }, lost: [] };
    case 'email':
      return { definition: { field_type: 'email' }, lost: domains(raw) };
    case 'url':
      return { definition: { field_type: 'text', max_length: isUnique ? 500 : 2000 }, lost: domains(raw) };
    case 'date':
    case 'autodate':
      return { definition: { field_type: 'datetime', ...bounds(raw, momentOf) }, lost: [] };
    case 'select':
      return select(raw);
    case 'json':
      return { definition: { field_type: 'json' }, lost: [] };
    case 'file':
      return file(raw);
    case 'relation':
      return relation(raw, isUnique, targetOf);
    case 'geoPoint':
      return { definition: { field_type: 'group', fields: pointFields }, lost: [] };
    case 'password':
      return 'It holds hashes that only PocketBase verifies.';
    default:
      return `There is no field for ${JSON.stringify(field.type)}.`;
  }
}

const pointFields: JsonValue = [
  { name: 'lon', field_type: 'float', min: -180, max: 180 },
  { name: 'lat', field_type: 'float', min: -90, max: 90 },
];

function text({ min, max, pattern }: Table, isUnique: boolean): PlannedField {
  const longest = positive(max) ?? (isUnique ? 500 : undefined);
  const said = typeof pattern === 'string' && pattern !== '' ? pattern : undefined;
  const isOurs = said === undefined || (isPattern(said) && !isSlow(said));
  return {
    definition: {
      field_type: 'text',
      ...(longest === undefined ? {} : { max_length: longest }),
      ...(positive(min) === undefined ? {} : { min_length: positive(min) ?? 0 }),
      ...(said === undefined || !isOurs ? {} : { pattern: said }),
    },
    lost: isOurs
      ? []
      : [`the pattern ${JSON.stringify(said)}, which is none of JavaScript, or could take very long in it`],
  };
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Go searches any pattern in linear time. Here a repeated group can take forever with a text that someone sends. */
const isSlow = (text: string): boolean => /\)(?:[*+]|\{\d+,)/.test(text);

const positive = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

function number({ onlyInt, noDecimal, min, max }: Table): PlannedField {
  const isInteger = onlyInt === true || noDecimal === true;
  const bound = (value: JsonValue | undefined): number | undefined =>
    typeof value === 'number' && (!isInteger || Number.isInteger(value)) ? value : undefined;
  const options = bounds({ min: min ?? null, max: max ?? null }, bound);
  const zero = Number(options.min ?? 0) <= 0 && Number(options.max ?? 0) >= 0 ? { default: 0 } : {};
  return { definition: { field_type: isInteger ? 'integer' : 'float', ...options, ...zero }, lost: [] };
}

function bounds(raw: Table, read: (value: JsonValue | undefined) => JsonValue | undefined): Table {
  const [min, max] = [read(raw.min), read(raw.max)];
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
}

/** A time as PocketBase writes it: `2022-10-01 12:00:00.000Z`. */
export function momentOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const time = Date.parse(value.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

const domains = ({ onlyDomains, exceptDomains }: Table): readonly string[] =>
  (Array.isArray(onlyDomains) && onlyDomains.length > 0) || (Array.isArray(exceptDomains) && exceptDomains.length > 0)
    ? ['the domains that it accepts']
    : [];

/** Whether a field holds several values. */
export const isMultiple = ({ type, raw }: Pick<PocketbaseField, 'type' | 'raw'>): boolean =>
  type === 'select' || type === 'file' ? Number(raw.maxSelect ?? 1) > 1 : type === 'relation' && raw.maxSelect !== 1;

function select(raw: Table): PlannedField | string {
  const values = Array.isArray(raw.values)
    ? [...new Set(raw.values.filter((value) => typeof value === 'string' && value !== ''))]
    : [];
  if (values.length === 0) return 'It has no values to choose from.';
  const item = { field_type: 'enum', enum_values: values };
  if (!isMultiple({ type: 'select', raw })) return { definition: item, lost: [] };
  return { definition: { field_type: 'list', item, ...most(raw) }, lost: [] };
}

const most = ({ maxSelect }: Table): Table =>
  typeof maxSelect === 'number' && maxSelect > 1 && maxSelect <= 1000 ? { max_items: maxSelect } : {};

function file(raw: Table): PlannedField {
  const lost = [
    ...(Array.isArray(raw.mimeTypes) && raw.mimeTypes.length > 0
      ? ['the types of files that it accepts (RECTO_MEDIA_TYPES holds for all)']
      : []),
    ...(Array.isArray(raw.thumbs) && raw.thumbs.length > 0
      ? ['the sizes of its thumbnails: see the presets of recto.toml']
      : []),
  ];
  return {
    definition: { field_type: 'media', ...(isMultiple({ type: 'file', raw }) ? { multiple: true } : {}) },
    lost,
  };
}

function relation(raw: Table, isUnique: boolean, targetOf: TargetOf): PlannedField | string {
  const target = typeof raw.collectionId === 'string' ? targetOf(raw.collectionId) : undefined;
  if (target === undefined) return 'It leads to what is not brought in.';
  const cascade = raw.cascadeDelete === true;
  if (isMultiple({ type: 'relation', raw })) {
    return {
      definition: { field_type: 'relation', relation: { relation_type: 'many_to_many', target } },
      lost: [
        ...(cascade ? ['that records go with the last one that they lead to'] : []),
        ...(isUnique ? ['that no two records lead to the same ones'] : []),
      ],
    };
  }
  const relation = {
    relation_type: isUnique ? 'one_to_one' : 'many_to_one',
    ...{ target, ...(cascade && target !== 'users' ? { cascade: true } : {}) },
  };
  return {
    definition: { field_type: 'relation', relation },
    lost: cascade && target === 'users' ? ['that records go with their account'] : [],
  };
}
