// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readDocument, tableRows } from '../../support/documents.ts';
import type { Reply, TestService } from '../../support/service.ts';
import { noId, openPublications, publicationSuite } from './publication-suite.ts';

// Service specification, section 4.1: pages.

publicationSuite({ singular: 'page', plural: 'pages' });

let service: TestService;
beforeAll(async () => {
  service = await openPublications([]);
});
afterAll(() => service[Symbol.asyncDispose]());

const page = (body: Readonly<Record<string, unknown>>): Promise<Reply['json']> =>
  service.seed('pages', { title: 'Page', status: 'Published', ...body });
const stored = async (id: string): Promise<Reply['json']> =>
  (await service.send(`GET /api/v1/admin/pages/${id}`, { as: 'editor' })).json;
const update = (id: string, body: unknown): Promise<Reply> =>
  service.send(`PUT /api/v1/admin/pages/${id}`, { as: 'editor', body });
const reorder = (items: unknown): Promise<Reply> =>
  service.send('PUT /api/v1/admin/pages/reorder', { as: 'editor', body: { items } });

test('a page has the fields of a page', async () => {
  expect(Object.keys(await page({})).toSorted()).toEqual(
    [
      ...['id', 'title', 'slug', 'content', 'excerpt', 'status', 'template', 'parent_id', 'sort_order', 'cover_image'],
      ...['meta_title', 'meta_description', 'author_id', 'published_at', 'created_at', 'updated_at'],
    ].toSorted(),
  );
});

test('the documentation lists every route, and no other', () => {
  const routes = service.operations.filter(({ tag }) => tag === 'Page').map(({ method, path }) => `${method} ${path}`);
  const documented = tableRows(readDocument('docs/posts-and-pages.md'), 'Method').map(
    ([method, path]) => `${method} ${path}`,
  );
  expect(documented.toSorted()).toEqual(routes.toSorted());
});

