import type { Languages } from '../../definition/languages/languages.ts';
import { type FileLanguage, matchLanguages } from '../match-languages.ts';
import type { StagingStatements } from '../staging-statements.ts';
import type { EntryLanguage } from './entry-language.ts';

/**
 * The columns of an entry that say its language: `language` and `grp` as the file has them, `tag` of the language of the service that it is,
 * `main` the entry whose record it becomes a part of (null: a record of its own), `alone` why a translation is a record of its own.
 */
const columns = 'language TEXT, grp TEXT, tag TEXT, main INTEGER, alone TEXT';

export const languageTables: readonly string[] = [
  'CREATE TABLE languages (code TEXT PRIMARY KEY, locale TEXT, tag TEXT, rank INTEGER) WITHOUT ROWID',
  // Translations as the head of the file describes them; `kind` is `posts` or `terms`.
  'CREATE TABLE translations (kind TEXT, id TEXT, code TEXT, grp TEXT, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  `CREATE TABLE terms (number INTEGER PRIMARY KEY, taxonomy TEXT, key TEXT, id TEXT, name TEXT, ${columns}, UNIQUE (taxonomy, key))`,
];

/** Why a translation is a record of its own. */
export type Alone =
  /** The service does not have its language. */
  | 'other_language'
  /** The type has no localized fields for it. */
  | 'not_localized'
  /** Its status or time is another one, or there is another one in its language. */
  | 'differs';

/** An entry in a language of the service. */
export interface StagedTranslation {
  readonly number: number;
  readonly external_id: string;
  readonly tag: string;
}

/** What of a type translations can become a part of. */
export interface LocalizedKinds {
  readonly page: boolean;
  readonly post: boolean;
  readonly category: boolean;
  readonly attachment: boolean;
}

/** The kinds of entries that have languages, with what has to be equal in one record. */
const entries = {
  items: { table: 'items', id: 'external_id', kind: 'kind', same: 'kind, state' },
  attachments: { table: 'attachments', id: 'id', kind: "'attachment'", same: 'url' },
  terms: { table: 'terms', id: 'id', kind: 'taxonomy', same: 'taxonomy' },
} as const;

/** Languages and translations between reading and import: which entries are one record. */
export class StagedLanguages {
  readonly #statements: StagingStatements;

  constructor(statements: StagingStatements) {
    this.#statements = statements;
  }

