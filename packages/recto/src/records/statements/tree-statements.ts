import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { TreeColumns } from '../../definition/protocol.ts';
import { Plan } from '../plans/plan.ts';
import { column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';

/** `with recursive "below"("id", "level")`: a row of alias `t` that `first` picks, at `level`, and all that stands below it. */
function below(type: ContentType, parent: string, first: RawBuilder<boolean>, level: RawBuilder<unknown>) {
  return sql`with recursive "below" ("id", "level") as (
    select ${column('t', 'id')}, ${level} from ${tableAs(type.table, 't')} where ${first}
    union all
    select ${column('c', 'id')}, ${column('below', 'level')} + 1 from ${tableAs(type.table, 'c')}
      join "below" on ${column('c', parent)} = ${column('below', 'id')})`;
}

const isRecord = (places: ValuePlaces): RawBuilder<boolean> => sql`${column('t', 'id')} = ${places.take()}`;

/** One row: `levels` below a record and whether (1 or 0) it `includes` another. Values: the record's id, the other's. */
export function belowPlan(type: ContentType, parent: string, dialect: Dialect): Plan {
  const places = new ValuePlaces();
  const rows = below(type, parent, isRecord(places), sql`0`);
  const other = places.take();
  return new Plan(
    sql`${rows} select coalesce(max("level"), 0) as "levels",
      coalesce(max(case when "id" = ${other} then 1 else 0 end), 0) as "includes" from "below"`,
    dialect,
  );
}

/** Sets the depth of a record, which is one more than its parent's, and of all that stands below it. Value: its id. */
export function depthPlan(type: ContentType, tree: TreeColumns, dialect: Dialect): Plan {
  const isParent = sql`${column('p', 'id')} = ${column('t', tree.parent)}`;
  const own = sql`coalesce((select ${column('p', tree.depth)} + 1 from ${tableAs(type.table, 'p')} where ${isParent}), 0)`;
  const rows = below(type, tree.parent, isRecord(new ValuePlaces()), own);
  const level = sql`select ${column('below', 'level')} from "below" where ${column('below', 'id')} = ${column(type.table, 'id')}`;
  return new Plan(
    sql`${rows} update ${sql.id(type.table)} set ${sql.id(tree.depth)} = (${level}) where "id" in (select "id" from "below")`,
    dialect,
  );
}
