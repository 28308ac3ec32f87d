import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { StagingStatements } from '../staging-statements.ts';
import { TransferRefused } from '../transfer-refused.ts';
import type { JsonItem } from './json-items.ts';

/** A row of a table of the export. */
export interface GhostRow {
  /** Its place in the table, from 1. */
  readonly number: number;
  readonly row: Table;
}

/** The tables that an import reads, and the column by which rows of one belong to one of another. */
const owners: Readonly<Record<string, string>> = {
  posts: '',
  posts_meta: 'post_id',
  posts_authors: 'post_id',
  posts_tags: 'post_id',
  tags: '',
  users: '',
  roles: '',
  roles_users: 'user_id',
  settings: 'key',
};

const tables = [
  'CREATE TABLE rows (tab TEXT, number INTEGER, id TEXT, owner TEXT, place REAL, kind TEXT, json TEXT, PRIMARY KEY (tab, number)) WITHOUT ROWID',
  'CREATE INDEX by_id ON rows (tab, id)',
  'CREATE INDEX by_owner ON rows (tab, owner, place)',
];

/** The tables of an export, in a file: they can be larger than memory. */
export class GhostTables implements Disposable {
  readonly #statements: StagingStatements;
  readonly #counts = new Map<string, number>();

  constructor(folder: string) {
    this.#statements = new StagingStatements(folder, tables);
  }

  [Symbol.dispose](): void {
    this.#statements[Symbol.dispose]();
  }

  /** Notes a row. Throws a `TransferRefused` for one that is no object of JSON. */
  add(table: string, item: JsonItem, file: string): void {
    const number = (this.#counts.get(table) ?? 0) + 1;
    this.#counts.set(table, number);
    const owner = owners[table];
    if (owner === undefined) return;
    const row = rowOf(item, file);
    this.#statements.run(
      'INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?)',
      table,
      number,
      textOf(row.id),
      owner === '' ? '' : textOf(row[owner]),
      typeof row.sort_order === 'number' ? row.sort_order : 0,
      kindOf(table, row),
      item.text,
    );
  }

  /** How many rows each table has, those that are not read too. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  find(table: string, id: string): Table | undefined {
    const sql = 'SELECT number, json FROM rows INDEXED BY by_id WHERE tab = ? AND id = ? ORDER BY number LIMIT 1';
    return this.#rows(sql, table, id)[0]?.row;
  }

  /** The rows that belong to another, in their order. */
  ownedBy(table: string, owner: string): readonly Table[] {
    const sql = 'SELECT number, json FROM rows INDEXED BY by_owner WHERE tab = ? AND owner = ? ORDER BY place, number';
    return this.#rows(sql, table, owner).map(({ row }) => row);
  }

  /** `kind`: of posts `post` or `page`, of tags `public` or `internal`. */
  *each(table: string, kind = ''): Generator<GhostRow, void, undefined> {
    const sql = 'SELECT number, json FROM rows WHERE tab = ? AND kind = ? AND number > ? ORDER BY number LIMIT 1';
    for (let after = 0; ; ) {
      const [found] = this.#rows(sql, table, kind, after);
      if (found === undefined) return;
      yield found;
      after = found.number;
    }
  }

  total(table: string, kind = ''): number {
    const sql = 'SELECT count(*) AS total FROM rows WHERE tab = ? AND kind = ?';
    return this.#statements.first<{ total: number }>(sql, table, kind)?.total ?? 0;
  }

  /** Whether a column has a value in any row of a table; `kind`: of such rows alone. */
  isUsed(table: string, column: string, kind = ''): boolean {
    const sql = `SELECT 1 FROM rows WHERE tab = ?1 AND (?2 = '' OR kind = ?2) AND json_extract(json, ?3) NOT IN ('', 0) LIMIT 1`;
    return this.#statements.first(sql, table, kind, `$.${column}`) !== undefined;
  }

  /** Whether several rows of a table belong to one. */
  hasSeveral(table: string): boolean {
    const sql = 'SELECT 1 FROM rows WHERE tab = ? GROUP BY owner HAVING count(*) > 1 LIMIT 1';
    return this.#statements.first(sql, table) !== undefined;
  }

  hasInternalTags(): boolean {
    return this.total('tags', 'internal') > 0;
  }

  hasTaggedPages(): boolean {
    const sql = `SELECT 1 FROM rows AS tagged JOIN rows AS page ON page.tab = 'posts' AND page.id = tagged.owner
      WHERE tagged.tab = 'posts_tags' AND page.kind = 'page' LIMIT 1`;
    return this.#statements.first(sql) !== undefined;
  }

  #rows(sql: string, ...values: (string | number)[]): readonly GhostRow[] {
    const rows = this.#statements.all<{ number: number; json: string }>(sql, ...values);
    // True because `add` takes objects alone.
    return rows.map(({ number, json }) => ({ number, row: JSON.parse(json) as Table }));
  }
}

function rowOf({ text, line }: JsonItem, file: string): Table {
  try {
    // What is no value of JSON throws.
    const value = JSON.parse(text) as JsonValue;
    if (isTable(value)) return value;
  } catch (error) {
    throw new TransferRefused(`${file}:${line}: this is no JSON.`, error);
  }
  throw new TransferRefused(`${file}:${line}: this is no JSON object.`);
}

/** Rows of one table that become different things. */
function kindOf(table: string, row: Table): string {
  if (table === 'tags') return isInternal(row) ? 'internal' : 'public';
  if (table !== 'posts') return '';
  // Before version 3, a post said that it was a page.
  const isPage = row.type === 'page' || (row.type === undefined && (row.page === 1 || row.page === true));
  return isPage ? 'page' : 'post';
}

/** Whether visitors do not see a tag. */
export const isInternal = ({ name, visibility }: Table): boolean =>
  (textOf(visibility) || 'public') !== 'public' || textOf(name).startsWith('#');

/** A value as text: ids were numbers before version 1. */
export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** A time as an export has it: in ISO 8601, as databases write it in UTC, or in milliseconds. */
export function timeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = typeof value === 'string' ? value.trim() : value;
  const isPlain = typeof text === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text);
  const time = isPlain ? Date.parse(`${text.replace(' ', 'T')}Z`) : new Date(text === '' ? Number.NaN : text).getTime();
  return Number.isNaN(time) || time < 0 || time > latest ? undefined : new Date(time).toISOString();
}

const latest = Date.UTC(9999, 11, 31);
