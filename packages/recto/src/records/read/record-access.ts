import { type RawBuilder, sql } from 'kysely';
import type { AuthenticatedCaller } from '../../base/caller.ts';
import { notFound } from '../../base/problem.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import { rightsOf } from '../../definition/rights/read-view.ts';
import type { RecordAction, RowRight, TypeRights } from '../../definition/rights/type-rights.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { type PlanContext, protocolConditions, rightCondition } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';

/** What can be done with a record that there is, in this order. */
export const accessActions = ['list', 'get', 'update', 'delete', 'publish'] as const;
export type AccessAction = (typeof accessActions)[number];

/** Why somebody may do one thing with a record on the admin routes, or may not. Null: that depends on what the request sends. */
export interface ActionAccess {
  /** Whether they may: the right holds, and so does every other one that it takes, and nothing else hides the record. */
  readonly may: boolean | null;
  /** The text of the role's rule; null: the right is for all records or for none. */
  readonly rule: string | null;
  /** Whether the right holds for the record, whatever else it takes. */
  readonly holds: boolean | null;
}

/** What somebody may do with one record, and why. */
export interface RecordAccess {
  /** Whether the type hides the record from them, whatever rights they have: as one of another tenant. */
  readonly hidden: boolean;
  readonly actions: Partial<Readonly<Record<AccessAction, ActionAccess>>>;
}

/** Which record, and of whose rights. */
export interface AccessRequest {
  readonly type: ContentType;
  readonly id: string;
  readonly subject: AuthenticatedCaller;
}

/** Rights that another one takes: a record is changed by those who find it, and published by those who may change it. */
const takes: Readonly<Record<AccessAction, readonly RecordAction[]>> = {
  list: ['list'],
  get: ['get'],
  update: ['get', 'update'],
  delete: ['get', 'delete'],
  publish: ['get', 'update', 'publish'],
};

/** Says what somebody may do with a record by the rights of their role, in one statement. 404 where there is no such record. */
export async function recordAccess(context: ReadContext, { type, id, subject }: AccessRequest): Promise<RecordAccess> {
  const { database, plans, types } = context;
  const role = rightsOf(subject, types.roles);
  const rights = role.of(type);
  const plan = plans.get(`access|${type.singular}|${role.key}`, () => accessPlan(type, rights, context));
  const found = await database.first<Readonly<Record<string, unknown>>>(plan.bind(new RequestBindings(subject, [id])));
  if (found === undefined) throw notFound();
  const hidden = Number(found.shown) !== 1;
  const holds = (action: RecordAction): boolean | null =>
    dependsOnBody(rights.rows[action]) ? null : Number(found[action]) === 1;
  const access = (action: AccessAction): ActionAccess => {
    const right = rights.rows[action];
    const each = takes[action].map(holds);
    const may = hidden || each.includes(false) ? false : each.includes(null) ? null : true;
    return { may, rule: typeof right === 'string' ? null : right.source, holds: holds(action) };
  };
  return { hidden, actions: Object.fromEntries(actionsOf(type).map((action) => [action, access(action)])) };
}

const actionsOf = (type: ContentType): readonly AccessAction[] =>
  accessActions.filter((action) => action !== 'publish' || publishedStateOf(type.protocols) !== undefined);

const dependsOnBody = (right: RowRight): boolean => typeof right !== 'string' && right.reads.body.size > 0;

function accessPlan(type: ContentType, { rows }: TypeRights, { database }: ReadContext): Plan {
  const { dialect } = database;
  const context: PlanContext = { dialect, authenticated: true, reads: new ReadsCollector() };
  const rules = actionsOf(type)
    .filter((action) => !dependsOnBody(rows[action]))
    .map((action) => member(action, rightCondition(rows[action], 't0', context) ?? allOf([])));
  const shown = member('shown', allOf(protocolConditions(type, 't0', context, 'admin')));
  const isNamed = sql<boolean>`${column('t0', 'id')} = ${new ValuePlaces().take()}`;
  return new Plan(
    sql`select ${sql.join([shown, ...rules])} from ${tableAs(type.table, 't0')} where ${isNamed}`,
    dialect,
  );
}

const member = (name: string, condition: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`case when ${condition} then 1 else 0 end as ${sql.id(name)}`;
