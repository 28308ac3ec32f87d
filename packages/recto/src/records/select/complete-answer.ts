import { sql } from 'kysely';
import { isAuthenticated } from '../../base/caller.ts';
import { type MaybePromise, mapMaybe } from '../../base/maybe-promise.ts';
import type { Executor } from '../../database/database.ts';
import { includedView, type ReadView } from '../../definition/rights/read-view.ts';
import { type Answer, answerOf, mayHaveTruncated, withinBudget } from '../answers/answer.ts';
import { mayLink } from '../answers/record-links.ts';
import { type ListReference, listReferences } from '../answers/truncated-lists.ts';
import { Plan, type RequestBindings } from '../plans/plan.ts';
import { ReadsCollector } from '../plans/plan-reads.ts';
import { allOf, column, tableAs, ValuePlaces } from '../plans/sql-parts.ts';
import type { ReadContext } from './read-context.ts';
import { Aliases, Relations } from './related-rows.ts';

/** The text of an answer as its statement returned it, and what it was read with. */
interface AnswerText {
  readonly text: string;
  readonly view: ReadView;
  readonly bindings: RequestBindings;
  readonly reader: Pick<Executor, 'first'>;
}

/**
 * The answer with this text, held to the budget of bytes. Lists that the statement has cut get their numbers. Public answers say whether
 * they have links to follow; the admin routes return what is stored.
 */
export function completeAnswer(context: ReadContext, read: AnswerText): MaybePromise<Answer> {
  const text = withinBudget(read.text, context.budget);
  const completed = mayHaveTruncated(text)
    ? mapMaybe(includedTotals(context, { ...read, text }), (totals) => answerOf(text, totals))
    : answerOf(text);
  if (read.view.audience === 'admin' || !mayLink(text)) return completed;
  return mapMaybe(completed, (answer): Answer => ({ ...answer, linked: true }));
}

/**
 * The numbers of ids in the lists of included records that were cut, by their references. Each is counted once,
 * however often its record is included: within the statement it would be counted every time.
 */
export function includedTotals(context: ReadContext, answer: AnswerText): MaybePromise<ReadonlyMap<string, number>> {
  const references = listReferences(answer.text);
  if (references.length === 0) return none;
  const counts = references.map(async (reference): Promise<[string, number]> => {
    const plan = totalPlan(context, reference, answer);
    const row = await answer.reader.first<{ total: number | bigint }>(plan.bind(answer.bindings.with([reference.id])));
    return [reference.key, Number(row?.total ?? 0)];
  });
  return Promise.all(counts).then((found) => new Map(found));
}

const none: ReadonlyMap<string, number> = new Map();

/** One row, `total`: the ids that the caller could be shown in a list of the record whose id is the value. */
function totalPlan(
  { types, plans, database }: ReadContext,
  { type: singular, field: name }: ListReference,
  { view: outer, bindings }: AnswerText,
): Plan {
  const authenticated = isAuthenticated(bindings.caller);
  const view = includedView(outer);
  return plans.get(`included-total|${singular}|${name}|${view.key}|${authenticated}`, () => {
    const { dialect } = database;
    const context = { dialect, authenticated, reads: new ReadsCollector() };
    const type = types.get(singular);
    const field = type.field.get(name);
    const row = 't0';
    const related = field && new Relations(types, context, new Aliases()).many(field, row, view, undefined);
    if (related === undefined) throw new Error(`${singular}.${name} is no list.`);
    const isRecord = sql<boolean>`${column(row, 'id')} = ${new ValuePlaces().take()}`;
    const tables = sql.join([tableAs(type.table, row), ...related.tables]);
    return new Plan(
      sql`select count(*) as "total" from ${tables} where ${allOf([isRecord, ...related.conditions])}`,
      dialect,
    );
  });
}
