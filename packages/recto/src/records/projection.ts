import { type RawBuilder, sql } from 'kysely';
import type { ContentType, ContentTypes, Field } from '../definition/content-type.ts';
import { idColumn } from '../definition/includable-fields.ts';
import { readableFields } from '../definition/readable-fields.ts';
import type { IncludeBranch, IncludeTree } from '../query/include-tree.ts';
import { includedView, type ReadView } from '../query/read-view.ts';
import { annotationsOf } from './annotations.ts';
import { idRows, idsJson, referenceTo, totalName } from './cut-lists.ts';
import { Aliases, type RelatedRows, Relations, selectRelated } from './related-rows.ts';
import { allOf, column } from './sql-parts.ts';
import type { PlanContext } from './visibility.ts';

const emptyArray = sql`'[]'`;

/**
 * Builds the JSON text of records inside the statement: the fields of a view, relations as ids, or, where
 * included, as what the target's own `get` would show this caller. Correlated subqueries, never a query a row.
 */
export class Projection {
  readonly #context: PlanContext;
  readonly #isNew: boolean;
  readonly #aliases = new Aliases();
  readonly #relations: Relations;

  /** `isNew`: of records that no other row points to, or has a link of, yet. Nothing is looked for then. */
  constructor(types: ContentTypes, context: PlanContext, isNew = false) {
    this.#context = context;
    this.#isNew = isNew;
    this.#relations = new Relations(types, context, this.#aliases);
  }

  /** The record in row `alias` of `type` as a JSON object; `more` are members that are no fields. */
  record(
    type: ContentType,
    alias: string,
    view: ReadView,
    include: IncludeTree,
    more: readonly (readonly [name: string, value: RawBuilder<unknown>])[] = [],
  ): RawBuilder<string> {
    return this.#record({ type, alias, view, include, isIncluded: false }, more);
  }

  #record(
    shown: ShownRecord,
    more: readonly (readonly [name: string, value: RawBuilder<unknown>])[] = [],
  ): RawBuilder<string> {
    const { type, view, include } = shown;
    this.#context.reads.type(type.singular);
    // Shown to admins, whose lists can be filtered by it; changes of it do not invalidate other answers.
    if (view === 'admin') this.#context.reads.type(annotationsOf(type));
    const branches = new Map(include.map((branch) => [branch.name, branch]));
    const fields = readableFields(type, view).flatMap((field) => {
      const own = [field.name, this.#field(shown, field, branches.get(field.name))] as const;
      const added = field.includedAs === undefined ? undefined : branches.get(field.includedAs.name);
      return added?.field === field ? [own, [added.name, this.#includedBeside(shown, field, added)] as const] : [own];
    });
    return this.#context.dialect.jsonObject([...fields, ...more]);
  }

  #field(shown: ShownRecord, field: Field, branch: IncludeBranch | undefined): RawBuilder<unknown> {
    const { alias, view } = shown;
    const { place } = field;
    switch (place.shape) {
      case 'column':
        return this.#context.dialect.json(place.kind, column(alias, place.column));
      case 'to_one':
        return branch === undefined
          ? this.#context.dialect.json('text', column(alias, place.column))
          : this.#includedOne(column(alias, place.column), branch, view);
      case 'to_many':
      case 'inverse': {
        const related = this.#isNew ? undefined : this.#relations.many(field, alias, view, branch?.target);
        return related === undefined
          ? this.#context.dialect.json('json', emptyArray)
          : this.#many(shown, field, related, branch);
      }
    }
  }

  /** The record whose id a field of no relation holds. */
  #includedBeside({ alias, view }: ShownRecord, field: Field, branch: IncludeBranch): RawBuilder<unknown> {
    const id = idColumn(field);
    return id === undefined ? sql`'null'` : this.#includedOne(column(alias, id), branch, view);
  }

  #includedOne(id: RawBuilder<unknown>, { target, include }: IncludeBranch, view: ReadView): RawBuilder<unknown> {
    const related = this.#relations.one(id, target, view);
    const json = this.#included(target, related.row, view, include);
    return this.#context.dialect.jsonOne(json, sql`${sql.join(related.tables)} where ${allOf(related.conditions)}`);
  }

  /** A relation to many, in order: the records where it is included, else their ids. */
  #many(
    shown: ShownRecord,
    field: Field,
    related: RelatedRows,
    branch: IncludeBranch | undefined,
  ): RawBuilder<unknown> {
    const alias = this.#aliases.take();
    const { dialect } = this.#context;
    if (branch === undefined) {
      return idsJson(related, alias, dialect, this.#total(shown, field, related));
    }
    const json = this.#included(branch.target, alias, shown.view, branch.include);
    const rows = selectRelated(related, sql`${sql.id(related.row)}.*`);
    return dialect.jsonArray(json, sql`(${rows} order by ${related.order}) as ${sql.id(alias)}`);
  }

  /** How many ids there are. An included record may be in the answer many times: its are counted once, afterwards. */
  #total({ type, alias, isIncluded }: ShownRecord, field: Field, related: RelatedRows): RawBuilder<unknown> {
    if (totalName(type, field) === undefined) return sql`''`;
    return isIncluded ? referenceTo(type, field, alias) : sql`(select count(*) from (${idRows(related)}) as "counted")`;
  }

  #included(type: ContentType, alias: string, view: ReadView, include: IncludeTree): RawBuilder<string> {
    return this.#record({ type, alias, view: includedView(view), include, isIncluded: true });
  }
}

/** A record as it stands in an answer. */
interface ShownRecord {
  readonly type: ContentType;
  readonly alias: string;
  readonly view: ReadView;
  readonly include: IncludeTree;
  readonly isIncluded: boolean;
}
