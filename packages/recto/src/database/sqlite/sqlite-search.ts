import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SearchDialect } from '../dialect.ts';
import { rowColumn, searchTable } from '../schema-dialect.ts';

/** A field's column in the search table. FTS5 keeps names such as `rank` for itself. */
export const searchColumn = (field: string): string => `f_${field}`;

/**
 * Full-text search by FTS5 (https://sqlite.org/fts5.html). The table holds the index alone, not the texts, under the
 * record's row number.
 */
export const sqliteSearch: SearchDialect = {
  index(table, columns, id, words) {
    const names = columns.map((field) => `, ${quoted(searchColumn(field))}`).join('');
    const values = columns.map(() => ', ?').join('');
    return [
      {
        sql: `INSERT OR REPLACE INTO ${quoted(searchTable(table))} (rowid${names})
          SELECT ${quoted(rowColumn)}${values} FROM ${quoted(table)} WHERE "id" = ?`,
        parameters: [...words, id],
      },
    ];
  },

  indexNew(table, columns, records) {
    const names = columns.map((field) => `, ${quoted(searchColumn(field))}`).join('');
    const values = columns.map(() => ', ?').join('');
    const sql = `INSERT INTO ${quoted(searchTable(table))} (rowid${names}) VALUES (?${values})`;
    return records.map(({ row, words }) => ({ sql, parameters: [row, ...words] }));
  },

  remove(table, id) {
    return [
      {
        sql: `DELETE FROM ${quoted(searchTable(table))}
          WHERE rowid = (SELECT ${quoted(rowColumn)} FROM ${quoted(table)} WHERE "id" = ?)`,
        parameters: [id],
      },
    ];
  },

  matches,
  // What is found is listed once for the statement.
  foundMatches: (table, alias, query) => matches(table, alias, [], query),

  found,
  // FTS5 has them in this order, and begins at a given one.
  foundInOrder: (table, alias, query) => ({ from: found(table, alias, query), row: sql`"found".rowid` }),

  match(columns, words, isWhole = false) {
    if (columns.length === 0 || words.length === 0) return nothing;
    const terms = words.map((word, index) =>
      index === words.length - 1 && !isWhole ? `${quoted(word)}*` : quoted(word),
    );
    return `{${columns.map((field) => quoted(searchColumn(field))).join(' ')}} : (${terms.join(' AND ')})`;
  },
};

/** `cross join` keeps the two in this order, in which the index gives its rows as they are asked for. */
function found(table: string, alias: string, query: Expression<unknown>): RawBuilder<unknown> {
  const isRow = sql`${sql.id(alias, rowColumn)} = "found".rowid`;
  return sql`${sql.id(searchTable(table))}(${query}) as "found" cross join ${sql.id(table)} as ${sql.id(alias)} on ${isRow}`;
}

/** The columns are part of what `match` makes. */
function matches(
  table: string,
  alias: string,
  _columns: readonly string[],
  query: Expression<unknown>,
): RawBuilder<boolean> {
  const index = sql.id(searchTable(table));
  return sql`${sql.id(alias, rowColumn)} in (select rowid from ${index} where ${index} match ${query})`;
}

/** An FTS5 query that finds nothing; an empty one would be an error. */
const nothing = '""';

/** An identifier of SQL, and a string of FTS5's query language: both double an inner quote. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
