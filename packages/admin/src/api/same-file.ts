import { session } from '../app/session.svelte.ts';

/** A file of the library. */
export interface SameFile {
  readonly id: string;
  readonly name: string;
}

/**
 * The earliest file with the same bytes as one that was just uploaded, of those that this account may list; undefined: there is none, or
 * it cannot be found out.
 */
export async function sameFile(made: Readonly<Record<string, unknown>>): Promise<SameFile | undefined> {
  const { id, hash, created_at: since } = made;
  if (typeof hash !== 'string' || typeof since !== 'string') return undefined;
  const filter = `hash = ${JSON.stringify(hash)} && id != ${JSON.stringify(id)} && created_at <= ${JSON.stringify(since)}`;
  const options = { filter, page_size: 1, skip_total: true, query: { sort: 'created_at:asc' } };
  const { items } = await session.client.admin
    .collection('media')
    .list(options)
    .catch(() => ({ items: [] }));
  const [found] = items;
  return found === undefined ? undefined : { id: found.id, name: String(Reflect.get(found, 'name')) };
}
