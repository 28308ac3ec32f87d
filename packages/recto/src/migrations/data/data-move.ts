import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { FatalError } from '../../base/fatal-error.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Query, Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { type ContentType, type Field, junctionColumns } from '../../definition/content-type.ts';
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
import { isValue, kindOf, storedColumn } from '../../definition/stored-field.ts';
import { castValue } from '../../values/casts.ts';
import type { JsonValue, ValueKind } from '../../values/value-kind.ts';
import { saidLanguages } from '../storage/said-languages.ts';
import { indexedWords, type StoredStructure, storedStructure } from '../storage/stored-structure.ts';
import { Restructuring } from './restructuring.ts';
import { scanRows, scanTranslations } from './row-scan.ts';

/** Values that are written between the making of columns and tables and the end of those that they replace. */
export type DataMove =
  /** A field's default in all records. */
  | { readonly move: 'fill'; readonly type: ContentType; readonly field: string }
  | {
      readonly move: 'cast';
      readonly table: string;
      readonly from: { readonly column: string; readonly kind: ValueKind };
      readonly to: { readonly column: string; readonly kind: ValueKind };
    }
  /** The values of a structured field, made in the way of its definition. */
  | {
      readonly move: 'restructure';
      readonly type: ContentType;
      readonly field: Field;
      readonly before: StoredStructure;
    }
  /** What a language shows of the fields that have a column for it, in all records. */
  | { readonly move: 'show'; readonly type: ContentType; readonly language: Language }
  /** In which languages each record has values. */
  | { readonly move: 'say'; readonly type: ContentType }
  /** The words of what records say in other languages, for searches. */
  | { readonly move: 'words'; readonly type: ContentType }
  /** The state of each record, as that of what it says in other languages. */
  | { readonly move: 'states'; readonly type: ContentType; readonly column: string }
  /** The one record that a column names, as the only one of a junction. */
  | { readonly move: 'to_many'; readonly table: string; readonly column: string; readonly junction: string }
  /** The only record of a junction, as the one that a column names. */
  | { readonly move: 'to_one'; readonly table: string; readonly column: string; readonly junction: string };

/** What a person is shown of it. */
export function moveText(move: DataMove, dialect: Dialect): string {
  switch (move.move) {
    case 'fill':
    case 'say':
    case 'states':
    case 'to_many':
    case 'to_one':
      return moveStatement(move, dialect)?.sql ?? '';
    case 'restructure':
      return `-- for each record of ${move.type.table}: the values inside "${move.field.name}" as they are defined`;
    case 'show':
      return `-- for each record of ${move.type.table}: what ${move.language.tag} shows of it`;
    case 'words':
      return `-- for each record of ${move.type.table}: the words of what it says in other languages`;
    case 'cast':
      return `${castStatement(move, dialect)} -- for each record: "${move.from.column}" (${move.from.kind}) as ${move.to.kind}`;
  }
}

export async function runMove(transaction: Transaction, dialect: Dialect, move: DataMove): Promise<void> {
  if (move.move === 'cast') return cast(transaction, dialect, move);
  if (move.move === 'restructure') return restructure(transaction, dialect, move);
  if (move.move === 'show') return show(transaction, dialect, move);
  if (move.move === 'words') return indexTranslations(transaction, dialect, move.type);
  const statement = moveStatement(move, dialect);
  if (statement !== undefined) await transaction.run(statement);
}

function moveStatement(
  move: Exclude<DataMove, { move: 'cast' | 'restructure' | 'show' | 'words' }>,
  dialect: Dialect,
): Query | undefined {
  const statement =
    move.move === 'fill'
      ? fillStatement(move.type, move.field, dialect)
      : move.move === 'say'
        ? saidStatement(move.type, dialect)
        : move.move === 'states'
          ? statesStatement(move.type, move.column)
          : relationStatement(move);
  return statement === undefined ? undefined : compiledQuery(statement, dialect);
}

function fillStatement(type: ContentType, name: string, dialect: Dialect): RawBuilder<unknown> | undefined {
  const field = type.field.get(name);
  const column = field !== undefined && isValue(field) ? storedColumn(field) : undefined;
  if (field === undefined || column === undefined || field.default === undefined) return undefined;
  const parsed = field.type.parse(field.default, field);
  if (!parsed.ok) throw new FatalError(`${type.source}: the default of "${name}" is not valid: ${parsed.message}`);
  const value = dialect.encode(kindOf(field), parsed.value);
  return sql`update ${sql.id(type.table)} set ${sql.id(column)} = ${value}`;
}

const saidStatement = (type: ContentType, dialect: Dialect): RawBuilder<unknown> =>
  sql`update ${sql.id(type.table)} set ${sql.id(saidColumn)} = ${saidLanguages(type, type.table, dialect)}`;

function statesStatement(type: ContentType, name: string): RawBuilder<unknown> {
  const [table, own, column] = [sql.id(languagesTable(type)), sql.id(type.table), sql.id(name)];
  return sql`update ${table} set ${column} = (select "source".${column} from ${own} as "source"
    where "source"."id" = ${table}.${sql.id(languageColumns.row)}) where ${sql.id(languageColumns.changedAt)} is not null`;
}

function relationStatement(move: Extract<DataMove, { junction: string }>): RawBuilder<unknown> {
  const table = sql.id(move.table);
  const column = sql.id(move.column);
  const junction = sql.id(move.junction);
  const [source, target, position] = [
    sql.id(junctionColumns.source),
    sql.id(junctionColumns.target),
    sql.id(junctionColumns.position),
  ];
  if (move.move === 'to_many')
    return sql`insert into ${junction} (${source}, ${target}, ${position})
  select "id", ${column}, 0 from ${table} where ${column} is not null`;
  return sql`update ${table} set ${column} = (select ${target} from ${junction} where ${source} = ${table}."id")`;
}

