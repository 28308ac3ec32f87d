import { type RawBuilder, sql } from 'kysely';
import { type Caller, tenantAsked } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import { readFilterExpression } from '../../query/filter-query.ts';
import { filterScope } from '../../query/filter-scope.ts';
import type { VisibilityParams } from '../../query/read-view.ts';
import { searchQueryWords } from '../../query/search-words.ts';
import type { FilterExpression } from '../../rules/filter-expression.ts';
import { countedParts, rowParts } from '../list/filtered-rows.ts';
import { selectParts } from '../list/list-page.ts';
import { listedRows, type RowShape, readKindOf, rowValues } from '../list/list-rows.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { Records } from '../records.ts';

/** Which records a filter of an editor or admin selects. */
export interface FilteredRecords {
  readonly type: ContentType;
  readonly caller: Caller;
  readonly expression: FilterExpression;
  /** The words of a search, all of which must occur; null: no search. */
  readonly search: readonly string[] | null;
  readonly among: VisibilityParams;
}

/** Reads `filter` as the admin list does: 400 where it is not one. */
export const readAdminFilter = (
  text: string,
  { type, caller }: Pick<FilteredRecords, 'type' | 'caller'>,
  { types }: Records,
): FilterExpression => readFilterExpression(text, filterScope(type, viewFor('admin', caller, types), types));

/** The words of a search that was sent; null for none. */
export const searchWordsOf = (text: string | undefined): readonly string[] | null =>
  text === undefined || text === '' ? null : searchQueryWords(text);

/**
 * The first ids of the records that a filter selects, in order, after `after` and up to `until`. Without a transaction, they are
 * read where no request waits for it: what each of them is like is checked as it is written.
 */
export async function matchingIds(
  transaction: Transaction | null,
  records: Records,
  filtered: FilteredRecords,
  { after = '', until, most }: { readonly after?: string; readonly until?: string; readonly most: number },
): Promise<readonly string[]> {
  const { dialect } = records.database;
  const { listed, where, bindings, reader } = rowsOf(records, filtered);
  const id = column(row, 'id');
  const within = until === undefined ? sql`${id} > ${after}` : sql`${id} > ${after} and ${id} <= ${until}`;
  const first = (by: RawBuilder<unknown>) => sql`order by ${dialect.order(by, 'asc')} limit ${sql.lit(most)}`;
  const found = selectParts(rowParts(listed, where), (condition, from = tableAs(where.table, row)) => {
    const ids = sql`select ${id} as "id" from ${from} where ${condition} and ${within} ${first(id)}`;
    return sql`select * from (${ids}) as "part"`;
  });
  const plan = new Plan(sql`select "id" from (${found}) as "found" ${first(column('found', 'id'))}`, dialect);
  const rows = await (transaction ?? reader()).rows<{ id: string }>(plan.bind(bindings));
  return rows.map((one) => one.id);
}

/** How many records a filter selects. */
export async function countMatching(records: Records, filtered: FilteredRecords): Promise<number> {
  const { listed, where, bindings, reader } = rowsOf(records, filtered);
  const found = selectParts(
    countedParts(listed, where),
    (condition, from = tableAs(where.table, row)) => sql`select 1 as "one" from ${from} where ${condition}`,
  );
  const plan = new Plan(sql`select count(*) as "total" from (${found}) as "found"`, records.database.dialect);
  return Number((await reader().first<{ total: number | bigint }>(plan.bind(bindings)))?.total ?? 0);
}

const row = 't0';

function rowsOf({ types, database }: Records, { type, caller, expression, search, among }: FilteredRecords) {
  // The index of words holds the default language.
  const words = type.shownIn === undefined || search === null ? { search } : { search: null, words: search };
  const query = { filters: [], expression, ...words, choices: among, used: null, parameters: new Map() };
  const tenant = tenantAsked(caller) !== null;
  const view = viewFor('admin', caller, types);
  const shape: RowShape = { type, types, view, authenticated: true, tenant, query };
  const reads = new ReadsCollector();
  reads.type(type.singular);
  const context = { dialect: database.dialect, authenticated: true, tenant, reads };
  const listed = listedRows(shape, row, context, new ValuePlaces());
  const where = { table: type.table, row, dialect: database.dialect };
  const bindings = new RequestBindings(caller, rowValues(shape, database.dialect));
  const kind = readKindOf(query);
  const reader = () => database.reader(reads.done().types, kind === 'records' ? 'search' : kind);
  return { listed, where, bindings, reader };
}
