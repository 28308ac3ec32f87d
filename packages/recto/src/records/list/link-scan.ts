import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { WalkBounds } from '../../query/list-query.ts';
import type { NarrowingEnds } from '../../rules/rule-narrowing.ts';
import { column, tableAs } from '../plans/sql-parts.ts';

export const defaultWalk: WalkBounds = { ends: 8, rows: 2_000 };

/** The rows of a list that lead to few records. An index has those that lead to one of them in the order of their ids. */
export interface WalkedRows {
  readonly ends: NarrowingEnds;
  /** A condition without a row, before anything is read. */
  readonly gate: RawBuilder<boolean> | undefined;
  /** What else has to hold for a row of the list: of the alias `row`. */
  readonly condition: RawBuilder<boolean>;
  readonly table: string;
  readonly row: string;
  readonly bounds: WalkBounds;
}

/** A page in the order of the ids. */
export interface WalkedPage {
  readonly direction: 'asc' | 'desc';
  /** How many rows it takes. */
  readonly most: Expression<unknown>;
  /** That an id comes after the place at which the page begins; undefined: it begins at the first. */
  readonly after: ((id: RawBuilder<unknown>) => RawBuilder<boolean>) | undefined;
}

export interface Walk {
  /** Common tables, which the others read. */
  readonly tables: readonly RawBuilder<unknown>[];
  /** Whether the first rows of the list are those that were found. */
  readonly isWhole: RawBuilder<boolean>;
  /** A SELECT of the page keys of these rows; one can be there more than once. */
  readonly keys: RawBuilder<unknown>;
}

/**
 * The first rows of a list that lead to few records: as many as the page takes of those that lead to each of them, one after
 * the other in the order of the index. However many rows lead there, a page reads no more than it shows and what is hidden
 * before that. Where much is hidden, or there are many such records, the page is found in another way.
 */
export function walk(rows: WalkedRows, page: WalkedPage, dialect: Dialect): Walk {
  const { ends, gate, bounds } = rows;
  const most = sql.lit(bounds.ends);
  const few = sql`(select count(*) from "ends") <= ${most}`;
  const open = gate === undefined ? few : sql`case when (select "holds" from "gate") then ${few} else false end`;
  const first = firstOf(rows, page, dialect);
  const found = sql`select "end"."key" as "key", "first"."value" as "value"
    from ${dialect.withEach(sql`"ends" as "end"`, first, 'first')} where ${open}`;
  const gated =
    gate === undefined ? ends.keys : sql`select * from (${ends.keys}) as "k" where (select "holds" from "gate")`;
  const links = sql`select 1 from ${linksOf(rows, page)} limit ${sql.lit(bounds.rows + 1)}`;
  // In this order: the links are counted only where the walk found too few.
  const isCut = sql`case when (select count(*) from "walk" where "walk"."key" = "end"."key") < ${page.most}
    then (select count(*) from (${links}) as "n") > ${sql.lit(bounds.rows)} else false end`;
  const isWhole = sql`case when ${open} then not exists (select 1 from "ends" as "end" where ${isCut}) else false end`;
  const key = sql.id(dialect.pageKey);
  return {
    tables: [
      ...(gate === undefined ? [] : [sql`"gate" as materialized (select ${gate} as "holds")`]),
      sql`"ends" as materialized (select "key" from (${gated}) as "e" limit ${sql.lit(bounds.ends + 1)})`,
      sql`"walk" as materialized (${found})`,
      sql`"walked" as materialized (select ${isWhole} as "whole")`,
    ],
    isWhole: sql<boolean>`(select "whole" from "walked")`,
    keys: sql`select "value" as ${key} from "walk" where (select "whole" from "walked")`,
  };
}

/** A SELECT of the `value`s, page keys, of the first rows that lead to the record "end"."key". */
function firstOf(rows: WalkedRows, page: WalkedPage, dialect: Dialect): RawBuilder<unknown> {
  const { ends, table, row, condition, bounds } = rows;
  const { direction, most } = page;
  // Of the rows themselves, the key of the page is at hand.
  const [name, id] = ends.table === undefined ? [dialect.pageKey, dialect.pageKey] : ['id', ends.id];
  const links = sql`select ${column('link', id)} as ${sql.id(name)} from ${linksOf(rows, page)}
    order by ${dialect.order(column('link', ends.id), direction)} limit ${sql.lit(bounds.rows)}`;
  const from = dialect.pageRows(table, row, links, name);
  return sql`select ${column(row, dialect.pageKey)} as "value" from ${from} where ${condition} limit ${most}`;
}

function linksOf({ ends, table }: WalkedRows, { after }: WalkedPage): RawBuilder<unknown> {
  const past = after === undefined ? sql`` : sql` and ${after(column('link', ends.id))}`;
  return sql`${tableAs(ends.table ?? table, 'link')} where ${column('link', ends.key)} = "end"."key"${past}`;
}
