import { appendedColumns, type NumberedTable } from '../engine/appended-row.ts';

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
