import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Language, Languages } from '../../definition/languages/languages.ts';
import { languageColumns, languagesTable } from '../../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isTranslated, storedColumn } from '../../definition/stored-field.ts';
import { defaultColumn, ownColumn } from './language-tables.ts';
import { allOf, column, never, tableAs } from './sql-parts.ts';

type Member = readonly [name: string, value: RawBuilder<unknown>];

/** What a record of a localized type says of its languages, beside its fields. Callers may send these members back: they are ignored. */
export const languageMembers = {
  /** The language that it is shown in. */
  shown: '__language',
  /** The languages that have a value of a field which the caller reads. The default language always does. */
  there: '__languages',
  /** The fields whose values another language stands in with. */
  fallback: '__fallback',
} as const;

export const isLanguageMember = (name: string): boolean =>
  name === languageMembers.shown || name === languageMembers.there || name === languageMembers.fallback;

/** The record in row `alias`, and what of it is shown. */
interface ShownRow {
  readonly type: ContentType;
  readonly alias: string;
  /** The localized fields that the caller reads: no other says anything of the languages. */
  readonly readable: readonly Field[];
  /** Those of them that the answer has. */
  readonly shown: readonly Field[];
  /** There is no other language of the record yet. */
  readonly isNew: boolean;
  /** To the public, a language is there when it is published, of types whose languages are published one by one. */
  readonly audience: ReadView['audience'];
}

/** The members of `languageMembers` of a record. */
export function membersOfLanguages(shown: ShownRow, languages: Languages, dialect: Dialect): readonly Member[] {
  const { shownIn } = shown.type;
  const { tag } = shownIn?.read.language ?? languages.default;
  return [
    [languageMembers.shown, dialect.json('json', sql.lit(JSON.stringify(tag)))],
    [languageMembers.there, languagesThere(shown, languages, dialect)],
    [languageMembers.fallback, fallenBack(shown, dialect)],
  ];
}

/** Of so many other languages, asking for each is cheaper than sorting those that are there. */
const mostAsked = 4;

/** The tags in the order of the settings. They are made of letters, digits and hyphens. */
function languagesThere(shown: ShownRow, languages: Languages, dialect: Dialect): RawBuilder<unknown> {
  const { type, alias, readable, isNew, audience } = shown;
  const main = dialect.json('json', sql.lit(JSON.stringify([languages.default.tag])));
  if (isNew || readable.length === 0 || !languages.several) return main;
  const published = audience === 'public' ? publishedInLanguage(type) : undefined;
  const isPublished = (of: string, name: string): RawBuilder<boolean> =>
    published === undefined ? allOf([]) : sql<boolean>`${column(of, name)} = ${sql.lit(published.value)}`;
  const row = 'lr';
  const tag = column(row, languageColumns.language);
  const hasValue = readable.map((field) => sql`${column(row, storedColumn(field) ?? field.name)} is not null`);
  const from = (ofLanguage: RawBuilder<unknown>): RawBuilder<unknown> => {
    const conditions = [
      sql`${column(row, languageColumns.row)} = ${column(alias, 'id')}`,
      ofLanguage,
      sql`(${sql.join(hasValue, sql` or `)})`,
      isPublished(row, published?.column ?? 'id'),
    ];
    return sql`from ${tableAs(languagesTable(type.shownIn?.base ?? type), row)} where ${allOf(conditions)}`;
  };
  const own =
    published === undefined || type.shownIn === undefined ? published?.column : defaultColumn(published.column);
  const isDefaultThere = isPublished(alias, own ?? 'id');
  if (languages.others.length <= mostAsked) {
    const each = languages.all.map((language) => {
      const isThere = language.isDefault
        ? isDefaultThere
        : sql`exists (select 1 ${from(sql`${tag} = ${sql.lit(language.tag)}`)})`;
      return sql`case when ${isThere} then ${sql.lit(`,${JSON.stringify(language.tag)}`)} else '' end`;
    });
    return dialect.json('json', sql`('[' || ltrim(${sql.join(each, sql` || `)}, ',') || ']')`);
  }
  const found = 'lf';
  const places = languages.others.map((each, place) => sql`when ${sql.lit(each.tag)} then ${sql.lit(place + 1)}`);
  const isOther = sql`${tag} in (${sql.join(languages.others.map((each) => sql.lit(each.tag)))})`;
  const rows = sql`(select ${sql.lit(languages.default.tag)} as "tag", 0 as "place" where ${isDefaultThere} union all
    select ${tag}, case ${tag} ${sql.join(places, sql` `)} end ${from(isOther)} order by "place") as ${sql.id(found)}`;
  return dialect.jsonArray(dialect.json('text', column(found, 'tag')), rows);
}

/** Whether the record in row `alias` has no value in a language, of the fields that a view shows. The default language always has one. */
export function isMissing(
  type: ContentType,
  view: ReadView,
  alias: string,
  { tag, isDefault }: Language,
): RawBuilder<boolean> {
  const readable = readableFields(type, view).filter(isTranslated);
  if (isDefault) return never;
  if (readable.length === 0) return allOf([]);
  const row = 'lm';
  const hasValue = readable.map((field) => sql`${column(row, storedColumn(field) ?? field.name)} is not null`);
  const conditions = allOf([
    sql`${column(row, languageColumns.row)} = ${column(alias, 'id')}`,
    sql`${column(row, languageColumns.language)} = ${sql.lit(tag)}`,
    sql`(${sql.join(hasValue, sql` or `)})`,
  ]);
  return sql`not exists (select 1 from ${tableAs(languagesTable(type.shownIn?.base ?? type), row)} where ${conditions})`;
}

function fallenBack({ type, alias, shown }: ShownRow, dialect: Dialect): RawBuilder<unknown> {
  const read = type.shownIn?.read;
  if (read === undefined || read.chain.length === 1 || shown.length === 0) return dialect.json('json', sql`'[]'`);
  const names = shown.map((field) => {
    const name = storedColumn(field) ?? field.name;
    const isOther = sql`${column(alias, ownColumn(name))} is null and ${column(alias, name)} is not null`;
    return sql`case when ${isOther} then ${sql.lit(`,${JSON.stringify(field.name)}`)} else '' end`;
  });
  return dialect.json('json', sql`('[' || ltrim(${sql.join(names, sql` || `)}, ',') || ']')`);
}
