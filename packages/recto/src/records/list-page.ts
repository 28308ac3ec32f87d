import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../base/bindings.ts';
import type { Dialect } from '../database/dialect.ts';
import { boundValues, type OrderTerm, type OrderValues, orderBy, runsAfter } from './list-order.ts';
import { column, never, type ValuePlaces } from './sql-parts.ts';

/** Some of the rows of a list; no row is in two parts. */
export interface RowPart {
  readonly condition: RawBuilder<boolean>;
  /** A condition without the row: while it does not hold, the part is empty, and nothing of it is read. */
  readonly when?: RawBuilder<boolean>;
  /** A FROM with these rows under the alias of the page's; absent: that of the page. */
  readonly from?: RawBuilder<unknown>;
}

/** Which rows a page has. */
export interface ListPage {
  /** A FROM with the rows of the list's table, and others that are not in the list. */
  readonly from: RawBuilder<unknown>;
  /** The alias of its rows. */
  readonly row: string;
  readonly parts: readonly RowPart[];
  readonly order: readonly OrderTerm[];
  /** The place that the page begins after; null: it begins where page and page size say. */
  readonly after: OrderValues | null;
}

/**
 * The rows of a page by nothing but their keys and what they are sorted by, so that an index alone can give them and a sort
 * carries little; the records are read for these rows, not for those before them. Each part of the list is a statement of
 * its own, which an index can serve, of no more rows than the page can take from it.
 */
export function listPage(
  { from, row, parts, order, after }: ListPage,
  dialect: Dialect,
  places: ValuePlaces,
): RawBuilder<unknown> {
  const sorted = sql`order by ${orderBy(order, dialect)}`;
  const columns = pageColumns(row, order, dialect);
  const runs = after === null ? undefined : runsAfter(order, after, places);
  const all =
    runs === undefined
      ? parts
      : parts.flatMap((part) =>
          runs.map((run) => ({ ...part, condition: sql<boolean>`${part.condition} and ${run}` })),
        );
  const [size, offset, both] = after === null ? [places.take(), places.take(), places.take()] : [places.take()];
  const cut = offset === undefined ? sql`limit ${size}` : sql`limit ${size} offset ${offset}`;
  const select = (part: RowPart) => sql`select ${columns} from ${part.from ?? from} where ${part.condition} ${sorted}`;
  const [only, ...others] = all;
  if (only === undefined) return sql`select ${columns} from ${from} where ${never}`;
  if (others.length === 0 && only.when === undefined) return sql`${select(only)} ${cut}`;
  const most = both ?? size;
  const limited = all.map((part) => {
    const limit = part.when === undefined ? most : sql`case when ${part.when} then ${most} else 0 end`;
    return sql`select * from (${select(part)} limit ${limit}) as "run"`;
  });
  return sql`select * from (${sql.join(limited, sql` union all `)}) as ${sql.id(row)} ${sorted} ${cut}`;
}

/** The values that `listPage` takes places for. */
export function pageValues(
  { order, after }: Pick<ListPage, 'order' | 'after'>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
  dialect: Dialect,
): SqlValue[] {
  if (after !== null) return [...boundValues(order, after, dialect), pageSize];
  const offset = (page - 1) * pageSize;
  return [pageSize, offset, pageSize + offset];
}

function pageColumns(row: string, order: readonly OrderTerm[], dialect: Dialect): RawBuilder<unknown> {
  const columns = new Map(order.map(({ name, value }) => [name, sql`${value} as ${sql.id(name)}`]));
  columns.set(dialect.pageKey, sql`${column(row, dialect.pageKey)}`);
  return sql.join([...columns.values()]);
}
