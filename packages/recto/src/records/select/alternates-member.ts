import { type RawBuilder, sql } from 'kysely';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
import { readLanguage } from '../../definition/languages/read-language.ts';
import { typeInLanguage } from '../../definition/languages/types-in-language.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { slugFieldOf } from '../../definition/slug-field.ts';
import { isTranslated, storedColumn } from '../../definition/stored-field.ts';
import { asInLanguage } from '../plans/as-in-language.ts';
import { fieldValue } from '../plans/field-values.ts';
import { ownColumn, selectInLanguage } from '../plans/language-tables.ts';
import { languageMembers } from '../plans/shown-languages.ts';
import { allOf, column, tableAs } from '../plans/sql-parts.ts';
import { type PlanContext, relatedRows } from '../plans/visibility.ts';

/** Where the address of a record is looked for. */
interface Asked {
  readonly type: ContentType;
  readonly view: ReadView;
  /** The row of the record. */
  readonly alias: string;
  readonly context: PlanContext;
}

const row = 'la';

/**
 * The slugs and addresses that a record has in the languages in which it says something and the caller finds it, as an object by
 * their tags. What a language lacks is that of its fallbacks, as on the site.
 */
export function alternatesMember(
  types: ContentTypes,
  asked: Asked,
): readonly [name: string, value: RawBuilder<unknown>] {
  const entries = types.languages.all.map((language) => sql`coalesce(${entryOf(language, types, asked)}, '')`);
  const object = sql`('{' || ltrim(${sql.join(entries, sql` || `)}, ',') || '}')`;
  return [languageMembers.alternates, asked.context.dialect.json('json', object)];
}

/** A subquery with `,"de":{…}`, and no row where the record is not there in the language. */
function entryOf(language: Language, types: ContentTypes, { type, view, alias, context }: Asked): RawBuilder<unknown> {
  const base = type.shownIn?.base ?? type;
  const readable = readableFields(base, view);
  const read = readLanguage(types.languages, language, true, view.audience);
  const shown = read === undefined ? undefined : typeInLanguage(base, read);
  const conditions = [sql<boolean>`${column(row, 'id')} = ${column(alias, 'id')}`];
  if (read !== undefined) {
    const own = readable.filter(isTranslated).map((field) => {
      const name = storedColumn(field) ?? field.name;
      return sql`${column(row, read.chain.length > 1 ? ownColumn(name) : name)} is not null`;
    });
    if (own.length === 0) return sql`null`;
    conditions.push(sql`(${sql.join(own, sql` or `)})`);
  }
  conditions.push(asInLanguage(relatedRows(base, view, row, context), language.tag));
  const from =
    shown?.shownIn === undefined
      ? tableAs(base.table, row)
      : sql`(${selectInLanguage(shown.shownIn, context.dialect)}) as ${sql.id(row)}`;
  const entry = sql`${sql.lit(`,${JSON.stringify(language.tag)}:`)} || ${addressOf(language, base, readable, context)}`;
  return sql`(select ${entry} from ${from} where ${allOf(conditions)})`;
}

/** `{"slug": …, "url": …}` as text. Slugs have no characters that an address would have to escape. */
function addressOf(
  { url }: Language,
  type: ContentType,
  readable: ReturnType<typeof readableFields>,
  { dialect }: PlanContext,
): RawBuilder<unknown> {
  const field = slugFieldOf(type);
  const slug = field !== undefined && readable.includes(field) ? fieldValue(field, row) : undefined;
  const nothing = dialect.json('json', sql`'null'`);
  const address =
    url === undefined || slug === undefined ? undefined : sql`${sql.lit(`${url}/${type.plural}/`)} || ${slug}`;
  return dialect.jsonObject([
    ['slug', slug === undefined ? nothing : dialect.json('text', slug)],
    ['url', address === undefined ? nothing : dialect.json('text', sql`(${address})`)],
  ]);
}
