import { type RawBuilder, sql } from 'kysely';
import type { SqlValue } from '../../base/bindings.ts';
import { type AuthenticatedCaller, type Caller, callerTenant } from '../../base/caller.ts';
import { invalid, type Problem } from '../../base/problem.ts';
import { compiledQuery } from '../../database/compiled-query.ts';
import type { Executor } from '../../database/database.ts';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { accountsTable } from '../../definition/profile/profile-type.ts';
import { rightsOf, viewFor } from '../../definition/rights/read-view.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { readsWhatRuleReads } from '../plans/rule-sight.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { protocolConditions, viewCondition } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';

/** A record that is assigned to an account, as it is stored within the transaction. */
export interface Assignment {
  readonly type: ContentType;
  readonly id: string;
  readonly field: string;
  readonly assignee: string;
  /** Who assigns it. */
  readonly caller: Caller;
}

/**
 * Throws 422 unless admin reads show the record to the account that it is assigned to, by the rights that its role has for the record as
 * it is stored now. An account of another tenant than the caller's is unknown to the caller.
 */
export async function requireAssignee(
  executor: Pick<Executor, 'first'>,
  context: Pick<ReadContext, 'types' | 'plans' | 'database'>,
  { type, id, field, assignee, caller }: Assignment,
): Promise<void> {
  const { dialect } = context.database;
  const account = await storedCaller(executor, dialect, assignee);
  const own = callerTenant(caller);
  const isKnown = own === null || account?.tenant === undefined || account.tenant === own;
  if (!isKnown) throw faulty(field, 'unknown_record', 'There is no such account.');
  const isSeen = account === undefined || seesWhatDecides(context, { type, account, caller });
  if (account === undefined || !isSeen || !(await mayGet(executor, context, { type, id, account })))
    throw faulty(field, 'not_allowed', 'The account cannot get this record, so it cannot be assigned to it.');
}

/**
 * Whether who assigns a record reads what decides whether the other one gets it. Otherwise they could find out what a field says that they
 * do not read, by giving the record to somebody whose rule reads it.
 */
function seesWhatDecides(
  { types }: Pick<ReadContext, 'types'>,
  { type, account, caller }: Pick<Assignment, 'type' | 'caller'> & { readonly account: AuthenticatedCaller },
): boolean {
  const right = rightsOf(account, types.roles).of(type).rows.get;
  return typeof right === 'string' || readsWhatRuleReads(caller, type, right, types);
}

const faulty = (field: string, code: string, message: string): Problem => invalid([{ field, code, message }]);

/** An account as a caller with its rights of now; undefined for one that is disabled or gone. */
async function storedCaller(
  executor: Pick<Executor, 'first'>,
  dialect: Dialect,
  id: string,
): Promise<AuthenticatedCaller | undefined> {
  const names = ['role', 'tenant_id', 'email', 'username', 'verified', 'disabled'].map((name) => sql.ref(name));
  const select: RawBuilder<unknown> = sql`select ${sql.join(names)} from ${sql.table(accountsTable)} where "id" = ${id}`;
  const row = await executor.first<Record<string, SqlValue>>(compiledQuery(select, dialect));
  if (row === undefined) return undefined;
  const flag = (value: SqlValue | undefined): boolean =>
    value !== null && value !== undefined && dialect.decode('boolean', value) === true;
  if (flag(row.disabled)) return undefined;
  const { role, tenant_id: tenant, email, username } = row;
  return {
    ...{ kind: 'account', id, role: String(role), session: '', email: String(email) },
    ...(username === null || username === undefined ? {} : { username: String(username) }),
    ...(flag(row.verified) ? { verified: true } : {}),
    ...(tenant === null || tenant === undefined ? {} : { tenant: String(tenant) }),
  };
}

async function mayGet(
  executor: Pick<Executor, 'first'>,
  { types, plans, database: { dialect } }: Pick<ReadContext, 'types' | 'plans' | 'database'>,
  { type, id, account }: { readonly type: ContentType; readonly id: string; readonly account: AuthenticatedCaller },
): Promise<boolean> {
  const view = viewFor('admin', account, types);
  if (view.audience !== 'admin' || view.rights.of(type).rows.get === 'none') return false;
  const plan = plans.get(`assignee|${type.singular}|${view.key}`, () => {
    const reading = { dialect, authenticated: true, reads: new ReadsCollector() };
    const right = viewCondition(type, view, 'get', 't', reading);
    const isNamed = sql<boolean>`${column('t', 'id')} = ${new ValuePlaces().take()}`;
    const shown = [...protocolConditions(type, 't', reading, 'admin'), ...(right === undefined ? [] : [right])];
    return new Plan(
      sql`select 1 as "found" from ${tableAs(type.table, 't')} where ${allOf([isNamed, ...shown])}`,
      dialect,
    );
  });
  return (await executor.first(plan.bind(new RequestBindings(account, [id])))) !== undefined;
}