describe('order', () => {
  test('by sort_order, then by title, on the public and the admin route', async () => {
    await using ordered = await openPublications([]);
    for (const [title, sort_order] of [
      ['C', 1],
      ['B', 2],
      ['A', 2],
      ['D', -1],
    ]) {
      await ordered.seed('pages', { title, sort_order, status: 'Published' });
    }
    for (const path of ['pages', 'admin/pages']) {
      const { json } = await ordered.send(`GET /api/v1/${path}`, { as: 'editor' });
      expect(json.items.map(({ title }: { title: string }) => title)).toEqual(['D', 'C', 'A', 'B']);
    }
  });

  test('PUT /admin/pages/reorder sets every place', async () => {
    const [a, b] = [await page({}), await page({ sort_order: 7 })];
    const { status, json } = await reorder([
      { id: a.id, sort_order: 2 },
      { id: b.id, sort_order: -9007199254740991 },
    ]);
    expect({ status, json }).toEqual({ status: 200, json: { affected: 2 } });
    expect((await stored(a.id)).sort_order).toBe(2);
    expect((await stored(b.id)).sort_order).toBe(-9007199254740991);
  });

  const refused: readonly [says: string, items: unknown, errors: Readonly<Record<string, string>>][] = [
    ['nothing', undefined, { items: 'required' }],
    ['no items', [], { items: 'too_few_items' }],
    ['no list', {}, { items: 'wrong_type' }],
    ['an item without a place', [{ id: '$a' }], { 'items[0].sort_order': 'required' }],
    ['an item without an id', [{ sort_order: 1 }], { 'items[0].id': 'required' }],
    ['a place that is no whole number', [{ id: '$a', sort_order: 1.5 }], { 'items[0].sort_order': 'wrong_type' }],
    ['a place as text', [{ id: '$a', sort_order: '1' }], { 'items[0].sort_order': 'wrong_type' }],
    ['a place that is too large', [{ id: '$a', sort_order: 1e16 }], { 'items[0].sort_order': 'too_large' }],
    ['a further field', [{ id: '$a', sort_order: 1, title: 'T' }], { 'items[0].title': 'unknown_field' }],
    [
      'an unknown id',
      [
        { id: '$a', sort_order: 5 },
        { id: '$b', sort_order: 5 },
        { id: noId, sort_order: 5 },
      ],
      { 'items[2].id': 'unknown_record' },
    ],
    [
      'an id twice and one that is none',
      [
        { id: '$a', sort_order: 5 },
        { id: '', sort_order: 5 },
        { id: '$a', sort_order: 6 },
      ],
      { 'items[1].id': 'unknown_record', 'items[2].id': 'doubled' },
    ],
    [
      'an id twice',
      [
        { id: '$a', sort_order: 5 },
        { id: '$a', sort_order: 5 },
      ],
      { 'items[1].id': 'doubled' },
    ],
    ['1,001 items', Array.from({ length: 1001 }, () => ({ id: noId, sort_order: 1 })), { items: 'too_many_items' }],
  ];
  test.each(refused)('PUT /admin/pages/reorder rejects %s and changes nothing', async (_, items, errors) => {
    const [a, b] = [await page({ sort_order: 1 }), await page({ sort_order: 2 })];
    const text = (JSON.stringify({ items }) ?? '{}').replaceAll('$a', a.id).replaceAll('$b', b.id);
    const { status, json } = await service.send('PUT /api/v1/admin/pages/reorder', { as: 'editor', body: text });
    expect(status).toBe(422);
    const reported = json.errors.map((fault: { field: string; code: string }) => [fault.field, fault.code]);
    expect(Object.fromEntries(reported)).toEqual(errors);
    expect([(await stored(a.id)).sort_order, (await stored(b.id)).sort_order]).toEqual([1, 2]);
  });

  test('two at the same moment end in one of the two orders', async () => {
    const pages = await Promise.all(Array.from({ length: 30 }, () => page({})));
    const upwards = pages.map(({ id }, index) => ({ id, sort_order: index }));
    const downwards = pages.map(({ id }, index) => ({ id, sort_order: 1000 - index }));
    const replies = await Promise.all([reorder(upwards), reorder(downwards)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const now = await Promise.all(pages.map(async ({ id }) => ({ id, sort_order: (await stored(id)).sort_order })));
    expect([upwards, downwards]).toContainEqual(now);
  });

  test('a public list that was cached is in the new order', async () => {
    await using site = await openPublications([]);
    const [a, b] = [
      await site.seed('pages', { title: 'A', status: 'Published' }),
      await site.seed('pages', { title: 'B', status: 'Published' }),
    ];
    const titles = async () =>
      (await site.send('GET /api/v1/pages')).json.items.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['A', 'B']);
    const items = [
      { id: a.id, sort_order: 2 },
      { id: b.id, sort_order: 1 },
    ];
    await site.send('PUT /api/v1/admin/pages/reorder', { as: 'admin', body: { items } });
    expect(await titles()).toEqual(['B', 'A']);
  });
});

describe('the tree of pages', () => {
  const faults = ({ status, json }: Reply) => ({
    status,
    errors: json.errors?.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
  });

  test('a page stands below another, which lists can be asked for', async () => {
    const parent = await page({ title: 'Parent' });
    const child = await page({ title: 'Child', parent_id: parent.id });
    const { json } = await service.send(`GET /api/v1/pages?parent_id=${parent.id}&include=parent_id`);
    expect(json.total).toBe(1);
    expect(json.items[0]).toMatchObject({ id: child.id, parent_id: { id: parent.id, title: 'Parent' } });
  });

  test('a parent that is not published is not returned with its child', async () => {
    const parent = await page({ status: 'Draft', title: 'Secret' });
    const child = await page({ parent_id: parent.id });
    const { json, text } = await service.send(`GET /api/v1/pages/${child.slug}?include=parent_id`);
    expect(json.parent_id).toBeNull();
    expect(text).not.toContain('Secret');
  });

  test.each([[noId], ['nonsense'], [7]])('there is no parent %p', async (parent_id) => {
    const { status, json } = await update((await page({})).id, { parent_id });
    expect(status).toBe(422);
    expect(json.errors[0].field).toBe('parent_id');
  });

  test('no page is its own ancestor', async () => {
    const a = await page({});
    const b = await page({ parent_id: a.id });
    const c = await page({ parent_id: b.id });
    for (const below of [a, b, c]) {
      expect(faults(await update(a.id, { parent_id: below.id }))).toEqual({
        status: 422,
        errors: ['parent_id circular'],
      });
    }
    expect((await update(c.id, { parent_id: a.id })).status).toBe(200);
    expect((await update(b.id, { parent_id: c.id })).status).toBe(200);
  });

  test('of two moves that would make a circle together one is rejected', async () => {
    const [a, b] = [await page({}), await page({})];
    const replies = await Promise.all([update(a.id, { parent_id: b.id }), update(b.id, { parent_id: a.id })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test('100 levels, and no more', async () => {
    let deepest = await page({});
    for (let level = 2; level <= 100; level += 1) deepest = await page({ parent_id: deepest.id });
    const further = await service.send('POST /api/v1/pages', {
      as: 'member',
      body: { title: 'Further', parent_id: deepest.id },
    });
    expect(faults(further)).toEqual({ status: 422, errors: ['parent_id too_deep'] });
  });

  test('pages that came along with a parent may be deeper, and can be put back unchanged', async () => {
    const chain = async (): Promise<readonly [first: Reply['json'], last: Reply['json']]> => {
      const first = await page({});
      let last = first;
      for (let level = 2; level <= 60; level += 1) last = await page({ parent_id: last.id });
      return [first, last];
    };
    const [[above, aboveLast], [below, belowLast]] = [await chain(), await chain()];
    expect((await update(below.id, { parent_id: aboveLast.id })).status).toBe(200);
    expect((await update(belowLast.id, await stored(belowLast.id))).status).toBe(200);
    // However far it would be to find the circle.
    expect((await update(above.id, { parent_id: belowLast.id })).status).toBe(422);
  });

  test('children of a page that is deleted stand at the top', async () => {
    const parent = await page({});
    const child = await page({ parent_id: parent.id });
    const line = `GET /api/v1/pages/${child.slug}`;
    expect((await service.send(line)).json.parent_id).toBe(parent.id);
    await service.send(`DELETE /api/v1/admin/pages/${parent.id}`, { as: 'admin' });
    expect((await service.send(line)).json.parent_id).toBeNull();
  });

  test('a batch deletes parents and children together', async () => {
    const parent = await page({});
    const child = await page({ parent_id: parent.id });
    const body = { action: 'delete', ids: [parent.id, child.id] };
    const { json } = await service.send('POST /api/v1/admin/pages/batch', { as: 'admin', body });
    expect(json).toEqual({ action: 'delete', affected: 2 });
    expect((await stored(child.id)).code).toBe('not_found');
  });
});
