import { type RawBuilder, sql } from 'kysely';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { junctionColumns } from '../definition/content-type.ts';
import { readableFields } from '../definition/readable-fields.ts';
import type { IncludeBranch, IncludeTree } from '../query/include-tree.ts';
import { includedView, type ReadView, readableField } from '../query/read-view.ts';
import { annotationsOf } from './annotations.ts';
import { allOf, column, never, tableAs } from './sql-parts.ts';
import { gettable, type PlanContext, protocolConditions } from './visibility.ts';

const emptyArray = sql`'[]'`;

/**
 * Builds the JSON text of records inside the statement: the fields that a view tells, relations as ids, or, where
 * included, as what the target's own `get` would show this caller. Correlated subqueries, never a query a row.
 */
export class Projection {
  readonly #types: ContentTypes;
  readonly #context: PlanContext;
  readonly #isNew: boolean;
  #aliases = 0;

  /** `isNew`: of records that no other row points to, or has a link of, yet. Nothing is looked for then. */
  constructor(types: ContentTypes, context: PlanContext, isNew = false) {
    this.#types = types;
    this.#context = context;
    this.#isNew = isNew;
  }

  /** The record in row `alias` of `type` as a JSON object; `more` are members that are no fields. */
  record(
    type: ContentType,
    alias: string,
    view: ReadView,
    include: IncludeTree,
    more: readonly (readonly [name: string, value: RawBuilder<unknown>])[] = [],
  ): RawBuilder<string> {
    this.#context.reads.type(type.singular);
    // Told to admins, and their lists can be chosen from by it; it does not end other answers.
    if (view === 'admin') this.#context.reads.type(annotationsOf(type));
    const branches = new Map(include.map((branch) => [branch.field.name, branch]));
    const fields = readableFields(type, view).map(
      (field) => [field.name, this.#field(field, alias, view, branches.get(field.name))] as const,
    );
    return this.#context.dialect.jsonObject([...fields, ...more]);
  }

  #field(field: Field, alias: string, view: ReadView, branch: IncludeBranch | undefined): RawBuilder<unknown> {
    const { place } = field;
    switch (place.shape) {
      case 'column':
        return this.#context.dialect.json(place.kind, column(alias, place.column));
      case 'to_one':
        return branch === undefined
          ? this.#context.dialect.json('text', column(alias, place.column))
          : this.#includedOne(column(alias, place.column), branch, view);
      case 'to_many': {
        if (this.#isNew) return emptyArray;
        const related = this.#junctionRows(place.junction, alias, branch, view);
        return this.#many(related, branch, view);
      }
      case 'mirror': {
        if (this.#isNew) return emptyArray;
        const related = this.#mirrorRows(this.#types.get(place.target), place.mappedBy, alias, view);
        return this.#many(related, branch, view);
      }
    }
  }

  #includedOne(id: RawBuilder<unknown>, { target, include }: IncludeBranch, view: ReadView): RawBuilder<unknown> {
    const alias = this.#alias();
    const json = this.record(target, alias, includedView(view), include);
    const conditions = [sql`${column(alias, 'id')} = ${id}`, this.#told(target, alias, view)];
    return this.#context.dialect.jsonOne(json, sql`${tableAs(target.table, alias)} where ${allOf(conditions)}`);
  }

  /** The rows of a relation to many, in order: the target's rows where it is included, else only their ids. */
  #junctionRows(
    junction: string,
    alias: string,
    branch: IncludeBranch | undefined,
    view: ReadView,
  ): RawBuilder<unknown> {
    const link = this.#alias();
    const linked = sql`${column(link, junctionColumns.source)} = ${column(alias, 'id')}`;
    const order = sql`order by ${column(link, junctionColumns.position)}, ${column(link, junctionColumns.target)}`;
    if (branch === undefined) {
      return sql`select ${column(link, junctionColumns.target)} as "id" from ${tableAs(junction, link)} where ${linked} ${order}`;
    }
    const row = this.#alias();
    return sql`select ${sql.id(row)}.* from ${tableAs(junction, link)}
      join ${tableAs(branch.target.table, row)} on ${column(row, 'id')} = ${column(link, junctionColumns.target)}
      where ${allOf([linked, this.#told(branch.target, row, view)])} ${order}`;
  }

  /** The rows whose field points back here: only those whose pointing field this caller may read. */
  #mirrorRows(target: ContentType, mappedBy: string, alias: string, view: ReadView): RawBuilder<unknown> {
    const row = this.#alias();
    this.#context.reads.type(target.singular);
    const told =
      readableField(target, includedView(view), mappedBy) === undefined ? never : this.#told(target, row, view);
    const pointing = sql`${column(row, mappedBy)} = ${column(alias, 'id')}`;
    return sql`select ${sql.id(row)}.* from ${tableAs(target.table, row)}
      where ${allOf([pointing, told])} order by ${column(row, 'id')}`;
  }

  #many(rows: RawBuilder<unknown>, branch: IncludeBranch | undefined, view: ReadView): RawBuilder<unknown> {
    const alias = this.#alias();
    const json =
      branch === undefined
        ? this.#context.dialect.json('text', column(alias, 'id'))
        : this.record(branch.target, alias, includedView(view), branch.include);
    return this.#context.dialect.jsonArray(json, sql`(${rows}) as ${sql.id(alias)}`);
  }

  /** Which rows of a related type may be told at all: for the admin routes all that exist, else what `get` shows. */
  #told(target: ContentType, alias: string, view: ReadView): RawBuilder<boolean> {
    return view === 'admin'
      ? allOf(protocolConditions(target, alias, this.#context, 'admin'))
      : gettable(target, alias, this.#context);
  }

  #alias(): string {
    this.#aliases += 1;
    return `r${this.#aliases}`;
  }
}
