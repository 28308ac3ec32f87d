import { sql } from 'kysely';
import type { AggregateDialect } from '../dialect.ts';

/** Numbers of the type `numeric` are exact; a sum of `bigint` is one. */
export const postgresAggregates: AggregateDialect = {
  // The shortest text that reads as the number again. A sum of `double precision` depends on the order, and fails when it is too great.
  addend: (kind, column) => (kind === 'float' ? sql`${column}::text::numeric` : sql`${column}`),
  sum: (_, addend) => sql`sum(${addend})::text`,
  total: (_, text) => text,
  computedOnce: (select) => select,
  textRows: (json, alias, columns) => {
    const values = columns.map((name, place) => sql`("value" ->> ${sql.lit(place)}) collate "C" as ${sql.id(name)}`);
    return sql`(select ${sql.join(values)} from json_array_elements(${json}::text::json) as "elements" ("value")) as ${sql.id(alias)}`;
  },
};
