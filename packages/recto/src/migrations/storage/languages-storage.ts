import { naturalColumn } from '../../database/natural-order.ts';
import type { ColumnSpec, SchemaChange } from '../../database/schema-dialect.ts';
import type { ContentType, Field } from '../../definition/content-type.ts';
import {
  languageColumns,
  languagesTable,
  saidColumn,
  shownColumn,
  shownFields,
  wordFields,
  wordsColumn,
} from '../../definition/languages/languages-table.ts';
import type { PublishedState } from '../../definition/protocol.ts';
import { publishedInLanguage } from '../../definition/published-state.ts';
import {
  fieldsByLanguage,
  isFreeText,
  isToOne,
  isTranslated,
  kindOf,
  mediaOf,
  storedColumn,
  targetOf,
} from '../../definition/stored-field.ts';
import type { ValueKind } from '../../values/value-kind.ts';

/** A column with values in other languages. */
export interface LanguageColumn {
  readonly column: string;
  readonly kind: ValueKind;
  /** Of a relation: the singular name of the type whose records it leads to. The service clears it when one of them goes. */
  readonly target?: string;
  /** Holds ids of files, among addresses. */
  readonly files?: true;
}

/** The same under another name. */
export const movedColumn = ({ kind, target, files }: LanguageColumn, column: string): LanguageColumn => ({
  column,
  kind,
  ...(target === undefined ? {} : { target }),
  ...(files === undefined ? {} : { files }),
});

/** How the database holds a localized field. */
export interface LocalizedStorage extends LanguageColumn {
  /** No two records share a value in one language. Absent: they may. */
  readonly unique?: true;
  /** What each language shows has a column of its own. */
  readonly shown?: true;
  /** What each language shows is sorted by in natural order. */
  readonly natural?: true;
  /** The words of each value have a column of their own. */
  readonly words?: true;
  /** Records are looked for by its values in one language. */
  readonly listed?: true;
}

/** How the database holds the values of a type in other languages. */
export interface LanguagesStorage {
  /** The language of the values in the type's own table. */
  readonly main: string;
  /** The other languages, each with those that it falls back to. */
  readonly others: Readonly<Record<string, readonly string[]>>;
  /** The type's own table says of each record in which languages it has values; absent in what was remembered before it did. */
  readonly said?: true;
  /** The state in which a language is shown to the public; absent: languages have none of their own. */
  readonly published?: PublishedState;
  /** By the names of the fields. */
  readonly fields: Readonly<Record<string, LocalizedStorage>>;
}

/** Values in other languages of fields that are no longer localized, and where they still are. */
export interface DormantLanguages {
  readonly main: string;
  readonly fields: Readonly<Record<string, LanguageColumn>>;
}

/** What a definition asks of the database for other languages; undefined where no field is localized. */
export function languagesStorage(type: ContentType): LanguagesStorage | undefined {
  const { languages } = type;
  if (languages === undefined) return undefined;
  const shown = new Set(shownFields(type));
  const searched = new Set(wordFields(type));
  const fields = fieldsByLanguage(type).flatMap((field) => {
    const column = storedColumn(field);
    if (column === undefined) return [];
    const storage: LocalizedStorage = {
      column,
      kind: kindOf(field),
      ...referenceOf(field),
      ...(field.unique || field.type.alwaysUnique ? { unique: true } : {}),
      ...(shown.has(field) ? { shown: true } : {}),
      ...(shown.has(field) && field.indexed && isFreeText(field) ? { natural: true } : {}),
      ...(searched.has(field) ? { words: true } : {}),
      ...(field.indexed && !isTranslated(field) ? { listed: true } : {}),
    };
    return [[field.name, storage] as const];
  });
  const published = publishedInLanguage(type);
  return {
    main: languages.default.tag,
    said: true,
    ...(published === undefined ? {} : { published }),
    others: Object.fromEntries(
      languages.others.map((language) => [language.tag, languages.fallbacksOf(language).map(({ tag }) => tag)]),
    ),
    fields: Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** What a relation to one record, or a field of one file, leads to. */
function referenceOf(field: Field): Pick<LanguageColumn, 'target' | 'files'> {
  const target = isToOne(field) ? targetOf(field) : undefined;
  if (target === undefined) return {};
  return mediaOf(field) === undefined ? { target } : { files: true };
}

/** These columns, with relations that lead to where types were renamed to. */
export const retargetedColumns = <Column extends LanguageColumn>(
  fields: Readonly<Record<string, Column>>,
  renamed: ReadonlyMap<string, string>,
): Readonly<Record<string, Column>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const target = field.target === undefined ? undefined : renamed.get(field.target);
      return [name, target === undefined ? field : { ...field, target }];
    }),
  );

