import { type RawBuilder, sql } from 'kysely';
import { Slot } from '../../base/bindings.ts';
import { tenantAsked } from '../../base/caller.ts';
import type { Dialect } from '../../database/dialect.ts';
import {
  type ContentType,
  type Endpoint,
  type EndpointName,
  isRoleList,
  junctionColumns,
} from '../../definition/content-type.ts';
import { perType } from '../../definition/per-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import type { RowRight } from '../../definition/rights/type-rights.ts';
import { listIndexesOf } from '../../migrations/storage/list-indexes.ts';
import { noVisibilityParams, type VisibilityParams } from '../../query/read-view.ts';
import { equalColumns } from '../../rules/rule-equalities.ts';
import { alternativesToSql, ruleToSql } from '../../rules/rule-sql.ts';
import { mayPass } from './access.ts';
import type { ReadsCollector } from './plan-reads.ts';
import { allOf, column, never, tableAs } from './sql-parts.ts';

/** What a plan is built for. Whether the caller is signed in is part of the shape, so that an anonymous caller's statement is free of the OR. */
export interface PlanContext {
  readonly dialect: Dialect;
  readonly authenticated: boolean;
  /** Whether the request is about a tenant's records; absent: that is found out as the statement is bound. */
  readonly tenant?: boolean;
  readonly reads: ReadsCollector;
  /** What is known of the form of stored values; absent: nothing, so that public views show only the members they know. */
  readonly form?: StoredForm;
}

/**
 * Whether stored values of structured fields have the members that the definition has, and no others: always, where nothing
 * else can change the definition, or it is checked otherwise; or while a condition holds.
 */
export type StoredForm = 'as_defined' | { isAsDefined(type: ContentType): RawBuilder<boolean> | undefined };

/** What statements that read outside of a guarded transaction know of the form of stored values. */
export const storedForm = ({ layouts }: { readonly layouts?: StoredForm }): StoredForm => layouts ?? 'as_defined';

/**
 * The rows of `alias` that one endpoint's rules let this caller see or touch:
 * `filter` OR (authenticated AND `filter_auth`) (service specification, section 5.3). Undefined: no restriction.
 */
