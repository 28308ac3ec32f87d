import type { Query } from '../../database.ts';
import { type AppendedRow, appendedColumns, type NumberedTable } from '../../engine/appended-row.ts';

/** "rectolog" in letters of ASCII, and the schema: logs of different schemas do not wait for each other. */
const lock: Query = {
  sql: "SELECT pg_advisory_xact_lock(hashtextextended(current_schema(), CAST('8242175650428514151' AS bigint)))",
  parameters: [],
};

/**
 * The statements that write appended rows. The last of a transaction before it announces its changes and commits: the lock is
 * held until the commit is visible to others (`CommitTransaction` in PostgreSQL releases locks after that), so numbers rise in
 * the order of commits, and a transaction takes them at its end, however long it has run.
 * The announcement that follows serialises commits anyway (https://www.postgresql.org/docs/current/sql-notify.html).
 */
export function appending(rows: readonly AppendedRow[]): readonly Query[] {
  if (rows.length === 0) return [];
  return [lock, ...[...Map.groupBy(rows, ({ table }) => table)].flatMap(([table, each]) => inserts(table, each))];
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
