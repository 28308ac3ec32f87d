import type { RawBuilder } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { Query } from './database.ts';
import type { Dialect } from './dialect.ts';

/** What a builder compiled, as a statement to run. */
export function queryOf(compiled: { readonly sql: string; readonly parameters: readonly unknown[] }): Query {
  // The builder hands on what it was given; statements built for this have only values that a database takes.
  return { sql: compiled.sql, parameters: compiled.parameters as readonly SqlValue[] };
}

/** A statement written with kysely's `sql`, in the dialect's words. */
export const compiledQuery = (statement: RawBuilder<unknown>, dialect: Dialect): Query =>
  queryOf(statement.compile(dialect.builder));
