import type { Database } from '../../database/database.ts';
import type { ContentTypes } from '../../definition/content-type.ts';
import type { ReadLanguage } from '../../definition/languages/read-language.ts';
import type { ListLimits } from '../../query/list-query.ts';
import type { AnswerBudget } from '../answers/answer.ts';
import type { AnswerCache } from '../answers/answer-cache.ts';
import type { OneRecord } from '../plans/one-record.ts';
import type { PlanCache } from '../plans/plan.ts';
import type { SchemaVersionGuard } from '../plans/schema-version-guard.ts';

/** What every read of records works with. */
export interface ReadContext {
  readonly database: Database;
  readonly types: ContentTypes;
  readonly limits: ListLimits;
  readonly answers: Pick<AnswerCache, 'look'>;
  readonly budget: AnswerBudget;
  readonly plans: PlanCache;
  /** The language in which the types show records, and what works in the default language; absent: that is the default. */
  readonly inLanguage?: { readonly base: ReadContext; readonly read: ReadLanguage };
  /** For a service whose definitions can change while it runs. */
  readonly layouts?: SchemaVersionGuard;
  /** The one record that lists and reads show, as `Projection` has it; absent: all. */
  readonly only?: OneRecord;
}
