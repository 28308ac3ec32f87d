import type { ValueKind } from '../../values/value-kind.ts';

export interface CopiedColumn {
  readonly name: string;
  readonly kind: ValueKind;
}

/** One table as it is copied: by the engine's names, the same on every database. */
export interface CopiedTable {
  readonly name: string;
  /** Columns of text and integers by which its rows are told apart, and in whose order they are read. */
  readonly key: readonly string[];
  /** All columns, those of the key first. */
  readonly columns: readonly CopiedColumn[];
  /** What of it is in the search index. */
  readonly search?: { readonly fields: readonly string[]; readonly columns: readonly string[] };
}
