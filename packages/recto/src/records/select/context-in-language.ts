import { withDialect } from '../../database/database-with-dialect.ts';
import type { ReadLanguage } from '../../definition/languages/read-language.ts';
import { typesInLanguage } from '../../definition/languages/types-in-language.ts';
import { languageDialect } from '../plans/language-tables.ts';
import { PlanCache } from '../plans/plan.ts';
import type { ReadContext } from './read-context.ts';

/** What reads and writes work with, of records as a language shows them. */
export function contextInLanguage<Context extends ReadContext>(base: Context, read: ReadLanguage): Context {
  const { database, answers, plans } = base;
  const types = typesInLanguage(base.types, read);
  return {
    ...base,
    types,
    database: withDialect(database, languageDialect(database.dialect, types)),
    answers: { look: (key, names, make) => answers.look(`${read.key}|${key}`, names, make) },
    plans: new PlanCache(plans, `${read.key}|`),
    inLanguage: { base, read },
  };
}
