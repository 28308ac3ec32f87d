import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { StagingStatements } from '../staging-statements.ts';
import { TransferRefused } from '../transfer-refused.ts';

/** A row of a type: what one document says in one language, published or not. */
export interface StrapiRow {
  readonly id: string;
  readonly locale: string;
  readonly isPublished: boolean;
  readonly data: Table;
}

export interface StrapiDocument {
  /** The line of its first row. */
  readonly number: number;
  readonly document: string;
}

/** What a relation leads to. */
export interface StrapiTarget {
  readonly type: string;
  readonly ref: string;
}

/** What all values of an attribute are. Null: there are none. */
export interface ValueRange {
  readonly missing: number;
  readonly shortest: number | null;
  readonly longest: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

const tables = [
  'CREATE TABLE entities (type TEXT, id TEXT, document TEXT, locale TEXT, published INTEGER, number INTEGER, json TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID',
  'CREATE INDEX of_document ON entities (type, document, number)',
  'CREATE TABLE links (type TEXT, ref TEXT, field TEXT, place REAL, number INTEGER, to_type TEXT, to_ref TEXT)',
  'CREATE INDEX of_link ON links (type, ref, field, place, number)',
  'CREATE TABLE documents (type TEXT, number INTEGER, document TEXT, PRIMARY KEY (type, number)) WITHOUT ROWID',
  'CREATE TABLE urls (path TEXT PRIMARY KEY, id TEXT) WITHOUT ROWID',
];

export const fileType = 'plugin::upload.file';

/** The rows and links of an export, in a file: they can be larger than memory. */
export class StrapiTables implements Disposable {
  readonly #statements: StagingStatements;
  /** By their `uid`. */
  readonly schemas = new Map<string, Table>();
  /** What the installation was set to, by its keys. */
  readonly settings = new Map<string, JsonValue>();

  constructor(folder: string) {
    this.#statements = new StagingStatements(folder, tables);
  }

  [Symbol.dispose](): void {
    this.#statements[Symbol.dispose]();
  }

  /** Notes a line of one of the files. Throws a `TransferRefused` for one that is no object. */
  add(kind: string, text: string, place: { readonly file: string; readonly line: number }): void {
    const row = rowOf(text, place);
    if (kind === 'schemas') this.schemas.set(textOf(row.uid), row);
    else if (kind === 'entities') this.#addEntity(row, text, place.line);
    else if (kind === 'links') this.#addLink(row, place.line);
    else if (kind === 'configuration' && row.type === 'core-store' && isTable(row.value))
      this.settings.set(textOf(row.value.key), row.value.value ?? null);
  }

  #addEntity({ type, id, data }: Table, text: string, line: number): void {
    if (!isTable(data)) return;
    const sql = 'INSERT OR IGNORE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)';
    const [uid, own] = [textOf(type), textOf(id)];
    // A row that says nothing of it is closed: of types without drafts, nobody asks.
    const published = typeof data.publishedAt === 'string' && data.publishedAt !== '' ? 1 : 0;
    this.#statements.run(sql, uid, own, textOf(data.documentId) || own, textOf(data.locale), published, line, text);
    if (uid !== fileType) return;
    const [path] = textOf(data.url).split(/[?#]/);
    this.#statements.run('INSERT OR IGNORE INTO urls VALUES (?, ?)', path?.split('/').at(-1) ?? '', own);
  }

  #addLink({ left, right }: Table, line: number): void {
    if (!isTable(left) || !isTable(right)) return;
    // A file names what it belongs to, and not the other way round.
    const isFile = left.type === fileType && left.field === 'related';
    const [from, to] = isFile ? [right, left] : [left, right];
    const place = isFile ? right.pos : (left.pos ?? 0);
    const sql = 'INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)';
    this.#statements.run(
      ...[sql, textOf(from.type), textOf(from.ref), textOf(from.field)],
      ...[typeof place === 'number' ? place : 0, line, textOf(to.type), textOf(to.ref)],
    );
  }

