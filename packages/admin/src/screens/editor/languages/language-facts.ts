import { session } from '../../../app/session.svelte.ts';

/** What the service says of a record in a language. */
export interface LanguageFacts {
  readonly language: string;
  readonly exists: boolean;
  /** The default language has changed since it was written. */
  readonly outdated: boolean;
  /** It has a draft that is not published. */
  readonly draft: boolean;
}

/** What a record is in each language, by their tags. `path` is that of the record. Nothing waits for it: what fails says nothing. */
export async function languageFacts(path: string): Promise<ReadonlyMap<string, LanguageFacts>> {
  const page = await session.client
    .request<{ readonly items: readonly LanguageFacts[] }>('GET', `${path}/languages`)
    .catch(() => ({ items: [] }));
  return new Map(page.items.map((facts) => [facts.language, facts]));
}
