import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { ListLimits } from '../../query/list-query.ts';
import type { AnswerBudget } from '../answers/answer-budget.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { PlanCache } from '../plans/plan-cache.ts';
import type { SchemaVersionGuard } from '../plans/schema-version-guard.ts';
import type { StoredForm } from '../plans/visibility.ts';

/** What every read of records works with. */
export interface ReadContext {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly limits: ListLimits;
  readonly answers: AnswerCache;
  readonly budget: AnswerBudget;
  readonly plans: PlanCache;
  /** For a service whose definitions can change while it runs. */
  readonly layouts?: SchemaVersionGuard;
}

/** What statements that read outside of a guarded transaction know of the form of stored values. */
export const storedForm = ({ layouts }: Pick<ReadContext, 'layouts'>): StoredForm => layouts ?? 'as_defined';
