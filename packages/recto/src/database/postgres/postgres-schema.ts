import { junctionColumns } from '../../definition/content-type.ts';
import type { Query } from '../database.ts';
import {
  type ColumnSpec,
  indexName,
  listIndexName,
  makesTable,
  restIndexName,
  rowColumn,
  type SchemaChange,
  type SchemaDialect,
  searchTable,
  setIndexNames,
} from '../schema/schema-dialect.ts';
import { postgresName, quoted } from './postgres-names.ts';
import { moreColumn, wordsColumn } from './postgres-search.ts';
import { postgresColumnTypes } from './postgres-values.ts';

/** References come last of all: PostgreSQL wants the table that one names. */
export const postgresSchema: SchemaDialect = {
  statements: (changes) => queries([...changes.flatMap(statementsOf), ...changes.flatMap(referencesOf)]),
  filling: (changes) => ({
    tables: queries(changes.filter(makesTable).flatMap(tablesOf)),
    afterwards: queries([
      ...changes.flatMap(searchIndexesOf),
      ...changes.filter((change) => !makesTable(change)).flatMap(statementsOf),
      ...changes.flatMap(referencesOf),
    ]),
  }),
  analyze: (table) => queries([`ANALYZE ${quoted(table)}`]),
  continueRows: (table) => [
    {
      sql: `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT coalesce(max(${quoted(rowColumn)}), 0) + 1 FROM ${quoted(table)}), false)`,
      parameters: [quoted(table), rowColumn],
    },
  ],
  columns: (table) => ({
    sql: `SELECT column_name::text AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position`,
    parameters: [postgresName(table)],
  }),
  tablesNamed: (names) => ({
    sql: `SELECT tablename::text AS name FROM pg_tables
      WHERE schemaname = current_schema() AND tablename IN (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    parameters: names.map(postgresName),
  }),
  tables: {
    sql: `SELECT table_name::text AS name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`,
    parameters: [],
  },
  ownTables: ['recto_writers', 'recto_commits', 'recto_generations'],
  storedName: postgresName,
};

const queries = (statements: readonly string[]): readonly Query[] => statements.map((sql) => ({ sql, parameters: [] }));

function statementsOf(change: SchemaChange): readonly string[] {
  switch (change.change) {
    case 'create_table':
      return createTable(change.table, change.columns);
    case 'add_column':
      return [`ALTER TABLE ${quoted(change.table)} ADD COLUMN ${columnText(change.column)}`];
    case 'rename_column':
      return [`ALTER TABLE ${quoted(change.table)} RENAME COLUMN ${quoted(change.column)} TO ${quoted(change.to)}`];
    case 'rename_table':
      return renameTable(change.table, change.to, ['id', true]);
    case 'drop_table':
      return [`DROP TABLE ${quoted(change.table)}`];
    case 'drop_column':
      return [`ALTER TABLE ${quoted(change.table)} DROP COLUMN ${quoted(change.column)}`];
    case 'create_junction':
      return createJunction(change.junction);
    case 'rename_junction':
      return renameTable(change.junction, change.to, [junctionColumns.target, false]);
    case 'drop_junction':
      return [`DROP TABLE ${quoted(change.junction)}`];
    case 'create_index':
      return change.unique && change.within !== undefined
        ? createUniqueWithin(change.table, change.column, change.within)
        : // Those of what refers to a record in the order of the ids, by which lists go.
          [createIndex(change.table, change.unique ? [change.column] : [change.column, 'id'], change.unique)];
    case 'drop_index':
      return [indexName(change.table, change.column, change.unique), restIndexName(change.table, change.column)]
        .slice(0, change.unique ? 2 : 1)
        .map((name) => `DROP INDEX IF EXISTS ${quoted(name)}`);
    case 'create_list_index': {
      const name = quoted(listIndexName(change.table, change.columns));
      return [`CREATE INDEX ${name} ON ${quoted(change.table)} (${change.columns.map(ordered).join(', ')})`];
    }
    case 'drop_list_index':
      return [`DROP INDEX IF EXISTS ${quoted(listIndexName(change.table, change.columns))}`];
    case 'create_set_index':
      return createSetIndex(change);
    case 'drop_set_index':
      return setIndexNames(change.table, change.columns).map((name) => `DROP INDEX IF EXISTS ${quoted(name)}`);
    case 'create_search':
      return [createSearch(change.table), createSearchIndex(change.table)];
    case 'drop_search':
      return [`DROP TABLE IF EXISTS ${quoted(searchTable(change.table))}`];
  }
}

/** The index of a search is made far faster of all words at once. */
const tablesOf = (change: SchemaChange): readonly string[] =>
  change.change === 'create_search' ? [createSearch(change.table)] : statementsOf(change);

const searchIndexesOf = (change: SchemaChange): readonly string[] =>
  change.change === 'create_search' ? [createSearchIndex(change.table)] : [];

function referencesOf(change: SchemaChange): readonly string[] {
  switch (change.change) {
    case 'create_table':
      return change.columns.flatMap((column) => reference(change.table, column));
    case 'add_column':
      return reference(change.table, change.column);
    case 'create_junction':
      return [
        addReference(change.junction, junctionColumns.source, change.source, 'CASCADE'),
        addReference(change.junction, junctionColumns.target, change.target, 'CASCADE'),
      ];
    default:
      return [];
  }
}

const reference = (table: string, { name, references }: ColumnSpec): readonly string[] =>
  references === null ? [] : [addReference(table, name, references, 'SET NULL')];

const addReference = (table: string, column: string, target: string, onDelete: 'CASCADE' | 'SET NULL'): string =>
  `ALTER TABLE ${quoted(table)} ADD FOREIGN KEY (${quoted(column)}) REFERENCES ${quoted(target)} ("id") ON DELETE ${onDelete}`;

function createSetIndex({
  table,
  columns,
  within,
}: Extract<SchemaChange, { change: 'create_set_index' }>): readonly string[] {
  const [all, rest] = setIndexNames(table, columns).map(quoted);
  const on = `ON ${quoted(table)}`;
  const list = columns.map(ordered).join(', ');
  if (within === undefined) return [`CREATE UNIQUE INDEX ${all} ${on} (${list})`];
  return [
    `CREATE UNIQUE INDEX ${all} ${on} (${ordered(within)}, ${list})`,
    `CREATE UNIQUE INDEX ${rest} ${on} (${list}) WHERE ${quoted(within)} IS NULL`,
  ];
}

function createTable(table: string, columns: readonly ColumnSpec[]): readonly string[] {
  const lines = [
    `${quoted(rowColumn)} bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY`,
    `"id" ${postgresColumnTypes.text} NOT NULL`,
    ...columns.map(columnText),
  ];
  return [`CREATE TABLE ${quoted(table)} (\n  ${lines.join(',\n  ')}\n)`, createIndex(table, ['id'], true)];
}

const columnText = ({ name, kind }: ColumnSpec): string => `${quoted(name)} ${postgresColumnTypes[kind]}`;

/** With the index that it has had from the beginning: another table may come to have the old name. */
function renameTable(table: string, to: string, index: readonly [column: string, unique: boolean]): readonly string[] {
  return [
    `ALTER TABLE ${quoted(table)} RENAME TO ${quoted(to)}`,
    `ALTER INDEX ${quoted(indexName(table, ...index))} RENAME TO ${quoted(indexName(to, ...index))}`,
  ];
}

/** In the order in which `postgresDialect.order` sorts, so that it serves sorting in both directions. */
const ordered = (column: string): string => `${quoted(column)} NULLS FIRST`;

/** Named after the first of the columns. */
function createIndex(table: string, columns: readonly [string, ...string[]], unique: boolean): string {
  const name = quoted(indexName(table, columns[0], unique));
  return `CREATE ${unique ? 'UNIQUE INDEX' : 'INDEX'} ${name} ON ${quoted(table)} (${columns.map(ordered).join(', ')})`;
}

/** An index takes no two nulls for the same. */
const createUniqueWithin = (table: string, column: string, within: string): readonly string[] => [
  `CREATE UNIQUE INDEX ${quoted(indexName(table, column, true))} ON ${quoted(table)} (${ordered(within)}, ${ordered(column)})`,
  `CREATE UNIQUE INDEX ${quoted(restIndexName(table, column))} ON ${quoted(table)} (${quoted(column)}) WHERE ${quoted(within)} IS NULL`,
];

function createJunction(junction: string): readonly string[] {
  const { source, target, position } = junctionColumns;
  return [
    `CREATE TABLE ${quoted(junction)} (
  ${quoted(source)} ${postgresColumnTypes.text} NOT NULL,
  ${quoted(target)} ${postgresColumnTypes.text} NOT NULL,
  ${quoted(position)} integer NOT NULL,
  PRIMARY KEY (${quoted(source)}, ${quoted(target)})
)`,
    createIndex(junction, [target, source], false),
  ];
}

const createSearch = (table: string): string => `CREATE TABLE ${quoted(searchTable(table))} (
  ${quoted(rowColumn)} bigint PRIMARY KEY,
  ${quoted(wordsColumn)} tsvector NOT NULL,
  ${quoted(moreColumn)} tsvector[]
)`;

function createSearchIndex(table: string): string {
  const search = searchTable(table);
  const name = quoted(indexName(search, wordsColumn, false));
  return `CREATE INDEX ${name} ON ${quoted(search)} USING gin (${quoted(wordsColumn)})`;
}
