import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { endpointViews } from '../definition/rights/read-view.ts';
import type { FieldSelection, IncludeTree } from '../query/record-parts.ts';
import type { AnswerBudget } from '../records/answers/answer.ts';
import { filterExpressionCondition } from '../records/plans/filter-condition.ts';
import { Plan } from '../records/plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../records/plans/plan-reads.ts';
import { allOf, column, never, tableAs, ValuePlaces } from '../records/plans/sql-parts.ts';
import { gettable, type PlanContext } from '../records/plans/visibility.ts';
import { Projection } from '../records/select/projection.ts';
import { buildWeightPlan } from '../records/select/response-size-plan.ts';
import type { FilterExpression } from '../rules/filter-expression.ts';
import { deepestReply } from './comment-type.ts';

/** The statements that read the threads of a post: what its own and its comments' `get` endpoints show an anonymous caller. */
export interface ThreadsPlan {
  /** Values: slug, those of the filter, limit, offset. One row, `items`: the JSON array of threads as text; no row where the post is not shown. */
  readonly items: Plan;
  /** Weighs the page of `items`, with its values. */
  readonly weight: Plan;
  /** Values: slug, those of the filter. One row, `total`: the comments shown in all threads. */
  readonly total: Plan;
  readonly reads: PlanReads;
}

/** What of a request the statements depend on. */
export interface ThreadsShape {
  /** The relations of comments to populate. */
  readonly include: IncludeTree;
  /** What each comment is shown with, besides its replies. */
  readonly fields: FieldSelection;
  /** Which threads: a condition on the comments that begin them. Its values come after the slug. */
  readonly filter: FilterExpression | null;
}

export function buildThreadsPlan(
  types: ContentTypes,
  dialect: Dialect,
  budget: AnswerBudget,
  shape: ThreadsShape,
): ThreadsPlan {
  const reads = new ReadsCollector();
  const builder = new ThreadsBuilder(types, { dialect, authenticated: false, reads }, shape);
  return { items: builder.items(), weight: builder.weight(budget), total: builder.total(), reads: reads.done() };
}

/** No page is longer, whatever the settings say. */
const longestPage = 10_001;

const post = 'p';
/** A comment by its depth; 0 begins a thread. */
const at = (depth: number): string => `c${depth}`;

class ThreadsBuilder {
  readonly #types: ContentTypes;
  readonly #context: PlanContext;
  readonly #projection: Projection;
  readonly #include: IncludeTree;
  readonly #fields: FieldSelection;
  readonly #filter: FilterExpression | null;

  constructor(types: ContentTypes, context: PlanContext, { include, fields, filter }: ThreadsShape) {
    this.#types = types;
    this.#context = context;
    this.#include = include;
    this.#fields = fields;
    this.#filter = filter;
    this.#projection = new Projection(types, context);
  }

