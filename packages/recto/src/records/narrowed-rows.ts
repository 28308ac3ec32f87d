import { type RawBuilder, sql } from 'kysely';
import type { Narrowing } from '../rules/rule-narrowing.ts';
import type { RowPart } from './list-page.ts';
import type { ListedRows } from './list-rows.ts';
import { column, tableAs } from './sql-parts.ts';

/** So many rows are found through their related records and sorted. Where there are more, a page of them is soon found in the list's order. */
const mostFound = 4_000;

/** A table of at most so many rows is read whole to find them. */
const mostRead = 20_000;

/**
 * The rows of a list, in the two ways in which they can be found: from the related records that a filter asks for, where
 * these lead to few rows, and else in the order of the list. Which of them it is, the statement itself finds out, because
 * the database knows too little of the values.
 */
export function rowParts({ parts, narrowing }: ListedRows, table: string, row: string): readonly RowPart[] {
  if (narrowing === undefined) return parts.map((condition) => ({ condition }));
  const few = leadsToFew(narrowing, table);
  const found = sql`${column(row, narrowing.column)} in (${narrowing.keys})`;
  return parts.flatMap((condition) => [
    { condition: sql`${found} and ${condition}`, when: few },
    { condition, when: sql`not ${few}` },
  ]);
}

function leadsToFew({ column: name, keys, whole }: Narrowing, table: string): RawBuilder<boolean> {
  // An id is of one row, which need not be looked at to be counted.
  const rows =
    name === 'id'
      ? sql`(${keys}) as "f"`
      : sql`(${keys}) as "f" cross join ${tableAs(table, 'fr')} where ${column('fr', name)} = ${column('f', 'key')}`;
  const few = hasAtMost(rows, mostFound);
  if (whole.length === 0) return sql`(${few})`;
  const small = whole.map((each) => hasAtMost(sql.id(each), mostRead));
  return sql`(case when ${sql.join(small, sql` and `)} then ${few} else false end)`;
}

const hasAtMost = (rows: RawBuilder<unknown>, most: number): RawBuilder<boolean> =>
  sql`(select count(*) from (select 1 from ${rows} limit ${sql.lit(most + 1)}) as "n") <= ${sql.lit(most)}`;
