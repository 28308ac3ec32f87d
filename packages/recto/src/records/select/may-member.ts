import { type RawBuilder, sql } from 'kysely';
import type { ContentType } from '../../definition/content-type.ts';
import { publishedStateOf } from '../../definition/published-state.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import type { RecordAction } from '../../definition/rights/type-rights.ts';
import { allOf } from '../plans/sql-parts.ts';
import { type PlanContext, rightCondition } from '../plans/visibility.ts';

/** The member of a record that says what the caller may do with it. */
export const mayName = '__may';

/** What it names, in this order. */
export const mayActions = ['update', 'delete', 'publish'] as const;

/** What each action takes: a record is changed by those who find it, and published by those who may change it. */
const takes: Readonly<Record<(typeof mayActions)[number], readonly RecordAction[]>> = {
  update: ['get', 'update'],
  delete: ['get', 'delete'],
  publish: ['get', 'update', 'publish'],
};

/** The actions that the caller's role may apply to the record in row `alias`, as a JSON array. Public views name none. */
export function mayMember(
  type: ContentType,
  view: ReadView,
  alias: string,
  context: PlanContext,
): readonly [name: string, value: RawBuilder<unknown>] {
  const names = mayActions.filter((action) => action !== 'publish' || publishedStateOf(type.protocols) !== undefined);
  const parts = view.audience === 'public' ? [] : names.map((action) => partOf(action, type, view, alias, context));
  const list = parts.length === 0 ? sql`''` : sql.join(parts, sql` || `);
  return [mayName, context.dialect.json('json', sql`('[' || substr(cast(${list} as text), 2) || ']')`)];
}

function partOf(
  action: (typeof mayActions)[number],
  type: ContentType,
  { rights }: Extract<ReadView, { readonly audience: 'admin' }>,
  alias: string,
  context: PlanContext,
): RawBuilder<string> {
  const { rows } = rights.of(type);
  const conditions = takes[action].flatMap((each) => rightCondition(rows[each], alias, context) ?? []);
  const name = sql.lit(`,"${action}"`);
  return conditions.length === 0 ? sql`${name}` : sql`case when ${allOf(conditions)} then ${name} else '' end`;
}
