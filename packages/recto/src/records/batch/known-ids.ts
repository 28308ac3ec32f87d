import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import { isId } from '../../base/ids.ts';
import type { Transaction } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { VisibilityParams } from '../../query/visibility-params.ts';
import { Plan } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { RequestBindings } from '../plans/request-bindings.ts';
import { allOf, column, tableAs } from '../plans/sql-parts.ts';
import { protocolConditions } from '../plans/visibility.ts';

/** Those of the ids that are records which admin reads show. `among`: which of those that protocols hide, too. */
export async function knownIds(
  transaction: Transaction,
  dialect: Dialect,
  { type, caller, among }: { readonly type: ContentType; readonly caller: Caller; readonly among?: VisibilityParams },
  asked: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = asked.filter(isId);
  if (ids.length === 0) return new Set();
  const context = { dialect, authenticated: true, reads: new ReadsCollector() };
  const isNamed = sql<boolean>`${column('t', 'id')} in (${sql.join(ids)})`;
  const conditions = allOf([isNamed, ...protocolConditions(type, 't', context, 'admin', among)]);
  const plan = new Plan(sql`select ${column('t', 'id')} from ${tableAs(type.table, 't')} where ${conditions}`, dialect);
  const rows = await transaction.rows<{ id: string }>(plan.bind(new RequestBindings(caller, [])));
  return new Set(rows.map(({ id }) => id));
}
