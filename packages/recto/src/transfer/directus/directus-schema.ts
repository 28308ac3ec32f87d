import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { TransferRefused } from '../transfer-refused.ts';

export interface DirectusField {
  readonly name: string;
  readonly type: string;
  readonly special: readonly string[];
  readonly interface: string;
  readonly options: Table;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isKey: boolean;
  readonly default: JsonValue;
  readonly maxLength: number | undefined;
  readonly note: string | undefined;
}

export interface DirectusCollection {
  readonly name: string;
  readonly isSingle: boolean;
  readonly sortField: string | undefined;
  readonly template: string;
  readonly note: string | undefined;
  readonly fields: readonly DirectusField[];
  /** The field by which records are known. */
  readonly key: string;
}

/** A field of one collection that leads to another. */
export interface DirectusRelation {
  readonly collection: string;
  readonly field: string;
  /** Undefined: to one of several, which a field of the record names. */
  readonly related: string | undefined;
  readonly oneField: string | undefined;
  readonly junctionField: string | undefined;
  readonly allowed: readonly string[];
  readonly collectionField: string | undefined;
  readonly deletes: boolean;
}

export interface DirectusSchema {
  /** Those of the project that have records. */
  readonly collections: ReadonlyMap<string, DirectusCollection>;
  readonly relations: readonly DirectusRelation[];
}

export const tableOf = (value: JsonValue | undefined): Table => (isTable(value) ? value : {});
export const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
export const tablesOf = (value: JsonValue | undefined): readonly Table[] =>
  Array.isArray(value) ? value.filter(isTable) : [];
export const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

/** The schema of a snapshot. Throws a `TransferRefused` for what is none. */
export function schemaOf(snapshot: JsonValue, file: string): DirectusSchema {
  const whole = tableOf(snapshot);
  if (!Array.isArray(whole.collections) || !Array.isArray(whole.fields) || !Array.isArray(whole.relations))
    throw new TransferRefused(`${file} is no snapshot of Directus: it has no collections, fields and relations.`);
  const fields = Map.groupBy(tablesOf(whole.fields), ({ collection }) => String(collection));
  const collections = tablesOf(whole.collections).flatMap(
    (table): readonly (readonly [string, DirectusCollection])[] => {
      const name = String(table.collection);
      if (name.startsWith('directus_') || !isTable(table.schema)) return [];
      const own = (fields.get(name) ?? []).map(fieldOf);
      const meta = tableOf(table.meta);
      const key = own.find(({ isKey }) => isKey)?.name ?? 'id';
      return [
        [
          name,
          {
            ...{ name, key, fields: own, isSingle: meta.singleton === true, sortField: textOf(meta.sort_field) },
            ...{ template: textOf(meta.display_template) ?? '', note: textOf(meta.note) },
          },
        ],
      ];
    },
  );
  return { collections: new Map(collections), relations: tablesOf(whole.relations).map(relationOf) };
}

function fieldOf(table: Table): DirectusField {
  const [meta, schema] = [tableOf(table.meta), tableOf(table.schema)];
  return {
    ...{ name: String(table.field), type: String(table.type), special: textsOf(meta.special) },
    ...{ interface: textOf(meta.interface) ?? '', options: tableOf(meta.options), isRequired: meta.required === true },
    ...{ isUnique: schema.is_unique === true, isKey: schema.is_primary_key === true },
    ...{ default: schema.default_value ?? null, note: textOf(meta.note) },
    maxLength: typeof schema.max_length === 'number' && schema.max_length > 0 ? schema.max_length : undefined,
  };
}

function relationOf(table: Table): DirectusRelation {
  const meta = tableOf(table.meta);
  return {
    ...{ collection: String(table.collection), field: String(table.field), related: textOf(table.related_collection) },
    ...{ oneField: textOf(meta.one_field), junctionField: textOf(meta.junction_field) },
    ...{ allowed: textsOf(meta.one_allowed_collections), collectionField: textOf(meta.one_collection_field) },
    deletes: tableOf(table.schema).on_delete === 'CASCADE',
  };
}

/** What a field without a column shows: the records of another collection that lead to this one. */
export type Inverse =
  | { readonly kind: 'translations'; readonly collection: string; readonly parent: string; readonly language: string }
  | {
      readonly kind: 'many';
      readonly collection: string;
      readonly parent: string;
      readonly field: string;
      readonly related: string;
    }
  | {
      readonly kind: 'any';
      readonly collection: string;
      readonly parent: string;
      readonly field: string;
      readonly collectionField: string;
      readonly allowed: readonly string[];
    }
  | { readonly kind: 'back'; readonly collection: string; readonly parent: string };

/** Undefined: the field has a column of its own, or shows nothing. */
export function inverseOf(
  { relations, collections }: DirectusSchema,
  collection: string,
  { name, special }: DirectusField,
): Inverse | undefined {
  const inner = relations.find((each) => each.related === collection && each.oneField === name);
  if (inner === undefined) return undefined;
  const ofInner = { collection: inner.collection, parent: inner.field };
  const { junctionField } = inner;
  const other = relations.find((each) => each.collection === inner.collection && each.field === junctionField);
  if (special.includes('o2m') || junctionField === undefined || !collections.has(inner.collection))
    return { kind: 'back', ...ofInner };
  if (special.includes('translations')) return { kind: 'translations', ...ofInner, language: junctionField };
  if (other?.collectionField !== undefined)
    return {
      kind: 'any',
      ...ofInner,
      field: junctionField,
      collectionField: other.collectionField,
      allowed: other.allowed,
    };
  return other?.related === undefined
    ? { kind: 'back', ...ofInner }
    : { kind: 'many', ...ofInner, field: junctionField, related: other.related };
}
