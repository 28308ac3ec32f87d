import { junctionColumns } from '../../definition/content-type.ts';
import { languageColumns } from '../../definition/languages/languages-table.ts';
import type { Query } from '../database.ts';
import { indexedColumn, naturalOrderText } from '../natural-order.ts';
import {
  type ColumnSpec,
  idLength,
  indexName,
  initialText,
  listIndexName,
  makesTable,
  restIndexName,
  rowColumn,
  type SchemaChange,
  type SchemaDialect,
  searchTable,
  setIndexNames,
} from '../schema-dialect.ts';
import { quoted, searchColumn } from './sqlite-search.ts';
import { sqliteColumnTypes } from './sqlite-values.ts';

/** SQLite looks for the table that a reference names only when rows are written, so the order of the changes will do. */
export const sqliteSchema: SchemaDialect = {
  // As the key of its table it is another name of the row's own number.
  numberedColumn: 'INTEGER',
  // The first had indexes for beginnings of up to three letters.
  oldestSearchForm: 2,
  statements: (changes) => queries(changes.flatMap(statementsOf)),
  filling: (changes) => ({
    tables: queries(changes.filter(makesTable).flatMap(statementsOf)),
    afterwards: queries(changes.filter((change) => !makesTable(change)).flatMap(statementsOf)),
  }),
  analyze: (table) => queries([`ANALYZE ${quoted(table)}`]),
  // A new row's number is one more than the highest.
  continueRows: () => [],
  columns: (table) => ({ sql: 'SELECT name FROM pragma_table_info(?)', parameters: [table] }),
  // `pragma_table_list` opens every virtual table: a search index of each type.
  tablesNamed: (names) => ({
    sql: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (${names.map(() => '?').join(', ')})`,
    parameters: names,
  }),
  tables: {
    sql: `SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`,
    parameters: [],
  },
  ownTables: ['recto_generations'],
  storedName: (name) => name,
};

const queries = (statements: readonly string[]): readonly Query[] =>
  statements.map((sql) => ({ sql, parameters: [], once: true }));

function statementsOf(change: SchemaChange): readonly string[] {
  switch (change.change) {
    case 'create_table':
      return [createTable(change.table, change.columns)];
    case 'add_column':
      return [`ALTER TABLE ${quoted(change.table)} ADD COLUMN ${columnText(change.column)}`];
    case 'rename_column': {
      const { table, column, to } = change;
      return [`ALTER TABLE ${quoted(table)} RENAME COLUMN ${quoted(column)} TO ${quoted(to)}`];
    }
    case 'rename_table':
      return [renameTable(change.table, change.to)];
    case 'drop_table':
      return [`DROP TABLE ${quoted(change.table)}`];
    case 'drop_column':
      return [`ALTER TABLE ${quoted(change.table)} DROP COLUMN ${quoted(change.column)}`];
    case 'create_junction':
      return createJunction(change.junction, change.source, change.target);
    case 'rename_junction': {
      const { junction, to } = change;
      const index = quoted(indexName(junction, junctionColumns.target, false));
      return [`DROP INDEX ${index}`, renameTable(junction, to), junctionIndex(to)];
    }
    case 'drop_junction':
      return [`DROP TABLE ${quoted(change.junction)}`];
    case 'create_languages':
      return [createLanguages(change.table, change.source, change.columns)];
    case 'rename_languages':
      return [renameTable(change.table, change.to)];
    case 'create_index':
      return createIndex(change);
    case 'drop_index':
      return [indexName(change.table, change.column, change.unique), restIndexName(change.table, change.column)]
        .slice(0, change.unique ? 2 : 1)
        .map((name) => `DROP INDEX IF EXISTS ${quoted(name)}`);
    case 'create_list_index': {
      const name = quoted(listIndexName(change.table, change.columns));
      const ids = change.onlyIds === true ? ` WHERE length(${quoted(change.columns[0] ?? '')}) = ${idLength}` : '';
      return [`CREATE INDEX ${name} ON ${quoted(change.table)} (${change.columns.map(listed).join(', ')})${ids}`];
    }
    case 'drop_list_index':
      return [`DROP INDEX IF EXISTS ${quoted(listIndexName(change.table, change.columns))}`];
    case 'create_set_index':
      return createSetIndex(change);
    case 'drop_set_index':
      return setIndexNames(change.table, change.columns).map((name) => `DROP INDEX IF EXISTS ${quoted(name)}`);
    case 'create_search':
      return [createSearch(change.table, change.columns)];
    case 'drop_search':
      return [`DROP TABLE IF EXISTS ${quoted(searchTable(change.table))}`];
  }
}

/** A column of an index for lists, or the expression that it stands for. */
function listed(name: string): string {
  const { column, isNatural } = indexedColumn(name);
  return isNatural ? naturalOrderText(quoted(column), (integer) => `cast(${integer} as text)`) : quoted(column);
}

function createIndex({
  table,
  column,
  unique,
  within,
  onlyIds,
}: Extract<SchemaChange, { change: 'create_index' }>): readonly string[] {
  const name = quoted(indexName(table, column, unique));
  const on = `ON ${quoted(table)}`;
  // In the order of the ids, by which lists of what refers to a record go.
  const where = onlyIds === true ? ` WHERE length(${quoted(column)}) = ${idLength}` : '';
  if (!unique) return [`CREATE INDEX ${name} ${on} (${quoted(column)}, "id")${where}`];
  if (within === undefined) return [`CREATE UNIQUE INDEX ${name} ${on} (${quoted(column)})`];
  // An index takes no two nulls for the same.
  const rest = quoted(restIndexName(table, column));
  return [
    `CREATE UNIQUE INDEX ${name} ${on} (${quoted(within)}, ${quoted(column)})`,
    `CREATE UNIQUE INDEX ${rest} ${on} (${quoted(column)}) WHERE ${quoted(within)} IS NULL`,
  ];
}

function createSetIndex({
  table,
  columns,
  within,
}: Extract<SchemaChange, { change: 'create_set_index' }>): readonly string[] {
  const [all, rest] = setIndexNames(table, columns).map(quoted);
  const on = `ON ${quoted(table)}`;
  const list = columns.map(quoted).join(', ');
  if (within === undefined) return [`CREATE UNIQUE INDEX ${all} ${on} (${list})`];
  return [
    `CREATE UNIQUE INDEX ${all} ${on} (${quoted(within)}, ${list})`,
    `CREATE UNIQUE INDEX ${rest} ${on} (${list}) WHERE ${quoted(within)} IS NULL`,
  ];
}

function createTable(table: string, columns: readonly ColumnSpec[]): string {
  const lines = [`${quoted(rowColumn)} INTEGER PRIMARY KEY`, '"id" TEXT NOT NULL UNIQUE', ...columns.map(columnText)];
  return `CREATE TABLE ${quoted(table)} (\n  ${lines.join(',\n  ')}\n)`;
}

function columnText({ name, kind, references, initial }: ColumnSpec): string {
  const text = `${quoted(name)} ${sqliteColumnTypes[kind]}${initialText(initial)}`;
  return references === null ? text : `${text} REFERENCES ${quoted(references)} ("id") ON DELETE SET NULL`;
}

function createJunction(junction: string, source: string, target: string): readonly string[] {
  const columns = {
    source: quoted(junctionColumns.source),
    target: quoted(junctionColumns.target),
    position: quoted(junctionColumns.position),
  };
  return [
    `CREATE TABLE ${quoted(junction)} (
  ${columns.source} TEXT NOT NULL REFERENCES ${quoted(source)} ("id") ON DELETE CASCADE,
  ${columns.target} TEXT NOT NULL REFERENCES ${quoted(target)} ("id") ON DELETE CASCADE,
  ${columns.position} INTEGER NOT NULL,
  PRIMARY KEY (${columns.source}, ${columns.target})
) WITHOUT ROWID`,
    junctionIndex(junction),
  ];
}

function createLanguages(table: string, source: string, columns: readonly ColumnSpec[]): string {
  const { row, language, changedAt, outdated } = languageColumns;
  const lines = [
    `${quoted(row)} TEXT NOT NULL REFERENCES ${quoted(source)} ("id") ON DELETE CASCADE`,
    `${quoted(language)} TEXT NOT NULL`,
    `${quoted(changedAt)} ${sqliteColumnTypes.datetime}`,
    `${quoted(outdated)} ${sqliteColumnTypes.boolean}`,
    ...columns.map(columnText),
    `PRIMARY KEY (${quoted(row)}, ${quoted(language)})`,
  ];
  return `CREATE TABLE ${quoted(table)} (\n  ${lines.join(',\n  ')}\n) WITHOUT ROWID`;
}

const junctionIndex = (junction: string): string =>
  `CREATE INDEX ${quoted(indexName(junction, junctionColumns.target, false))} ON ${quoted(junction)} (${quoted(junctionColumns.target)})`;

/** References of other tables to it are rewritten (https://sqlite.org/lang_altertable.html, section 3). */
const renameTable = (table: string, to: string): string => `ALTER TABLE ${quoted(table)} RENAME TO ${quoted(to)}`;

/** Words come folded, of letters, digits and marks alone, with spaces between them: the tokenizer has nothing to decide. */
function createSearch(table: string, columns: readonly string[]): string {
  const names = columns.map((field) => quoted(searchColumn(field)));
  const options = [
    "content = ''",
    'contentless_delete = 1',
    // The last word of a search is a beginning. Without these, the records of all words that begin with it are put together before
    // the first one is found. Of more letters, few words begin alike.
    "prefix = '1 2 3 4 5 6'",
    `tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"`,
  ];
  return `CREATE VIRTUAL TABLE ${quoted(searchTable(table))} USING fts5(${[...names, ...options].join(', ')})`;
}
