import { sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { isAuthenticated } from '../../base/caller.ts';
import type { Query } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { endpointViews } from '../../definition/rights/read-view.ts';
import { filterExpressionCondition, filterExpressionValues } from '../plans/filter-condition.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { callerKey, type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { gettable } from '../plans/visibility.ts';
import { Projection } from '../select/projection.ts';
import type { ReadContext } from '../select/read-context.ts';
import { decodeRow } from '../statements/record-statements.ts';
import type { FormerRecord, SightQuery } from './previous-visibility.ts';

const row = 't0';

interface SightPlan {
  readonly select: Plan;
  readonly reads: PlanReads;
}

/** The most records of one statement: a power of two. */
const most = 64;

/** Reads records by their ids as the `get` endpoint shows them to a caller, rights and rules included. */
export class VisibleRecords {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Equal for callers and filters for which the same records are visible, in the same form. */
  key(query: SightQuery): string {
    const { filter, caller, type } = query;
    const literals = filter === null ? '' : JSON.stringify(filterExpressionValues(filter, this.#dialect).map(String));
    return `${type.singular}|${filter?.shape ?? ''}|${literals}|${callerKey(this.#plan(query, 1).reads, caller)}`;
  }

  /** The own columns of records as they are stored, rules aside: to find out for whom it is worth reading them. */
  async stored(type: ContentType, ids: readonly string[]): Promise<ReadonlyMap<string, FormerRecord>> {
    const at = new Date().toISOString();
    const known = new Set(type.facts.columns.map(({ name }) => name));
    const found = new Map<string, FormerRecord>();
    for (const { size, filled } of filledSlices(ids)) {
      const rows = await this.#context.database.rows<Record<string, SqlValue>>(this.#rows(type, size, filled));
      for (const row of rows) {
        const values = decodeRow(type, row, this.#dialect);
        found.set(String(values.id), { type, values, known, at });
      }
    }
    return found;
  }

  #rows(type: ContentType, size: number, ids: readonly string[]): Query {
    const build = () => {
      const places = new ValuePlaces();
      const named = sql.join(Array.from({ length: size }, () => places.take()));
      return new Plan(sql`select * from ${sql.id(type.table)} where "id" in (${named})`, this.#dialect);
    };
    return this.#context.plans.query(`stored|${type.singular}|${size}`, build, ids);
  }

  /** The JSON texts of those that the caller can see, by id. */
  async read(query: SightQuery, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { filter, caller } = query;
    const found = new Map<string, string>();
    const values = filter === null ? [] : filterExpressionValues(filter, this.#dialect);
    for (const { size, filled } of filledSlices(ids)) {
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
        const { condition } = filterExpressionCondition(
          filter,
          { types, view: endpointViews.get, alias: row },
          context,
          places,
        );
        conditions.push(condition);
      }
      const body = new Projection(types, context).record(type, row, endpointViews.get);
      const select = sql`select ${column(row, 'id')} as "id", ${body} as "body" from ${tableAs(type.table, row)} where ${allOf(conditions)}`;
      return { select: new Plan(select, this.#dialect), reads: reads.done() };
    });
  }

  get #dialect() {
    return this.#context.database.dialect;
  }
}

/** Few plans for any number of ids: the last one of a slice fills up its places. */
export function filledSlices(
  ids: readonly string[],
): readonly { readonly size: number; readonly filled: readonly string[] }[] {
  const slices = [];
  for (let start = 0; start < ids.length; start += most) {
    const some = ids.slice(start, start + most);
    const size = 2 ** Math.ceil(Math.log2(some.length));
    slices.push({ size, filled: Array.from({ length: size }, (_, place) => some[place] ?? some.at(-1) ?? '') });
  }
  return slices;
}
