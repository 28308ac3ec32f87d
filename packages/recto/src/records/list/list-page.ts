import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { Paging } from '../../query/query-text.ts';
import { allOf, column, never, type ValuePlaces } from '../plans/sql-parts.ts';
import { type WalkedPage, type WalkedRows, walk } from './link-scan.ts';
import { boundValues, type OrderTerm, type OrderValues, orderBy, runsAfter } from './list-order.ts';

/** Some of the rows of a list; no row is in two parts. */
export interface RowPart {
  readonly condition: RawBuilder<boolean>;
  /** A condition without the row: while it does not hold, the part is empty, and nothing of it is read. */
  readonly when?: RawBuilder<boolean>;
  /** A FROM with these rows under the alias of the page's; absent: that of the page. */
  readonly from?: RawBuilder<unknown>;
  /** A FROM with as many rows, to count them; absent: they are counted themselves. */
  readonly counted?: RawBuilder<unknown>;
}

/** The rows of a list. */
export interface RowsInParts {
  readonly parts: readonly RowPart[];
  /** What decides which of the parts there are, where that depends on what is stored. */
  readonly choice?: RawBuilder<boolean>;
  /** How the first of them are found in the order of their ids, if that may take less than both. */
  readonly walked?: WalkedRows;
}

/** The value of `RowsInParts.choice`, in a statement that `withChoice` made. */
export const chosen: RawBuilder<boolean> = sql`(select "choice"."holds" from "choice")`;

/** A SELECT whose parts ask for `chosen`, which is found out once for all of them. */
export const withChoice = (choice: RawBuilder<boolean> | undefined, select: RawBuilder<unknown>): RawBuilder<unknown> =>
  withTables(choice === undefined ? [] : [choiceTable(choice)], select);

