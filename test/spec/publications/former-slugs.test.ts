// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Reply, TestService } from '../../support/service.ts';
import { openPublications } from './publication-suite.ts';

const title = { name: 'title', field_type: 'text' };
const slug = { name: 'slug', field_type: 'uid', target_field: 'title' };
const definitions = [
  {
    singular: 'guide',
    plural: 'guides',
    protocols: ['statusable', 'soft_deletable'],
    fields: [title, slug],
    api: { get: { filter: 'status = "published"' } },
  },
  { singular: 'place', plural: 'places', fields: [title, { ...slug, name: 'handle' }] },
  {
    singular: 'secret',
    plural: 'secrets',
    fields: [title, slug],
    api: { get: { access: 'member', filter: 'created_by = @request.auth.id' } },
    protocols: ['ownable'],
  },
  { singular: 'hidden', plural: 'hiddens', fields: [title, { ...slug, private: true }] },
  {
    singular: 'stage',
    plural: 'stages',
    fields: [title, slug, { name: 'open', field_type: 'boolean', default: false }],
    api: { get: { filter: 'open = true' } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await openPublications(definitions);
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];
const send = (line: string, body?: unknown, as = 'admin') =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const visit = (path: string) => service.send(`GET /api/v1${path}`);
const post = (body: Readonly<Record<string, unknown>>): Promise<Json> =>
  service.seed('posts', { status: 'Published', ...body });
const change = async (path: string, body: unknown) => {
  const reply = await send(`PUT /api/v1/admin/${path}`, body);
  expect(reply.status).toBe(200);
};
const rename = (id: string, to: string, plural = 'posts') => change(`${plural}/${id}`, { slug: to });

async function expectMoved(path: string, to: string): Promise<void> {
  const moved = await visit(path);
  expect(moved.status).toBe(308);
  expect(moved.json).toEqual({ moved_to: to });
  expect(moved.headers.get('cache-control')).toBe('no-cache');
  expect(moved.headers.get('location')).toBe(`/api/v1${path.replace(/[^/?]+(?=$|\?)/, to)}`);
}

/** Everything of an answer but what each request has of its own. */
const comparable = ({ status, json, headers }: Reply) => ({
  status,
  body: { ...json, request_id: '', instance: '' },
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
});

async function expectUnknown(path: string): Promise<void> {
  const unknown = await visit(path.replace(/[^/?]+(?=$|\?)/, 'never-was-there'));
  expect(unknown.status).toBe(404);
  expect(comparable(await visit(path))).toEqual(comparable(unknown));
}

describe.each(['posts', 'pages'])('a former slug of %s', (plural) => {
  test('leads to the record, whatever parameters are sent', async () => {
    const { id } = await service.seed(plural, { title: 'First name', status: 'Published' });
    await rename(id, 'second-name', plural);
    await rename(id, 'third-name', plural);
    await expectMoved(`/${plural}/first-name`, 'third-name');
    await expectMoved(`/${plural}/second-name?fields=title`, 'third-name');
    expect((await visit(`/${plural}/third-name`)).json.id).toBe(id);
    expect((await visit(`/${plural}/first-name?unknown=1`)).status).toBe(400);
  });

  test('is an unknown one while the record is hidden, and after it is deleted', async () => {
    const { id } = await service.seed(plural, { title: 'Seen', status: 'Published' });
    await rename(id, 'seen-again', plural);
    await change(`${plural}/${id}/status`, { status: 'Archived' });
    await expectUnknown(`/${plural}/seen`);
    await change(`${plural}/${id}/status`, { status: 'Published' });
    await expectMoved(`/${plural}/seen`, 'seen-again');
    await send(`DELETE /api/v1/admin/${plural}/${id}`);
    await expectUnknown(`/${plural}/seen`);
    await expectUnknown(`/${plural}/seen-again`);
  });
});

test('names of drafts that were never published lead nowhere', async () => {
  const { id } = await post({ title: 'Code name', status: 'Draft' });
  await rename(id, 'real-name');
  await change(`posts/${id}/status`, { status: 'Published' });
  await expectUnknown('/posts/code-name');
});

test('a record that was published once keeps its slug when it is renamed as a draft', async () => {
  const { id } = await post({ title: 'Out there' });
  await change(`posts/${id}/status`, { status: 'Draft' });
  await rename(id, 'working-title');
  await rename(id, 'back-here');
  await expectUnknown('/posts/out-there');
  await change(`posts/${id}/status`, { status: 'Published' });
  await expectMoved('/posts/out-there', 'back-here');
  await expectUnknown('/posts/working-title');
});

test('a slug in a draft is another one when the draft is published', async () => {
  const { id } = await post({ title: 'Drafted' });
  expect((await send(`PUT /api/v1/admin/posts/${id}?draft=true`, { slug: 'drafted-better' })).status).toBe(200);
  await expectUnknown('/posts/drafted-better');
  expect((await visit('/posts/drafted')).status).toBe(200);
  expect((await send(`POST /api/v1/admin/posts/${id}/publish`)).status).toBe(200);
  await expectMoved('/posts/drafted', 'drafted-better');
});

test('renames go back and forth', async () => {
  const { id } = await post({ title: 'Here' });
  for (const to of ['there', 'here', 'there', 'here']) {
    await rename(id, to);
    expect((await visit(`/posts/${to}`)).json.id).toBe(id);
    await expectMoved(`/posts/${to === 'here' ? 'there' : 'here'}`, to);
  }
});

test('a slug belongs to the record that had it last', async () => {
  const first = await post({ title: 'Taken' });
  await rename(first.id, 'taken-before');
  const second = await post({ title: 'Taken' });
  expect(second.slug).toBe('taken');
  expect((await visit('/posts/taken')).json.id).toBe(second.id);
  await rename(second.id, 'taken-after');
  await expectMoved('/posts/taken', 'taken-after');
  await rename(first.id, 'taken');
  expect((await visit('/posts/taken')).json.id).toBe(first.id);
});

test('a slug that a deleted record had leads to no earlier one', async () => {
  const first = await post({ title: 'Reused' });
  await rename(first.id, 'reused-before');
  const second = await post({ title: 'Reused' });
  await send('POST /api/v1/admin/posts/batch', { action: 'delete', ids: [second.id] });
  await expectUnknown('/posts/reused');
  expect((await visit('/posts/reused-before')).json.id).toBe(first.id);
});

test('a hidden record that takes a slug changes nothing for those who do not see it', async () => {
  const first = await post({ title: 'Contested' });
  await rename(first.id, 'contested-before');
  const second = await post({ title: 'Contested', status: 'Draft' });
  expect(second.slug).toBe('contested');
  await expectMoved('/posts/contested', 'contested-before');
  await send(`DELETE /api/v1/admin/posts/${second.id}`);
  await expectMoved('/posts/contested', 'contested-before');
});

test('comments of a post are found by its former slug', async () => {
  const { id } = await post({ title: 'Talk' });
  await rename(id, 'talk-on');
  const threads = await visit('/posts/talk/comments?page_size=5');
  expect([threads.status, threads.headers.get('location')]).toEqual([
    308,
    '/api/v1/posts/talk-on/comments?page_size=5',
  ]);
  for (const ending of ['', '/authed']) {
    const sent = await send(`POST /api/v1/posts/talk/comments${ending}`, { content: 'Hello' }, 'member');
    expect([sent.status, sent.headers.get('location')]).toEqual([308, `/api/v1/posts/talk-on/comments${ending}`]);
  }
});

describe('records of other types', () => {
  const own = async (plural: string, body: Readonly<Record<string, unknown>>): Promise<Json> =>
    service.seed(plural, body);

  test('are found by their slug', async () => {
    const { id } = await own('places', { title: 'Old town' });
    expect((await visit('/cms/places/slug/old-town')).json.id).toBe(id);
    await change(`cms/places/${id}`, { handle: 'new-town' });
    await expectMoved('/cms/places/slug/old-town', 'new-town');
    const category = await own('categories', { name: 'News' });
    await change(`cms/categories/${category.id}`, { slug: 'latest' });
    await expectMoved('/cms/categories/slug/news', 'latest');
    // Lists are about what records are now.
    expect((await visit('/cms/categories?slug=news')).json.items).toEqual([]);
  });

  test('keep slugs by which they were visible, not those of drafts', async () => {
    const guide = await own('guides', { title: 'Inner', status: 'draft' });
    await change(`cms/guides/${guide.id}`, { slug: 'outer' });
    await change(`cms/guides/${guide.id}`, { status: 'published' });
    await expectUnknown('/cms/guides/slug/inner');
    await change(`cms/guides/${guide.id}`, { slug: 'outermost' });
    await expectMoved('/cms/guides/slug/outer', 'outermost');
    await send(`DELETE /api/v1/admin/cms/guides/${guide.id}`);
    await expectUnknown('/cms/guides/slug/outer');
    expect((await send(`POST /api/v1/admin/cms/guides/${guide.id}/restore`)).status).toBe(200);
    await expectMoved('/cms/guides/slug/outer', 'outermost');
    const stage = await own('stages', { title: 'Closed' });
    await change(`cms/stages/${stage.id}`, { slug: 'opened' });
    await change(`cms/stages/${stage.id}`, { open: true });
    await expectUnknown('/cms/stages/slug/closed');
    await change(`cms/stages/${stage.id}`, { open: false });
    await change(`cms/stages/${stage.id}`, { slug: 'open-air' });
    await change(`cms/stages/${stage.id}`, { open: true });
    await expectMoved('/cms/stages/slug/opened', 'open-air');
  });

  test('keep nothing where everyone sees records of their own, or no slug at all', async () => {
    const secret = await own('secrets', { title: 'Mine' });
    await change(`cms/secrets/${secret.id}`, { slug: 'still-mine' });
    const unknown = await service.send('GET /api/v1/cms/secrets/slug/mine', { as: 'seeding-admin' });
    expect(unknown.status).toBe(404);
    expect((await service.send('GET /api/v1/cms/secrets/slug/still-mine', { as: 'seeding-admin' })).status).toBe(200);
    expect((await visit('/cms/secrets/slug/mine')).status).toBe(401);
    await own('hiddens', { title: 'Nothing' });
    expect((await visit('/cms/hiddens/slug/nothing')).status).toBe(404);
  });
});

describe('GET /redirects', () => {
  let site: TestService;
  const get = (search: string, as?: string) =>
    site.send(`GET /api/v1/redirects${search}`, as === undefined ? {} : { as });
  beforeAll(async () => {
    site = await openPublications(definitions);
    const edit = async (path: string, body: unknown) =>
      expect((await site.send(`PUT /api/v1/admin/${path}`, { as: 'admin', body })).status).toBe(200);
    for (const name of ['a', 'b', 'c']) {
      const { id } = await site.seed('posts', { title: `Post ${name}`, status: 'Published' });
      await edit(`posts/${id}`, { slug: `moved-${name}` });
    }
    const hidden = await site.seed('posts', { title: 'Gone', status: 'Published' });
    await edit(`posts/${hidden.id}`, { slug: 'gone-for-now' });
    await edit(`posts/${hidden.id}/status`, { status: 'Draft' });
    await site.seed('posts', { title: 'Post c', status: 'Published' });
    const place = await site.seed('places', { title: 'Old town' });
    await edit(`cms/places/${place.id}`, { handle: 'new-town' });
    const secret = await site.seed('secrets', { title: 'Mine' });
    await edit(`cms/secrets/${secret.id}`, { slug: 'still-mine' });
  });
  afterAll(() => site[Symbol.asyncDispose]());

  test('lists those of visible records, a page at a time', async () => {
    const all = (await get('')).json;
    const lines = all.items.map(({ type, slug: from, moved_to }: Json) => `${type} ${from} ${moved_to}`);
    expect(lines.toSorted()).toEqual(['places old-town new-town', 'posts post-a moved-a', 'posts post-b moved-b']);
    expect(all).toMatchObject({ total: 3, page: 1, page_size: 20 });
    const pages: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { json } = await get(`?page=${page}&page_size=1`);
      expect(json.total).toBe(3);
      pages.push(...json.items.map(({ type, slug: from, moved_to }: Json) => `${type} ${from} ${moved_to}`));
    }
    expect(pages).toEqual(lines);
  });

  test('writes the formats of static hosts', async () => {
    const of = async (format: string) => (await get(`?type=posts&path=/blog/{slug}&format=${format}`)).text;
    expect(await of('netlify')).toBe('/blog/post-a /blog/moved-a 301\n/blog/post-b /blog/moved-b 301\n');
    expect(await of('cloudflare')).toBe('/blog/post-a /blog/moved-a 308\n/blog/post-b /blog/moved-b 308\n');
    expect(await of('nginx')).toBe('"/blog/post-a" "/blog/moved-a";\n"/blog/post-b" "/blog/moved-b";\n');
    expect(JSON.parse(await of('vercel'))).toEqual({
      redirects: ['a', 'b'].map((name) => ({
        source: `/blog/post-${name}`,
        destination: `/blog/moved-${name}`,
        permanent: true,
      })),
    });
    expect((await get('?format=netlify')).text.split('\n')).toHaveLength(4);
    const none = await get('?type=guides&format=vercel');
    expect([none.headers.get('content-type'), none.json]).toEqual(['application/json', { redirects: [] }]);
  });

  test('takes paths of a site, and nothing that could be more than one', async () => {
    const { items } = (await get('?type=posts&path=/~{slug}/{plural}')).json;
    expect(items[0]).toMatchObject({ from: '/~post-a/posts', to: '/~moved-a/posts' });
    const wrong = [
      'blog/{slug}',
      '/blog',
      '//evil.example/{slug}',
      '/{slug}/{slug}',
      '/{slug}{id}',
      '/{slug}%0A',
      '/{slug}:x',
    ];
    for (const path of wrong) {
      expect([path, (await get(`?type=posts&path=${encodeURIComponent(path)}`)).status]).toEqual([path, 400]);
    }
    expect((await get('?path=/{slug}')).json.total).toBe(3);
  });

  test('follows the access of each type', async () => {
    for (const as of [undefined, 'member', 'seeding-admin']) {
      expect((await get('?type=secrets', as)).json).toMatchObject({ items: [], total: 0 });
      expect((await get('?type=secrets&format=netlify', as)).text).toBe('');
    }
    expect((await get('?type=hiddens')).status).toBe(400);
    expect((await get('?type=nothing')).status).toBe(400);
    expect((await get('?format=apache')).status).toBe(400);
  });
});
