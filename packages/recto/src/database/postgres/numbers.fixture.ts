import { openTestDatabase, query, type TestDatabase } from '../../../../../test/support/database/database.ts';
import type { Database, Query, Transaction } from '../database.ts';

export const q = (sql: string): Query => ({ sql, parameters: [] });

/** A table of numbers by name, all 0. */
export async function openWithNumbers(...names: readonly string[]): Promise<TestDatabase> {
  const database = await openTestDatabase({ connections: 12 });
  await database.transaction(async (transaction) => {
    await transaction.run(q('CREATE TABLE numbers (name text PRIMARY KEY, value integer NOT NULL)'));
    for (const name of names) await transaction.run(query('INSERT INTO numbers VALUES (?, 0)', name));
  });
  return database;
}

export async function numberOf(executor: Pick<Transaction, 'first'>, name: string): Promise<number> {
  const row = await executor.first<{ value: number }>(query('SELECT value FROM numbers WHERE name = ?', name));
  return row?.value ?? -1;
}

export const set = (transaction: Transaction, name: string, value: number) =>
  transaction.run(query('UPDATE numbers SET value = ? WHERE name = ?', String(value), name));

export const add = (transaction: Transaction, name: string) =>
  transaction.run(query('INSERT INTO numbers VALUES (?, 0)', name));

export const names = async (database: Database): Promise<readonly string[]> =>
  (await database.rows<{ name: string }>(q('SELECT name FROM numbers ORDER BY name'))).map(({ name }) => name);

/** Ends every connection of this test but the one that does it. */
export const cutAll = q(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND application_name = current_setting('application_name')`);

export function urlOf({ location }: TestDatabase): string {
  if (location.kind !== 'postgres') throw new Error('For PostgreSQL only.');
  return location.url;
}
