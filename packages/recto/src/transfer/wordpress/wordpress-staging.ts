import { slugify } from '../../definition/fields/slug.ts';
import type { Languages } from '../../definition/languages/languages.ts';
import { StagingStatements } from '../staging-statements.ts';
import type { MappedComment } from './comment-mapping.ts';
import type { EntryLanguage } from './entry-language.ts';
import type { CategoryReference, MappedPublication } from './post-mapping.ts';
import {
  type Alone,
  type LocalizedKinds,
  languageTables,
  StagedLanguages,
  type StagedTranslation,
} from './staged-languages.ts';
import type { WxrAuthor } from './wxr-entry.ts';

const tables = [
  'CREATE TABLE authors (login TEXT PRIMARY KEY, wordpress_id TEXT, email TEXT, name TEXT, account_id TEXT) WITHOUT ROWID',
  // Authors named by items but not described.
  'CREATE TABLE creators (login TEXT PRIMARY KEY) WITHOUT ROWID',
  // `key` is the slug in WordPress; `level` is the number of its ancestors.
  `CREATE TABLE categories (number INTEGER PRIMARY KEY, key TEXT UNIQUE, name TEXT, parent TEXT, description TEXT,
    level INTEGER, record_id TEXT, is_part INTEGER NOT NULL DEFAULT 0)`,
  // Categories that items have by their names alone.
  'CREATE TABLE category_names (name TEXT PRIMARY KEY) WITHOUT ROWID',
  // Here and in items, the last columns are those of `StagedLanguages`.
  `CREATE TABLE attachments (number INTEGER PRIMARY KEY, id TEXT UNIQUE, url TEXT, about TEXT,
    language TEXT, grp TEXT, tag TEXT, main INTEGER, alone TEXT)`,
  // `number` is the item's place in the file; `level` is the number of its ancestors in the file; `state` is its status and its time.
  `CREATE TABLE items (number INTEGER PRIMARY KEY, kind TEXT, external_id TEXT, parent TEXT, title TEXT, level INTEGER,
    is_left_out INTEGER NOT NULL DEFAULT 0, size INTEGER, content TEXT, state TEXT,
    language TEXT, grp TEXT, tag TEXT, main INTEGER, alone TEXT, UNIQUE (kind, external_id))`,
  // `anchor` is the parent of its record: its own parent, or the nearest possible ancestor.
  `CREATE TABLE comments (number INTEGER PRIMARY KEY, item INTEGER, external_id TEXT UNIQUE, parent TEXT, skipped TEXT,
    level INTEGER, depth INTEGER, anchor TEXT, is_moved INTEGER NOT NULL DEFAULT 0, size INTEGER, content TEXT)`,
  ...languageTables,
];

export type PublicationKind = 'page' | 'post';

/** The sort order of the entries, and indexes to find them. */
interface Entry {
  readonly number: number;
  readonly level: number;
  readonly size: number;
  readonly external_id: string;
}

export interface StagedItem extends Entry {
  readonly kind: PublicationKind;
  /** The id of the page above it; `0` for none. */
  readonly parent: string;
  readonly title: string;
  /** The language of the service that it is in. */
  readonly tag: string | null;
  /** As the file names it. */
  readonly language: string | null;
  readonly alone: Alone | null;
}

export interface StagedComment extends Entry {
  readonly skipped: string | null;
  readonly anchor: string | null;
  /** Whether its parent was changed because the depth of replies is limited. */
  readonly is_moved: number;
  /** The post or page that it is on; null where it is on something else. */
  readonly item_kind: PublicationKind | null;
  readonly item_id: string | null;
  readonly item_left_out: number | null;
}

export interface StagedAuthor {
  readonly login: string;
  /** Null where the file describes no authors: only the login is known. */
  readonly email: string | null;
  /** Empty where the file has none. */
  readonly name: string;
}

export interface StagedCategory {
  readonly number: number;
  readonly level: number;
  readonly key: string;
  readonly name: string;
  /** The key of the category above it; empty for none. */
  readonly parent: string;
  readonly description: string;
}

/** The limits of one transaction, in entries and characters. */
const slice = { entries: 250, size: 2 * 1024 * 1024 } as const;

/** A file of the site, with what is said of it. */
export interface StagedAttachment {
  readonly number: number;
  readonly id: string;
  readonly url: string;
  readonly tag: string | null;
  readonly language: string | null;
  readonly alone: Alone | null;
  readonly about: {
    readonly title: string;
    readonly alt: string;
    readonly caption: string;
    /** Canonical datetime. */
    readonly created: string;
  };
}

type AttachmentRow = Omit<StagedAttachment, 'about'> & { readonly about: string };

const attachmentColumns = 'number, id, url, about, tag, language, alone';