/** All columns behind those that every such table has. */
export function languagesSpecs(
  live: LanguagesStorage | undefined,
  dormant?: DormantLanguages | undefined,
): readonly ColumnSpec[] {
  const spec = (name: string, kind: ValueKind): ColumnSpec => ({ name, kind, references: null });
  return [
    ...Object.values(live?.fields ?? {}).flatMap(({ column, kind, shown, words }) => [
      spec(column, kind),
      ...(shown === true ? [spec(shownColumn(column), kind)] : []),
      ...(words === true ? [spec(wordsColumn(column), 'text')] : []),
    ]),
    ...Object.values(dormant?.fields ?? {}).map(({ column, kind }) => spec(column, kind)),
  ];
}

/** What the type's own table has beside the fields of records. */
export const saidSpecs = (live: LanguagesStorage | undefined): readonly ColumnSpec[] =>
  live?.said === true
    ? [{ name: saidColumn, kind: 'text', references: null, initial: JSON.stringify([live.main]) }]
    : [];

/** An index of such a table; a unique one keeps values apart within a language. */
export interface LanguagesIndex {
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** On the rows whose first column holds an id. */
  readonly onlyIds?: true;
}

/**
 * For lists in one language, by what it shows and by its own values; for what is unique in it; and for what refers to a record in any
 * language.
 */
export function languagesIndexes(storage: LanguagesStorage | undefined): readonly LanguagesIndex[] {
  const { row, language } = languageColumns;
  return Object.values(storage?.fields ?? {}).flatMap(({ column, unique, shown, natural, listed, target, files }) => [
    ...(shown === true ? [{ unique: false, columns: [language, shownColumn(column), row] }] : []),
    ...(natural === true ? [{ unique: false, columns: [language, naturalColumn(shownColumn(column)), row] }] : []),
    ...(listed === true ? [{ unique: false, columns: [language, column, row] }] : []),
    ...(unique === true ? [{ unique: true, columns: [language, column] }] : []),
    ...(shown === true && unique !== true ? [{ unique: false, columns: [language, column, row] }] : []),
    ...(target === undefined ? [] : [{ unique: false, columns: [column, row, language] }]),
    ...(files === true ? [{ unique: false, columns: [column, row, language], onlyIds: true as const }] : []),
  ]);
}

/** Makes the table and its indexes; nothing where no language has or had values of its own. */
export function createLanguages(
  source: string,
  live: LanguagesStorage | undefined,
  dormant?: DormantLanguages | undefined,
): readonly SchemaChange[] {
  if (live === undefined && dormant === undefined) return [];
  const table = languagesTable({ table: source });
  return [
    { change: 'create_languages', table, source, columns: languagesSpecs(live, dormant) },
    ...languagesIndexes(live).map((index) => createIndex(table, index)),
  ];
}

export const createIndex = (table: string, { unique, columns, onlyIds }: LanguagesIndex): SchemaChange =>
  unique
    ? { change: 'create_set_index', table, columns }
    : { change: 'create_list_index', table, columns, ...(onlyIds === undefined ? {} : { onlyIds }) };

export const dropIndex = (table: string, { unique, columns }: LanguagesIndex): SchemaChange => ({
  change: unique ? 'drop_set_index' : 'drop_list_index',
  table,
  columns,
});
