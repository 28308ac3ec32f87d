import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes, Field, ShownIn } from '../../definition/content-type.ts';
import {
  languageColumns,
  languagesTable,
  saidColumn,
  shownColumn,
  shownFields,
  wordFields,
  wordsColumn,
} from '../../definition/languages/languages-table.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import { fieldsByLanguage, isTranslated, storedColumn } from '../../definition/stored-field.ts';
import { allOf, column, tableAs } from './sql-parts.ts';

/** The column of a declared table that holds a language's own value of a field, where others may stand in for it. */
export const ownColumn = (name: string): string => `${name}$own`;

/** The column of a declared table that holds the default language's own state. */
export const defaultColumn = (name: string): string => `${name}$default`;

/**
 * The dialect of statements that read types as a language shows them: each statement declares the tables of such types that it
 * names. They are merged into it like subqueries, so that what it does not read of them costs nothing.
 */
export function languageDialect(dialect: Dialect, types: ContentTypes): Dialect {
  const tables = types.all.flatMap((type) =>
    type.shownIn === undefined ? [] : [{ name: `"${type.table}"`, text: declaration(type, type.shownIn, dialect) }],
  );
  return {
    ...dialect,
    declare(statement) {
      const named = tables.filter(({ name }) => statement.includes(name));
      const whole = withTables(statement, named);
      return dialect.declare === undefined ? whole : dialect.declare(whole);
    },
  };
}

/** A statement that declares tables before all others of its own. */
function withTables(statement: string, tables: readonly { readonly text: string }[]): string {
  if (tables.length === 0) return statement;
  const declared = tables.map(({ text }) => text).join(', ');
  const [, recursive = '', rest] = /^\s*with (recursive )?(.*)$/s.exec(statement) ?? [];
  return rest === undefined ? `with ${declared} ${statement}` : `with ${recursive}${declared}, ${rest}`;
}

function declaration(type: ContentType, shown: ShownIn, dialect: Dialect): string {
  const select = selectInLanguage(shown, dialect);
  return sql`${sql.id(type.table)} as not materialized (${select})`.compile(dialect.builder).sql;
}

const row = 't';

/** Rows of a list that need no more than the table of other languages. */
export interface KeptRows {
  /** A FROM with a row for each record: its id, and the columns of `names`. */
  readonly from: RawBuilder<unknown>;
  readonly names: ReadonlySet<string>;
}

/**
 * The records of a type by what a language shows of the fields that lists are sorted by, read from the table of other languages alone: an
 * index has them in order, and no record is looked up. Undefined where that table has no row for each record.
 */
export function keptRows({ shownIn }: ContentType, alias: string): KeptRows | undefined {
  if (shownIn === undefined || publishedInLanguage(shownIn.base) !== undefined) return undefined;
  const { base, read } = shownIn;
  const fields = shownFields(base);
  if (fields.length === 0) return undefined;
  const names = fields.map((field) => storedColumn(field) ?? field.name);
  const columns = names.map((name) => {
    const stored = read.fallback ? shownColumn(name) : name;
    return sql`${sql.id(stored)} as ${sql.id(name)}`;
  });
  const rows = sql`select ${sql.join([sql`${sql.id(languageColumns.row)} as "id"`, ...columns])}
    from ${sql.id(languagesTable(base))} where ${sql.id(languageColumns.language)} = ${sql.lit(read.language.tag)}`;
  return { from: sql`(${rows}) as ${sql.id(alias)}`, names: new Set(['id', ...names]) };
}