const choiceTable = (choice: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`"choice" as materialized (select ${choice} as "holds")`;

const withTables = (tables: readonly RawBuilder<unknown>[], select: RawBuilder<unknown>): RawBuilder<unknown> =>
  tables.length === 0 ? select : sql`with ${sql.join(tables)} ${select}`;

/** All rows, in no order. `select`: the SELECT of a part; without `from`, of all rows. */
export function selectParts(
  { parts, choice }: RowsInParts,
  select: (where: RawBuilder<boolean>, from: RawBuilder<unknown> | undefined) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const all = parts.map(({ condition, when, from }) =>
    select(when === undefined ? condition : sql`${when} and ${condition}`, from),
  );
  return withChoice(choice, sql.join(all, sql` union all `));
}

/** Which rows a page has. */
export interface ListPage extends RowsInParts {
  /** A FROM with the rows of the list's table, and others that are not in the list. */
  readonly from: RawBuilder<unknown>;
  /** The alias of its rows. */
  readonly row: string;
  readonly order: readonly OrderTerm[];
  /** The place that the page begins after; null: it begins where page and page size say. */
  readonly after: OrderValues | null;
  /** The column that its rows are found by; absent: the `pageKey` of the database. */
  readonly key?: string;
  /** Whether it ends within `nearRows` of its beginning, or of that place. */
  readonly isNear: boolean;
}

const nearRows = 100;

/** Whether a page ends within so many rows that a statement for few is made for it. */
export const isNearPage = ({ page, pageSize }: Paging, isAfter: boolean): boolean =>
  (isAfter ? pageSize : page * pageSize) <= nearRows;

/**
 * The rows of a page by nothing but their keys and what they are sorted by, so that an index alone can give them and a sort
 * carries little; the records are read for these rows, not for those before them. Each part of the list is a statement of
 * its own, which an index can serve, of no more rows than the page can take from it.
 */
export function listPage(
  { from, row, parts, choice, walked, order, after, key, isNear }: ListPage,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<unknown> {
  const samePlaces = places.again();
  const sorted = sql`order by ${orderBy(order, dialect)}`;
  const columns = pageColumns(row, order, key ?? dialect.pageKey);
  const runs = after === null ? undefined : runsAfter(order, after, places, dialect);
  const all =
    runs === undefined
      ? parts
      : parts.flatMap((part) =>
          runs.map((run) => ({ ...part, condition: sql<boolean>`${part.condition} and ${run}` })),
        );
  const [size, offset, both] = after === null ? [places.take(), places.take(), places.take()] : [places.take()];
  const select = (part: RowPart) => sql`select ${columns} from ${part.from ?? from} where ${part.condition} ${sorted}`;
  const [only, ...others] = all;
  if (only === undefined) return sql`select ${columns} from ${from} where ${never}`;
  const cut = (as: (place: Expression<unknown>) => Expression<unknown>) =>
    offset === undefined ? sql`limit ${as(size)}` : sql`limit ${as(size)} offset ${as(offset)}`;
  const plain = cut(dialect.rules.plannedOnce);
  if (others.length === 0 && only.when === undefined) return sql`${select(only)} ${plain}`;
  const most = both ?? size;
  const hidden = (place: Expression<unknown>) => sql`(select cast(${place} as bigint))`;
  const walkedPage = isNear ? pageOfIds({ order, after }, hidden(most), samePlaces, dialect) : undefined;
  const limited = all.map((part) => {
    if (part.when === undefined)
      return sql`select * from (${select(part)} limit ${dialect.rules.plannedOnce(most)}) as "run"`;
    const limit = sql`case when ${part.when} then ${dialect.rules.plannedOnce(most)} else cast(0 as bigint) end`;
    const rows = isNear ? sql`select * from (${select(part)} limit ${sql.lit(nearRows)}) as "near"` : select(part);
    return sql`select * from (${rows} limit ${limit}) as "run"`;
  });
  // PostgreSQL plans such a statement in a millisecond: as long as running it takes. It plans once where the numbers of a
  // request promise no better plan, as what it cannot see does.
  const isEither = isNear && all.some(({ when }) => when !== undefined);
  const end = isEither ? cut(hidden) : plain;
  const whole = (rows: readonly RawBuilder<unknown>[]) =>
    sql`select * from (${sql.join(rows, sql` union all `)}) as ${sql.id(row)} ${sorted} ${end}`;
  if (walked === undefined || walkedPage === undefined || choice === undefined)
    return withChoice(choice, whole(limited));
  const { tables, isWhole, keys } = walk(walked, walkedPage, dialect);
  const found = sql`select distinct ${columns} from ${dialect.pageRows(walked.table, row, keys)}`;
  // While it is null, neither way that it chooses between is taken.
  const elsewhere = sql<boolean>`case when ${isWhole} then null else ${choice} end`;
  return withTables([...tables, choiceTable(elsewhere)], whole([found, ...limited]));
}

/** The page as a walk takes it; undefined where the order is not that of the ids. */
function pageOfIds(
  { order, after }: Pick<ListPage, 'order' | 'after'>,
  most: Expression<unknown>,
  places: ValuePlaces,
  dialect: Dialect,
): WalkedPage | undefined {
  const [term, ...others] = order;
  if (term?.name !== 'id' || others.length > 0) return undefined;
  const past = (id: RawBuilder<unknown>) =>
    allOf(runsAfter([{ ...term, value: id }], after ?? [], places.again(), dialect));
  return { direction: term.direction, most, after: after === null ? undefined : past };
}

/** The values that `listPage` takes places for. */
export function pageValues(
  { order, after }: Pick<ListPage, 'order' | 'after'>,
  { page, pageSize }: Paging,
  dialect: Dialect,
): SqlValue[] {
  if (after !== null) return [...boundValues(order, after, dialect), pageSize];
  const offset = (page - 1) * pageSize;
  return [pageSize, offset, pageSize + offset];
}

function pageColumns(row: string, order: readonly OrderTerm[], key: string): RawBuilder<unknown> {
  const columns = new Map(order.map(({ name, value }) => [name, sql`${value} as ${sql.id(name)}`]));
  columns.set(key, sql`${column(row, key)}`);
  return sql.join([...columns.values()]);
}
