import { createQuery } from '../../api/query.svelte.ts';
import { session } from '../../app/session.svelte.ts';

interface FolderCounts {
  readonly items: readonly { readonly folder: string | null; readonly count: number }[];
}
interface TagCounts {
  readonly items: readonly { readonly name: string; readonly count: number }[];
}

/** How many files are in each folder, and have each of the tags that are used most. Read again when `media-folders` is invalid. */
export const createFolderCounts = () =>
  createQuery(() => ({
    key: ['media-folders'],
    load: async (signal) => {
      const [folders, tags] = await Promise.all([
        session.client.request<FolderCounts>('GET', '/admin/media/aggregate', { query: { group: 'folder' }, signal }),
        session.client.request<TagCounts>('GET', '/admin/media/tags', { query: { page_size: 30 }, signal }),
      ]);
      return { folders: folders.items, tags: tags.items };
    },
  }));
