import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import { conflict } from '../../base/problem.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { type ReadView, viewFor } from '../../definition/rights/read-view.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { type Referrer, referrers } from '../plans/referrers.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { protocolConditions, viewCondition } from '../plans/visibility.ts';
import type { Records } from '../records.ts';

/** The most records that are copied at once. */
export const mostCopies = 1_000;

/** A stored record. */
export interface FoundRecord {
  readonly type: ContentType;
  readonly id: string;
}

export interface Belongings {
  /** The record itself, what belongs to it, and what belongs to that; each before what belongs to it. */
  readonly records: readonly FoundRecord[];
  /** How many belong to these that the caller may not get. What belongs to those is not counted. */
  readonly hidden: number;
}

/** The relations by which records belong to those of a type. */
const belongingTo = (records: Records, type: ContentType): readonly Referrer[] =>
  referrers(records.types, type).filter(({ field }) => field.cascades === true);

/** Whether records of other types, or of this one, can belong to a record of the type. */
export const hasBelongings = (records: Records, type: ContentType): boolean => belongingTo(records, type).length > 0;

/**
 * Finds what belongs to a record by relations with `cascade`, in the order of its lists. 409 `too_many_records` for more than
 * `mostCopies` with the record.
 */
export async function belongings(records: Records, caller: Caller, root: FoundRecord): Promise<Belongings> {
  const view = viewFor('admin', caller, records.types);
  const found: FoundRecord[] = [root];
  const known = new Set([root.id]);
  let hidden = 0;
  // The list grows while it is gone through.
  for (const { type, id } of found) {
    for (const by of belongingTo(records, type)) {
      const plan = records.plan(`belonging|${by.owner.singular}|${by.field.name}|${view.key}`, (_, dialect) =>
        belongingPlan(by, view, dialect),
      );
      const rows = await records.database.rows<BelongingRow>(plan.bind(new RequestBindings(caller, [id])));
      for (const row of rows) {
        if (known.has(row.id)) continue;
        known.add(row.id);
        if (Number(row.seen) === 1) found.push({ type: by.owner, id: row.id });
        else hidden += 1;
      }
      if (known.size > mostCopies)
        throw conflict(
          'too_many_records',
          `At most ${mostCopies} records are copied at once: more belong to this one.`,
        );
    }
  }
  return { records: found, hidden };
}

interface BelongingRow {
  readonly id: string;
  readonly seen: number | bigint | string;
}

/** Rows of what belongs to a record, and whether the caller may get them. What is deleted or of another tenant is not among them. */
function belongingPlan({ owner, field }: Referrer, view: ReadView, dialect: Dialect): Plan {
  const context = { dialect, authenticated: true, reads: new ReadsCollector() };
  const leads = sql`${column('t', field.name)} = ${new ValuePlaces().take()}`;
  const conditions = allOf([leads, ...protocolConditions(owner, 't', context, 'admin')]);
  const may = viewCondition(owner, view, 'get', 't', context);
  const seen = may === undefined ? sql`1` : sql`case when ${may} then 1 else 0 end`;
  const places = owner.protocols.flatMap(({ protocol, options }) => protocol.placeColumn?.(options) ?? []);
  const order: RawBuilder<unknown>[] = [...places, 'id'].map((name) => column('t', name));
  return new Plan(
    sql`select ${column('t', 'id')} as "id", ${seen} as "seen" from ${tableAs(owner.table, 't')}
      where ${conditions} order by ${sql.join(order)} limit ${sql.lit(mostCopies + 1)}`,
    dialect,
  );
}
