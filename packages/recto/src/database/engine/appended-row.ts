import type { SqlValue } from '../../base/bindings.ts';

/** A table with a numbered column, as it is declared: of an `EngineTable` what appending goes by. */
export interface NumberedTable {
  readonly name: string;
  readonly columns: Readonly<Record<string, { readonly type?: string; readonly numbered?: true }>>;
}

/** A new row of such a table: its other values, in the order of their columns. */
export interface AppendedRow {
  readonly table: NumberedTable;
  readonly values: readonly SqlValue[];
}

/** The columns of which an appended row has the values. */
export const appendedColumns = ({ columns }: NumberedTable): readonly string[] =>
  Object.entries(columns).flatMap(([name, { numbered }]) => (numbered === true ? [] : [name]));

/** The column that the database numbers. */
export function numberColumn({ name, columns }: NumberedTable): string {
  const found = Object.keys(columns).find((column) => columns[column]?.numbered === true);
  if (found === undefined) throw new Error(`The table ${name} has no numbered column.`);
  return found;
}
