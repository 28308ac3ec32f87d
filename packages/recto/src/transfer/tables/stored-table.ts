import type { StoredStructure } from '../../migrations/storage/stored-structure.ts';
import type { JsonValue, Scalar, ValueKind } from '../../values/value-kind.ts';

export interface StoredColumn {
  readonly name: string;
  readonly kind: ValueKind;
}

/** A table to read and write completely, with the engine's names, the same on every database. */
export interface StoredTable {
  readonly name: string;
  /** Columns of text and integers that identify its rows, and in whose order they are read. */
  readonly key: readonly string[];
  /** All columns, those of the key first. */
  readonly columns: readonly StoredColumn[];
  /** The indexed columns for search. */
  readonly search?: {
    readonly fields: readonly string[];
    readonly columns: readonly string[];
    /** By column: of structured fields. */
    readonly structures: Readonly<Record<string, StoredStructure>>;
  };
}

/** A row's values in the order of the table's columns, in canonical form. */
export type TableRow = readonly (Scalar | JsonValue | null)[];
