import {
  DummyDriver,
  type Expression,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { AnyTables, Dialect } from '../dialect.ts';
import { naturalOrder } from '../natural-order.ts';
import { rowColumn } from '../schema-dialect.ts';
import { sqliteAggregates } from './sqlite-aggregates.ts';
import { settledNumber } from './sqlite-append.ts';
import { sqliteFault } from './sqlite-fault.ts';
import {
  sqliteJson,
  sqliteJsonArray,
  sqliteJsonConstant,
  sqliteJsonHasAnyText,
  sqliteJsonHasText,
  sqliteJsonObject,
  sqliteJsonOne,
  sqliteJsonRows,
  sqliteJsonText,
  sqliteJsonTexts,
} from './sqlite-json.ts';
import { sqliteJsonValues } from './sqlite-json-values.ts';
import { sqliteReturning } from './sqlite-returning.ts';
import { sqliteRuleDialect } from './sqlite-rule-dialect.ts';
import { sqliteSchema } from './sqlite-schema.ts';
import { sqliteSearch } from './sqlite-search.ts';
import { decodeSqlite, encodeSqlite, sqliteColumnTypes } from './sqlite-values.ts';

const builder = new Kysely<AnyTables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Nulls first when ascending and text by code point (of its UTF-8 form) is SQLite's own order. */
const order = (column: Expression<unknown>, direction: 'asc' | 'desc'): RawBuilder<unknown> =>
  direction === 'asc' ? sql`${column} asc` : sql`${column} desc`;

const naturalText: Dialect['naturalOrder'] = (text) =>
  naturalOrder<RawBuilder<unknown>>(text, sql, (integer) => sql`cast(${integer} as text)`);

/** `cross join` keeps the two in this order (https://sqlite.org/optoverview.html, section 6.3). */
const pageRows: Dialect['pageRows'] = (table, alias, page, key = rowColumn) =>
  sql`(${page}) as "page" cross join ${sql.id(table)} as ${sql.id(alias)} on ${sql.id(alias, key)} = ${sql.id('page', key)}`;

/** A function that makes a table may read the row beside it, and a subquery may not. */
const withEach: Dialect['withEach'] = (rows, select, alias) =>
  sql`${rows} cross join json_each((select json_group_array("value") from (${select}))) as ${sql.id(alias)}`;

const rowsWith: Dialect['rowsWith'] = (table, alias, column, keys) =>
  sql`(select distinct "key" from (${keys})) as "f" cross join ${sql.id(table)} as ${sql.id(alias)} on ${sql.id(alias, column)} = "f"."key"`;

/** SQLite 3.45 or newer, as the runtime brings it. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  version: { sql: 'SELECT sqlite_version() AS version', parameters: [] },
  changeMark: { sql: 'SELECT CAST(max(change) AS text) AS mark FROM recto_generations', parameters: [] },
  builder,
  rules: sqliteRuleDialect,
  search: sqliteSearch,
  aggregates: sqliteAggregates,
  schema: sqliteSchema,
  columnType: (kind) => sqliteColumnTypes[kind],
  encode: encodeSqlite,
  decode: decodeSqlite,
  json: sqliteJson,
  jsonConstant: sqliteJsonConstant,
  jsonText: sqliteJsonText,
  jsonObject: sqliteJsonObject,
  jsonArray: (value, from) => sql`json(${sqliteJsonArray(value, from)})`,
  jsonRows: sqliteJsonRows,
  jsonArrayText: sqliteJsonArray,
  jsonOne: sqliteJsonOne,
  jsonHasText: sqliteJsonHasText,
  jsonValues: sqliteJsonValues,
  jsonHasAnyText: sqliteJsonHasAnyText,
  jsonTexts: sqliteJsonTexts,
  // One transaction writes at a time.
  skipLocked: sql``,
  returning: sqliteReturning,
  // Every index holds the row's number.
  pageKey: rowColumn,
  stored: (table) => sql.id('main', table),
  pageRows,
  rowsWith,
  withEach,
  order,
  naturalOrder: naturalText,
  settledNumber,
  oldestNumbering: () => null,
  fault: sqliteFault,
};
