import { type RawBuilder, sql } from 'kysely';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { junctionColumns } from '../../definition/content-type.ts';
import { includedView, type ReadView } from '../../definition/rights/read-view.ts';
import { readableField } from '../../query/read-view.ts';
import { allOf, column, never, tableAs } from '../plans/sql-parts.ts';
import { type PlanContext, relatedRows } from '../plans/visibility.ts';

/** The rows that a relation to many of a record leads to, as a view shows them. */
export interface RelatedRows {
  /** What to select from, the rows nearest to the record first. */
  readonly tables: readonly RawBuilder<unknown>[];
  readonly conditions: readonly RawBuilder<boolean>[];
  /** The related record's id, which one of the tables holds. */
  readonly id: RawBuilder<unknown>;
  /** The alias of the related record's own row; of a relation whose records are not read, that of the link. */
  readonly row: string;
  readonly order: RawBuilder<unknown>;
}

/** The row that a relation to one leads to. */
export type RelatedRow = Omit<RelatedRows, 'order'>;

/** Hands out aliases, each of them once in a statement. */
export class Aliases {
  #taken = 0;

  take(): string {
    this.#taken += 1;
    return `r${this.#taken}`;
  }
}

/** Finds what records of a plan are related to. */
export class Relations {
  readonly #types: ContentTypes;
  readonly #context: PlanContext;
  readonly #aliases: Aliases;

  constructor(types: ContentTypes, context: PlanContext, aliases: Aliases) {
    this.#types = types;
    this.#context = context;
    this.#aliases = aliases;
  }

  /** The record that a relation to one of row `alias` leads to. */
  one(id: RawBuilder<unknown>, target: ContentType, view: ReadView): RelatedRow {
    const row = this.#aliases.take();
    return {
      tables: [tableAs(target.table, row)],
      conditions: [sql`${column(row, 'id')} = ${id}`, relatedRows(target, view, row, this.#context)],
      id: column(row, 'id'),
      row,
    };
  }

  /** What a relation to many of row `alias` leads to; undefined for a relation to one. `included`: the records themselves are read. */
  many(field: Field, alias: string, view: ReadView, included: ContentType | undefined): RelatedRows | undefined {
    switch (field.place.shape) {
      case 'to_many':
        return this.#linked(field.place.junction, alias, view, included);
      case 'inverse':
        return this.#pointing(this.#types.get(field.place.target), field.place.mappedBy, alias, view);
      case 'column':
      case 'to_one':
        return undefined;
    }
  }

  #linked(junction: string, alias: string, view: ReadView, included: ContentType | undefined): RelatedRows {
    const link = this.#aliases.take();
    const target = column(link, junctionColumns.target);
    const linked = sql<boolean>`${column(link, junctionColumns.source)} = ${column(alias, 'id')}`;
    const order = sql`${column(link, junctionColumns.position)}, ${target}`;
    const links = tableAs(junction, link);
    if (included === undefined) return { tables: [links], conditions: [linked], id: target, row: link, order };
    const row = this.#aliases.take();
    const isTarget = sql<boolean>`${column(row, 'id')} = ${target}`;
    return {
      tables: [links, tableAs(included.table, row)],
      conditions: [linked, isTarget, relatedRows(included, view, row, this.#context)],
      id: target,
      row,
      order,
    };
  }

  /** The rows whose field points back here: only those whose pointing field this caller may read. */
  #pointing(target: ContentType, mappedBy: string, alias: string, view: ReadView): RelatedRows {
    const row = this.#aliases.take();
    this.#context.reads.type(target.singular);
    const isReadable = readableField(target, includedView(view), mappedBy) !== undefined;
    const leads = sql<boolean>`${column(row, mappedBy)} = ${column(alias, 'id')}`;
    return {
      tables: [tableAs(target.table, row)],
      conditions: [leads, isReadable ? relatedRows(target, view, row, this.#context) : never],
      id: column(row, 'id'),
      row,
      order: column(row, 'id'),
    };
  }
}

/** `value` of each of the rows. */
export const selectRelated = ({ tables, conditions }: RelatedRow, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select ${value} from ${sql.join(tables)} where ${allOf(conditions)}`;
