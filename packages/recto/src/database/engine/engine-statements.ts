import { sql } from 'kysely';
import { compiledQuery } from '../compiled-query.ts';
import type { Query } from '../database.ts';
import type { Dialect } from '../dialect.ts';
import type { EngineColumn, EngineIndex, EngineTable } from './engine-table.ts';

/** What makes a table that is not there, with its indexes and first rows. */
export const creation = (table: EngineTable, dialect: Dialect): readonly Query[] => [
  tableStatement(table, dialect),
  ...table.indexes.map((index) => indexStatement(table, index, dialect)),
  ...table.rows.map((row) => {
    const names = sql.join(Object.keys(row).map((name) => sql.id(name)));
    return compiledQuery(
      sql`insert into ${sql.id(table.name)} (${names}) values (${sql.join(Object.values(row))})`,
      dialect,
    );
  }),
];

export const columnStatement = ({ name }: EngineTable, column: string, shape: EngineColumn, dialect: Dialect): Query =>
  once(sql`alter table ${sql.id(name)} add column ${columnText(column, shape, dialect)}`, dialect);

export const indexStatement = ({ name: table }: EngineTable, { name, columns }: EngineIndex, dialect: Dialect): Query =>
  once(sql`create index ${sql.id(name)} on ${sql.id(table)} (${ids(columns)})`, dialect);

function tableStatement({ name, key, columns }: EngineTable, dialect: Dialect): Query {
  const texts = Object.entries(columns).map(([column, shape]) => columnText(column, shape, dialect));
  return once(sql`create table ${sql.id(name)} (${sql.join(texts)}, primary key (${ids(key)}))`, dialect);
}

function columnText(name: string, { kind, type, nullable, unique, numbered }: EngineColumn, dialect: Dialect) {
  if (numbered === true) return sql`${sql.id(name)} ${sql.raw(dialect.schema.numberedColumn)}`;
  const constraints = sql.raw(`${nullable === true ? '' : ' not null'}${unique === true ? ' unique' : ''}`);
  return sql`${sql.id(name)} ${sql.raw(type ?? dialect.columnType(kind))}${constraints}`;
}

const ids = (names: readonly string[]) => sql.join(names.map((name) => sql.id(name)));

const once = (statement: Parameters<typeof compiledQuery>[0], dialect: Dialect): Query => ({
  ...compiledQuery(statement, dialect),
  once: true,
});
