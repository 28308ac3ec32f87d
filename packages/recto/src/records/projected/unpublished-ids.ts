import { sql } from 'kysely';
import type { Caller } from '../../base/caller.ts';
import type { Transaction } from '../../database/database.ts';
import type { ContentType } from '../../definition/content-type.ts';
import { publishedInLanguage, publishedStateOf } from '../../definition/published-state.ts';
import { adminView, rightsOf } from '../../definition/rights/read-view.ts';
import { draftsOf } from '../drafts/draft.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs } from '../plans/sql-parts.ts';
import { protocolConditions, viewCondition } from '../plans/visibility.ts';
import type { RecordWriter } from '../write/record-writer.ts';

/** Which records of a type are looked for. */
export interface WantedUnpublished {
  /** The singular of the type. */
  readonly type: string;
  /** Somebody whose role may change the records. */
  readonly caller: Caller;
  readonly most: number;
}

const row = 't0';

/**
 * The newest records that wait to be published, of those that the caller may change: those with a draft in any language, and those in the
 * state that records begin in. What was archived, or taken back, does not wait.
 */
export async function unpublishedIds(
  writers: readonly RecordWriter[],
  transaction: Transaction,
  { type: singular, caller, most }: WantedUnpublished,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const writer of writers) {
    const { database, types } = writer.context;
    const { dialect } = database;
    const type = types.get(singular);
    const waits = waiting(type);
    if (waits === undefined) continue;
    const context = { dialect, authenticated: true, reads: new ReadsCollector() };
    const right = viewCondition(type, adminView(rightsOf(caller, types.roles)), 'update', row, context);
    const conditions = [
      waits,
      ...protocolConditions(type, row, context, 'admin'),
      ...(right === undefined ? [] : [right]),
    ];
    const select = sql`select ${column(row, 'id')} as "id" from ${tableAs(type.table, row)}
      where ${allOf(conditions)} order by ${dialect.order(column(row, 'id'), 'desc')} limit ${sql.lit(most)}`;
    const rows = await transaction.rows<{ id: string }>(
      new Plan(select, dialect).bind(new RequestBindings(caller, [])),
    );
    for (const { id } of rows) found.add(id);
  }
  return [...found].toSorted().toReversed().slice(0, most);
}

/** Undefined: nothing of the type waits to be published in this language. */
function waiting(type: ContentType) {
  const draft = draftsOf(type)?.field;
  const state = publishedStateOf(type.protocols);
  const first = state && type.field.get(state.column)?.default;
  const isOwn = type.shownIn === undefined || publishedInLanguage(type) !== undefined;
  const ways = [
    ...(draft === undefined ? [] : [sql<boolean>`${column(row, draft.name)} is not null`]),
    ...(state === undefined || !isOwn || typeof first !== 'string' || first === state.value
      ? []
      : [sql<boolean>`${column(row, state.column)} = ${sql.lit(first)}`]),
  ];
  return ways.length === 0 ? undefined : sql<boolean>`(${sql.join(ways, sql` or `)})`;
}
