import { sql } from 'kysely';
import { forbidden } from '../../base/problem.ts';
import type { Executor } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import type { AdminView } from '../../definition/rights/read-view.ts';
import type { Rule } from '../../rules/rule.ts';
import { Plan, type RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { rightCondition } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';

/**
 * Throws 403 unless the role may move a record into or out of the published state. A rule is evaluated by `holds`.
 */
export async function requirePublish(
  type: ContentType,
  { rights }: AdminView,
  holds: (rule: Rule) => Promise<boolean>,
): Promise<void> {
  const right = rights.of(type).rows.publish;
  if (right === 'all') return;
  if (right === 'none') throw forbidden('insufficient_role', `Your role may not publish a ${type.singular}.`);
  if (!(await holds(right))) throw forbidden('rule_refused', `You may not publish this ${type.singular}.`);
}

/** Whether the rule of a role's right to publish holds for a stored record. */
export async function storedMayPublish(
  { database, plans }: Pick<ReadContext, 'database' | 'plans'>,
  executor: Pick<Executor, 'first'>,
  { type, view, id }: { readonly type: ContentType; readonly view: AdminView; readonly id: string },
  bindings: RequestBindings,
): Promise<boolean> {
  const { dialect } = database;
  const plan = plans.get(`may-publish|${type.singular}|${view.key}`, () => {
    const context = { dialect, authenticated: true, reads: new ReadsCollector() };
    const isNamed = sql<boolean>`${column('t', 'id')} = ${new ValuePlaces().take()}`;
    const may = rightCondition(view.rights.of(type).rows.publish, 't', context) ?? sql<boolean>`1 = 1`;
    return new Plan(sql`select 1 as "found" from ${tableAs(type.table, 't')} where ${isNamed} and ${may}`, dialect);
  });
  return (await executor.first(plan.bind(bindings.with([id])))) !== undefined;
}
