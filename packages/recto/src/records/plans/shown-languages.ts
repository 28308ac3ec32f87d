import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { Language, Languages } from '../../definition/languages/languages.ts';
import { languageColumns, languagesTable, saidColumn } from '../../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { readableFields } from '../../definition/readable-fields.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isTranslated, localizedFields, storedColumn } from '../../definition/stored-field.ts';
import { saidIn } from '../../migrations/storage/said-languages.ts';
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
  /** Where asked for: the addresses that it has in all languages. */
  alternates: '__alternates',
} as const;

/** Where a record has what it says in other languages, until an answer has it by fields. */
export const everyMember = '__every';

const names: ReadonlySet<string> = new Set(Object.values(languageMembers));

export const isLanguageMember = (name: string): boolean => names.has(name);

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
    [languageMembers.shown, dialect.jsonConstant(tag)],
    [languageMembers.there, languagesThere(shown, languages, dialect)],
    [languageMembers.fallback, fallenBack(shown, dialect)],
  ];
}

/** The tags in the order of the settings. */
function languagesThere(shown: ShownRow, languages: Languages, dialect: Dialect): RawBuilder<unknown> {
  const { type, alias, readable, isNew, audience } = shown;
  if (isNew || readable.length === 0 || !languages.several) return dialect.jsonConstant([languages.default.tag]);
  const state = audience === 'public' ? publishedInLanguage(type) : undefined;
  // Of all that can be said, the record itself says it.
  if (state === undefined && readable.length === localizedFields(type).length)
    return mostlyAll(column(alias, saidColumn), languages, dialect);
  const own = state === undefined || type.shownIn === undefined ? state?.column : defaultColumn(state.column);
  const bounds = { fields: readable, ...(state === undefined ? {} : { published: { state, own: own ?? '' } }) };
  return dialect.json('json', saidIn(type.shownIn?.base ?? type, alias, bounds, dialect));
}

/** What is stored of the languages. Where it is all of them, as mostly in a service that is translated, a comparison takes the place of a parse. */
function mostlyAll(said: RawBuilder<unknown>, { all }: Languages, dialect: Dialect): RawBuilder<unknown> {
  const tags = all.map(({ tag }) => tag);
  return sql`case when ${said} = ${sql.lit(JSON.stringify(tags))} then ${dialect.jsonConstant(tags)} else ${dialect.json('json', said)} end`;
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
  if (read === undefined || read.chain.length === 1 || shown.length === 0) return dialect.jsonConstant([]);
  const others = shown.map((field) => {
    const name = storedColumn(field) ?? field.name;
    const isOther = sql`${column(alias, ownColumn(name))} is null and ${column(alias, name)} is not null`;
    return { isOther, name: sql.lit(`,${JSON.stringify(field.name)}`) };
  });
  const isAny = sql.join(
    others.map(({ isOther }) => isOther),
    sql` or `,
  );
  const names = sql.join(
    others.map(({ isOther, name }) => sql`case when ${isOther} then ${name} else '' end`),
    sql` || `,
  );
  // Most records need none, and then nothing is put together.
  const some = dialect.json('json', sql`('[' || ltrim(${names}, ',') || ']')`);
  return sql`case when ${isAny} then ${some} else ${dialect.jsonConstant([])} end`;
}
