import type { Query } from '../database.ts';
import { appendedColumns, type NumberedTable, numberColumn } from '../engine/appended-row.ts';

const statements = new WeakMap<NumberedTable, string>();

/** Adds one row to a table that numbers its rows. Names are the program's own. */
export function appendStatement(table: NumberedTable): string {
  let statement = statements.get(table);
  if (statement === undefined) {
    const names = appendedColumns(table);
    const places = names.map(() => '?').join(', ');
    statement = `INSERT INTO ${table.name} (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${places})`;
    statements.set(table, statement);
  }
  return statement;
}

/** One transaction at a time writes: what is committed later has a greater number than all that there is. */
export const settledNumber = (table: NumberedTable): Query => ({
  sql: `SELECT max("${numberColumn(table)}") AS settled FROM ${table.name}`,
  parameters: [],
});
