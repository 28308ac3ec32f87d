import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { WalkBounds } from '../../query/list-query.ts';
import type { Narrowing } from '../../rules/rule-narrowing.ts';
import { column, tableAs } from '../plans/sql-parts.ts';
import { defaultWalk } from './link-scan.ts';
import { chosen, type RowsInParts } from './list-page.ts';
import type { ListedRows, NarrowedParts } from './list-rows.ts';

/** So many rows are found through their related records and sorted. Where there are more, a page of them is soon found in the list's order. */
const mostFound = 4_000;

/** A table of at most so many rows is read whole to find them. */
const mostRead = 20_000;

/**
 * The rows of a page, in the two ways in which they can be found: from the related records that a filter asks for, where
 * these lead to few rows, and else in the order of the list. Which of them it is, the statement itself finds out, because
 * the database knows too little of the values.
 */
export function rowParts(
  { parts, narrowed }: ListedRows,
  { table, row, dialect, walk = defaultWalk }: NarrowedTable,
): RowsInParts {
  if (narrowed === undefined) return { parts: parts.map((condition) => ({ condition })) };
  const { narrowing } = narrowed;
  const from = dialect.rowsWith(table, row, narrowing.column, narrowing.keys);
  const found = narrowed.parts.map((condition) => ({ from, condition }));
  const rows = inTwoWays(parts, found, leadsToFew(narrowing, table));
  const { ends, whole } = narrowing;
  const [condition, ...others] = narrowed.parts;
  if (ends === undefined || condition === undefined || others.length > 0) return rows;
  const gate = whole.length === 0 ? undefined : areSmall(whole);
  return { ...rows, walked: { ends, gate, condition, table, row, bounds: walk } };
}

/** The same for a count of them all, for which there is no order. */
export function countedParts(rows: ListedRows, where: NarrowedTable): RowsInParts {
  const { parts, narrowed } = rows;
  // Beside other conditions, the related records may be many more than the rows.
  if (narrowed?.isAlone !== true) return rowParts(rows, where);
  const { column: name, keys, whole } = narrowed.narrowing;
  const isFound = sql`${column(where.row, name)} in (${keys})`;
  // Each id is that of a row.
  const ids = sql`(select distinct "key" from (${keys}) as "k" where "key" is not null) as "ids"`;
  const counted = narrowed.isAll && name === 'id' ? { counted: ids } : {};
  const found = narrowed.parts.map((condition) => ({
    condition: sql<boolean>`${isFound} and ${condition}`,
    ...counted,
  }));
  return whole.length === 0 ? { parts: found } : inTwoWays(parts, found, areSmall(whole));
}

/** A table whose rows are found, and their alias. */
export interface NarrowedTable {
  readonly table: string;
  readonly row: string;
  readonly dialect: Dialect;
  /** Default: `defaultWalk`. */
  readonly walk?: WalkBounds | undefined;
}

const inTwoWays = (
  parts: NarrowedParts['parts'],
  found: RowsInParts['parts'],
  choice: RawBuilder<boolean>,
): RowsInParts => ({
  parts: [
    ...found.map((part) => ({ ...part, when: chosen })),
    ...parts.map((condition) => ({ condition, when: sql<boolean>`not ${chosen}` })),
  ],
  choice,
});

function leadsToFew({ column: name, keys, whole }: Narrowing, table: string): RawBuilder<boolean> {
  // An id is of one row, which need not be looked at to be counted.
  const rows =
    name === 'id'
      ? sql`(${keys}) as "f"`
      : sql`(${keys}) as "f" cross join ${tableAs(table, 'fr')} where ${column('fr', name)} = ${column('f', 'key')}`;
  const few = hasAtMost(rows, mostFound);
  return whole.length === 0 ? sql`(${few})` : sql`(case when ${areSmall(whole)} then ${few} else false end)`;
}

const areSmall = (tables: readonly string[]): RawBuilder<boolean> =>
  sql`(${sql.join(
    tables.map((table) => hasAtMost(sql.id(table), mostRead)),
    sql` and `,
  )})`;

const hasAtMost = (rows: RawBuilder<unknown>, most: number): RawBuilder<boolean> =>
  sql`(select count(*) from (select 1 from ${rows} limit ${sql.lit(most + 1)}) as "n") <= ${sql.lit(most)}`;
