import type { SQL } from 'bun';
import type { SqlValue } from '../../base/bindings.ts';
import type { Executor, Observe, Query } from '../database.ts';

/** What runs statements: a pool, or one connection of it. */
export type Client = Pick<SQL, 'unsafe'>;

/** The rows, and what the server reports about the statement. */
export type Result<Row> = readonly Row[] & SQL.ResultMetadata;

/** The type of a column that holds eight-byte integers (`pg_type.oid`, fixed by the catalog). */
const int8 = 20;

/** The names of the eight-byte columns of each statement; the driver has one object for all runs of one on a connection. */
const wideColumns = new WeakMap<object, readonly string[]>();

/**
 * Runs one statement. Throws the driver's error.
 * Numbers travel as text, as everything does: the server gives a parameter the type of where it stands, where the driver
 * would choose one by the value. An integer of eight bytes comes back as a number where that holds it exactly, else as a bigint.
 */
export async function runQuery<Row>(client: Client, query: Query, observe?: Observe): Promise<Result<Row>> {
  const started = observe === undefined ? 0 : performance.now();
  try {
    // The caller knows its statement's columns; nothing here can.
    const result = (await client.unsafe(query.sql, query.parameters.map(asText))) as Result<Row>;
    narrow(result);
    return result;
  } finally {
    observe?.((performance.now() - started) / 1000);
  }
}

/** Runs statements on one connection. Throws the driver's error. */
export const clientExecutor = (client: Client, observe?: Observe): Executor => ({
  rows: (query) => runQuery(client, query, observe),
  first: async <Row>(query: Query) => (await runQuery<Row>(client, query, observe))[0],
  run: async (query) => (await runQuery(client, query, observe)).affectedRows,
});

const asText = (value: SqlValue): SqlValue =>
  typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;

function narrow(result: Result<unknown>): void {
  const { statement } = result;
  if (statement === null || result.length === 0) return;
  let names = wideColumns.get(statement);
  if (names === undefined) {
    names = statement.columns.filter(({ type }) => type === int8).map(({ name }) => name);
    wideColumns.set(statement, names);
  }
  if (names.length === 0) return;
  for (const row of result) {
    // A row is an object with the columns as its own properties.
    const values = row as Record<string, unknown>;
    for (const name of names) {
      const value = values[name];
      if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) values[name] = Number(value);
    }
  }
}