  /** A language that the file describes. */
  addLanguage({ code, locale }: FileLanguage): void {
    this.#statements.run(
      `INSERT INTO languages (code, locale) VALUES (?, ?)
        ON CONFLICT (code) DO UPDATE SET locale = excluded.locale WHERE languages.locale = ''`,
      ...[code, locale],
    );
  }

  /** One entry of a group of translations. */
  addTranslation(kind: 'posts' | 'terms', id: string, code: string, group: string): void {
    this.#statements.run('INSERT OR IGNORE INTO translations VALUES (?, ?, ?, ?)', kind, id, code, group);
  }

  /** A category or tag, by its slug. */
  addTerm(
    taxonomy: 'category' | 'post_tag',
    { id, key, name }: { readonly id: string; readonly key: string; readonly name: string },
    { code, group }: EntryLanguage,
  ): void {
    this.#statements.run(
      `INSERT OR IGNORE INTO terms (taxonomy, key, id, name, language, grp)
        VALUES (?, ?, ?, ?, nullif(?, ''), nullif(?, ''))`,
      ...[taxonomy, key, id, name, code, group],
    );
  }

  /** Call when everything has been added: finds the entries that are one record. */
  settle(languages: Languages, localized: LocalizedKinds): void {
    this.#describe();
    this.#match(languages);
    for (const entry of Object.values(entries)) this.#join(entry, localized);
  }

  /** The languages of the file that the service does not have and something is written in: the first hundred. */
  others(): readonly string[] {
    const written = Object.values(entries).map(({ table }) => `SELECT language FROM ${table} WHERE tag IS NULL`);
    return this.#statements
      .all<{ language: string }>(
        `SELECT DISTINCT language FROM (${written.join(' UNION ALL ')})
          WHERE language IS NOT NULL ORDER BY language LIMIT 100`,
      )
      .map(({ language }) => language);
  }

  /** What is known of a category's language. */
  category(key: string): { readonly language: string | null; readonly alone: Alone | null } {
    const [row] = this.#statements.all<{ readonly language: string | null; readonly alone: Alone | null }>(
      "SELECT language, alone FROM terms WHERE taxonomy = 'category' AND key = ?",
      key,
    );
    return row ?? { language: null, alone: null };
  }

  /** The categories that one record holds, the one that it is named after first; none for a category without languages. */
  categories(key: string): readonly { readonly key: string; readonly tag: string }[] {
    return this.#statements.all(
      `SELECT t.key, t.tag FROM terms AS own JOIN terms AS t ON t.number = own.number OR t.main = own.number
        WHERE own.taxonomy = 'category' AND own.key = ? AND own.main IS NULL AND t.tag IS NOT NULL
        ORDER BY t.main IS NOT NULL, t.number`,
      key,
    );
  }

  /** The slug of the category whose record holds one; that of the category itself without translations. */
  mainCategory(key: string): string {
    const [row] = this.#statements.all<{ key: string }>(
      `SELECT m.key FROM terms AS t JOIN terms AS m ON m.number = t.main WHERE t.taxonomy = 'category' AND t.key = ?`,
      key,
    );
    return row?.key ?? key;
  }

  /** The name of a tag in the first language of the service that it has one in. */
  tagName({ key, name }: { readonly key: string; readonly name: string }): string {
    const [row] = this.#statements.all<{ name: string }>(
      `SELECT m.name FROM terms AS t JOIN terms AS m ON m.number = t.main WHERE t.taxonomy = 'post_tag' AND t.key = ?`,
      key,
    );
    return row?.name ?? name;
  }

  /** What the head of the file says of entries that say less themselves. */
  #describe(): void {
    for (const [{ table, id }, kind] of [
      [entries.items, 'posts'],
      [entries.attachments, 'posts'],
      [entries.terms, 'terms'],
    ] as const) {
      this.#statements.run(
        `UPDATE ${table} SET language = coalesce(${table}.language, d.code), grp = coalesce(${table}.grp, d.grp)
          FROM translations AS d WHERE d.kind = '${kind}' AND d.id = ${table}.${id}`,
      );
    }
    // Several statements: SQLite binds at most so many values to one.
    for (const { table } of Object.values(entries))
      this.#statements.run(
        `INSERT OR IGNORE INTO languages (code, locale) SELECT DISTINCT language, '' FROM ${table} WHERE language IS NOT NULL`,
      );
  }

  #match(languages: Languages): void {
    const files = this.#statements.all<FileLanguage>('SELECT code, locale FROM languages ORDER BY code');
    const ranks = new Map(languages.all.map(({ tag }, rank) => [tag, rank]));
    for (const [code, tag] of matchLanguages(files, languages)) {
      const rank = ranks.get(tag) ?? 0;
      this.#statements.run('UPDATE languages SET tag = ?, rank = ? WHERE code = ?', tag, rank, code);
    }
    for (const { table } of Object.values(entries))
      this.#statements.run(
        `UPDATE ${table} SET tag = l.tag FROM languages AS l WHERE l.code = ${table}.language AND l.tag IS NOT NULL`,
      );
  }

  /** Of the translations of one entry, the one in the first language of the service is the main one. */
  #join({ table, kind, same }: (typeof entries)[keyof typeof entries], localized: LocalizedKinds): void {
    const kinds = [...Object.entries(localized), ['post_tag', true] as const];
    const can = kinds.flatMap(([name, joins]) => (joins ? [`'${name}'`] : [])).join(', ');
    this.#statements.run(
      `WITH first AS (
          SELECT e.number, e.grp, l.rank, ${same},
            row_number() OVER (PARTITION BY e.grp, e.tag, ${same} ORDER BY e.number) AS nth
          FROM ${table} AS e JOIN languages AS l ON l.code = e.language
          WHERE e.grp IS NOT NULL AND e.tag IS NOT NULL AND ${kind} IN (${can})
        ), chosen AS (
          SELECT number, first_value(number) OVER (PARTITION BY grp, ${same} ORDER BY rank, number) AS main
          FROM first WHERE nth = 1
        )
        UPDATE ${table} SET main = chosen.main FROM chosen WHERE chosen.number = ${table}.number AND chosen.main <> ${table}.number`,
    );
    this.#statements.run(`CREATE INDEX ${table}_main ON ${table} (main) WHERE main IS NOT NULL`);
    this.#statements.run(`CREATE INDEX ${table}_group ON ${table} (grp) WHERE grp IS NOT NULL`);
    this.#statements.run(
      `UPDATE ${table} SET alone = CASE
          WHEN tag IS NULL THEN 'other_language'
          WHEN NOT (${kind} IN (${can})) THEN 'not_localized'
          ELSE 'differs' END
        WHERE language IS NOT NULL AND main IS NULL AND (tag IS NULL OR (
          EXISTS (SELECT 1 FROM ${table} AS other WHERE other.grp = ${table}.grp AND other.number <> ${table}.number AND other.tag IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM ${table} AS part WHERE part.main = ${table}.number)))`,
    );
  }
}
