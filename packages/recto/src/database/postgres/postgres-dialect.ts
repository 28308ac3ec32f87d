import {
  DummyDriver,
  type Expression,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { AnyTables, Dialect } from '../dialect.ts';
import { naturalOrder } from '../natural-order.ts';
import { postgresAggregates } from './postgres-aggregates.ts';
import { postgresFault } from './postgres-fault.ts';
import {
  postgresJson,
  postgresJsonArray,
  postgresJsonConstant,
  postgresJsonHasAnyText,
  postgresJsonHasText,
  postgresJsonObject,
  postgresJsonOne,
  postgresJsonRows,
  postgresJsonText,
  postgresJsonTexts,
} from './postgres-json.ts';
import { postgresJsonValues } from './postgres-json-values.ts';
import { postgresReturning } from './postgres-returning.ts';
import { postgresRuleDialect } from './postgres-rule-dialect.ts';
import { postgresSchema } from './postgres-schema.ts';
import { postgresSearch } from './postgres-search.ts';
import { decodePostgres, encodePostgres, postgresColumnTypes } from './postgres-values.ts';
import { oldestNumbering, settledNumber } from './writing/number-order.ts';

const builder = new Kysely<AnyTables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Text columns have the collation "C", whose order is that of code points. */
const order = (column: Expression<unknown>, direction: 'asc' | 'desc'): RawBuilder<unknown> =>
  direction === 'asc' ? sql`${column} asc nulls first` : sql`${column} desc nulls last`;

/** A cast has the collation of the database, and not that of the column. */
const naturalText: Dialect['naturalOrder'] = (text) =>
  naturalOrder<RawBuilder<unknown>>(text, sql, (integer) => sql`(cast(${integer} as text) collate "C")`);

/** The LIMIT keeps the lateral subquery from being merged into a join, which might have another order. */
const pageRows: Dialect['pageRows'] = (table, alias, page, key = 'id') =>
  sql`(${page}) as "page" cross join lateral (select * from ${sql.id(table)} as "row" where ${sql.id('row', key)} = ${sql.id('page', key)} limit 1) as ${sql.id(alias)}`;

const withEach: Dialect['withEach'] = (rows, select, alias) =>
  sql`${rows} cross join lateral (${select}) as ${sql.id(alias)}`;

/** `offset 0` keeps the subqueries from being merged into a join, which might begin at the rows. */
const rowsWith: Dialect['rowsWith'] = (table, alias, column, keys) =>
  sql`(select distinct "key" from (${keys}) as "k" offset 0) as "f" cross join lateral (select * from ${sql.id(table)} as "row" where ${sql.id('row', column)} = "f"."key" offset 0) as ${sql.id(alias)}`;

/** PostgreSQL 15 or newer, with a database in UTF-8. Needs no extension and no rights beyond a schema of its own. */
export const postgresDialect: Dialect = {
  name: 'postgres',
  version: { sql: "SELECT current_setting('server_version') AS version", parameters: [] },
  changeMark: { sql: "SELECT string_agg(id, ' ' ORDER BY slot, name) AS mark FROM recto_changes", parameters: [] },
  builder,
  rules: postgresRuleDialect,
  search: postgresSearch,
  aggregates: postgresAggregates,
  schema: postgresSchema,
  columnType: (kind) => postgresColumnTypes[kind],
  encode: encodePostgres,
  decode: decodePostgres,
  json: postgresJson,
  jsonConstant: postgresJsonConstant,
  jsonText: postgresJsonText,
  jsonObject: postgresJsonObject,
  jsonArray: postgresJsonArray,
  jsonRows: postgresJsonRows,
  jsonArrayText: postgresJsonArray,
  jsonOne: postgresJsonOne,
  jsonHasText: postgresJsonHasText,
  jsonValues: postgresJsonValues,
  jsonHasAnyText: postgresJsonHasAnyText,
  jsonTexts: postgresJsonTexts,
  skipLocked: sql`for update skip locked`,
  returning: postgresReturning,
  // Indexes for lists end in it.
  pageKey: 'id',
  // A declaration that is not recursive does not see itself.
  stored: (table) => sql.id(table),
  pageRows,
  rowsWith,
  withEach,
  order,
  naturalOrder: naturalText,
  settledNumber,
  oldestNumbering,
  fault: postgresFault,
};
