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

test('to whom a record belongs is shown by the profile, and without a name there as elsewhere', async () => {
  const [ada, tom] = ['01a1fcc1-84e3-7282-9f68-9eeaa982a74c', '01a1fcc1-84e3-7282-9f68-9eeaa982a74d'];
  const list = await openList('/content/articles', articles, ({ line }) => {
    if (line === `GET /admin/users/${tom}`) return { display_name: null, email: 'tom@example.com' };
    return line.startsWith('GET /admin/cms') ? { items: [], total: 0 } : undefined;
  });
  page = list.page;
  const { requestAccountNames } = await import('./account-names.svelte.ts');
  const { cellView } = await import('../cells/cell-view.ts');
  const { listFields } = await import('../data/list-fields.ts');
  const [id] = articles.fields;
  if (id === undefined) throw new Error('The type has no id.');
  const type = {
    ...articles,
    fields: [
      {
        ...id,
        name: 'assignee',
        origin: 'protocol' as const,
        field_type: 'relation',
        relation: 'many_to_one' as const,
        target: 'users',
      },
    ],
  };
  const [field] = listFields(type);
  if (field === undefined) throw new Error('The type shows no field.');
  const of = (account: string, display_name: string | null) => ({ id: account, display_name });
  const shown = (value: unknown) => cellView(field, value, 0);
  requestAccountNames(
    [field],
    [of(ada, 'Ada Byron'), of(tom, null)].map((assignee) => ({ id: 'a', assignee })),
  );
  await page.until(() => JSON.stringify(shown(of(tom, null))).includes('tom@'));
  expect(shown(of(tom, null))).toEqual({ kind: 'text', text: 'tom@example.com' });
  expect(shown(of(ada, 'Ada Byron'))).toEqual({ kind: 'text', text: 'Ada Byron' });
  // What the record holds is not asked for.
  expect(page.requests.filter(({ line }) => line === `GET /admin/users/${ada}`)).toEqual([]);
});
