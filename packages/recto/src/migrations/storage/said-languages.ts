import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import type { PublishedState } from '../../definition/protocol.ts';
import { localizedFields, storedColumn } from '../../definition/stored-field.ts';

/** What counts as said. */
export interface SaidBounds {
  /** The localized fields that count. */
  readonly fields: readonly Field[];
  /** Where a language counts if it is published: its state, and the column of the record with that of the default language. */
  readonly published?: { readonly state: PublishedState; readonly own: string };
}

/** Of so many other languages, asking for each is cheaper than sorting those that are there. */
const mostAsked = 4;

/**
 * The languages in which the record in row `alias` of `type`, as it is stored, has a value: a JSON array of tags, in the order of the
 * settings. Tags are made of letters, digits and hyphens. The default language always counts, unless it has to be published.
 */
export function saidIn(
  type: ContentType,
  alias: string,
  { fields, published }: SaidBounds,
  dialect: Dialect,
): RawBuilder<unknown> {
  const { languages } = type;
  const first = JSON.stringify(languages === undefined ? [] : [languages.default.tag]);
  if (languages === undefined || fields.length === 0) return sql`${sql.lit(first)}`;
  const row = 'lr';
  const tag = sql.id(row, languageColumns.language);
  const hasValue = fields.map((field) => sql`${sql.id(row, storedColumn(field) ?? field.name)} is not null`);
  const isPublished = (of: string, name: string) =>
    published === undefined ? sql`1 = 1` : sql`${sql.id(of, name)} = ${sql.lit(published.state.value)}`;
  const from = (ofLanguage: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`from ${sql.id(languagesTable(type))} as ${sql.id(row)}
      where ${sql.id(row, languageColumns.row)} = ${sql.id(alias, 'id')} and ${ofLanguage}
        and (${sql.join(hasValue, sql` or `)}) and ${isPublished(row, published?.state.column ?? '')}`;
  const isDefaultThere = isPublished(alias, published?.own ?? '');
  if (languages.others.length <= mostAsked) {
    const each = languages.all.map((language) => {
      const isThere = language.isDefault
        ? isDefaultThere
        : sql`exists (select 1 ${from(sql`${tag} = ${sql.lit(language.tag)}`)})`;
      return sql`case when ${isThere} then ${sql.lit(`,${JSON.stringify(language.tag)}`)} else '' end`;
    });
    return sql`('[' || ltrim(${sql.join(each, sql` || `)}, ',') || ']')`;
  }
  const found = 'lf';
  const places = languages.others.map((each, place) => sql`when ${sql.lit(each.tag)} then ${sql.lit(place + 1)}`);
  const isOther = sql`${tag} in (${sql.join(languages.others.map((each) => sql.lit(each.tag)))})`;
  const rows = sql`(select ${sql.lit(languages.default.tag)} as "tag", 0 as "place" where ${isDefaultThere} union all
    select ${tag}, case ${tag} ${sql.join(places, sql` `)} end ${from(isOther)} order by "place") as ${sql.id(found)}`;
  return dialect.jsonArray(dialect.json('text', sql.id(found, 'tag')), rows);
}

/** What `saidColumn` holds of the record in row `alias`. */
export const saidLanguages = (type: ContentType, alias: string, dialect: Dialect): RawBuilder<unknown> =>
  saidIn(type, alias, { fields: localizedFields(type) }, dialect);
