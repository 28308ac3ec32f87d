import type { SqlValue } from '../../../base/bindings.ts';
import type { Query } from '../../database.ts';
import { type AppendedRow, appendedColumns, type NumberedTable } from '../../engine/appended-row.ts';
import { lockingNumbers } from './number-order.ts';

/**
 * The statements that write appended rows. To be sent when all others of the transaction are answered, right before the commit: see
 * `lockingNumbers`.
 */
export const appending = (rows: readonly AppendedRow[]): readonly Query[] =>
  [...Map.groupBy(rows, ({ table }) => table)].flatMap(([table, each]) => inserts(table, each));

/** Rows that one statement writes. */
const slice = 1_000;

function inserts(table: NumberedTable, rows: readonly AppendedRow[]): readonly Query[] {
  const queries: Query[] = [];
  for (let start = 0; start < rows.length; start += slice) {
    const part = rows.slice(start, start + slice);
    const parameters = appendedColumns(table).map((_, place) =>
      arrayText(part.map(({ values }) => values[place] ?? null)),
    );
    queries.push({ sql: appendStatement(table)[start === 0 ? 'first' : 'further'], parameters });
  }
  return queries;
}

interface Statements {
  readonly first: string;
  readonly further: string;
}

const statements = new WeakMap<NumberedTable, Statements>();

/**
 * Adds rows in their order, given as an array of the values of each column. The first statement of a transaction takes the lock and draws
 * numbers: none is drawn for a row before that is joined with the lock, which the further ones need not take again: all their numbers
 * are greater, and the server has room for so many locks only. Names are the program's own.
 */
function appendStatement(table: NumberedTable): Statements {
  let statement = statements.get(table);
  if (statement === undefined) {
    const names = appendedColumns(table).map((name) => `"${name}"`);
    const arrays = appendedColumns(table).map((name, place) => `$${place + 1}::${typeOf(table, name)}[]`);
    const insert = `INSERT INTO ${table.name} (${names.join(', ')}) SELECT ${names.map((name) => `r.${name}`).join(', ')}`;
    const rows = `unnest(${arrays.join(', ')}) WITH ORDINALITY AS r (${names.join(', ')}, "place") ORDER BY r."place"`;
    statement = {
      first: `WITH locked AS MATERIALIZED (${lockingNumbers(table)}) ${insert} FROM locked, ${rows}`,
      further: `${insert} FROM ${rows}`,
    };
    statements.set(table, statement);
  }
  return statement;
}

function typeOf({ columns }: NumberedTable, name: string): string {
  const type = columns[name]?.type;
  if (type === undefined) throw new Error(`The column ${name} declares no type.`);
  return type;
}

/** An array as PostgreSQL reads one (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
const arrayText = (values: readonly SqlValue[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)).join(',')}}`;
