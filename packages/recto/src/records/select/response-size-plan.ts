import { type RawBuilder, sql } from 'kysely';
import type { ContentType, ContentTypes, Field } from '../../definition/content-type.ts';
import { readsPrivate } from '../../definition/readable-fields.ts';
import { includedView, type ReadView } from '../../definition/rights/read-view.ts';
import { isColumn, isValue, kindOf } from '../../definition/stored-field.ts';
import { blockMember, hidesPrivate, partFields } from '../../definition/structure/structure-items.ts';
import {
  type FieldSelection,
  type IncludeBranch,
  type IncludeTree,
  type InsideBranch,
  type RecordBranch,
  shownFields,
} from '../../query/record-parts.ts';
import type { AnswerBudget } from '../answers/answer.ts';
import { mostIds } from '../answers/truncated-lists.ts';
import { fieldValue } from '../plans/field-values.ts';
import { Plan } from '../plans/plan.ts';
import { allOf } from '../plans/sql-parts.ts';
import type { PlanContext } from '../plans/visibility.ts';
import { Aliases, Relations, selectRelated } from './related-rows.ts';

/** What an answer is made of. */
export interface Weighed {
  readonly type: ContentType;
  readonly types: ContentTypes;
  readonly view: ReadView;
  readonly include: IncludeTree;
  /** Of the answer's own records; included ones are shown with all their fields. */
  readonly fields: FieldSelection;
  /** A statement that gives the `pageKey`s of the answer's records; of not many more than an answer may have. */
  readonly keys: RawBuilder<unknown>;
  /** The column that these are; absent: the `pageKey` of the database. */
  readonly key?: string;
  /** 1 for each of these records that is itself an included one; default: none is. `page` is the alias of what `keys` gives. */
  readonly included?: RawBuilder<number>;
}

/** One row, `included` and `bytes`, if the answer would be over its budget; no row otherwise. */
export interface WeightRow {
  readonly included: number | bigint;
  readonly bytes: number | bigint;
}

/**
 * Adds up the records of an answer, level by level, as `Projection` would show them, and stops at the first one over the
 * budget. What it counts is never more than what the answer has: the least that a record takes, without escapes.
 */
export function buildWeightPlan(weighed: Weighed, context: PlanContext, budget: AnswerBudget): Plan {
  const { dialect } = context;
  const records = sql.join(new Weights(weighed, context, budget).all(), sql` union all `);
  const sums = sql`select sum("included") over "so_far" as "included", sum("bytes") over "so_far" as "bytes"
    from (${records}) as "records" window "so_far" as (rows unbounded preceding)`;
  return new Plan(
    sql`with "keys" as materialized (${weighed.keys})
      select "included", "bytes" from (${sums}) as "sums"
      where "included" > ${sql.lit(budget.included)} or "bytes" > ${sql.lit(budget.bytes)} limit 1`,
    dialect,
  );
}

/** The rows of records of one kind, all those of the answer by one path from its own records. */
interface Level {
  readonly from: RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<boolean>[];
  readonly row: string;
  /** What these records are shown with. */
  readonly fields: FieldSelection;
}

class Weights {
  readonly #weighed: Weighed;
  readonly #context: PlanContext;
  readonly #budget: AnswerBudget;
  readonly #aliases = new Aliases();
  readonly #relations: Relations;

  constructor(weighed: Weighed, context: PlanContext, budget: AnswerBudget) {
    this.#weighed = weighed;
    this.#context = context;
    this.#budget = budget;
    this.#relations = new Relations(weighed.types, context, this.#aliases);
  }

  /** Statements of rows with `included` and `bytes`: the answer's own records, then those of each path. */
  all(): readonly RawBuilder<unknown>[] {
    const { type, view, include, fields, key, included } = this.#weighed;
    const row = 't0';
    const from = this.#context.dialect.pageRows(type.table, row, sql`select * from "keys"`, key);
    return this.#level(type, view, include, { from, conditions: [], row, fields }, included ?? sql`0`, null);
  }

