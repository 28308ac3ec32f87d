import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../database/dialect.ts';
import type { ContentType, ContentTypes } from '../../definition/content-type.ts';
import type { ReadView } from '../../definition/rights/read-view.ts';
import { type VisibilityParams, visibilityParamsKey } from '../../query/read-view.ts';
import { type FieldSelection, type IncludeTree, includeKey, selectionKey } from '../../query/record-parts.ts';
import { type AnswerBudget, needsWeighing } from '../answers/answer.ts';
import { type OneRecord, onlyConditions } from '../plans/one-record.ts';
import { Plan } from '../plans/plan.ts';
import { type PlanReads, ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import {
  type PlanContext,
  protocolConditions,
  type StoredForm,
  storedForm,
  viewCondition,
} from '../plans/visibility.ts';
import { Projection } from './projection.ts';
import type { ReadContext } from './read-context.ts';
import { buildWeightPlan } from './response-size-plan.ts';

const row = 't0';

/** Reads one record: one row with `body`, its JSON text, or no row. Its one value is that of the field it goes by. */
export interface RecordPlan {
  readonly body: Plan;
  /** Weighs the record with what it includes, where that could be too large; null where it could not. */
  readonly weight: Plan | null;
  readonly reads: PlanReads;
}

export interface RecordShape {
  readonly type: ContentType;
  readonly types: ContentTypes;
  readonly view: ReadView;
  readonly authenticated: boolean;
  readonly include: IncludeTree;
  readonly fields: FieldSelection;
  /** Whether the record says what the caller may do with it. */
  readonly may?: boolean;
  /** Whether the record has its addresses in all languages. */
  readonly alternates?: boolean;
  /** Whether localized fields have what each language says. */
  readonly inEvery?: boolean;
  /** The unique field that the record is found by; null: the one record of a single type. */
  readonly by: string | null;
  /** The rows that an admin read requests in addition to those it sees. */
  readonly choices: VisibilityParams;
  /** Whether the `get` endpoint's rules hold and what protocols hide is hidden; not so for the answer to a write that has just been allowed. */
  readonly ruled: boolean;
  /** The one record that it may be; absent: any. */
  readonly only?: OneRecord;
}

/** The plan of this shape, made when it is first asked for. */
export function recordPlan(context: ReadContext, shape: RecordShape): RecordPlan {
  const { plans, database, budget } = context;
  const key = `record|${shape.type.singular}|${shape.view.key}|${shape.authenticated}|${shape.ruled}|${shape.by}|${includeKey(shape.include)}|${selectionKey(shape.fields)}|${visibilityParamsKey(shape.choices)}|${shape.may === true}|${shape.alternates === true}|${shape.inEvery === true}${shape.only === undefined ? '' : `|${shape.only.type}.${shape.only.id}`}`;
  return plans.get(key, () => buildRecordPlan(shape, { dialect: database.dialect, form: storedForm(context) }, budget));
}

function buildRecordPlan(
  shape: RecordShape,
  { dialect, form }: { readonly dialect: Dialect; readonly form: StoredForm },
  budget: AnswerBudget,
): RecordPlan {
  const { type, types, view, include, fields, may = false, alternates = false, inEvery = false } = shape;
  const reads = new ReadsCollector();
  const context: PlanContext = { dialect, authenticated: shape.authenticated, reads, form };
  const record = new Projection(types, context).record(type, row, view, { include, fields, may, alternates, inEvery });
  const body = new Plan(sql`select ${record} as "body" from ${recordRow(shape, context)}`, dialect);
  const weight = needsWeighing(1, include)
    ? buildWeightPlan({ type, types, view, include, fields, keys: recordKey(shape, context) }, context, budget)
    : null;
  return { body, weight, reads: reads.done() };
}

const recordKey = (shape: RecordShape, context: PlanContext): RawBuilder<unknown> =>
  sql`select ${column(row, context.dialect.pageKey)} from ${recordRow(shape, context)}`;

/** The FROM and WHERE of the record. */
function recordRow({ type, by, ruled, view, choices, only }: RecordShape, context: PlanContext): RawBuilder<unknown> {
  const conditions = [...keyCondition(by, context), ...onlyConditions(type, row, only, context.dialect)];
  if (ruled) conditions.push(...protocolConditions(type, row, context, view.audience, choices));
  const rule = ruled ? viewCondition(type, view, 'get', row, context) : undefined;
  if (rule !== undefined) conditions.push(rule);
  return sql`${tableAs(type.table, row)} where ${allOf(conditions)}`;
}

const keyCondition = (field: string | null, { dialect }: PlanContext): RawBuilder<boolean>[] =>
  field === null ? [] : [sql`${column(row, field)} = ${dialect.rules.plannedOnce(new ValuePlaces().take())}`];
