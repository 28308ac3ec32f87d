import type { Query } from '../../database.ts';
import { type AppendedRow, appendedColumns, type NumberedTable } from '../../engine/appended-row.ts';
import { beforeNumbering } from './number-order.ts';

/**
 * The statements that write appended rows. To be sent when all others of the transaction are answered, right before the commit: see
 * `beforeNumbering`.
 */
export function appending(rows: readonly AppendedRow[]): readonly Query[] {
  const tables = [...Map.groupBy(rows, ({ table }) => table)];
  return [
    ...tables.map(([table]) => beforeNumbering(table)),
    ...tables.flatMap(([table, each]) => inserts(table, each)),
  ];
}

/** Rows that one statement writes. */
const slice = 1_000;

function inserts(table: NumberedTable, rows: readonly AppendedRow[]): readonly Query[] {
  const queries: Query[] = [];
  for (let start = 0; start < rows.length; start += slice) {
    const values = rows.slice(start, start + slice).map((row) => row.values);
    queries.push({ sql: appendStatement(table), parameters: [JSON.stringify(values)] });
  }
  return queries;
}

const statements = new WeakMap<NumberedTable, string>();

/** Adds rows, given as a JSON array of arrays, in their order. Names are the program's own. */
function appendStatement(table: NumberedTable): string {
  let statement = statements.get(table);
  if (statement === undefined) {
    const names = appendedColumns(table);
    const values = names.map((name, place) => `CAST(r.value ->> ${place} AS ${typeOf(table, name)})`);
    statement = `INSERT INTO ${table.name} (${names.map((name) => `"${name}"`).join(', ')}) SELECT ${values.join(', ')}
      FROM json_array_elements(CAST(CAST($1 AS text) AS json)) WITH ORDINALITY AS r (value, place) ORDER BY r.place`;
    statements.set(table, statement);
  }
  return statement;
}

function typeOf({ columns }: NumberedTable, name: string): string {
  const type = columns[name]?.type;
  if (type === undefined) throw new Error(`The column ${name} declares no type.`);
  return type;
}
