import type { SqlValue } from '../../base/bindings.ts';
import type { Database, Query } from '../database.ts';

export const q = (sql: string, ...parameters: SqlValue[]): Query => ({ sql, parameters });

export const insert = (name: string): Query => q('INSERT INTO things (name) VALUES (?)', name);

export const makeThings = (database: Database): Promise<number> =>
  database.transaction(async (transaction) => transaction.run(q('CREATE TABLE things (name TEXT UNIQUE)')));

export async function names(database: Database): Promise<readonly string[]> {
  const rows = await database.rows<{ name: string }>(q('SELECT name FROM things ORDER BY rowid'));
  return rows.map(({ name }) => name);
}
