import type { Executor } from '../database/database.ts';
import type { ContentType } from '../definition/content-type.ts';
import type { LanguageStatements, Translation, Translations } from './statements/language-statements.ts';
import { finds } from './statements/record-statements.ts';

/** Translations whose slugs nobody has: one that another record has in the language, or that a route has, gets `-2`, `-3` … */
export async function withFreeSlugs(
  executor: Executor,
  statements: Pick<LanguageStatements, 'having'>,
  type: ContentType,
  translations: Translations,
): Promise<Translations> {
  const free = new Map<string, Translation>();
  for (const [tag, values] of translations) {
    const own = new Map(values);
    for (const [field, value] of values) {
      if (!field.type.alwaysUnique || typeof value !== 'string') continue;
      const isTaken = async (slug: string): Promise<boolean> =>
        type.facts.reservedSlugs.has(slug) || (await finds(executor, statements.having(type, tag, field, slug)));
      let slug = value;
      for (let number = 2; await isTaken(slug); number += 1) slug = `${value}-${number}`;
      own.set(field, slug);
    }
    free.set(tag, own);
  }
  return free;
}
