import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Query } from '../../database/database.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import type { FieldValue } from '../../definition/field-type.ts';
import type { Language } from '../../definition/languages/languages.ts';
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
import {
  fieldsByLanguage,
  isLocalized,
  isTranslated,
  kindOf,
  localizedFields,
  storedColumn,
} from '../../definition/stored-field.ts';
import { saidLanguages } from '../../migrations/storage/said-languages.ts';
import { indexedWords, storedStructure } from '../../migrations/storage/stored-structure.ts';
import { Plan } from '../plans/plan.ts';
import { columnHasId } from '../plans/referrers.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from '../select/read-context.ts';

/** A record that leads to another, and the language in which it does; empty: the default. */
export interface LeadingRow {
  readonly id: string;
  readonly language: string;
}

/** What a record says in one language but the default, by fields; null: it lacks the value. */
export type Translation = ReadonlyMap<Field, FieldValue | null>;

/** The translations of a record, by tags of languages. */
export type Translations = ReadonlyMap<string, Translation>;

const columnOf = (field: Field): string => storedColumn(field) ?? field.name;
const { row, language, changedAt, outdated } = languageColumns;

/** What a row says in a column, in the language of its table. Where languages are published one by one, one that is not says nothing. */
function said(type: ContentType, alias: string, name: string): RawBuilder<unknown> {
  const published = publishedInLanguage(type);
  const value = column(alias, name);
  if (published === undefined) return value;
  return sql`case when ${column(alias, published.column)} = ${sql.lit(published.value)} then ${value} end`;
}

