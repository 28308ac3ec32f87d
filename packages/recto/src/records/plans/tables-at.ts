import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import { rowColumn } from '../../database/schema-dialect.ts';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import {
  languageColumns,
  languagesTable,
  saidColumn,
  shownColumn,
  shownFields,
  wordFields,
  wordsColumn,
} from '../../definition/languages/languages-table.ts';
import type { ScheduledEffect, ScheduledUpdate } from '../../definition/protocol.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import { fieldsByLanguage, isLocalized, kindOf, storedColumn } from '../../definition/stored-field.ts';
import { allOf, column } from './sql-parts.ts';

/** The tables of a type, with what becomes of some of their columns. */
interface ScheduledTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** By column. */
  readonly settings: ReadonlyMap<string, RawBuilder<unknown>>;
}

const row = 't';

/** The updates that records of a type undergo by themselves, in the default language or alone. */
export const scheduledUpdatesOf = ({ protocols }: ContentType): readonly ScheduledUpdate[] =>
  protocols.flatMap(({ protocol, options }) => protocol.scheduled?.(options) ?? []);

/** Whether a caller may know of a scheduled update of a type. */
export type KnowsUpdate = (type: ContentType, update: ScheduledUpdate) => boolean;

/** What a caller reads of schedules: who does not read when a record changes must not find it out by trying times. */
export const knownSchedules =
  (caller: Caller, { roles }: Pick<ContentTypes, 'roles'>): KnowsUpdate =>
  (type, update) => {
    const field = type.field.get(update.at);
    return field !== undefined && rightsOf(caller, roles).of(type).reads(field);
  };

/**
 * The dialect of statements that read records as they will stand at `at`, a canonical datetime, by those of their own schedules that the
 * caller knows. Each statement declares a table of the name of each that it reads and that schedules change, with the values of then: so what
 * it filters, sorts, counts and shows is the same.
 */
export function dialectAt(dialect: Dialect, types: ContentTypes, at: string, knows: KnowsUpdate): Dialect {
  const tables = types.all.flatMap((type) => scheduledTables(type, at, dialect, knows));
  const texts = tables.map((table) => ({ name: `"${table.name}"`, text: declaration(table, dialect) }));
  return {
    ...dialect,
    declare(statement) {
      const named = texts.filter(({ name }) => statement.includes(name));
      if (named.length === 0) return statement;
      const declared = named.map(({ text }) => text).join(', ');
      const [, recursive, rest] = /^\s*with (recursive )?(.*)$/s.exec(statement) ?? [];
      // Among recursive declarations, one of a stored table's name would read itself.
      if (recursive !== undefined) return `with ${declared} select * from (${statement}) as "whole"`;
      return rest === undefined ? `with ${declared} ${statement}` : `with ${declared}, ${rest}`;
    },
  };
}

function declaration({ name, columns, settings }: ScheduledTable, dialect: Dialect): string {
  const values = columns.map((each) => {
    const value = settings.get(each);
    return value === undefined ? column(row, each) : sql`${value} as ${sql.id(each)}`;
  });
  const select = sql`select ${sql.join(values)} from ${dialect.stored(name)} as ${sql.id(row)}`;
  return sql`${sql.id(name)} as not materialized (${select})`.compile(dialect.builder).sql;
}

function scheduledTables(
  type: ContentType,
  at: string,
  dialect: Dialect,
  knows: KnowsUpdate,
): readonly ScheduledTable[] {
  return scheduledUpdatesOf(type).flatMap((update): readonly ScheduledTable[] => {
    if (!knows(type, update)) return [];
    const own: ScheduledTable = {
      name: type.table,
      columns: ownColumns(type),
      settings: settingsOf(type, update, dialect, { row, at }),
    };
    if (!isLocalized(type) || type.field.get(update.at)?.localized !== true) return [own];
    const settings = settingsOf(type, update, dialect, { row, at }, (field) => field.localized);
    return [own, { name: languagesTable(type), columns: columnsOfLanguages(type), settings }];
  });
}

/** The columns of a type's own table. */
const ownColumns = (type: ContentType): readonly string[] => [
  ...new Set([
    rowColumn,
    ...type.facts.columns.map((field) => storedColumn(field) ?? field.name),
    ...(isLocalized(type) ? [saidColumn] : []),
  ]),
];

const columnsOfLanguages = (type: ContentType): readonly string[] => {
  const name = (field: Field) => storedColumn(field) ?? field.name;
  return [
    ...Object.values(languageColumns),
    ...fieldsByLanguage(type).map(name),
    ...shownFields(type).map((field) => shownColumn(name(field))),
    ...wordFields(type).map((field) => wordsColumn(name(field))),
  ];
};

/** What a scheduled update that is due at `at` makes of the columns of a row; the others keep their values. */
export function settingsOf(
  type: ContentType,
  update: ScheduledUpdate,
  dialect: Dialect,
  { row: alias, at }: { readonly row: string; readonly at: string },
  isMeant: (field: Field) => boolean = () => true,
): ReadonlyMap<string, RawBuilder<unknown>> {
  const time = column(alias, update.at);
  const literal = (name: string, value: unknown): RawBuilder<unknown> => {
    const field = type.field.get(name);
    return field === undefined ? sql`null` : sql.lit(dialect.encode(kindOf(field), value as string));
  };
  const allowed = Object.entries(update.from ?? {}).map(([name, values]) =>
    values.length === 0
      ? sql`1 = 0`
      : sql`${column(alias, name)} in (${sql.join(values.map((value) => literal(name, value)))})`,
  );
  const isDue = allOf([sql`${time} <= ${literal(update.at, at)}`, ...allowed]);
  const settings = new Map<string, RawBuilder<unknown>>();
  const set = (name: string, value: RawBuilder<unknown>): void => {
    const field = type.field.get(name);
    if (field === undefined || !isMeant(field)) return;
    const stored = storedColumn(field) ?? name;
    settings.set(stored, sql`case when ${isDue} then ${value} else ${column(alias, stored)} end`);
  };
  for (const [name, value] of Object.entries(update.sets)) set(name, literal(name, value));
  set(update.at, sql`null`);
  for (const { protocol } of type.protocols)
    for (const [name, effect] of Object.entries(protocol.scheduledEffects ?? {}))
      set(name, effectOn(column(alias, name), time, effect));
  return settings;
}

function effectOn(value: RawBuilder<unknown>, time: RawBuilder<unknown>, effect: ScheduledEffect): RawBuilder<unknown> {
  switch (effect) {
    case 'time':
      return time;
    case 'time_if_null':
      return sql`coalesce(${value}, ${time})`;
    case 'next':
      return sql`${value} + 1`;
    case 'null':
      return sql`null`;
  }
}

/** The fields of a type whose values change by schedules. */
export function scheduledFields(type: ContentType): ReadonlySet<string> {
  const updates = scheduledUpdatesOf(type);
  const effects = type.protocols.flatMap(({ protocol }) => Object.keys(protocol.scheduledEffects ?? {}));
  return new Set(updates.flatMap(({ at, sets }) => [at, ...Object.keys(sets), ...effects]));
}
