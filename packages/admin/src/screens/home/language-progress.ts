import { languagesOf } from '../../api/content-languages.ts';
import type { ContentTypeInfo } from '../../api/content-type-info.ts';
import { pluralName } from '../../app/type-names.ts';
import type { Reading } from './changed-record.ts';

/** How far records of a type are translated into a language. */
export interface LanguageProgress {
  readonly language: string;
  readonly missing: number;
  /** The list of those that are missing. */
  readonly path: string;
}

export interface TypeProgress {
  readonly label: string;
  readonly plural: string;
  readonly total: number;
  readonly languages: readonly LanguageProgress[];
}

/** The types that are looked at. */
const mostTypes = 8;
/** Requests at a time: nobody waits for them. */
const atOnce = 4;

/** The translations of each type with localized fields. Types without records are left out. */
export async function languageProgress({ client, types, signal }: Reading): Promise<readonly TypeProgress[]> {
  const localized = types.filter((type) => type.kind === 'collection' && languagesOf(type).length > 0);
  const count = async (type: ContentTypeInfo, query: Readonly<Record<string, string>>): Promise<number> =>
    (await client.admin.collection(type.plural).list({ page_size: 1, query, signal })).total;
  const found: TypeProgress[] = [];
  for (const type of localized.slice(0, mostTypes)) {
    const total = await count(type, {});
    if (total === 0) continue;
    const others = languagesOf(type).slice(1);
    const languages: LanguageProgress[] = [];
    for (let from = 0; from < others.length; from += atOnce)
      languages.push(
        ...(await Promise.all(
          others.slice(from, from + atOnce).map(async (language) => ({
            language,
            missing: await count(type, { missing_language: language }),
            path: `/content/${type.plural}?missing=${encodeURIComponent(language)}`,
          })),
        )),
      );
    found.push({ label: pluralName(type), plural: type.plural, total, languages });
  }
  return found;
}
