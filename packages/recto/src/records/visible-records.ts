import { sql } from 'kysely';
import { type Caller, isAuthenticated } from '../base/caller.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { FilterExpression } from '../rules/filter-expression.ts';
import { filterExpressionCondition, filterExpressionValues } from './filter-condition.ts';
import { Plan } from './plan.ts';
import { callerKey, type PlanReads, ReadsCollector } from './plan-reads.ts';
import { Projection } from './projection.ts';
import type { RecordsContext } from './records-context.ts';
import { RequestBindings } from './request-bindings.ts';
import { allOf, column, tableAs, ValuePlaces } from './sql-parts.ts';
import { gettable } from './visibility.ts';

const row = 't0';

/** Records as `get` would show them, of those that a filter holds for. */
export interface SightQuery {
  readonly type: ContentType;
  readonly caller: Caller;
  /** Over what the caller's `get` shows; null: all. */
  readonly filter: FilterExpression | null;
}

interface SightPlan {
  readonly select: Plan;
  readonly reads: PlanReads;
}

/** The most records of one statement: a power of two. */
const most = 64;

/** Reads records by their ids as the `get` endpoint shows them to a caller, rights and rules included. */
export class VisibleRecords {
  readonly #context: RecordsContext;

  constructor(context: RecordsContext) {
    this.#context = context;
  }

  /** Equal for callers and filters for which the same records are visible, in the same form. */
  key(query: SightQuery): string {
    const { filter, caller, type } = query;
    const literals = filter === null ? '' : JSON.stringify(filterExpressionValues(filter, this.#dialect).map(String));
    return `${type.singular}|${filter?.shape ?? ''}|${literals}|${callerKey(this.#plan(query, 1).reads, caller)}`;
  }

  /** The JSON texts of those that the caller can see, by id. */
  async read(query: SightQuery, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { filter, caller } = query;
    const found = new Map<string, string>();
    const values = filter === null ? [] : filterExpressionValues(filter, this.#dialect);
    for (let start = 0; start < ids.length; start += most) {
      const some = ids.slice(start, start + most);
      // Few plans for any number of ids: the last one fills up the places.
      const size = 2 ** Math.ceil(Math.log2(some.length));
      const filled = Array.from({ length: size }, (_, place) => some[place] ?? some.at(-1) ?? '');
      const { select } = this.#plan(query, size);
      const bindings = new RequestBindings(caller, [...filled, ...values]);
      const rows = await this.#context.database.rows<{ id: string; body: string }>(select.bind(bindings));
      for (const { id, body } of rows) found.set(id, body);
    }
    return found;
  }

  #plan({ type, caller, filter }: SightQuery, size: number): SightPlan {
    const { types, plans } = this.#context;
    const authenticated = isAuthenticated(caller);
    const key = `sight|${type.singular}|${authenticated}|${size}|${filter?.shape ?? ''}`;
    return plans.get(key, () => {
      const reads = new ReadsCollector();
      const context = { dialect: this.#dialect, authenticated, reads };
      const places = new ValuePlaces();
      const conditions = [
        sql<boolean>`${column(row, 'id')} in (${sql.join(Array.from({ length: size }, () => places.take()))})`,
        gettable(type, row, context),
      ];
      if (filter !== null) {
        conditions.push(filterExpressionCondition(filter, { types, view: 'get', alias: row }, context, places));
      }
      const body = new Projection(types, context).record(type, row, 'get', []);
      const select = sql`select ${column(row, 'id')} as "id", ${body} as "body" from ${tableAs(type.table, row)} where ${allOf(conditions)}`;
      return { select: new Plan(select, this.#dialect), reads: reads.done() };
    });
  }

  get #dialect() {
    return this.#context.database.dialect;
  }
}
