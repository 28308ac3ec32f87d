import { type ColumnSpec, rowColumn, type SchemaChange } from '../../database/schema-dialect.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { accountsTable, profileSingular } from '../../definition/profile/profile-type.ts';
import {
  createLanguages,
  type DormantLanguages,
  languagesSpecs,
  saidSpecs,
} from '../../migrations/storage/languages-storage.ts';
import { indexOf } from '../../migrations/storage/storage-changes.ts';
import { knownFields, type RememberedType, type StoredSchema } from '../../migrations/storage/stored-schema.ts';
import type { FieldStorage, FieldStorages, TypeStorage } from '../../migrations/storage/type-storage.ts';
import type { StoredColumn, StoredTable } from './stored-table.ts';

/** The tables of all stored layouts, including fields that are no longer defined: record tables first, then join tables. */
export function recordTables(schema: StoredSchema): readonly StoredTable[] {
  const types = [...schema.values()];
  return [...types.map(tableOf), ...types.flatMap(junctionsOf), ...types.flatMap(languagesOf)];
}

/** The statements that create the tables. */
export const recordChanges = (schema: StoredSchema): readonly SchemaChange[] =>
  [...schema.values()].flatMap((remembered) => changesOf(remembered, schema));

/** The table of a type's records, in the order of `key`. */
export function recordTable(name: string, key: 'id' | typeof rowColumn, fields: FieldStorages): StoredTable {
  const columns = Object.values(fields).flatMap((field) => columnOf(field) ?? []);
  const row: StoredColumn = { name: rowColumn, kind: 'integer' };
  return { name, key: [key], columns: [...(key === rowColumn ? [row] : []), { name: 'id', kind: 'text' }, ...columns] };
}

function tableOf(remembered: RememberedType): StoredTable {
  const { table, search, fields } = remembered.storage;
  const searched = search.flatMap((name) => {
    const field = fields[name];
    return field?.shape === 'column' ? [{ name, column: field.column, structure: field.structure }] : [];
  });
  const own = recordTable(table, rowColumn, knownFields(remembered));
  const said = saidSpecs(remembered.storage.languages).map(({ name, kind }) => ({ name, kind }));
  return {
    ...{ ...own, columns: [...own.columns, ...said] },
    ...(search.length === 0
      ? {}
      : {
          search: {
            fields: searched.map(({ name }) => name),
            columns: searched.map(({ column }) => column),
            structures: Object.fromEntries(
              searched.flatMap(({ column, structure }) => (structure === undefined ? [] : [[column, structure]])),
            ),
          },
        }),
  };
}

function columnOf(field: FieldStorage): StoredColumn | undefined {
  if (field.shape === 'to_many') return undefined;
  return { name: field.column, kind: field.shape === 'column' ? field.kind : 'text' };
}

const junctionsOf = (remembered: RememberedType): readonly StoredTable[] =>
  Object.values(knownFields(remembered)).flatMap((field) =>
    field.shape === 'to_many' ? [junctionTable(field.junction)] : [],
  );

function languagesOf({ storage, dormantLanguages }: RememberedType): readonly StoredTable[] {
  const table = languagesStoredTable(storage, dormantLanguages);
  return table === undefined ? [] : [table];
}

/** The values in other languages, grouped by record; undefined where there are none. */
export function languagesStoredTable(
  storage: Pick<TypeStorage, 'table' | 'languages'>,
  dormantLanguages?: DormantLanguages | undefined,
): StoredTable | undefined {
  if (storage.languages === undefined && dormantLanguages === undefined) return undefined;
  const { row, language, changedAt, outdated } = languageColumns;
  const columns = languagesSpecs(storage.languages, dormantLanguages).map(({ name, kind }) => ({ name, kind }));
  return {
    name: languagesTable(storage),
    key: [row, language],
    columns: [
      { name: row, kind: 'text' },
      { name: language, kind: 'text' },
      { name: changedAt, kind: 'datetime' },
      { name: outdated, kind: 'boolean' },
      ...columns,
    ],
  };
}

/** The pairs of a relation to many, grouped by record. */
export function junctionTable(name: string): StoredTable {
  const { source, target, position } = junctionColumns;
  return {
    name,
    key: [source, target],
    columns: [
      { name: source, kind: 'text' },
      { name: target, kind: 'text' },
      { name: position, kind: 'integer' },
    ],
  };
}

function changesOf(remembered: RememberedType, schema: StoredSchema): readonly SchemaChange[] {
  const { table, lists = [], sets = [], search, languages } = remembered.storage;
  const fields = Object.values(knownFields(remembered));
  const targetOf = (singular: string): string => {
    const target = singular === profileSingular ? accountsTable : schema.get(singular)?.storage.table;
    if (target === undefined) throw new Error(`${table} refers to "${singular}", of which nothing is remembered.`);
    return target;
  };
  const specOf = (field: FieldStorage): ColumnSpec | undefined => {
    const column = columnOf(field);
    return column && { ...column, references: field.shape === 'to_one' ? targetOf(field.target) : null };
  };
  const columns = [...fields.flatMap((field) => specOf(field) ?? []), ...saidSpecs(languages)];
  return [
    { change: 'create_table', table, columns },
    ...fields.flatMap((field): SchemaChange[] => {
      if (field.shape === 'to_many')
        return [{ change: 'create_junction', junction: field.junction, source: table, target: targetOf(field.target) }];
      const index = indexOf(field);
      return index === undefined ? [] : [{ change: 'create_index', table, ...index }];
    }),
    ...lists.map((columns): SchemaChange => ({ change: 'create_list_index', table, columns })),
    ...sets.map((set): SchemaChange => ({ change: 'create_set_index', table, ...set })),
    ...createLanguages(table, languages, remembered.dormantLanguages),
    ...(search.length === 0 ? [] : [{ change: 'create_search', table, columns: search } as const]),
  ];
}
