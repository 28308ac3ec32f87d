import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { ListQuery } from '../../query/list-query.ts';
import { never, type ValuePlaces } from '../plans/sql-parts.ts';
import type { OrderTerm } from './list-order.ts';

/** So many matches of a search are counted and ranked; absent in `ListLimits`. */
export const defaultMostMatches = 10_000;

/**
 * In which order a list goes: as `sort` or the type says; best match first (`ranked`); or, where a search finds more than is
 * ranked, as the records were stored, oldest first (`stored`).
 */
export type Ordering = 'given' | 'ranked' | 'stored';

/** `isUnranked`: the search finds more than is ranked. */
export function orderingOf({ search, sort }: ListQuery, isUnranked: boolean): Ordering {
  if (search === null || search.length === 0 || sort.length > 0) return 'given';
  return isUnranked ? 'stored' : 'ranked';
}

/** What the statement of a ranked page is made with. */
interface RankedStatement {
  readonly type: ContentType;
  readonly row: string;
  /** The names of the fields that are searched. */
  readonly fields: readonly string[];
  readonly dialect: Dialect;
  readonly places: ValuePlaces;
}

/** The first term of a ranked list. Absent: its value is not needed. */
export function matchTerm(statement: RankedStatement | undefined): OrderTerm {
  const name = '$match';
  const value = statement === undefined ? never : bestMatch(statement);
  return { value, inPage: sql.id(name), kind: 'text', direction: 'desc', filled: true, name };
}

/** The values that `matchTerm` takes places for. */
export const matchValues = (fields: readonly string[], words: readonly string[], dialect: Dialect): SqlValue[] =>
  fields.map((name) => dialect.search.match([name], words));

/** The only term of a list in the order of storage; `value`: the row's number, as the statement knows it. */
export function storedTerm(value: RawBuilder<unknown> = never): OrderTerm {
  const name = '$place';
  return { value, inPage: sql.id(name), kind: 'integer', direction: 'asc', filled: true, name, isKey: true };
}

/**
 * Best match first: a field that holds all the words by itself counts more than all that are declared after it. A digit for
 * each field, as a text: a number of so many digits no database holds. Made only of what this view shows of the
 * record itself, because a rank that weighs words by how rare they are (BM25) would let the order reveal records and
 * fields that the caller may not read.
 */
function bestMatch({ type, row, fields, dialect, places }: RankedStatement): RawBuilder<unknown> {
  const held = fields.map(() => {
    const matches = dialect.search.foundMatches(type.table, row, places.take());
    return sql`case when ${matches} then '1' else '0' end`;
  });
  return sql`(${sql.join(held, sql` || `)})`;
}
