import { type RawBuilder, sql } from 'kysely';
import { type Caller, isAuthenticated } from '../../base/caller.ts';
import type { Executor } from '../../database/database.ts';
import { viewFor } from '../../definition/rights/read-view.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { needsWeighing } from '../answers/answer.ts';
import { cutMarked } from '../answers/truncated-lists.ts';
import { Plan, RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import { type PlanContext, relatedRows, storedForm } from '../plans/visibility.ts';
import { includedTotals } from '../select/complete-answer.ts';
import { Projection } from '../select/projection.ts';
import type { ReadContext } from '../select/read-context.ts';
import { weighOnce } from '../select/response-size-limit.ts';
import { buildWeightPlan } from '../select/response-size-plan.ts';
import { countIncluded, type JsonRecord, type Reference, referenceKey } from './references.ts';
import { filledSlices } from './visible-records.ts';

/** Where and for whom records are read. */
export interface Reading {
  readonly context: ReadContext;
  readonly caller: Caller;
  /** A transaction, where one is running; default: the database. */
  readonly within?: Pick<Executor, 'rows' | 'first'>;
}

/** A record that references lead to, as the admin routes show it. */
export interface FoundRecord {
  readonly record: JsonRecord;
  /** Of its JSON text. */
  readonly bytes: number;
  /** The record, and those that it includes. */
  readonly count: number;
}

interface ReferencePlan {
  readonly body: Plan;
  readonly weight: Plan | null;
  readonly types: readonly string[];
}

const row = 't0';

/** The records with these ids, of those that admin reads show the caller. Throws 400 `answer_too_large` before it builds what is. */
export async function readReferences(
  reading: Reading,
  reference: Reference,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundRecord>> {
  const { context, caller, within } = reading;
  const view = viewFor('admin', caller, context.types);
  const found = new Map<string, FoundRecord>();
  for (const { size, filled } of filledSlices(ids)) {
    const plan = referencePlan(reading, reference, size);
    const reader = within ?? context.database.reader(plan.types, 'records');
    const bindings = new RequestBindings(caller, filled);
    if (plan.weight !== null) await weighOnce({ plan: plan.weight, bindings, reader }, context.budget);
    for (const { id, body } of await reader.rows<{ id: string; body: string }>(plan.body.bind(bindings))) {
      const totals = await includedTotals(context, { text: body, view, bindings, reader });
      // A projection is a JSON object.
      const record = JSON.parse(cutMarked(body, totals)) as Readonly<Record<string, JsonValue>>;
      const bytes = Buffer.byteLength(body);
      found.set(id, { record, bytes, count: 1 + countIncluded(record, reference.include) });
    }
  }
  return found;
}

function referencePlan({ context, caller }: Reading, reference: Reference, size: number): ReferencePlan {
  const { types, plans, budget, database } = context;
  const { target, include } = reference;
  const authenticated = isAuthenticated(caller);
  const view = viewFor('admin', caller, types);
  return plans.get(`references|${view.key}|${authenticated}|${size}|${referenceKey(reference)}`, () => {
    const { dialect } = database;
    const reads = new ReadsCollector();
    const plan: PlanContext = { dialect, authenticated, reads, form: storedForm(context) };
    const rows = (): RawBuilder<unknown> => {
      const places = new ValuePlaces();
      const named = sql.join(Array.from({ length: size }, () => places.take()));
      const shown = relatedRows(target, view, row, plan);
      return sql`${tableAs(target.table, row)} where ${allOf([sql`${column(row, 'id')} in (${named})`, shown])}`;
    };
    const record = new Projection(types, plan).record(target, row, view, { include });
    const body = sql`select ${column(row, 'id')} as "id", ${record} as "body" from ${rows()}`;
    const keys = sql`select ${column(row, dialect.pageKey)} from ${rows()}`;
    const weighed = {
      type: target,
      types,
      view,
      include,
      fields: null,
      keys,
      included: sql<number>`1`,
    } as const;
    return {
      body: new Plan(body, dialect),
      weight: needsWeighing(size, include) ? buildWeightPlan(weighed, plan, budget) : null,
      types: reads.done().types,
    };
  });
}
