import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import { languageColumns } from '../../definition/languages/languages-table.ts';
import { scanRows, scanTranslations, type Translations } from '../data/row-scan.ts';
import type { FieldStorage } from '../storage/type-storage.ts';

/** Records that something is wrong with: how many, and the ids of the first few. */
export interface Misfits {
  readonly count: number;
  readonly examples: readonly string[];
}

const exampleLimit = 3;

const source = sql.id(junctionColumns.source);

/** What the tables hold at this moment. Only asked where a definition has changed. */
export class StoredFacts {
  readonly #executor: Executor;
  readonly #dialect: Dialect;

  constructor(executor: Executor, dialect: Dialect) {
    this.#executor = executor;
    this.#dialect = dialect;
  }

  /** Empty when there is no such table. */
  async columns(table: string): Promise<ReadonlySet<string>> {
    const rows = await this.#executor.rows<{ name: string }>(this.#dialect.schema.columns(table));
    return new Set(rows.map(({ name }) => name));
  }

  records(table: string): Promise<number> {
    return this.#number(sql`select count(*) as "value" from ${sql.id(table)}`);
  }

  /** How many records have a value in the column, in a table with values in other languages. */
  translated(table: string, column: string): Promise<number> {
    const record = sql.id(languageColumns.row);
    return this.#number(
      sql`select count(distinct ${record}) as "value" from ${sql.id(table)} where ${sql.id(column)} is not null`,
    );
  }

  /** How many records have values of their own in a language. */
  translatedInto(table: string, language: string): Promise<number> {
    const { language: tag, changedAt } = languageColumns;
    return this.#number(
      sql`select count(*) as "value" from ${sql.id(table)} where ${sql.id(tag)} = ${language} and ${sql.id(changedAt)} is not null`,
    );
  }

  /** How many values of the column stand in more than one record in one language. */
  repeatedInLanguage(table: string, column: string): Promise<number> {
    const by = sql.join([sql.id(languageColumns.language), sql.id(column)]);
    return this.#number(sql`select count(*) as "value" from (
      select 1 as "one" from ${sql.id(table)} where ${sql.id(column)} is not null
      group by ${by} having count(*) > 1) as "repeated"`);
  }

  /** How many records have a value in the field. */
  filled(table: string, storage: FieldStorage): Promise<number> {
    if (storage.shape === 'to_many') {
      return this.#number(sql`select count(distinct ${source}) as "value" from ${sql.id(storage.junction)}`);
    }
    return this.#number(
      sql`select count(*) as "value" from ${sql.id(table)} where ${sql.id(storage.column)} is not null`,
    );
  }

  /** The records that have no value in the field. */
  empty(table: string, storage: FieldStorage): Promise<Misfits> {
    const isEmpty =
      storage.shape === 'to_many'
        ? sql`"id" not in (select ${source} from ${sql.id(storage.junction)})`
        : sql`${sql.id(storage.column)} is null`;
    return this.#misfits(sql`select "id" from ${sql.id(table)} where ${isEmpty}`);
  }

  /** How many values stand in more than one record, of those with the same in the column `within`. */
  repeated(table: string, storage: FieldStorage, within?: string): Promise<number> {
    const [from, value] =
      storage.shape === 'to_many'
        ? [storage.junction, sql.id(junctionColumns.target)]
        : [table, sql.id(storage.column)];
    return this.#number(sql`select count(*) as "value" from (
      select 1 as "one" from ${sql.id(from)} where ${value} is not null
      group by ${sql.join([value, ...(within === undefined ? [] : [sql.id(within)])])} having count(*) > 1) as "repeated"`);
  }

  /** The records with values in all columns, or in those with the same in the column `within`, that others share. */
  sharing(table: string, columns: readonly string[], within?: string): Promise<Misfits> {
    const values = columns.map((column) => sql.id(column));
    const filled = sql.join(
      values.map((value) => sql`${value} is not null`),
      sql` and `,
    );
    const by = [...values, ...(within === undefined ? [] : [sql.id(within)])];
    const same = sql.join(
      by.map((value, index) =>
        index < values.length
          ? sql`"r".${value} = "s".${value}`
          : sql`("r".${value} = "s".${value} or ("r".${value} is null and "s".${value} is null))`,
      ),
      sql` and `,
    );
    return this.#misfits(sql`select "r"."id" from ${sql.id(table)} as "r" join (
      select ${sql.join(by)} from ${sql.id(table)} where ${filled} group by ${sql.join(by)} having count(*) > 1
    ) as "s" on ${same}`);
  }

  /** How many records have a value in all columns. */
  filledTogether(table: string, columns: readonly string[]): Promise<number> {
    const filled = sql.join(
      columns.map((column) => sql`${sql.id(column)} is not null`),
      sql` and `,
    );
    return this.#number(sql`select count(*) as "value" from ${sql.id(table)} where ${filled}`);
  }

  /** The records that name more than one other. */
  severalTargets(junction: string): Promise<Misfits> {
    return this.#misfits(sql`select ${source} as "id" from ${sql.id(junction)} group by ${source} having count(*) > 1`);
  }

  /** The records whose value in a column, in any language, `fits` says false of; it is given the value as stored. */
  async misfits(
    table: string,
    column: string,
    fits: (stored: SqlValue) => boolean,
    translations?: Translations | undefined,
  ): Promise<Misfits> {
    let count = 0;
    const examples: string[] = [];
    await scanRows<StoredRow>(this.#executor, this.#dialect, table, [column], async (row) => {
      const stored = row[column] ?? null;
      if (stored === null || fits(stored)) return;
      count += 1;
      if (examples.length < exampleLimit) examples.push(row.id);
    });
    if (translations === undefined) return { count, examples };
    await scanTranslations(this.#executor, this.#dialect, translations, async ({ record, stored }) => {
      if (fits(stored)) return;
      count += 1;
      if (examples.length < exampleLimit) examples.push(record);
    });
    return { count, examples };
  }

  /** Visits the values of a column that are there, as they are stored. */
  async each(
    table: string,
    column: string,
    visit: (stored: SqlValue) => void,
    translations?: Translations | undefined,
  ): Promise<void> {
    await scanRows<StoredRow>(this.#executor, this.#dialect, table, [column], async (row) => {
      const stored = row[column] ?? null;
      if (stored !== null) visit(stored);
    });
    if (translations === undefined) return;
    await scanTranslations(this.#executor, this.#dialect, translations, async ({ stored }) => visit(stored));
  }

  async #misfits(select: RawBuilder<unknown>): Promise<Misfits> {
    const count = await this.#number(sql`select count(*) as "value" from (${select}) as "found"`);
    if (count === 0) return { count, examples: [] };
    const first = sql`${select} order by "id" limit ${exampleLimit}`;
    const rows = await this.#executor.rows<{ id: string }>(compiledQuery(first, this.#dialect));
    return { count, examples: rows.map(({ id }) => id) };
  }

  async #number(statement: RawBuilder<unknown>): Promise<number> {
    const row = await this.#executor.first<{ value: unknown }>(compiledQuery(statement, this.#dialect));
    return Number(row?.value ?? 0);
  }
}

type StoredRow = Readonly<Record<string, SqlValue>> & { readonly id: string };
