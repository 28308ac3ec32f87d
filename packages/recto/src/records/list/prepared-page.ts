import type { SqlValue } from '../../base/bindings.ts';
import { badRequest } from '../../base/problem.ts';
import type { ListQuery } from '../../query/list-query.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { needsWeighing } from '../answers/answer.ts';
import type { CursorSealer } from '../answers/cursor-sealer.ts';
import { type Plan, planCharacters } from '../plans/plan.ts';
import type { PlanReads } from '../plans/plan-reads.ts';
import { storedForm } from '../plans/visibility.ts';
import type { ReadContext } from '../select/read-context.ts';
import { orderingOf, orderValues } from './list-order.ts';
import {
  buildListPlan,
  buildListWeight,
  type ListPlan,
  type ListShape,
  listIdentity,
  listOrder,
  listShapeKey,
  listValues,
  wholeList,
} from './list-plan.ts';

/** A page of a list in one order, planned. */
export interface PreparedPage {
  /** The number of the page: as asked for, or as the cursor knows it. */
  readonly page: number;
  /** What the cursors of this list's pages are sealed for. */
  readonly identity: string;
  readonly plan: ListPlan;
  /** Weighs the page, where it could be too large; null where it could not. */
  readonly weight: Plan | null;
  readonly values: { readonly total: readonly SqlValue[]; readonly items: readonly SqlValue[] };
  /** Equal for requests that differ by nothing but the caller. */
  readonly key: string;
}

/**
 * The page that a shape without a place asks for. Two, the ranked one first, if how many records a search finds decides on the
 * order; a cursor knows which one it was given in. 400 for a cursor that is not of this list.
 */
export function preparePages(
  shape: ListShape,
  context: ReadContext,
  cursors: CursorSealer,
): readonly [PreparedPage, PreparedPage?] {
  const { query } = shape;
  const others: readonly ListShape[] = orderingOf(query, false) === 'ranked' ? [{ ...shape, isUnranked: true }] : [];
  if (query.cursor !== null) return [pageAfter(query.cursor, [shape, ...others], context, cursors)];
  const [unranked] = others.map((other) => preparePage(other, query.page, context));
  const first = preparePage(shape, query.page, context);
  return unranked === undefined ? [first] : [first, unranked];
}

function preparePage(shape: ListShape, page: number, context: ReadContext): PreparedPage {
  const { plans, database, budget, limits } = context;
  const { dialect } = database;
  const { query } = shape;
  const shapeKey = listShapeKey(shape);
  const plan = plans.get(`list|${shapeKey}`, () => buildListPlan(shape, dialect, storedForm(context), limits));
  const weight = needsWeighing(query.pageSize, query.include)
    ? plans.get(`weight|${shapeKey}`, () => buildListWeight(shape, dialect, budget, limits))
    : null;
  const values = listValues(shape, dialect);
  const key = [anonymousKey(shape, plan.reads), valuesKey([...values.items, ...ruleValues(plan, query)])];
  return {
    page,
    identity: listIdentity(shape, values.total),
    plan,
    weight,
    values,
    key: `list|${key.join('|')}|${page}|${query.skipTotal}|`,
  };
}

/** The page that a cursor of one of the lists leads to. */
function pageAfter(
  cursor: string,
  shapes: readonly ListShape[],
  context: ReadContext,
  cursors: CursorSealer,
): PreparedPage {
  for (const shape of shapes) {
    const { total } = listValues(shape, context.database.dialect);
    const content = cursors.open(listIdentity(shape, total), cursor);
    // Only `sealNext` seals for a list.
    const [page, keys] = (content === undefined ? [] : JSON.parse(content)) as readonly [number?, JsonValue?];
    const after = orderValues(listOrder(shape), keys);
    if (page !== undefined && after !== undefined) return preparePage({ ...shape, after }, page, context);
  }
  throw badRequest(
    'invalid_cursor',
    'The cursor is not one of this list. It holds for the filters, search and order that it was given with.',
  );
}

/** The cursor of the page after this one, which ends at the place `keys`. */
export const sealNext = (
  { identity, page }: PreparedPage,
  keys: JsonValue | undefined,
  cursors: CursorSealer,
): string => cursors.seal(identity, JSON.stringify([page + 1, keys]));

/** Equal for lists with one total: the key of all that counts, whatever the page and the order. */
export function totalKey(shape: ListShape, { plan, values }: PreparedPage): string {
  const { query } = shape;
  const counted = listShapeKey({
    ...shape,
    query: { ...wholeList(query), sort: [], include: [], fields: null, may: false, alternates: false },
  });
  return `${counted}|${valuesKey([...values.total, ...ruleValues(plan, query)])}|`;
}

/** The page with another value at a place of its list's values. */
export const withValue = ({ values, ...page }: PreparedPage, at: number, value: SqlValue): PreparedPage => ({
  ...page,
  values: { total: values.total.with(at, value), items: values.items.with(at, value) },
});

export const pageCharacters = ({ key, identity, plan, weight }: PreparedPage): number =>
  key.length + identity.length + planCharacters(plan) + (weight === null ? 0 : planCharacters(weight));

/** What the rules read of the query string. */
const ruleValues = ({ reads }: ListPlan, { parameters }: ListQuery): readonly (string | null)[] =>
  reads.query.flatMap((name) => [name, parameters.get(name) ?? null]);

/** A shape's key that all callers share where the answer does not depend on who they are. */
function anonymousKey(shape: ListShape, reads: PlanReads): string {
  const { authenticated, tenant } = shape;
  return listShapeKey({
    ...shape,
    authenticated: reads.authenticated && authenticated,
    tenant: reads.tenant && tenant,
  });
}

const valuesKey = (values: readonly (SqlValue | undefined)[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'bigint' ? `${value}n` : value)));
