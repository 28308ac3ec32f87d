import type { ContentType } from '../content-type.ts';
import type { Field } from '../field-type.ts';
import { isValue, localizedFields, storedColumn } from '../stored-field.ts';

/**
 * The table with the values of a type's localized fields in all languages but the default, whose values are in the type's own
 * table. It has a column for each localized field, of the name that the column has in the type's own table, where null means that
 * the language lacks the value; and for each field of `shownFields` one more.
 */
export const languagesTable = ({ table }: Pick<ContentType, 'table'>): string => `${table}__languages`;

/** The columns of every such table. Names of fields have no `$`. */
export const languageColumns = {
  /** The id of the record. */
  row: '$record',
  /** The tag of the language. */
  language: '$language',
  /** When a value of this language was last written; null: none ever was, or all were deleted. The row is there for what it shows. */
  changedAt: '$changed_at',
  /** Whether a localized field of the default language has changed since; null: no. */
  outdated: '$outdated',
} as const;

/**
 * The column of a type's own table that says, as JSON, in which languages a record has values: `["en", "de"]`, in the order of the
 * settings. It says of all localized fields what the rows of the languages do, so that a read that shows all of them needs no other table.
 */
export const saidColumn = '$languages';

/** What rules and filters call it, of a type that has no field of that name. */
export const saidName = 'languages';

/** The column with what a language shows of a localized field: its own value, or that of the first fallback that has one. */
export const shownColumn = (column: string): string => `${column}$shown`;

/** The column with the words of a language's own value of a field, for searches. Where it lacks the value, there are none. */
export const wordsColumn = (column: string): string => `${column}$words`;

/** The localized fields that searches look into. */
export const wordFields = (type: Pick<ContentType, 'facts'>): readonly Field[] =>
  localizedFields(type).filter((field) => storedColumn(field) !== undefined && type.facts.searched.includes(field));

/**
 * The localized fields that lists are sorted by and records are looked for by, but for relations and files: what these show changes
 * with the records that they lead to. For these, the table keeps what each language shows,
 * and so it has a row for each record and language; a type without any has rows only where something is translated.
 */
export const shownFields = (type: Pick<ContentType, 'facts'>): readonly Field[] =>
  localizedFields(type).filter((field) => isValue(field) && (field.indexed || field.unique || field.type.alwaysUnique));
