import type { Revision } from '@recto/client/admin';

/** The newest revisions of a record. */
export interface LoadedRevisions {
  readonly items: readonly Revision[];
  /** The revision before the oldest of `items`; undefined: there is none. */
  readonly before: number | undefined;
}

interface Routes {
  list(options: {
    readonly page: number;
    readonly page_size: number;
    readonly signal: AbortSignal;
  }): Promise<{ readonly items: readonly Revision[]; readonly total: number }>;
}

/** Loads some pages of revisions. The last one is kept back while there are older ones: it is what the one after it is compared with. */
export async function loadRevisions(
  routes: Routes,
  pages: number,
  pageSize: number,
  signal: AbortSignal,
): Promise<LoadedRevisions> {
  const found = new Map<number, Revision>();
  let hasMore = true;
  for (let page = 1; hasMore && page <= pages; page += 1) {
    const loaded = await routes.list({ page, page_size: pageSize, signal });
    // One that is made meanwhile moves the others to the next page.
    for (const item of loaded.items) found.set(item.revision, item);
    hasMore = loaded.items.length === pageSize && found.size < loaded.total;
  }
  const all = [...found.values()];
  return hasMore ? { items: all.slice(0, -1), before: all.at(-1)?.revision } : { items: all, before: undefined };
}
