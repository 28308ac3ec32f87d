import { expect, test } from 'bun:test';
import { loadRevisions } from './load-revisions.ts';

const { signal } = new AbortController();
const routes = (count: number) => ({
  list: async ({ page, page_size }: { readonly page: number; readonly page_size: number }) => ({
    total: count,
    items: Array.from({ length: count }, (_, at) => ({ revision: count - at, action: 'update', name: null })).slice(
      (page - 1) * page_size,
      page * page_size,
    ),
  }),
});
const numbers = async (count: number, pages: number) => {
  const { items, before } = await loadRevisions(routes(count), pages, 3, signal);
  return [items.map(({ revision }) => revision), before];
};

test('the oldest of the loaded revisions is kept to compare the others with, unless it is the first', async () => {
  expect(await numbers(3, 1)).toEqual([[3, 2, 1], undefined]);
  expect(await numbers(7, 1)).toEqual([[7, 6], 5]);
  expect(await numbers(7, 2)).toEqual([[7, 6, 5, 4, 3], 2]);
  expect(await numbers(7, 3)).toEqual([[7, 6, 5, 4, 3, 2, 1], undefined]);
  expect(await numbers(0, 1)).toEqual([[], undefined]);
});

test('a revision that is made between two pages appears once', async () => {
  const before = routes(6);
  const after = routes(7);
  const list = (options: { readonly page: number; readonly page_size: number }) =>
    (options.page === 1 ? before : after).list(options);
  const { items } = await loadRevisions({ list }, 3, 3, signal);
  expect(items.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2, 1]);
});