const attachmentOf = ({ about, ...row }: AttachmentRow): StagedAttachment => ({
  ...row,
  // True because `addAttachment` wrote it.
  about: JSON.parse(about) as StagedAttachment['about'],
});

/** The mapped contents of a WordPress export, between reading and import. Comments and pages are returned after their parents. */
export class WordpressStaging implements Disposable {
  readonly languages: StagedLanguages;
  readonly #statements: StagingStatements;

  constructor(folder: string) {
    this.#statements = new StagingStatements(folder, tables);
    this.languages = new StagedLanguages(this.#statements);
  }

  [Symbol.dispose](): void {
    this.#statements[Symbol.dispose]();
  }

  addAuthor({ login, id, email, displayName }: WxrAuthor): void {
    this.#run(
      'INSERT OR IGNORE INTO authors (login, wordpress_id, email, name) VALUES (?, ?, ?, ?)',
      ...[login, id, email, displayName],
    );
  }

  addCategory({ key, name, parent, description }: Omit<StagedCategory, 'number' | 'level'>): void {
    this.#run(
      'INSERT OR IGNORE INTO categories (key, name, parent, description) VALUES (?, ?, ?, ?)',
      ...[key, name, parent, description],
    );
  }

  /** A category of an item; without a key, it is the one of that name. */
  #addItemCategory({ key, name }: CategoryReference): void {
    if (key !== '') this.addCategory({ key, name, parent: '', description: '' });
    else this.#run('INSERT OR IGNORE INTO category_names VALUES (?)', name);
  }

  addCreator(login: string): void {
    this.#run('INSERT OR IGNORE INTO creators VALUES (?)', login);
  }

  addAttachment(id: string, url: string, about: StagedAttachment['about'], { code, group }: EntryLanguage): void {
    this.#run(
      `INSERT OR IGNORE INTO attachments (id, url, about, language, grp)
        VALUES (?, ?, ?, nullif(?, ''), nullif(?, ''))`,
      ...[id, url, JSON.stringify(about), code, group],
    );
  }

  /** False when the item has occurred in the file before. */
  addItem(number: number, kind: PublicationKind, id: string, parent: string, mapped: MappedPublication): boolean {
    for (const category of mapped.categories) this.#addItemCategory(category);
    const content = JSON.stringify(mapped);
    const title = String(mapped.body.title);
    const state = JSON.stringify([mapped.body.status, mapped.body.scheduled_at ?? null]);
    const { code, group } = mapped.language;
    return this.#run(
      `INSERT OR IGNORE INTO items (number, kind, external_id, parent, title, size, content, state, language, grp)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''))`,
      ...[number, kind, id, parent, title, content.length, content, state, code, group],
    );
  }

  addComment(item: number, id: string, parent: string, mapped: MappedComment): boolean {
    const content = mapped.skipped === null ? JSON.stringify(mapped) : '';
    return this.#run(
      'INSERT OR IGNORE INTO comments (item, external_id, parent, skipped, size, content) VALUES (?, ?, ?, ?, ?, ?)',
      ...[item, id, parent, mapped.skipped, content.length, content],
    );
  }

  /**
   * Call when everything has been added: finds the translations of one entry, and computes the hierarchy. `deepest` is the maximum depth of
   * replies below a top-level comment; `localized` says which translations can be one record.
   */
  settle(deepest: number, languages: Languages, localized: LocalizedKinds): void {
    this.#settleAuthors();
    this.languages.settle(languages, localized);
    this.#settleCategories();
    this.#settlePages();
    this.#settleComments(deepest);
    this.#statements.database.run('CREATE INDEX items_order ON items (level, number) WHERE main IS NULL');
    this.#statements.database.run('CREATE INDEX comments_order ON comments (level, number)');
  }

  get total(): number {
    return (
      this.#number('SELECT count(*) AS value FROM items WHERE main IS NULL') +
      this.#number('SELECT count(*) AS value FROM comments')
    );
  }

  get commentTotal(): number {
    return this.#number('SELECT count(*) AS value FROM comments');
  }

  authors(after: string): readonly StagedAuthor[] {
    return this.#all<StagedAuthor>(
      `SELECT login, email, coalesce(name, '') AS name FROM authors WHERE login > ? ORDER BY login LIMIT ${slice.entries}`,
      after,
    );
  }

  /** The next categories, those above before those below. */
  categories(after: Pick<StagedCategory, 'level' | 'number'>): readonly StagedCategory[] {
    return this.#all<StagedCategory>(
      `SELECT number, level, key, name, parent, description FROM categories
        WHERE is_part = 0 AND (level, number) > (?, ?) ORDER BY level, number LIMIT ${slice.entries}`,
      ...[after.level, after.number],
    );
  }

  /** A category by its key; undefined where there is none. */
  category(key: string): StagedCategory | undefined {
    return this.#all<StagedCategory>(
      'SELECT number, level, key, name, parent, description FROM categories WHERE key = ?',
      key,
    )[0];
  }

  setCategory(key: string, record: string): void {
    this.#run('UPDATE categories SET record_id = ? WHERE key = ?', record, key);
  }

  /** The record of an item's category; undefined where it was not imported. */
  categoryRecord({ key, name }: CategoryReference): string | undefined {
    const [row] = this.#all<{ record_id: string | null }>(
      "SELECT record_id FROM categories WHERE key = ?1 OR (?1 = '' AND name = ?2) ORDER BY number LIMIT 1",
      ...[key, name],
    );
    return row?.record_id ?? undefined;
  }

  setAccount(login: string, account: string): void {
    this.#run('UPDATE authors SET account_id = ? WHERE login = ?', account, login);
  }

  /** The account of an author by login; undefined where the file does not describe such an author, null where they have none. */
  accountOf(login: string): string | null | undefined {
    const [row] = this.#all<{ account_id: string | null }>('SELECT account_id FROM authors WHERE login = ?', login);
    return row?.account_id;
  }

  /** The account of a signed-in commenter, by WordPress's id where the file contains ids, else by e-mail address. */
  accountOfUser(id: string, email: string): string | null {
    const [row] = this.#all<{ account_id: string | null }>(
      `SELECT account_id FROM authors WHERE wordpress_id = ? OR (wordpress_id = '' AND lower(email) = lower(?))
        ORDER BY wordpress_id DESC LIMIT 1`,
      ...[id, email],
    );
    return row?.account_id ?? null;
  }

  /** All of them; translations, with what they are translations of. */
  *attachments(): Generator<readonly [StagedAttachment, ...StagedAttachment[]], void, undefined> {
    for (let after = ''; ; ) {
      const rows = this.#all<AttachmentRow>(
        `SELECT ${attachmentColumns} FROM attachments WHERE main IS NULL AND id > ? ORDER BY id LIMIT 100`,
        after,
      );
      for (const row of rows) {
        const parts = this.#all<AttachmentRow>(
          `SELECT ${attachmentColumns} FROM attachments WHERE main = ? ORDER BY number`,
          row.number,
        );
        yield [attachmentOf(row), ...parts.map(attachmentOf)];
      }
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  attachment(id: string): string | undefined {
    return this.#all<{ url: string }>('SELECT url FROM attachments WHERE id = ?', id)[0]?.url;
  }

  /** The next items, in their order; none after the last. */
  items(after: Pick<Entry, 'level' | 'number'>): readonly StagedItem[] {
    const rows = this.#all<StagedItem>(
      `SELECT number, level, size, kind, external_id, parent, title, tag, language, alone FROM items
        WHERE main IS NULL AND (level, number) > (?, ?) ORDER BY level, number LIMIT ${slice.entries}`,
      ...[after.level, after.number],
    );
    return within(rows);
  }

  /** The translations that become one record with an item. */
  translations(number: number): readonly StagedTranslation[] {
    return this.#all('SELECT number, external_id, tag FROM items WHERE main = ? ORDER BY number', number);
  }

  comments(after: Pick<Entry, 'level' | 'number'>): readonly StagedComment[] {
    const rows = this.#all<StagedComment>(
      `SELECT c.number, c.level, c.size, c.external_id, c.skipped, c.anchor, c.is_moved,
          i.kind AS item_kind, i.external_id AS item_id, i.is_left_out AS item_left_out
        FROM (SELECT * FROM comments WHERE (level, number) > (?, ?) ORDER BY level, number LIMIT ${slice.entries}) AS c
        LEFT JOIN items AS i ON i.number = c.item ORDER BY c.level, c.number`,
      ...[after.level, after.number],
    );
    return within(rows);
  }

  /** The record passed to `addItem`. */
  publication(number: number): MappedPublication {
    // True because `addItem` filled the column.
    return JSON.parse(this.#text('SELECT content AS value FROM items WHERE number = ?', number)) as MappedPublication;
  }

  comment(number: number): Extract<MappedComment, { skipped: null }> {
    const text = this.#text('SELECT content AS value FROM comments WHERE number = ?', number);
    // As in `publication`; a skipped comment has no content and is not requested.
    return JSON.parse(text) as Extract<MappedComment, { skipped: null }>;
  }

  /** Marks an item that was not imported, so that its comments cannot be either. */
  leaveOut(number: number): void {
    this.#run('UPDATE items SET is_left_out = 1 WHERE number = ?1 OR main = ?1', number);
  }

  /** A file describes either all authors or none; without descriptions, only the names in its items are known. */
  #settleAuthors(): void {
    this.#statements.database.run(`INSERT INTO authors (login, wordpress_id, email)
      SELECT login, NULL, NULL FROM creators WHERE NOT EXISTS (SELECT 1 FROM authors)`);
  }

  #settleCategories(): void {
    const { database } = this.#statements;
    // Those below a translation are below what it is a translation of.
    const main = (key: string) => `(SELECT m.key FROM terms AS t JOIN terms AS m ON m.number = t.main
      WHERE t.taxonomy = 'category' AND t.key = categories.${key})`;
    database.run(
      `UPDATE categories SET parent = coalesce(${main('parent')}, parent), is_part = ${main('key')} IS NOT NULL`,
    );
    for (const { name } of this.#all<{ name: string }>(
      'SELECT name FROM category_names WHERE name NOT IN (SELECT name FROM categories) ORDER BY name',
    ))
      this.addCategory({ key: slugify(name), name, parent: '', description: '' });
    database.run(`UPDATE categories SET level = 0 WHERE NOT EXISTS (
      SELECT 1 FROM categories AS above WHERE above.key = categories.parent)`);
    const next = database.prepare(`UPDATE categories SET level = ?1 + 1 FROM categories AS above
      WHERE above.key = categories.parent AND above.level = ?1 AND categories.level IS NULL`);
    for (let level = 0; next.run(level).changes > 0; level += 1);
    next.finalize();
    // Categories in a cycle.
    database.run("UPDATE categories SET level = 0, parent = '' WHERE level IS NULL");
  }

  #settlePages(): void {
    const { database } = this.#statements;
    // Those below a translation are below what it is a translation of. A record is as large as all that it is made of.
    database.run(`UPDATE items SET parent = m.external_id FROM items AS above JOIN items AS m ON m.number = above.main
      WHERE items.kind = 'page' AND above.kind = 'page' AND above.external_id = items.parent`);
    database.run(`UPDATE items SET size = items.size + part.size
      FROM (SELECT main, sum(size) AS size FROM items WHERE main IS NOT NULL GROUP BY main) AS part
      WHERE part.main = items.number`);
    database.run(`UPDATE items SET level = 0 WHERE kind = 'post' OR NOT EXISTS (
      SELECT 1 FROM items AS above WHERE above.kind = 'page' AND above.external_id = items.parent)`);
    const next = database.prepare(`UPDATE items SET level = ?1 + 1 FROM items AS above
      WHERE above.kind = 'page' AND above.external_id = items.parent AND above.level = ?1 AND items.level IS NULL`);
    for (let level = 0; next.run(level).changes > 0; level += 1);
    next.finalize();
    // Pages in a cycle.
    database.run('UPDATE items SET level = 0, parent = ? WHERE level IS NULL', ['0']);
  }

  #settleComments(deepest: number): void {
    const { database } = this.#statements;
    database.run('CREATE INDEX comments_parent ON comments (item, parent)');
    database.run(`UPDATE comments SET level = 0, depth = 0 WHERE NOT EXISTS (
      SELECT 1 FROM comments AS above WHERE above.external_id = comments.parent AND above.item = comments.item)`);
    database.run('CREATE INDEX comments_level ON comments (level)');
    const canBeAnswered = 'above.skipped IS NULL AND above.depth < ?2';
    const next = database.prepare(`UPDATE comments SET
        level = ?1 + 1,
        depth = CASE WHEN ${canBeAnswered} THEN above.depth + 1 ELSE above.depth END,
        anchor = CASE WHEN ${canBeAnswered} THEN above.external_id ELSE above.anchor END,
        is_moved = above.skipped IS NULL AND above.depth >= ?2
      FROM comments AS above
      WHERE above.level = ?1 AND above.external_id = comments.parent AND above.item = comments.item
        AND comments.level IS NULL`);
    for (let level = 0; next.run(level, deepest).changes > 0; level += 1);
    next.finalize();
    // Comments in a cycle.
    database.run('UPDATE comments SET level = 0, depth = 0 WHERE level IS NULL');
  }

  #run(sql: string, ...values: (string | number | null)[]): boolean {
    return this.#statements.run(sql, ...values);
  }

  #all<Row>(sql: string, ...values: (string | number | null)[]): readonly Row[] {
    return this.#statements.all<Row>(sql, ...values);
  }

  #number(sql: string): number {
    return this.#all<{ value: number }>(sql)[0]?.value ?? 0;
  }

  #text(sql: string, value: number): string {
    return this.#all<{ value: string }>(sql, value)[0]?.value ?? 'null';
  }
}

/** The first entries that fit in one transaction; at least one. */
function within<E extends Entry>(entries: readonly E[]): readonly E[] {
  let size = 0;
  const over = entries.findIndex((entry, index) => {
    size += entry.size;
    return index > 0 && size > slice.size;
  });
  return over === -1 ? entries : entries.slice(0, over);
}
