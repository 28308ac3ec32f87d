import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { Plan } from '../records/plan.ts';
import { type PlanReads, ReadsCollector } from '../records/plan-reads.ts';
import { Projection } from '../records/projection.ts';
import { allOf, column, never, tableAs, ValuePlaces } from '../records/sql-parts.ts';
import { gettable, type PlanContext } from '../records/visibility.ts';
import { deepestReply } from './comment-type.ts';

/** The statements that read the threads of a post: what its own and its comments' `get` endpoints show a visitor. */
export interface ThreadsPlan {
  /** Values: slug, limit, offset. One row, `items`: the JSON array of threads as text; no row where the post is not shown. */
  readonly items: Plan;
  /** Value: slug. One row, `total`: the comments shown in all threads. */
  readonly total: Plan;
  readonly reads: PlanReads;
}

export function buildThreadsPlan(types: ContentTypes, dialect: Dialect): ThreadsPlan {
  const reads = new ReadsCollector();
  const builder = new ThreadsBuilder(types, { dialect, authenticated: false, reads });
  return { items: builder.items(), total: builder.total(), reads: reads.done() };
}

const post = 'p';
/** A comment by its depth; 0 begins a thread. */
const at = (depth: number): string => `c${depth}`;

class ThreadsBuilder {
  readonly #types: ContentTypes;
  readonly #context: PlanContext;
  readonly #projection: Projection;

  constructor(types: ContentTypes, context: PlanContext) {
    this.#types = types;
    this.#context = context;
    this.#projection = new Projection(types, context);
  }

  items(): Plan {
    const { dialect } = this.#context;
    const places = new ValuePlaces();
    const shown = this.#postShown(places);
    const page = sql`${this.#rows(0, this.#begins())} limit ${places.take()} offset ${places.take()}`;
    const items = dialect.jsonArrayText(this.#thread(0), sql`(${page}) as ${sql.id(at(0))}`);
    return new Plan(sql`select ${items} as "items" from ${shown}`, dialect);
  }

  total(): Plan {
    const { dialect } = this.#context;
    const places = new ValuePlaces();
    const table = this.#types.get('comment').table;
    const reply = at(1);
    return new Plan(
      sql`with recursive "shown" ("id", "depth") as (
        select ${column(at(0), 'id')}, 0 from ${this.#postShown(places, tableAs(table, at(0)))}
          and ${allOf([this.#begins(), this.#shown(at(0))])}
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

  #begins(): RawBuilder<boolean> {
    const begins = at(0);
    return sql`${column(begins, 'post_id')} = ${column(post, 'id')} and ${column(begins, 'parent_id')} is null`;
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
    return this.#projection.record(comment, at(depth), 'get', [], [['replies', replies]]);
  }

  #from(depth: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
    return sql`(${this.#rows(depth, condition)}) as ${sql.id(at(depth))}`;
  }

  /** The comments of a depth that are shown, oldest first. */
  #rows(depth: number, condition: RawBuilder<boolean>): RawBuilder<unknown> {
    const alias = at(depth);
    const { dialect } = this.#context;
    const order = [dialect.order(column(alias, 'created_at'), 'asc'), dialect.order(column(alias, 'id'), 'asc')];
    return sql`select ${sql.id(alias)}.* from ${tableAs(this.#types.get('comment').table, alias)}
      where ${allOf([condition, this.#shown(alias)])} order by ${sql.join(order)}`;
  }

  #shown(alias: string): RawBuilder<boolean> {
    return gettable(this.#types.get('comment'), alias, this.#context);
  }
}