  #level(
    type: ContentType,
    view: ReadView,
    include: IncludeTree,
    level: Level,
    included: RawBuilder<number>,
    most: number | null,
  ): readonly RawBuilder<unknown>[] {
    this.#context.reads.type(type.singular);
    const { from, conditions, row, fields } = level;
    const bytes = this.#bytes(type, row, view, include, fields);
    const rows = sql`select ${included} as "included", ${bytes} as "bytes" from ${from} where ${allOf(conditions)}`;
    const own = most === null ? rows : sql`select * from (${rows} limit ${sql.lit(most)}) as "level"`;
    return [own, ...include.flatMap((branch) => this.#branch(branch, view, level))];
  }

  #branch(branch: IncludeBranch, view: ReadView, level: Level): readonly RawBuilder<unknown>[] {
    const { field } = branch;
    const { row } = level;
    if (branch.target !== null) {
      return this.#records(branch, isColumn(field) ? fieldValue(field, row) : undefined, view, level);
    }
    return isValue(field)
      ? this.#inside(branch, this.#context.dialect.jsonValues.of(fieldValue(field, row)), view, level)
      : [];
  }

  /** The records that the fields inside a structured one lead to. */
  #inside(
    { field, include }: InsideBranch,
    value: RawBuilder<unknown>,
    view: ReadView,
    level: Level,
  ): readonly RawBuilder<unknown>[] {
    const { jsonValues } = this.#context.dialect;
    const { structure } = field;
    if (structure === undefined) return [];
    const alias = structure.many ? this.#aliases.take() : undefined;
    const item = alias === undefined ? value : jsonValues.item(alias, false);
    const from = alias === undefined ? level.from : sql`${level.from} cross join ${jsonValues.items(value, alias)}`;
    return structure.parts.flatMap((part) => {
      const isPart =
        part.name === null ? [] : [sql<boolean>`${jsonValues.memberText(item, blockMember)} = ${sql.lit(part.name)}`];
      const own = { ...level, from, conditions: [...level.conditions, ...isPart] };
      return include
        .filter((branch) => partFields(part).includes(branch.field))
        .flatMap((branch) => {
          const isItem = part.item !== null;
          if (branch.target === null)
            return this.#inside(branch, isItem ? item : jsonValues.member(item, branch.field.name), view, own);
          const id = isItem ? jsonValues.itemText(item) : jsonValues.memberText(item, branch.field.name);
          return this.#records(branch, id, view, own);
        });
    });
  }

  /** The included records; `id` is that of a field that leads to one. */
  #records(
    { field, target, include }: RecordBranch,
    id: RawBuilder<unknown> | undefined,
    view: ReadView,
    level: Level,
  ): readonly RawBuilder<unknown>[] {
    const related =
      id === undefined ? this.#relations.many(field, level.row, view, target) : this.#relations.one(id, target, view);
    if (related === undefined) return [];
    // From the answer's records on, and not from where a database without statistics would begin.
    const from = sql`${sql.join([level.from, ...related.tables], sql` cross join `)}`;
    const conditions = [...level.conditions, ...related.conditions];
    return this.#level(
      target,
      includedView(view),
      include,
      { from, conditions, row: related.row, fields: null },
      sql`1`,
      this.#budget.included + 1,
    );
  }

  /** The least that a record takes in the answer. */
  #bytes(
    type: ContentType,
    row: string,
    view: ReadView,
    include: IncludeTree,
    selection: FieldSelection,
  ): RawBuilder<number> {
    const fields = shownFields(type, view, selection, include);
    const included = new Set(include.map(({ field }) => field));
    const parts = fields.flatMap((field) => {
      const isHidden = !readsPrivate(view) && hidesPrivate(field);
      if (field.structure !== undefined && (included.has(field) || isHidden)) {
        // Of an id that is shown as null, less than a tenth is left; of what is private, nothing.
        return isHidden ? [] : [sql<number>`(${textBytes(field, row)} / 10)`];
      }
      if (included.has(field)) return [];
      if (isValue(field)) return isUnbounded(field) ? [textBytes(field, row)] : [];
      const related = this.#relations.many(field, row, view, undefined);
      return related === undefined ? [] : [idBytes(selectRelated(related, sql`1`))];
    });
    // `{"name":…,` with a value of one character.
    const names = fields.reduce((sum, { name }) => sum + name.length + 5, 1);
    return sql`${sql.join([sql.lit(names), ...parts], sql` + `)}`;
  }
}

/** Shorter texts are not worth looking at. */
const shortest = 200;

const isUnbounded = (field: Field): boolean =>
  (kindOf(field) === 'text' || kindOf(field) === 'json') &&
  (field.options.max_length ?? field.type.longest ?? Number.POSITIVE_INFINITY) > shortest;

const textBytes = (field: Field, row: string): RawBuilder<number> =>
  sql`coalesce(octet_length(${fieldValue(field, row)}), 0)`;

/** An id with its quotes and a comma. */
const idBytes = (rows: RawBuilder<unknown>): RawBuilder<number> =>
  sql`39 * (select count(*) from (${rows} limit ${sql.lit(mostIds)}) as "ids")`;