  items(): Plan {
    const { dialect } = this.#context;
    const places = new ValuePlaces();
    const shown = this.#postShown(places);
    const page = sql`${this.#rows(0, this.#begins(places))} ${this.#slice(places)}`;
    const items = dialect.jsonArrayText(this.#thread(0), sql`(${page}) as ${sql.id(at(0))}`);
    return new Plan(sql`select ${items} as "items" from ${shown}`, dialect);
  }

  /** Replies count as included records. */
  weight(budget: AnswerBudget): Plan {
    const { dialect } = this.#context;
    const places = new ValuePlaces();
    const types = this.#types;
    const comment = types.get('comment');
    const [beginning, reply] = [at(0), at(1)];
    const shown = this.#postShown(places, tableAs(comment.table, beginning));
    const order = sql.join(this.#oldestFirst(beginning));
    const first = sql`select ${column(beginning, dialect.pageKey)} as "key", ${column(beginning, 'id')} as "id", 0 as "depth"
      from ${shown} and ${allOf([this.#begins(places), this.#shown(beginning)])}
      order by ${order} ${this.#slice(places)}`;
    const replies = sql`select ${column(reply, dialect.pageKey)}, ${column(reply, 'id')}, ${column('thread', 'depth')} + 1
      from "thread" join ${tableAs(comment.table, reply)} on ${column(reply, 'parent_id')} = ${column('thread', 'id')}
      where ${column('thread', 'depth')} < ${sql.lit(deepestReply)} and ${this.#shown(reply)}`;
    const keys = sql`with recursive "thread" ("key", "id", "depth") as (
        select * from (${first}) as "first" union all ${replies}
      ) select "key" as ${sql.id(dialect.pageKey)}, "depth" from "thread" limit ${sql.lit(budget.included + longestPage)}`;
    const included = sql<number>`case when ${column('page', 'depth')} > 0 then 1 else 0 end`;
    const [include, fields] = [this.#include, this.#fields];
    const weighed = { type: comment, types, view: endpointViews.get, include, fields, keys, included } as const;
    return buildWeightPlan(weighed, this.#context, budget);
  }

  total(): Plan {
    const { dialect } = this.#context;
    const places = new ValuePlaces();
    const table = this.#types.get('comment').table;
    const reply = at(1);
    return new Plan(
      sql`with recursive "shown" ("id", "depth") as (
        select ${column(at(0), 'id')}, 0 from ${this.#postShown(places, tableAs(table, at(0)))}
          and ${allOf([this.#begins(places), this.#shown(at(0))])}
        union all
        select ${column(reply, 'id')}, ${column('shown', 'depth')} + 1
          from "shown" join ${tableAs(table, reply)} on ${column(reply, 'parent_id')} = ${column('shown', 'id')}
          where ${column('shown', 'depth')} < ${sql.lit(deepestReply)} and ${this.#shown(reply)}
      ) select count(*) as "total" from "shown"`,
      dialect,
    );
  }

  /** The post that the slug leads to, as the FROM and WHERE of a statement, `beside` other tables. */
  #postShown(places: ValuePlaces, ...beside: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
    const type = this.#types.get('post');
    this.#context.reads.type(type.singular);
    const conditions = [sql`${column(post, 'slug')} = ${places.take()}`, gettable(type, post, this.#context)];
    return sql`${sql.join([tableAs(type.table, post), ...beside])} where ${allOf(conditions)}`;
  }

  #slice(places: ValuePlaces): RawBuilder<unknown> {
    const { plannedOnce } = this.#context.dialect.rules;
    return sql`limit ${plannedOnce(places.take())} offset ${plannedOnce(places.take())}`;
  }

  #begins(places: ValuePlaces): RawBuilder<boolean> {
    const begins = at(0);
    const first = sql<boolean>`${column(begins, 'post_id')} = ${column(post, 'id')} and ${column(begins, 'parent_id')} is null`;
    if (this.#filter === null) return first;
    const where = { types: this.#types, view: endpointViews.get, alias: begins } as const;
    return allOf([first, filterExpressionCondition(this.#filter, where, this.#context, places).condition]);
  }

  /** The comment with all that is shown below it. */
  #thread(depth: number): RawBuilder<string> {
    const comment = this.#types.get('comment');
    const { dialect } = this.#context;
    const answers = sql<boolean>`${column(at(depth + 1), 'parent_id')} = ${column(at(depth), 'id')}`;
    const replies =
      depth < deepestReply
        ? dialect.jsonArray(this.#thread(depth + 1), this.#from(depth + 1, answers))
        : dialect.jsonArray(dialect.json('text', column(at(depth + 1), 'id')), this.#from(depth + 1, never));
    const [include, fields] = [this.#include, this.#fields];
    return this.#projection.record(comment, at(depth), endpointViews.get, {
      include,
      fields,
      more: [['replies', replies]],
    });
  }

  #from(depth: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
    return sql`(${this.#rows(depth, condition)}) as ${sql.id(at(depth))}`;
  }

  /** The comments of a depth that are shown, oldest first. */
  #rows(depth: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
    const alias = at(depth);
    return sql`select ${sql.id(alias)}.* from ${tableAs(this.#types.get('comment').table, alias)}
      where ${allOf([condition, this.#shown(alias)])} order by ${sql.join(this.#oldestFirst(alias))}`;
  }

  #oldestFirst(alias: string): readonly RawBuilder<unknown>[] {
    const { dialect } = this.#context;
    return [dialect.order(column(alias, 'created_at'), 'asc'), dialect.order(column(alias, 'id'), 'asc')];
  }

  #shown(alias: string): RawBuilder<boolean> {
    return gettable(this.#types.get('comment'), alias, this.#context);
  }
}
