import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import { wordsColumn } from '../../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { isTranslated, storedColumn } from '../../definition/stored-field.ts';
import { searchFields } from '../../query/row-query.ts';
import { defaultColumn } from '../plans/language-tables.ts';
import { allOf, column, never, tableAs, type ValuePlaces } from '../plans/sql-parts.ts';

/** A search of a type as a language shows it. */
interface LanguageWords {
  readonly type: ContentType;
  readonly view: ReadView;
  /** Folded words, all of which must occur. */
  readonly words: readonly string[];
}

/** Where one word may stand. */
type Place =
  /** In what the language, or another that stands in for it, says in a field. */
  | { readonly in: 'language'; readonly field: Field }
  /** In what the default language says in a field, where that stands in. */
  | { readonly in: 'default'; readonly field: Field }
  /** In fields with one value for all languages. */
  | { readonly in: 'shared'; readonly fields: readonly Field[] };

function placesOf({ type, view }: LanguageWords): readonly Place[] {
  const fields = searchFields(type, view);
  // The index holds the default language, with what is shared.
  if (type.shownIn === undefined) return [{ in: 'shared', fields }];
  const shared = fields.filter((field) => !isTranslated(field));
  const fallsBack = type.shownIn?.read.chain.some(({ isDefault }) => isDefault) === true;
  const translated = fields
    .filter(isTranslated)
    .flatMap((field): readonly Place[] => [
      { in: 'language', field },
      ...(fallsBack ? [{ in: 'default' as const, field }] : []),
    ]);
  return shared.length === 0 ? translated : [...translated, { in: 'shared', fields: shared }];
}

/**
 * Condition: all words stand in what the answer shows of the record in row `alias`. The index holds the default language; the words of
 * others are kept with them. Takes a place for each of `languageWordsValues`.
 */
export function languageWordsCondition(
  search: LanguageWords,
  alias: string,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<boolean> {
  const { type, words } = search;
  const base = type.shownIn?.base ?? type;
  if (words.length === 0) return never;
  const published = type.shownIn?.read.audience === 'public' ? publishedInLanguage(base) : undefined;
  const isDefaultShown =
    published === undefined
      ? allOf([])
      : sql<boolean>`${column(alias, defaultColumn(published.column))} = ${sql.lit(published.value)}`;
  const indexed = (fields: readonly Field[]): RawBuilder<boolean> => {
    const names = fields.map(({ name }) => name);
    const matches = dialect.search.matches(base.table, 'indexed', names, places.take());
    const isRecord = sql`${column('indexed', 'id')} = ${column(alias, 'id')}`;
    return sql`exists (select 1 from ${tableAs(base.table, 'indexed')} where ${isRecord} and ${matches})`;
  };
  const holds = (place: Place): RawBuilder<boolean> => {
    if (place.in === 'shared') return indexed(place.fields);
    const own = column(alias, wordsColumn(storedColumn(place.field) ?? place.field.name));
    if (place.in === 'language') return sql`(' ' || ${own} || ' ') like ${places.take()}`;
    return sql`(${own} is null and ${isDefaultShown} and ${indexed([place.field])})`;
  };
  const where = placesOf(search);
  return allOf(words.map(() => sql<boolean>`(${sql.join(where.map(holds), sql` or `)})`));
}

/** The last word may be the beginning of one. Words are of letters, digits and marks: none of them means anything to \`like\`. */
export function languageWordsValues(search: LanguageWords, dialect: Dialect): readonly SqlValue[] {
  const where = placesOf(search);
  const last = search.words.length - 1;
  return search.words.flatMap((word, index) =>
    where.map((place): SqlValue => {
      const isWhole = index < last;
      if (place.in === 'language') return isWhole ? `% ${word} %` : `% ${word}%`;
      const fields = place.in === 'shared' ? place.fields : [place.field];
      return dialect.search.match(
        fields.map(({ name }) => name),
        [word],
        isWhole,
      );
    }),
  );
}
