import type { Database } from '../database/database.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import type { ListLimits } from '../query/list-query.ts';
import type { AnswerBudget } from './answer-budget.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { ChangeLog } from './change-log.ts';
import { Plan } from './plan.ts';
import type { SchemaVersionGuard } from './schema-version-guard.ts';
import { type MemoStats, TextMemo } from './text-memo.ts';
import type { StoredForm } from './visibility.ts';
import type { HooksOfType } from './write-hooks.ts';

/** What every operation on records works with. */
export interface RecordsContext {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly limits: ListLimits;
  readonly answers: AnswerCache;
  readonly budget: AnswerBudget;
  readonly plans: PlanMemo;
  /** Where changes of records are logged; absent: nowhere. */
  readonly changes?: ChangeLog;
  /** For a service whose definitions can change while it runs. */
  readonly layouts?: SchemaVersionGuard;
  /** Code of a deployment; absent: none. */
  readonly hooks?: HooksOfType;
}

/** What statements that read outside of a guarded transaction know of the form of stored values. */
export const storedForm = ({ layouts }: Pick<RecordsContext, 'layouts'>): StoredForm => layouts ?? 'as_defined';

/**
 * Plans by their shape. Callers choose shapes (which filters, sorts, includes), so it is bounded: what is asked for often
 * stays, the rest is built again.
 */
export class PlanMemo {
  readonly #plans = new TextMemo<object>({ entries: 10_000, characters: 16_000_000 }, planCharacters);

  get<P extends object>(key: string, build: () => P): P {
    const found = this.#plans.get(key);
    // True because a key's first part names the kind of plan, and each kind is asked for in one place.
    if (found !== undefined) return found as P;
    const plan = build();
    this.#plans.set(key, plan);
    return plan;
  }

  get stats(): MemoStats {
    return this.#plans.stats;
  }
}

/** Of the statements of a plan, which is one or has them as its members. */
export function planCharacters(plan: object): number {
  if (plan instanceof Plan) return plan.sql.length;
  return Object.values(plan).reduce(
    (sum: number, part: unknown) => (part instanceof Plan ? sum + part.sql.length : sum),
    0,
  );
}
