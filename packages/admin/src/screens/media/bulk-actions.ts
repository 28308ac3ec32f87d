import { session } from '../../app/session.svelte.ts';
import { groupBy } from './group-by.ts';
import type { MediaFile } from './media-file.ts';
import type { MediaUses } from './media-uses.ts';

/** As many as a filter's `in` takes. */
const mostIds = 100;

const partsOf = <T>(all: readonly T[], most: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

/** Those of the files that records show. */
export async function usedFiles(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const pages = await Promise.all(
    partsOf(ids, mostIds).map((part) =>
      session.client.admin.collection('media').list({
        filter: { id: [...part] },
        query: { used: true },
        page_size: mostIds,
        skip_total: true,
        signal,
      }),
    ),
  );
  return new Set(pages.flatMap(({ items }) => items.map(({ id }) => String(id))));
}

/** Those of the files that drafts show. */
export async function draftedFiles(ids: readonly string[], signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const uses = await Promise.all(
    ids.map(async (id) => {
      const query = { page_size: 1 };
      return { id, ...(await session.client.request<MediaUses>('GET', `/admin/media/${id}/uses`, { query, signal })) };
    }),
  );
  return new Set(uses.filter(({ drafts }) => drafts.length > 0).map(({ id }) => id));
}

/** Sets fields of several files, of all or of none. */
export async function changeFiles(ids: readonly string[], set: Readonly<Record<string, unknown>>): Promise<void> {
  await session.client.request('POST', '/admin/media/batch', { body: { action: 'update', ids, set } });
}

/** Adds tags: files with the same tags are changed together. */
export async function tagFiles(files: readonly MediaFile[], added: readonly string[]): Promise<void> {
  const wanted = groupBy(files, ({ tags }) => {
    const known = new Set(tags.map((tag) => tag.toLocaleLowerCase()));
    return JSON.stringify([...tags, ...added.filter((tag) => !known.has(tag.toLocaleLowerCase()))]);
  });
  for (const [tags, same] of wanted) {
    await changeFiles(
      same.map(({ id }) => id),
      { tags: JSON.parse(tags) },
    );
  }
}

/** Puts fields of several files back to what they were. */
export async function putBack(files: readonly MediaFile[], fields: readonly (keyof MediaFile)[]): Promise<void> {
  const before = groupBy(files, (file) => JSON.stringify(fields.map((name) => [name, file[name]])));
  for (const [entries, same] of before) {
    await changeFiles(
      same.map(({ id }) => id),
      Object.fromEntries(JSON.parse(entries)),
    );
  }
}
