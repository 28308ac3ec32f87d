import { type ColumnSpec, rowColumn, type SchemaChange } from '../../database/schema/schema-dialect.ts';
import { indexOf } from '../../database/schema/storage-changes.ts';
import { knownFields, type RememberedType, type StoredSchema } from '../../database/schema/stored-schema.ts';
import type { FieldStorage } from '../../database/schema/type-storage.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import type { CopiedColumn, CopiedTable } from './copied-table.ts';

/** The tables of all types that are remembered, with the fields that are no longer defined: first those of records, then what joins them. */
export function recordCopies(schema: StoredSchema): readonly CopiedTable[] {
  const types = [...schema.values()];
  return [...types.map(tableOf), ...types.flatMap(junctionsOf)];
}

/** Everything that makes the tables as they are. */
export const recordChanges = (schema: StoredSchema): readonly SchemaChange[] =>
  [...schema.values()].flatMap((remembered) => changesOf(remembered, schema));

function tableOf(remembered: RememberedType): CopiedTable {
  const { table, search, fields } = remembered.storage;
  const columns: readonly CopiedColumn[] = Object.values(knownFields(remembered)).flatMap(
    (field) => columnOf(field) ?? [],
  );
  const searched = search.flatMap((name) => {
    const field = fields[name];
    return field?.shape === 'column' ? [{ name, column: field.column }] : [];
  });
  return {
    name: table,
    key: [rowColumn],
    columns: [{ name: rowColumn, kind: 'integer' }, { name: 'id', kind: 'text' }, ...columns],
    ...(search.length === 0
      ? {}
      : { search: { fields: searched.map(({ name }) => name), columns: searched.map(({ column }) => column) } }),
  };
}

function columnOf(field: FieldStorage): CopiedColumn | undefined {
  if (field.shape === 'to_many') return undefined;
  return { name: field.column, kind: field.shape === 'column' ? field.kind : 'text' };
}

function junctionsOf(remembered: RememberedType): readonly CopiedTable[] {
  const { source, target, position } = junctionColumns;
  return Object.values(knownFields(remembered)).flatMap((field): CopiedTable[] =>
    field.shape === 'to_many'
      ? [
          {
            name: field.junction,
            key: [source, target],
            columns: [
              { name: source, kind: 'text' },
              { name: target, kind: 'text' },
              { name: position, kind: 'integer' },
            ],
          },
        ]
      : [],
  );
}

function changesOf(remembered: RememberedType, schema: StoredSchema): readonly SchemaChange[] {
  const { table, lists = [], search } = remembered.storage;
  const fields = Object.values(knownFields(remembered));
  const targetOf = (singular: string): string => {
    const target = schema.get(singular)?.storage.table;
    if (target === undefined) throw new Error(`${table} refers to "${singular}", of which nothing is remembered.`);
    return target;
  };
  const specOf = (field: FieldStorage): ColumnSpec | undefined => {
    const column = columnOf(field);
    return column && { ...column, references: field.shape === 'to_one' ? targetOf(field.target) : null };
  };
  return [
    { change: 'create_table', table, columns: fields.flatMap((field) => specOf(field) ?? []) },
    ...fields.flatMap((field): SchemaChange[] => {
      if (field.shape === 'to_many')
        return [{ change: 'create_junction', junction: field.junction, source: table, target: targetOf(field.target) }];
      const index = indexOf(field);
      return index === undefined ? [] : [{ change: 'create_index', table, ...index }];
    }),
    ...lists.map((columns): SchemaChange => ({ change: 'create_list_index', table, columns })),
    ...(search.length === 0 ? [] : [{ change: 'create_search', table, columns: search } as const]),
  ];
}
