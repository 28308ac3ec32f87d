import { expect } from 'bun:test';
import { onPostgres, openTestDatabase, query, type TestDatabase } from '../../../../test/support/database/database.ts';
import { expectSchemaAgrees } from '../../../../test/support/database/schema-agrees.ts';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import type { SqlValue } from '../base/bindings.ts';
import { FatalError } from '../base/fatal-error.ts';
import { postgresDialect } from '../database/postgres/postgres-dialect.ts';
import { sqliteDialect } from '../database/sqlite/sqlite-dialect.ts';
import { reindex } from './data/reindex.ts';
import { migrateSchema } from './migrate-schema.ts';
import { planSchema } from './plan/schema-plan.ts';
import { syncSchema } from './sync-schema.ts';

export const dialect = onPostgres ? postgresDialect : sqliteDialect;
export const { encode } = dialect;

export type Definition = Readonly<Record<string, unknown>>;

export const field = (name: string, type: string, rest: Definition = {}) => ({ name, field_type: type, ...rest });
export const relation = (name: string, kind: string, target: string, rest: Definition = {}) =>
  field(name, 'relation', { relation: { relation_type: kind, target }, ...rest });
export const type = (singular: string, fields: readonly unknown[], rest: Definition = {}) => ({
  singular,
  plural: `${singular}s`,
  fields,
  ...rest,
});

/** A database with `definitions`, and `rows` by table. */
export async function stored(definitions: readonly unknown[], rows: Readonly<Record<string, readonly Row[]>>) {
  const database = await openTestDatabase();
  const types = definitionsOf(...definitions);
  await syncSchema(database, types);
  await database.transaction(async (transaction) => {
    for (const [table, records] of Object.entries(rows)) {
      for (const record of records) {
        const names = Object.keys(record).map((name) => `"${name}"`);
        const insert = `INSERT INTO "${table}" (${names}) VALUES (${names.map(() => '?')})`;
        await transaction.run(query(insert, ...Object.values(record)));
      }
    }
    const searched = types.all.filter((one) => one.facts.searched.length > 0);
    for (const one of searched) await reindex(transaction, database.dialect, one);
  });
  return database;
}

export type Row = Readonly<Record<string, SqlValue>>;

export async function rows(database: TestDatabase, statement: string): Promise<readonly unknown[]> {
  // As every request does, which also informs the connection of changed columns.
  await database.generations.refresh();
  return database.rows({ sql: statement, parameters: [] });
}

/** The tables of records. */
export async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const all = onPostgres
    ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()'
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";
  const found = await database.rows<{ name: string }>({ sql: all, parameters: [] });
  return found.map(({ name }) => name).filter((name) => name.startsWith('cms_'));
}

export const migrate = (database: TestDatabase, definitions: readonly unknown[], drop: readonly string[] = []) =>
  migrateSchema(database, definitionsOf(...definitions), { all: false, names: drop });

export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FatalError)) throw new Error(`Expected an error, got ${String(error)}`);
  return error.message;
}

/** Nothing is left to do, and all that is stored agrees with what is remembered. */
export async function expectDone(database: TestDatabase, definitions: readonly unknown[]): Promise<void> {
  const plan = await planSchema(database, database.dialect, definitionsOf(...definitions));
  expect({ notes: plan.notes, steps: plan.steps.map(({ sql }) => sql) }).toEqual({ notes: [], steps: [] });
  await expectAgrees(database);
}

/** What a file holds is held against what it remembers; a server keeps to its own references and types. */
export async function expectAgrees(database: TestDatabase): Promise<void> {
  if (!onPostgres) await expectSchemaAgrees(database.path);
}

export const author = type('author', [field('name', 'text')]);
