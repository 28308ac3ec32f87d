import type { SchemaChange } from '../../database/schema-dialect.ts';
import { junctionName } from '../../definition/relation-resolution.ts';
import type { FieldStorage } from './type-storage.ts';

/** A field as it is remembered, and as it is after the renames. */
export interface KnownField {
  readonly now: FieldStorage;
  readonly later: FieldStorage;
}

interface ColumnIndex {
  readonly column: string;
  readonly unique: boolean;
  readonly within?: string;
  readonly onlyIds?: true;
}

/** The index that a column has; undefined where it has none. */
export function indexOf(storage: FieldStorage): ColumnIndex | undefined {
  if (storage.shape === 'to_many') return undefined;
  const { column, unique, within } = storage;
  const isOfFiles = storage.shape === 'column' && storage.files === true;
  if (isOfFiles) return { column, unique, onlyIds: true };
  if (!unique && storage.shape !== 'to_one') return undefined;
  return { column, unique, ...(within === undefined ? {} : { within }) };
}

/** A field's storage under another name of the field or of its table. */
export function movedField(storage: FieldStorage, table: string, name: string): FieldStorage {
  return storage.shape === 'to_many'
    ? { ...storage, junction: junctionName(table, name) }
    : { ...storage, column: name };
}

/** Takes a field's storage away, indexes first. */
export function droppedField(table: string, storage: FieldStorage): readonly SchemaChange[] {
  if (storage.shape === 'to_many') return [{ change: 'drop_junction', junction: storage.junction }];
  const { column } = storage;
  return [
    { change: 'drop_index', table, column, unique: true },
    { change: 'drop_index', table, column, unique: false },
    { change: 'drop_column', table, column },
  ];
}
