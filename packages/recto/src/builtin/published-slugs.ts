import { sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { Language } from '../definition/languages/languages.ts';
import { languageColumns, languagesTable, shownColumn } from '../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../definition/published-state.ts';
import { readableFields } from '../definition/readable-fields.ts';
import { viewNamed } from '../definition/rights/read-view.ts';
import { isTranslated } from '../definition/stored-field.ts';
import { saidIn } from '../migrations/storage/said-languages.ts';

export interface PublishedSlug {
  readonly slug: string;
  /** Canonical datetime. */
  readonly updatedAt: string;
  /** Whether the default language is published: where languages are published one by one, others can be there alone. */
  readonly isMain: boolean;
  /** The slugs in other languages in which the record says something to the public, by their tags. */
  readonly others: ReadonlyMap<string, string>;
}

interface SlugRow {
  readonly slug: string;
  readonly status: string;
  readonly updated_at: SqlValue;
  /** A JSON array of tags; PostgreSQL reads it itself. */
  readonly said: string | readonly string[];
  /** A JSON object of slugs by tags. */
  readonly slugs: string | Readonly<Record<string, string | null>>;
}

/** Where the published records of a publication are, oldest first, also in the other languages that are named. */
export function publishedSlugs(
  database: Database,
  type: ContentType,
  {
    limit,
    offset,
    languages,
  }: { readonly limit: number; readonly offset: number; readonly languages: readonly Language[] },
): MaybePromise<readonly PublishedSlug[]> {
  const { dialect } = database;
  const record = 'record';
  const fields = readableFields(type, viewNamed('get')).filter(isTranslated);
  const slug = type.field.get('slug');
  /** Absent: it is the same in all languages. */
  const shown = slug !== undefined && isTranslated(slug) ? shownColumn('slug') : undefined;
  const slugIn = ({ tag }: Language) =>
    shown === undefined
      ? sql`${sql.id(record, 'slug')}`
      : sql`(select "l".${sql.id(shown)} from ${sql.id(languagesTable(type))} as "l"
          where "l".${sql.id(languageColumns.row)} = ${sql.id(record, 'id')} and "l".${sql.id(languageColumns.language)} = ${tag})`;
  const state = publishedInLanguage(type);
  const bounds = { fields, ...(state === undefined ? {} : { published: { state, own: state.column } }) };
  const isPublished = (alias: string) => sql`${sql.id(alias, 'status')} = ${published}`;
  const inAny = sql`exists (select 1 from ${sql.id(languagesTable(type))} as "p"
    where ${sql.id('p', languageColumns.row)} = ${sql.id(record, 'id')} and ${isPublished('p')})`;
  const isShown =
    state === undefined || languages.length === 0 ? isPublished(record) : sql`(${isPublished(record)} or ${inAny})`;
  const inOthers = () => {
    const slugs = languages.map((language) => [language.tag, dialect.json('text', slugIn(language))] as const);
    return sql`, ${saidIn(type, record, bounds, dialect)} as "said", ${dialect.jsonObject(slugs)} as "slugs"`;
  };
  const statement = sql`select "slug", "status", "updated_at" ${languages.length === 0 ? sql`` : inOthers()} from ${sql.id(type.table)} as ${sql.id(record)}
    where ${isShown} order by "id" limit ${limit} offset ${offset}`;
  const rows = database.reader([type.singular]).rows<SlugRow>(compiledQuery(statement, dialect));
  return mapMaybe(rows, (found) =>
    found.map((row) => ({
      slug: row.slug,
      isMain: row.status === published,
      updatedAt: String(dialect.decode('datetime', row.updated_at)),
      others: languages.length === 0 ? new Map() : slugsOf(row, languages),
    })),
  );
}

/** The status of what the public sees. */
const published = 'Published';

function slugsOf({ slug, status, said, slugs }: SlugRow, languages: readonly Language[]): ReadonlyMap<string, string> {
  const there = new Set<string>(typeof said === 'string' ? JSON.parse(said) : said);
  const byTag: Readonly<Record<string, string | null>> = typeof slugs === 'string' ? JSON.parse(slugs) : slugs;
  // What is not published stands in for no slug.
  const fallback = status === published ? slug : undefined;
  return new Map(
    languages.flatMap(({ tag }) => {
      const own = byTag[tag] ?? fallback;
      return there.has(tag) && own !== undefined ? [[tag, own] as const] : [];
    }),
  );
}