  /** To be called once everything is noted. */
  complete(): void {
    // Strapi 4 has no ids of documents: rows name their other languages.
    this.#statements.run(`UPDATE entities SET document = (SELECT min(CAST(links.to_ref AS INTEGER)) FROM links
      WHERE links.type = entities.type AND links.ref = entities.id AND links.field = 'localizations')
      WHERE document = id AND EXISTS (SELECT 1 FROM links WHERE links.type = entities.type AND links.ref = entities.id
      AND links.field = 'localizations' AND CAST(links.to_ref AS INTEGER) BETWEEN 1 AND CAST(entities.id AS INTEGER) - 1)`);
    this.#statements.run(
      'INSERT INTO documents SELECT type, min(number), document FROM entities GROUP BY type, document',
    );
  }

  total(type: string): number {
    const sql = 'SELECT count(*) AS total FROM documents WHERE type = ?';
    return this.#statements.first<{ total: number }>(sql, type)?.total ?? 0;
  }

  *documents(type: string): Generator<StrapiDocument, void, undefined> {
    const sql = 'SELECT number, document FROM documents WHERE type = ? AND number > ? ORDER BY number LIMIT 1';
    for (let after = 0; ; ) {
      const found = this.#statements.first<StrapiDocument>(sql, type, after);
      if (found === undefined) return;
      yield found;
      after = found.number;
    }
  }

  rows(type: string, document: string): readonly StrapiRow[] {
    // Without statistics, SQLite would look through the whole type.
    const sql = `SELECT id, locale, published, json FROM entities INDEXED BY of_document WHERE type = ? AND document = ?
      ORDER BY published, number`;
    const rows = this.#statements.all<{ id: string; locale: string; published: number; json: string }>(
      ...[sql, type, document],
    );
    return rows.map(({ id, locale, published, json }) => ({
      ...{ id, locale, isPublished: published === 1, data: dataOf(json) },
    }));
  }

  row(type: string, id: string): Table | undefined {
    const sql = 'SELECT json FROM entities WHERE type = ? AND id = ?';
    const found = this.#statements.first<{ json: string }>(sql, type, id);
    return found === undefined ? undefined : dataOf(found.json);
  }

  /** The document that a row is of. */
  documentOf(type: string, id: string): string | undefined {
    const sql = 'SELECT document FROM entities WHERE type = ? AND id = ?';
    return this.#statements.first<{ document: string }>(sql, type, id)?.document;
  }

  targets(type: string, ref: string, field: string): readonly StrapiTarget[] {
    const sql =
      'SELECT to_type AS type, to_ref AS ref FROM links WHERE type = ? AND ref = ? AND field = ? ORDER BY place, number';
    return this.#statements.all<StrapiTarget>(sql, type, ref, field);
  }

  /** The id of the file at an address, by the last part of its path. */
  fileAt(name: string): string | undefined {
    return this.#statements.first<{ id: string }>('SELECT id FROM urls WHERE path = ?', name)?.id;
  }

  range(type: string, attribute: string): ValueRange {
    const value = "json_extract(json, '$.data.' || json_quote(?1))";
    const sql = `SELECT count(*) FILTER (WHERE ${value} IS NULL OR ${value} = '') AS missing, min(length(${value})) AS shortest,
      max(length(${value})) AS longest, min(CAST(${value} AS REAL)) AS least, max(CAST(${value} AS REAL)) AS most
      FROM entities WHERE type = ?2`;
    const none = { missing: 0, shortest: null, longest: null, least: null, most: null };
    return this.#statements.first<ValueRange>(sql, attribute, type) ?? none;
  }

  /** Whether two documents have the same value in one language. */
  isRepeated(type: string, attribute: string): boolean {
    const value = "json_extract(json, '$.data.' || json_quote(?1))";
    const sql = `SELECT 1 FROM entities WHERE type = ?2 AND ${value} IS NOT NULL GROUP BY locale, ${value}
      HAVING count(DISTINCT document) > 1 LIMIT 1`;
    return this.#statements.first(sql, attribute, type) !== undefined;
  }

  /** Whether all rows of a type lead over a field to rows whose attribute has a value. */
  allLeadTo(type: string, field: string, [attribute, value]: readonly [attribute: string, value: string]): boolean {
    const found = "json_extract(target.json, '$.data.' || json_quote(?3))";
    const sql = `SELECT 1 FROM entities LEFT JOIN links ON links.type = entities.type AND links.ref = entities.id AND links.field = ?2
      LEFT JOIN entities AS target ON target.type = links.to_type AND target.id = links.to_ref
      WHERE entities.type = ?1 AND ${found} IS NOT ?4 LIMIT 1`;
    return this.#statements.first(sql, type, field, attribute, value) === undefined;
  }

  /** The types that rows are of, with how many. */
  counts(): readonly { readonly type: string; readonly total: number }[] {
    return this.#statements.all('SELECT type, count(*) AS total FROM documents GROUP BY type ORDER BY type');
  }
}

/** SQLite reads no deeper than 1,000, and what follows a value down must end. */
const deepest = 500;

const levels = new Map(Object.entries({ '{': 1, '[': 1, '}': -1, ']': -1 }));

function isTooDeep(text: string): boolean {
  if (text.length <= deepest) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (isInText) {
      if (character === '\\') at += 1;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else depth += levels.get(character) ?? 0;
    if (depth > deepest) return true;
  }
  return false;
}

function rowOf(text: string, { file, line }: { readonly file: string; readonly line: number }): Table {
  if (isTooDeep(text)) throw new TransferRefused(`${file}:${line}: it is nested too deep.`);
  try {
    // What is no value of JSON throws.
    const value = JSON.parse(text) as JsonValue;
    if (isTable(value)) return value;
  } catch (error) {
    throw new TransferRefused(`${file}:${line}: this is no JSON.`, error);
  }
  throw new TransferRefused(`${file}:${line}: this is no JSON object.`);
}

function dataOf(json: string): Table {
  // True because `add` takes nothing else.
  const { data = {} } = JSON.parse(json) as { data?: Table };
  return data;
}

/** A value as text: ids are numbers. */
export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const tableOf = (value: JsonValue | undefined): Table => (value !== undefined && isTable(value) ? value : {});

/** What a setting that is an object has under a name. */
export const settingOf = (value: JsonValue | undefined, name: string): JsonValue | undefined => tableOf(value)[name];
