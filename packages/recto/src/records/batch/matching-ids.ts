import { sql } from 'kysely';
import { type Caller, tenantAsked } from '../../base/caller.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { readFilterExpression } from '../../query/filter-query.ts';
import { filterScope } from '../../query/filter-scope.ts';
import type { VisibilityParams } from '../../query/visibility-params.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import { type RowShape, rowConditions, rowValues } from '../list-rows.ts';
import { Plan } from '../plan.ts';
import { ReadsCollector } from '../plan-reads.ts';
import type { Records } from '../records.ts';
import { RequestBindings } from '../request-bindings.ts';
import { allOf, column, tableAs, ValuePlaces } from '../sql-parts.ts';

/** Which records a filter of an editor or admin selects. */
export interface FilteredRecords {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly expression: FilterExpression;
  readonly among: VisibilityParams;
}

/** Reads `filter` as the admin list does: 400 where it is not one. */
export const readAdminFilter = (text: string, type: ContentType, { types }: Records): FilterExpression =>
  readFilterExpression(text, filterScope(type, 'admin', types));

/** The first ids of the records that a filter selects, in order, after `after` and up to `until`. */
export async function matchingIds(
  executor: Pick<Executor, 'rows'>,
  records: Records,
  filtered: FilteredRecords,
  { after = '', until, most }: { readonly after?: string; readonly until?: string; readonly most: number },
): Promise<readonly string[]> {
  const { dialect } = records.database;
  const { part, shape, bindings } = rowsOf(records, filtered);
  const id = column(row, 'id');
  const within = until === undefined ? sql`${id} > ${after}` : sql`${id} > ${after} and ${id} <= ${until}`;
  const plan = new Plan(
    sql`select ${column(row, 'id')} as "id" from ${tableAs(shape.type.table, row)} where ${part} and ${within}
      order by ${dialect.order(column(row, 'id'), 'asc')} limit ${sql.lit(most)}`,
    dialect,
  );
  return (await executor.rows<{ id: string }>(plan.bind(bindings))).map(({ id }) => id);
}

/** How many records a filter selects. */
export async function countMatching(records: Records, filtered: FilteredRecords): Promise<number> {
  const { database } = records;
  const { part, shape, bindings } = rowsOf(records, filtered);
  const plan = new Plan(
    sql`select count(*) as "total" from ${tableAs(shape.type.table, row)} where ${part}`,
    database.dialect,
  );
  return Number((await database.first<{ total: number | bigint }>(plan.bind(bindings)))?.total ?? 0);
}

const row = 't0';

function rowsOf({ types, database }: Records, { type, caller, expression, among }: FilteredRecords) {
  const query = { filters: [], expression, search: null, choices: among, parameters: new Map() };
  const tenant = tenantAsked(caller) !== null;
  const shape: RowShape = { type, types, view: 'admin', authenticated: true, tenant, query };
  const context = { dialect: database.dialect, authenticated: true, tenant, reads: new ReadsCollector() };
  const part = allOf(rowConditions(shape, row, context, new ValuePlaces()));
  return { part, shape, bindings: new RequestBindings(caller, rowValues(shape, database.dialect)) };
}
