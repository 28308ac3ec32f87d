import { sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import { type MaybePromise, mapMaybe } from '../base/maybe-promise.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { Database } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';

export interface PublishedSlug {
  readonly slug: string;
  /** Canonical datetime. */
  readonly updatedAt: string;
}

/** Where the published records of a publication are, oldest first. */
export function publishedSlugs(
  database: Database,
  type: ContentType,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): MaybePromise<readonly PublishedSlug[]> {
  const { dialect } = database;
  const statement = sql`select "slug", "updated_at" from ${sql.id(type.table)} where "status" = ${'Published'}
    order by "id" limit ${limit} offset ${offset}`;
  const rows = database
    .reader([type.singular])
    .rows<{ slug: string; updated_at: SqlValue }>(compiledQuery(statement, dialect));
  return mapMaybe(rows, (published) =>
    published.map(({ slug, updated_at }) => ({
      slug,
      updatedAt: String(dialect.decode('datetime', updated_at)),
    })),
  );
}
