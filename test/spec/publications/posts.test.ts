// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Reply, TestService } from '../../support/service.ts';
import { openPublications, publicationSuite } from './publication-suite.ts';

// Decisions on posts: the routes of pages without an order, newest first, with tags.

publicationSuite({ singular: 'post', plural: 'posts' });

let service: TestService;
beforeAll(async () => {
  service = await openPublications([]);
});
afterAll(() => service[Symbol.asyncDispose]());

const post = (body: Readonly<Record<string, unknown>>): Promise<Reply['json']> =>
  service.seed('posts', { title: 'Post', status: 'Published', ...body });

test('a post has the fields of a post', async () => {
  const made = await post({});
  expect(Object.keys(made).toSorted()).toEqual(
    [
      ...['id', 'title', 'slug', 'content', 'excerpt', 'status', 'tags', 'categories', 'comments_open', 'cover_image'],
      ...['meta_title', 'meta_description', 'author_id', 'published_at', 'created_at', 'updated_at'],
    ].toSorted(),
  );
  expect(made).toMatchObject({ tags: [], comments_open: true });
});

test('posts have no order to set', async () => {
  const items = [{ id: (await post({})).id, sort_order: 1 }];
  const { status } = await service.send('PUT /api/v1/admin/posts/reorder', { as: 'admin', body: { items } });
  // It is the id of no post.
  expect(status).toBe(404);
  expect((await service.send('GET /api/v1/posts?parent_id=x')).status).toBe(400);
});

test('the latest published is first, wherever it stood before', async () => {
  await using site = await openPublications([]);
  const titles = async () =>
    (await site.send('GET /api/v1/posts')).json.items.map(({ title }: { title: string }) => title);
  const draft = await site.seed('posts', { title: 'Written first' });
  await site.seed('posts', { title: 'Second', status: 'Published' });
  await Bun.sleep(2);
  await site.seed('posts', { title: 'Third', status: 'Published' });
  expect(await titles()).toEqual(['Third', 'Second']);
  await Bun.sleep(2);
  await site.send(`PUT /api/v1/admin/posts/${draft.id}/status`, { as: 'admin', body: { status: 'Published' } });
  expect(await titles()).toEqual(['Written first', 'Third', 'Second']);
});

describe('tags', () => {
  let tagged: TestService;
  beforeAll(async () => {
    tagged = await openPublications([]);
    for (const [title, tags] of [
      ['A', ['news']],
      ['B', ['news', 'Sport & Play']],
      ['C', ['newsletter']],
      ['D', []],
    ] as const) {
      await tagged.seed('posts', { title, tags, status: 'Published' });
    }
    await tagged.seed('posts', { title: 'E', tags: ['news'] });
  });
  afterAll(() => tagged[Symbol.asyncDispose]());

  test.each([
    ['tag=news', ['A', 'B']],
    ['tags=news', ['A', 'B']],
    ['tag=NEWS', ['A', 'B']],
    ['tag=Sport+%26+Play', ['B']],
    ['tag=news&tags=Sport%20%26%20Play', ['B']],
    ['tag=news&sort=title:desc&page_size=1', ['B']],
    ['tag=%5B%5D', []],
    ['tag=', []],
    ['tag=%25', []],
  ])('GET /posts?%s', async (query, expected) => {
    const { json } = await tagged.send(`GET /api/v1/posts?${query}`);
    expect(json.items.map(({ title }: { title: string }) => title).toSorted()).toEqual(expected);
  });

  test('GET /admin/posts?tag= finds drafts too', async () => {
    const { json } = await tagged.send('GET /api/v1/admin/posts?tag=news&status=draft', { as: 'editor' });
    expect(json.items.map(({ title }: { title: string }) => title)).toEqual(['E']);
  });

  test.each([['tag=a&tag=b'], ['sort=tags:asc'], ['sort=tag:asc']])('GET /posts?%s is refused', async (query) => {
    expect((await tagged.send(`GET /api/v1/posts?${query}`)).status).toBe(400);
  });

  test('pages have none', async () => {
    expect((await tagged.send('GET /api/v1/pages?tag=news')).status).toBe(400);
  });

  test.each([
    ['a text', 'news', 'tags'],
    ['a number among them', ['a', 1], 'tags[1]'],
    ['an empty one', [''], 'tags[0]'],
    ['one twice', ['a', 'a'], 'tags'],
    ['a huge one', ['x'.repeat(101)], 'tags[0]'],
    ['too many', Array.from({ length: 101 }, (_, index) => `t${index}`), 'tags'],
    ['NUL', ['a\0'], 'tags'],
    ['none at all', null, 'tags'],
  ])('%s is refused', async (_, tags, field) => {
    const { status, json } = await tagged.send('POST /api/v1/posts', { as: 'member', body: { title: 'T', tags } });
    expect(status).toBe(422);
    expect(json.errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  });
});

test('a post goes with its comments and their replies, and leaves those of others', async () => {
  const [going, staying] = [await post({ title: 'Going' }), await post({ title: 'Staying' })];
  const type = service.types.get('comment');
  const comment = async (post_id: string, parent_id: string | null): Promise<string> => {
    const payload = { post_id, parent_id, content: 'Words to search' };
    const caller = { kind: 'account', id: service.idOf('admin'), role: 'admin', session: 's' } as const;
    return (await service.records.create({ type, admin: true, caller, search: '', payload })).id;
  };
  const root = await comment(going.id, null);
  await comment(going.id, root);
  const kept = await comment(staying.id, null);
  const body = { action: 'delete', ids: [going.id] };
  const { status } = await service.send('POST /api/v1/admin/posts/batch', { as: 'editor', body });
  expect(status).toBe(200);
  const rows = await service.database.rows<{ id: string }>({ sql: `select "id" from "${type.table}"`, parameters: [] });
  expect(rows.map(({ id }) => id)).toEqual([kept]);
});
