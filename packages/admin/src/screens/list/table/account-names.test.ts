import { afterEach, expect, test } from 'bun:test';
import type { UnitPage } from '../../../unit/page.fixture.ts';
import { articles, openList } from '../data/list.fixture.ts';

let page: UnitPage | undefined;
afterEach(async () => {
  await page?.[Symbol.asyncDispose]();
  page = undefined;
});

test('who wrote a record is shown by name, and by the end of the id where nobody knows it', async () => {
  const [tom, gone] = ['01a1fcc1-84e3-7282-9f68-9eeaa982a74a', '01a1fcc1-84e3-7282-9f68-9eeaa982a74b'];
  const list = await openList('/content/articles', articles, ({ line }) => {
    if (line === `GET /admin/users/${tom}`) return { display_name: 'Tom Okafor' };
    return line.startsWith('GET /admin/cms') ? { items: [], total: 0 } : undefined;
  });
  page = list.page;
  const { requestAccountNames } = await import('./account-names.svelte.ts');
  const { cellView } = await import('../cells/cell-view.ts');
  const { listFields } = await import('../data/list-fields.ts');
  const [id] = articles.fields;
  if (id === undefined) throw new Error('The type has no id.');
  const type = { ...articles, fields: [{ ...id, name: 'created_by', origin: 'protocol' as const }] };
  const [field] = listFields(type);
  if (field === undefined) throw new Error('The type shows no field.');
  const shown = (account: string) => cellView(field, account, 0);
  expect(shown(tom)).toMatchObject({ kind: 'part', text: 'a982a74a', isCode: true });
  requestAccountNames(
    [field],
    [tom, gone, tom, null].map((created_by) => ({ id: 'a', created_by })),
  );
  await page.until(() => shown(tom).kind === 'text');
  expect(shown(tom)).toEqual({ kind: 'text', text: 'Tom Okafor' });
  expect(shown(gone)).toMatchObject({ kind: 'part', text: 'a982a74b' });
  expect(page.requests.filter(({ line }) => line === `GET /admin/users/${tom}`).length).toBe(1);
});
