import type { ValueKind } from '../values/value-kind.ts';
import type { Query } from './query.ts';

/**
 * The integer that every record table has as its key inside the database: rises in the order of the rows' creation
 * and is never exposed. Records refer to each other by `id`.
 */
export const rowColumn = '$row';

export interface ColumnSpec {
  readonly name: string;
  readonly kind: ValueKind;
  /** The record table whose `id` the column holds; it becomes null when that record is deleted. */
  readonly references: string | null;
  /** The text in rows that are written without it; absent: null. */
  readonly initial?: string;
}

/** A step towards tables that can hold the definitions. */
export type SchemaChange =
  /** With `rowColumn` and the unique column `id` before the columns given. */
  | { readonly change: 'create_table'; readonly table: string; readonly columns: readonly ColumnSpec[] }
  | { readonly change: 'add_column'; readonly table: string; readonly column: ColumnSpec }
  | { readonly change: 'rename_column'; readonly table: string; readonly column: string; readonly to: string }
  | { readonly change: 'drop_column'; readonly table: string; readonly column: string }
  /** References to it follow. Its indexes and its search index are dropped before, since they are named after it. */
  | { readonly change: 'rename_table'; readonly table: string; readonly to: string }
  /** Nothing refers to it any more. */
  | { readonly change: 'drop_table'; readonly table: string }
  /** Pairs of records of two tables, in `position` order; a pair goes with either of its records. */
  | {
      readonly change: 'create_junction';
      readonly junction: string;
      readonly source: string;
      readonly target: string;
    }
  | { readonly change: 'rename_junction'; readonly junction: string; readonly to: string }
  | { readonly change: 'drop_junction'; readonly junction: string }
  /**
   * The values that the records of the table `source` have in other languages: a row for each record and language, which goes with its
   * record. `columns` come behind those of every such table.
   */
  | {
      readonly change: 'create_languages';
      readonly table: string;
      readonly source: string;
      readonly columns: readonly ColumnSpec[];
    }
  /** Its indexes are dropped before, since they are named after it. */
  | { readonly change: 'rename_languages'; readonly table: string; readonly to: string }
  /** A unique one may be so `within` a column: among the records that have the same there, and among those that have none. */
  | {
      readonly change: 'create_index';
      readonly table: string;
      readonly column: string;
      readonly unique: boolean;
      readonly within?: string;
      /** Of a text column that holds other values besides, too long for an index: on the rows whose texts have `idLength`. */
      readonly onlyIds?: true;
    }
  | { readonly change: 'drop_index'; readonly table: string; readonly column: string; readonly unique: boolean }
  /** For lists in the order of the columns, in either direction. */
  | {
      readonly change: 'create_list_index';
      readonly table: string;
      readonly columns: readonly string[];
      /** As in `create_index`, of the first of the columns. */
      readonly onlyIds?: true;
    }
  | { readonly change: 'drop_list_index'; readonly table: string; readonly columns: readonly string[] }
  /** A unique index on several columns; `within` as in `create_index`. */
  | {
      readonly change: 'create_set_index';
      readonly table: string;
      readonly columns: readonly string[];
      readonly within?: string;
    }
  | { readonly change: 'drop_set_index'; readonly table: string; readonly columns: readonly string[] }
  /** The search index of a table; `columns` are names of fields. */
  | { readonly change: 'create_search'; readonly table: string; readonly columns: readonly string[] }
  | { readonly change: 'drop_search'; readonly table: string };

/** Making and changing tables in a database's own words. */
export interface SchemaDialect {
  /** The type and constraints of an integer column that the database fills with rising numbers. */
  readonly numberedColumn: string;
  /** Search indexes of an older form are made anew. The first one is 1. */
  readonly oldestSearchForm: number;
  /** The statements of all the changes, in an order in which they can run: a table may refer to one that comes later. */
  statements(changes: readonly SchemaChange[]): readonly Query[];
  /** The statements of changes that make tables, in two parts: the tables, to be filled, and what is made faster once they are full. */
  filling(changes: readonly SchemaChange[]): Filling;
  /** Statements after which the planner knows what the table and its indexes hold. */
  analyze(table: string): readonly Query[];
  /** Statements after which new rows of a table are numbered behind those that were brought in; default column: that of records. */
  continueRows(table: string, column?: string): readonly Query[];
  /** Rows `name`: the columns that a table has; none where there is no such table. */
  columns(table: string): Query;
  /** Rows `name`: those of the tables that there are. Takes no longer where there are many others. */
  tablesNamed(names: readonly string[]): Query;
  /** Rows `name`: all tables, but for what a search index keeps for itself. */
  readonly tables: Query;
  /** The tables in which the database keeps what is its own alone: made by opening it, and never copied. */
  readonly ownTables: readonly string[];
  /** The name that the database has for what the engine calls `name`. */
  storedName(name: string): string;
}

/** What a column's definition says of `initial`, on every database. */
export const initialText = (initial: string | undefined): string =>
  initial === undefined ? '' : ` DEFAULT '${initial.replaceAll("'", "''")}'`;

export interface Filling {
  readonly tables: readonly Query[];
  readonly afterwards: readonly Query[];
}

/** Whether it makes something that holds records. */
export const makesTable = ({ change }: SchemaChange): boolean =>
  change === 'create_table' ||
  change === 'create_junction' ||
  change === 'create_languages' ||
  change === 'create_search';

/** The characters of an id. An index on a text column `onlyIds` is on the rows whose texts are so long. */
export const idLength = 36;

/** The name of the index on a column. */
export const indexName = (table: string, column: string, unique: boolean): string =>
  `${table}$${column}$${unique ? 'unique' : 'index'}`;

/** The name of an index for lists. */
export const listIndexName = (table: string, columns: readonly string[]): string =>
  `${table}$${columns.join('$')}$list`;

/** The names of the indexes that keep several columns unique together: for all records, and for those with nothing in the column `within`. */
export const setIndexNames = (table: string, columns: readonly string[]): readonly [string, string] => {
  const name = `${table}$${columns.join('$')}`;
  return [`${name}$set`, `${name}$setrest`];
};

/** The name of the index that keeps a column unique among the records that have nothing in the column it is unique within. */
export const restIndexName = (table: string, column: string): string => `${table}$${column}$rest`;

/** The name of a table's search index. */
export const searchTable = (table: string): string => `${table}$search`;