export function ruleCondition(
  type: ContentType,
  endpoint: EndpointName,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> | undefined {
  const { filter, filterAuth } = type.endpoints[endpoint];
  if (filter === null && filterAuth === null) return undefined;
  if (filterAuth !== null) context.reads.authenticated();
  const rules = [filter, context.authenticated ? filterAuth : null].filter((rule) => rule !== null);
  if (rules.length === 0) return never;
  for (const rule of rules) context.reads.rule(rule);
  const conditions = rules.map((rule) => ruleToSql(rule, alias, context.dialect.rules));
  return sql`(${sql.join(conditions, sql` or `)})`;
}

/**
 * What `viewCondition` of a list holds, as conditions of which no two hold for the same row, where each of them keeps to equal values
 * of some columns: then each is a range of an index, in the order of its list, and one condition with all of them would be
 * none. Undefined where there is nothing to part.
 */
export function ruleParts(
  type: ContentType,
  view: ReadView,
  alias: string,
  context: PlanContext,
): readonly RawBuilder<boolean>[] | undefined {
  const { filter, filterAuth } = listRules(type, view);
  const rules = [filter, context.authenticated ? filterAuth : null].filter((rule) => rule !== null);
  const equal = rules.flatMap(equalColumns);
  if (equal.length < 2 || equal.length > mostParts || equal.some((columns) => columns.length === 0)) return undefined;
  // The indexes are made for the rules of the type. Without one, each part would read all records in their order.
  if (view.audience === 'admin' && !equal.every((columns) => beginsIndex(type, columns))) return undefined;
  if (filterAuth !== null) context.reads.authenticated();
  for (const rule of rules) context.reads.rule(rule);
  const parts = rules.flatMap((rule) => alternativesToSql(rule, alias, context.dialect.rules));
  return parts.map((part, index) => {
    const earlier = parts.slice(0, index).map((other) => sql`not ${other}`);
    return sql`${sql.join([part, ...earlier], sql` and `)}`;
  });
}

/** The rules of a view's list. */
function listRules(type: ContentType, view: ReadView): Pick<Endpoint, 'filter' | 'filterAuth'> {
  if (view.audience === 'public') return type.endpoints.list;
  const right = view.rights.of(type).rows.list;
  return { filter: typeof right === 'string' ? null : right, filterAuth: null };
}

/** Whether an index of the type begins with one of the columns. */
const beginsIndex = (type: ContentType, columns: readonly string[]): boolean => {
  const firsts = firstColumns(type);
  return columns.some((column) => firsts.has(column));
};

const firstColumns = perType((type): ReadonlySet<string> => {
  const unique = type.fields.filter((field) => field.unique).map(({ name }) => name);
  return new Set([...listIndexesOf(type).map(([first]) => first ?? ''), ...unique]);
});

/** Of more alternatives, the statement would cost more than they spare. */
const mostParts = 4;

/**
 * Rows of the tenant that the request is about. Without one: those of no tenant, for the admin routes those of all.
 * Nothing for a type that keeps none apart.
 */
function tenantConditions(
  { partition }: ContentType,
  alias: string,
  { dialect, tenant, reads }: PlanContext,
  audience: 'admin' | 'public',
): RawBuilder<boolean>[] {
  if (partition === null) return [];
  reads.tenant();
  const own = column(alias, partition);
  const isAsked = dialect.rules.ofMany(
    sql`${own} = ${dialect.rules.plannedOnce(sql.val(new Slot(({ caller }) => tenantAsked(caller))))}`,
  );
  // An index serves these, and not a condition with both.
  if (tenant === true) return [isAsked];
  if (tenant === false) return audience === 'admin' ? [] : [dialect.rules.ofMany(sql`${own} is null`)];
  const none = dialect.rules.truth(sql.val(new Slot(({ caller }) => (tenantAsked(caller) === null ? 1 : 0))));
  return [audience === 'admin' ? sql`(${none} or ${isAsked})` : sql`((${none} and ${own} is null) or ${isAsked})`];
}

/** The conditions that protocols add to every read of a type: of the admin routes, with what they ask for besides, or of the others. */
export function protocolConditions(
  type: ContentType,
  alias: string,
  context: PlanContext,
  audience: 'admin' | 'public',
  choices: VisibilityParams = noVisibilityParams,
): RawBuilder<boolean>[] {
  const tenants = tenantConditions(type, alias, context, audience);
  const seen = type.visible.flatMap(({ rule, hiddenFrom, parameter }) => {
    if (hiddenFrom === 'public' && audience === 'admin') return [];
    const choice = parameter === undefined ? undefined : choices.get(parameter.name);
    const chosen = choice === undefined ? rule : (parameter?.choices.get(choice) ?? null);
    if (chosen === null) return [];
    context.reads.rule(chosen);
    return [ruleToSql(chosen, alias, context.dialect.rules)];
  });
  return [...tenants, ...seen, ...companions(type, alias, context, audience)];
}

/**
 * Rows that are shared, and those with a record that this caller sees. The admin routes also show those of the tenant that the
 * request is about, and without one all.
 */
function companions(
  { shownWith }: ContentType,
  alias: string,
  context: PlanContext,
  audience: 'admin' | 'public',
): RawBuilder<boolean>[] {
  if (shownWith === undefined) return [];
  const { dialect, reads } = context;
  reads.tenant();
  const own = column(alias, shownWith.tenant);
  const isAsked = sql<boolean>`${own} = ${dialect.rules.plannedOnce(sql.val(new Slot(({ caller }) => tenantAsked(caller))))}`;
  const isShared = sql`${column(alias, shownWith.flag)} = ${dialect.rules.plannedOnce(sql.val(dialect.encode('boolean', true)))}`;
  const ways = [sql<boolean>`(${isShared} and (${own} is null or ${isAsked}))`];
  if (audience === 'admin') {
    const none = dialect.rules.truth(sql.val(new Slot(({ caller }) => (tenantAsked(caller) === null ? 1 : 0))));
    ways.unshift(none, isAsked);
  }
  for (const [index, leading] of shownWith.records.entries()) {
    const { type } = leading;
    // A name of the type would make one too long, of which PostgreSQL cuts the end off.
    const row = `${alias}_p${index}`;
    reads.type(type.singular);
    const shown = gettable(type, row, context);
    if ('column' in leading) {
      ways.push(sql`exists (select 1 from ${tableAs(type.table, row)}
        where ${column(row, leading.column)} = ${column(alias, 'id')} and ${shown})`);
    } else {
      const link = `${row}_link`;
      ways.push(sql`exists (select 1 from ${tableAs(leading.junction, link)}, ${tableAs(type.table, row)}
        where ${column(link, junctionColumns.target)} = ${column(alias, 'id')}
          and ${column(row, 'id')} = ${column(link, junctionColumns.source)} and ${shown})`);
    }
  }
  return [sql`(${sql.join(ways, sql` or `)})`];
}

/** Whether some record of the type may be hidden from a view, whatever its rules say. */
export const protocolsHide = (type: ContentType, audience: 'admin' | 'public'): boolean =>
  type.partition !== null ||
  type.shownWith !== undefined ||
  type.visible.some(({ rule, hiddenFrom }) => rule !== null && (hiddenFrom === 'everyone' || audience === 'public'));

/** The rows of `alias` that a role's right lets this caller see or touch. Undefined: no restriction. */
export function rightCondition(
  right: RowRight,
  alias: string,
  { dialect, reads }: PlanContext,
): RawBuilder<boolean> | undefined {
  if (right === 'all') return undefined;
  if (right === 'none') return never;
  reads.rule(right);
  return ruleToSql(right, alias, dialect.rules);
}

/**
 * The rows of `alias` that a view shows, or a write through it may change, whatever protocols hide: by the rules of the endpoint, or by
 * the right of the role. Undefined: no restriction.
 */
export const viewCondition = (
  type: ContentType,
  view: ReadView,
  action: EndpointName,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> | undefined =>
  view.audience === 'admin'
    ? rightCondition(view.rights.of(type).rows[action], alias, context)
    : ruleCondition(type, action, alias, context);

/**
 * The rows of a type that records of the view lead to: by `include`, filters through relations, walks and usages. On the admin routes
 * those that the role may get, else those that `get` shows. Undefined: all rows.
 */
export function relatedCondition(
  type: ContentType,
  view: ReadView,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> | undefined {
  if (view.audience === 'public') return gettable(type, alias, context);
  const conditions = protocolConditions(type, alias, context, 'admin');
  const right = viewCondition(type, view, 'get', alias, context);
  if (right !== undefined) conditions.push(right);
  return conditions.length === 0 ? undefined : allOf(conditions);
}

/** The same as a condition that always holds where all rows are meant. */
export const relatedRows = (
  type: ContentType,
  view: ReadView,
  alias: string,
  context: PlanContext,
): RawBuilder<boolean> => relatedCondition(type, view, alias, context) ?? allOf([]);

/** The rows of `alias` that the type's own `get` endpoint would show this caller: its access level and its rules. */
export function gettable(type: ContentType, alias: string, context: PlanContext): RawBuilder<boolean> {
  const conditions = protocolConditions(type, alias, context, 'public');
  const { access } = type.endpoints.get;
  if (access === 'none') return never;
  if (access !== 'public') {
    if (access === 'admin' || isRoleList(access)) context.reads.role();
    context.reads.authenticated();
    const passes = sql.val(new Slot(({ caller }) => (mayPass(access, caller) ? 1 : 0)));
    conditions.push(context.dialect.rules.truth(passes));
  }
  const rule = ruleCondition(type, 'get', alias, context);
  if (rule !== undefined) conditions.push(rule);
  return allOf(conditions);
}

/** The conditions of the rows of `alias` that `get` shows to everybody whom it lets in, whoever's tenant they are of. */
export function shownToAll(type: ContentType, alias: string, context: PlanContext): readonly RawBuilder<boolean>[] {
  const rules = type.visible.map(({ rule }) => rule).filter((rule) => rule !== null);
  const own = ruleCondition(type, 'get', alias, { ...context, authenticated: false });
  return [...rules.map((rule) => ruleToSql(rule, alias, context.dialect.rules)), ...(own === undefined ? [] : [own])];
}