type StoredRow = Readonly<Record<string, SqlValue>> & { readonly id: string };

async function restructure(
  transaction: Transaction,
  dialect: Dialect,
  { type, field, before }: Extract<DataMove, { move: 'restructure' }>,
): Promise<void> {
  const column = isValue(field) ? storedColumn(field) : undefined;
  if (column === undefined) return;
  const { table } = type;
  const restructuring = new Restructuring(field, before);
  await scanRows<StoredRow>(transaction, dialect, table, [column], async (row) => {
    const stored = row[column] ?? null;
    if (stored === null) return;
    // The column only ever gets JSON.
    const value = dialect.decode('json', stored) as JsonValue;
    const made = restructuring.apply(value);
    if (Bun.deepEquals(made, value)) return;
    const update = sql`update ${sql.id(table)} set ${sql.id(column)} = ${dialect.encode('json', made)} where "id" = ${row.id}`;
    await transaction.run(compiledQuery(update, dialect));
  });
  if (!field.localized) return;
  const translations = { table: languagesTable(type), column };
  await scanTranslations(transaction, dialect, translations, async ({ record, language, stored }) => {
    // The column only ever gets JSON.
    const value = dialect.decode('json', stored) as JsonValue;
    const made = restructuring.apply(value);
    if (Bun.deepEquals(made, value)) return;
    const update = sql`update ${sql.id(translations.table)} set ${sql.id(column)} = ${dialect.encode('json', made)}
      where ${sql.id(languageColumns.row)} = ${record} and ${sql.id(languageColumns.language)} = ${language}`;
    await transaction.run(compiledQuery(update, dialect));
  });
}

/** Keeps the words of each value in another language beside it. */
async function indexTranslations(transaction: Transaction, dialect: Dialect, type: ContentType): Promise<void> {
  const table = languagesTable(type);
  for (const field of wordFields(type)) {
    const column = storedColumn(field) ?? field.name;
    const structure = field.structure && storedStructure(field.structure);
    await scanTranslations(transaction, dialect, { table, column }, async ({ record, language, stored }) => {
      const words = indexedWords(structure, structure === undefined ? stored : dialect.decode('json', stored));
      const update = sql`update ${sql.id(table)} set ${sql.id(wordsColumn(column))} = ${words}
        where ${sql.id(languageColumns.row)} = ${record} and ${sql.id(languageColumns.language)} = ${language}`;
      await transaction.run(compiledQuery(update, dialect));
    });
  }
}

/** Makes a row for each record that has none, and fills what the language shows. */
async function show(
  transaction: Transaction,
  dialect: Dialect,
  { type, language }: Extract<DataMove, { move: 'show' }>,
): Promise<void> {
  const [table, own] = [sql.id(languagesTable(type)), sql.id(type.table)];
  const [row, tag] = [sql.id(languageColumns.row), sql.id(languageColumns.language)];
  const fallbacks = type.languages?.fallbacksOf(language) ?? [];
  const rows = sql`insert into ${table} (${row}, ${tag}) select "id", ${language.tag} from ${own} where true
    on conflict do nothing`;
  const shown = shownFields(type).flatMap((field) => {
    const column = storedColumn(field);
    if (column === undefined) return [];
    const published = publishedInLanguage(type);
    /** Where languages are published one by one, one that is not says nothing. */
    const said = (row: RawBuilder<unknown>): RawBuilder<unknown> =>
      published === undefined
        ? sql`${row}.${sql.id(column)}`
        : sql`case when ${row}.${sql.id(published.column)} = ${sql.lit(published.value)} then ${row}.${sql.id(column)} end`;
    const values = fallbacks.map((fallback) =>
      fallback.isDefault
        ? sql`(select ${said(sql.id('source'))} from ${own} as "source" where "source"."id" = ${table}.${row})`
        : sql`(select ${said(sql.id('source'))} from ${table} as "source"
            where "source".${row} = ${table}.${row} and "source".${tag} = ${fallback.tag})`,
    );
    const all = [said(table), ...values];
    return [sql`${sql.id(shownColumn(column))} = ${all.length === 1 ? all[0] : sql`coalesce(${sql.join(all)})`}`];
  });
  await transaction.run(compiledQuery(rows, dialect));
  if (shown.length === 0) return;
  const filled = sql`update ${table} set ${sql.join(shown)} where ${tag} = ${language.tag}`;
  await transaction.run(compiledQuery(filled, dialect));
}

type CastMove = Extract<DataMove, { move: 'cast' }>;

/** Takes the value and the record's id. */
const castStatement = ({ table, to }: CastMove, dialect: Dialect): string =>
  compiledQuery(sql`update ${sql.id(table)} set ${sql.id(to.column)} = ${null} where "id" = ${null}`, dialect).sql;

async function cast(transaction: Transaction, dialect: Dialect, move: CastMove): Promise<void> {
  const { table, from, to } = move;
  const statement = castStatement(move, dialect);
  await scanRows<StoredRow>(transaction, dialect, table, [from.column], async (row) => {
    const stored = row[from.column] ?? null;
    if (stored === null) return;
    const value = castValue(from.kind, to.kind, dialect.decode(from.kind, stored));
    // Checked in the same transaction; losing it here would be silent.
    if (value === undefined) throw new Error(`A value of ${table}.${from.column} has no form as ${to.kind}.`);
    await transaction.run({ sql: statement, parameters: [dialect.encode(to.kind, value), row.id] });
  });
}