/** The statements that read and write what records say in other languages than the default. Their types are those that are stored. */
export class LanguageStatements {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Sets values of a record in a language. What says nothing, such as a draft, leaves when the language was last written. */
  set(type: ContentType, id: string, tag: string, values: Translation, now: string): Query {
    const { dialect } = this.#context.database;
    const fields = [...values.keys()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const says = fields.some(isTranslated);
    const searched = wordFields(type).filter((field) => values.has(field));
    const wordNames = searched.map((field) => wordsColumn(columnOf(field)));
    const names = [...(says ? [changedAt, outdated] : []), ...fields.map(columnOf), ...wordNames];
    const build = () => {
      const places = new ValuePlaces();
      const all = [row, language, ...names];
      const table = languagesTable(type);
      const settings = names.map((name) => sql`${sql.id(name)} = ${column('excluded', name)}`);
      return new Plan(
        sql`insert into ${sql.id(table)} (${sql.join(all.map((name) => sql.id(name)))})
          values (${sql.join(all.map(() => places.take()))})
          on conflict (${sql.id(row)}, ${sql.id(language)}) do update set ${sql.join(settings)}`,
        dialect,
      );
    };
    const encoded = fields.map((field): SqlValue => {
      const value = values.get(field) ?? null;
      return value === null ? null : dialect.encode(kindOf(field), value);
    });
    const written = says ? [dialect.encode('datetime', now), dialect.encode('boolean', false)] : [];
    const words = searched.map((field): SqlValue => {
      const { structure } = field;
      const value = values.get(field) ?? null;
      return value === null ? null : indexedWords(structure && storedStructure(structure), value);
    });
    const bound = [id, tag, ...written, ...encoded, ...words];
    return this.#context.plans.query(`set-language|${type.singular}|${names.join()}`, build, bound);
  }

  /** Says of a language in which a record has no value left that nothing was ever written in it. */
  forget(type: ContentType, id: string, tag: string): Query {
    const build = () => {
      const { dialect } = this.#context.database;
      const places = new ValuePlaces();
      const isEmpty = localizedFields(type).map((field) => sql`${sql.id(columnOf(field))} is null`);
      const settings = sql`${sql.id(changedAt)} = null, ${sql.id(outdated)} = ${sql.val(dialect.encode('boolean', false))}`;
      const conditions = allOf([
        sql`${sql.id(row)} = ${places.take()}`,
        sql`${sql.id(language)} = ${places.take()}`,
        ...isEmpty,
      ]);
      return new Plan(sql`update ${sql.id(languagesTable(type))} set ${settings} where ${conditions}`, dialect);
    };
    return this.#context.plans.query(`forget-language|${type.singular}`, build, [id, tag]);
  }

  /** Notes in the record itself in which languages it has values, once they have been written. */
  note(type: ContentType, id: string): Query {
    const build = () => {
      const { dialect } = this.#context.database;
      const { table } = type;
      return new Plan(
        sql`update ${sql.id(table)} set ${sql.id(saidColumn)} = ${saidLanguages(type, table, dialect)}
          where ${column(table, 'id')} = ${new ValuePlaces().take()}`,
        dialect,
      );
    };
    return this.#context.plans.query(`note-languages|${type.singular}`, build, [id]);
  }

  /** What makes the rows of a new record, where the type keeps what each language shows. */
  begin(type: ContentType, id: string): readonly Query[] {
    const { types, database } = this.#context;
    const shown = isLocalized(type) ? shownFields(type) : [];
    if (shown.length === 0 || !types.languages.several) return [];
    const build = () => {
      const falls = (each: Language) => types.languages.fallbacksOf(each).includes(types.languages.default);
      const names = shown.map(columnOf);
      const rows = types.languages.others.map((each) => {
        const values = names.map((name) => (falls(each) ? said(type, 't', name) : sql`null`));
        const tag = sql`${sql.lit(each.tag)}`;
        return sql`select ${sql.join([column('t', 'id'), tag, ...values])}
          from ${tableAs(type.table, 't')} where ${column('t', 'id')} = ${new ValuePlaces().take()}`;
      });
      const all = [row, language, ...names.map(shownColumn)];
      return new Plan(
        sql`insert into ${sql.id(languagesTable(type))} (${sql.join(all.map((name) => sql.id(name)))})
          ${sql.join(rows, sql` union all `)}`,
        database.dialect,
      );
    };
    return [this.#context.plans.query(`begin-languages|${type.singular}`, build, [id])];
  }

  /** What follows in other languages from a change of these fields, in the default language or in others. */
  follow(type: ContentType, id: string, inDefault: readonly Field[], inOthers: readonly Field[]): readonly Query[] {
    const { types } = this.#context;
    if (!isLocalized(type) || !types.languages.several) return [];
    const isChanged = (field: Field) => inDefault.includes(field) || inOthers.includes(field);
    const shown = shownFields(type);
    const state = type.field.get(publishedInLanguage(type)?.column ?? '');
    const isShownChanged = shown.some(isChanged) || (shown.length > 0 && state !== undefined && isChanged(state));
    const aged = localizedFields(type).some((field) => inDefault.includes(field)) ? [this.#age(type, id)] : [];
    return isShownChanged ? [...aged, ...this.#show(type, id)] : aged;
  }

  /** Says of all translations that the default language has changed since. */
  #age(type: ContentType, id: string): Query {
    const { dialect } = this.#context.database;
    const build = () =>
      new Plan(
        sql`update ${sql.id(languagesTable(type))} set ${sql.id(outdated)} = ${sql.val(dialect.encode('boolean', true))}
          where ${sql.id(row)} = ${new ValuePlaces().take()} and ${sql.id(changedAt)} is not null`,
        dialect,
      );
    return this.#context.plans.query(`age-languages|${type.singular}`, build, [id]);
  }

  /** Computes what each language shows: a statement for those with the same fallbacks. */
  #show(type: ContentType, id: string): readonly Query[] {
    const { types, plans, database } = this.#context;
    const { languages } = types;
    const table = languagesTable(type);
    const chains = Map.groupBy(languages.others, (each) =>
      languages
        .fallbacksOf(each)
        .map(({ tag }) => tag)
        .join(),
    );
    return [...chains].map(([chain, alike]) => {
      const build = () => {
        const settings = shownFields(type).map((field) => {
          const name = columnOf(field);
          const others = languages
            .fallbacksOf(alike[0] ?? languages.default)
            .map((each) => this.#valueIn(type, name, each));
          const own = said(type, table, name);
          const shown = others.length === 0 ? own : sql`coalesce(${sql.join([own, ...others])})`;
          return sql`${sql.id(shownColumn(name))} = ${shown}`;
        });
        const tags = sql.join(alike.map(({ tag }) => sql.lit(tag)));
        return new Plan(
          sql`update ${sql.id(table)} set ${sql.join(settings)}
            where ${column(table, row)} = ${new ValuePlaces().take()} and ${column(table, language)} in (${tags})`,
          database.dialect,
        );
      };
      return plans.query(`show-languages|${type.singular}|${chain}`, build, [id]);
    });
  }

  /** A subquery: the value that the record of the row being updated has in a language. */
  #valueIn(type: ContentType, name: string, { tag, isDefault }: Language): RawBuilder<unknown> {
    const table = languagesTable(type);
    if (isDefault)
      return sql`(select ${said(type, 't', name)} from ${tableAs(type.table, 't')} where ${column('t', 'id')} = ${column(table, row)})`;
    return sql`(select ${said(type, 'f', name)} from ${tableAs(table, 'f')}
      where ${column('f', row)} = ${column(table, row)} and ${column('f', language)} = ${sql.lit(tag)})`;
  }

  /** Finds a row if a record has this value of a field in the language. */
  having(type: ContentType, tag: string, field: Field, value: FieldValue): Query {
    const { dialect } = this.#context.database;
    const build = () => {
      const places = new ValuePlaces();
      const conditions = allOf([
        sql`${sql.id(language)} = ${places.take()}`,
        sql`${sql.id(columnOf(field))} = ${places.take()}`,
      ]);
      return new Plan(sql`select 1 as "one" from ${sql.id(languagesTable(type))} where ${conditions} limit 1`, dialect);
    };
    const bound = [tag, dialect.encode(kindOf(field), value)];
    return this.#context.plans.query(`language-having|${type.singular}|${field.name}`, build, bound);
  }

  /** Rows `LeadingRow`: the records that lead to one with a localized relation, and in which languages. */
  leadingTo(type: ContentType, field: Field, id: string): Query {
    const build = () => {
      const led = new ValuePlaces().take();
      return new Plan(
        sql`select ${column('t', 'id')} as "id", cast('' as text) as "language"
            from ${tableAs(type.table, 't')} where ${columnHasId(field, 't', led)}
          union all select ${column('l', row)}, ${column('l', language)}
            from ${tableAs(languagesTable(type), 'l')} where ${columnHasId(field, 'l', led)}
          order by "id", "language"`,
        this.#context.database.dialect,
      );
    };
    return this.#context.plans.query(`languages-leading|${type.singular}|${field.name}`, build, [id]);
  }

  /** Empties a relation in the translations that lead to a record. */
  clear(type: ContentType, field: Field, id: string): Query {
    const build = () => {
      const name = sql.id(columnOf(field));
      const update = sql`update ${sql.id(languagesTable(type))} set ${name} = null where ${name} = ${new ValuePlaces().take()}`;
      return new Plan(update, this.#context.database.dialect);
    };
    return this.#context.plans.query(`clear-languages|${type.singular}|${field.name}`, build, [id]);
  }

  /** Rows with the columns of the table: what a record says in other languages. */
  all(type: ContentType, id: string): Query {
    const build = () =>
      new Plan(
        sql`select * from ${sql.id(languagesTable(type))} where ${sql.id(row)} = ${new ValuePlaces().take()}`,
        this.#context.database.dialect,
      );
    return this.#context.plans.query(`languages|${type.singular}`, build, [id]);
  }

  removeAll(type: ContentType, id: string): readonly Query[] {
    if (!isLocalized(type)) return [];
    const build = () =>
      new Plan(
        sql`delete from ${sql.id(languagesTable(type))} where ${sql.id(row)} = ${new ValuePlaces().take()}`,
        this.#context.database.dialect,
      );
    return [this.#context.plans.query(`remove-languages|${type.singular}`, build, [id])];
  }

  /** What the rows of `all` say, by languages of the service. */
  decode(type: ContentType, rows: readonly Readonly<Record<string, SqlValue>>[]): Translations {
    const { types, database } = this.#context;
    return new Map(
      rows.flatMap((each): (readonly [string, Translation])[] => {
        const tag = types.languages.find(String(each[language]))?.tag;
        if (tag === undefined) return [];
        const values = fieldsByLanguage(type).map((field) => {
          const stored = each[columnOf(field)] ?? null;
          return [field, stored === null ? null : database.dialect.decode(kindOf(field), stored)] as const;
        });
        return [[tag, new Map(values)]];
      }),
    );
  }
}