/** The rows of a type with the values of a language in the columns of its localized fields. */
export function selectInLanguage({ base, read }: ShownIn, { pageKey }: Dialect): RawBuilder<unknown> {
  const table = languagesTable(base);
  const localized = new Set(fieldsByLanguage(base).map(({ name }) => name));
  const joined = read.chain.map((language, index) => ({ language, alias: `l${index}` }));
  const valueIn = (name: string, place: (typeof joined)[number]) =>
    place.language.isDefault ? column(row, name) : column(place.alias, name);
  const published = publishedInLanguage(base);
  const isPublic = published !== undefined && read.audience === 'public';
  const isPublished = (place: (typeof joined)[number]): RawBuilder<boolean> =>
    sql`${valueIn(published?.column ?? '', place)} = ${sql.lit(published?.value ?? '')}`;
  /** To the public, a language says nothing until it is published. */
  const said = (name: string, place: (typeof joined)[number]): RawBuilder<unknown> =>
    isPublic ? sql`case when ${isPublished(place)} then ${valueIn(name, place)} end` : valueIn(name, place);
  const stateOf = (field: Field, name: string): RawBuilder<unknown> => {
    const own = valueIn(name, { language: read.language, alias: 'l0' });
    // Until somebody writes in the language, it is in the state that a record begins in.
    const state = field.default === undefined ? own : sql`coalesce(${own}, ${sql.lit(String(field.default))})`;
    if (!isPublic || published?.column !== name) return state;
    const isAny = sql.join(joined.map(isPublished), sql` or `);
    return sql`case when ${isAny} then ${sql.lit(published.value)} else ${state} end`;
  };
  // Of these, the table keeps what the language shows, and so it has a row for each record: an index has them in order. Where languages
  // are published one by one, that is what it shows to the public.
  const keeps = read.fallback && (published === undefined || isPublic);
  const kept = new Set(keeps ? shownFields(base).map(({ name }) => name) : []);
  // The table with a row for each record and language is read first where it has the order, and so the id is its own.
  const [first] = joined;
  const whole = first !== undefined && !first.language.isDefault && shownFields(base).length > 0 ? first : undefined;
  const shownValue = (field: Field): RawBuilder<unknown>[] => {
    const name = storedColumn(field) ?? field.name;
    if (name === 'id' && whole !== undefined)
      return [sql`${column(whole.alias, languageColumns.row)} as ${sql.id(name)}`];
    if (!localized.has(field.name)) return [column(row, name)];
    if (!isTranslated(field)) return [sql`${stateOf(field, name)} as ${sql.id(name)}`];
    if (first !== undefined && kept.has(field.name)) {
      const shown = sql`${column(first.alias, shownColumn(name))} as ${sql.id(name)}`;
      return [shown, sql`${said(name, first)} as ${sql.id(ownColumn(name))}`];
    }
    const values = joined.map((place) => said(name, place));
    const [own, ...others] = values;
    if (own === undefined || others.length === 0) return [sql`${own ?? sql`null`} as ${sql.id(name)}`];
    return [sql`coalesce(${sql.join(values)}) as ${sql.id(name)}`, sql`${own} as ${sql.id(ownColumn(name))}`];
  };
  const key = base.facts.columnNames.includes(pageKey) ? [] : [sql`${column(row, pageKey)} as ${sql.id(pageKey)}`];
  const wordsOf = (field: Field): RawBuilder<unknown> => {
    const name = storedColumn(field) ?? field.name;
    const cases = joined.map((place) => {
      const words = place.language.isDefault ? sql`null` : sql`coalesce(${column(place.alias, wordsColumn(name))}, '')`;
      return sql`when ${said(name, place)} is not null then ${words}`;
    });
    return sql`case ${sql.join(cases, sql` `)} end as ${sql.id(wordsColumn(name))}`;
  };
  const inDefault = isPublic
    ? [sql`${column(row, published.column)} as ${sql.id(defaultColumn(published.column))}`]
    : [];
  const columns = [
    ...key,
    column(row, saidColumn),
    ...inDefault,
    ...base.facts.columns.flatMap(shownValue),
    ...wordFields(base).map(wordsOf),
  ];
  const joins = joined
    .filter(({ language }) => !language.isDefault)
    .map(({ language, alias }) => {
      const isOfRow = sql`${column(alias, languageColumns.row)} = ${column(row, 'id')}`;
      // A tag is made of letters, digits and hyphens.
      const isOfLanguage = sql`${column(alias, languageColumns.language)} = ${sql.lit(language.tag)}`;
      const join = alias === whole?.alias ? sql` join ` : sql` left join `;
      return sql`${join}${tableAs(table, alias)} on ${allOf([isOfRow, isOfLanguage])}`;
    });
  return sql`select ${sql.join(columns)} from ${tableAs(base.table, row)}${joins.length === 0 ? sql`` : sql.join(joins, sql``)}`;
}
