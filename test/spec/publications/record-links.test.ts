// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Reply, TestService } from '../../support/service.ts';
import { noId, openPublications } from './publication-suite.ts';

const title = { name: 'title', field_type: 'text' };
const slug = { name: 'slug', field_type: 'uid', target_field: 'title' };
const body = { name: 'body', field_type: 'richtext' };
const cache = { cache: true };
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    fields: [
      title,
      slug,
      body,
      { name: 'parts', field_type: 'list', item: { field_type: 'richtext' } },
      { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'article' } },
    ],
    api: { list: cache, get: cache, create: { access: 'member' }, update: { access: 'member' } },
  },
  {
    singular: 'guide',
    plural: 'guides',
    protocols: ['statusable'],
    fields: [title, slug, body],
    api: { get: { filter: 'status = "published"' } },
  },
  {
    singular: 'secret',
    plural: 'secrets',
    protocols: ['ownable'],
    fields: [title, slug],
    api: { get: { access: 'member', filter: 'created_by = @request.auth.id' } },
  },
  { singular: 'hidden', plural: 'hiddens', fields: [title, { ...slug, private: true }] },
  { singular: 'note', plural: 'notes', fields: [title] },
  {
    singular: 'topic',
    plural: 'topics',
    protocols: ['nestable'],
    fields: [title, slug, body],
  },
];

let service: TestService;
beforeAll(async () => {
  service = await openPublications(definitions);
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];
const visit = (path: string, as?: string, headers: Readonly<Record<string, string>> = {}) =>
  service.send(`GET /api/v1/cms/${path}`, { headers, ...(as === undefined ? {} : { as }) });
const change = async (path: string, body: unknown, as = 'admin') => {
  const reply = await service.send(`PUT /api/v1/admin/cms/${path}`, { as, body });
  expect(reply.status).toBe(200);
  return reply;
};
const make = async (plural: string, body: Readonly<Record<string, unknown>>): Promise<Json> => {
  const { status, json } = await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'admin', body });
  expect(status).toBe(201);
  return json;
};
const link = (href: string, plural: string, id: string): string =>
  `<p><a href="${href}" data-record="${plural}/${id}">there</a></p>`;

let count = 0;
/** A record, and an article with a link to it. */
async function linked(plural: string, values: Readonly<Record<string, unknown>> = {}) {
  count += 1;
  const target = await make(plural, { title: `Target ${count}`, ...values });
  const stored = link(`/${plural}/target-${count}`, plural, target.id);
  const article = await make('articles', { title: `Linking ${count}`, body: stored });
  const address = async (as?: string): Promise<string> => {
    const { json } = await visit(`articles/${article.id}`, as);
    return /href="([^"]*)"/.exec(json.body)?.[1] ?? '';
  };
  return { target, article, stored, address, before: `/${plural}/target-${count}`, to: `moved-${count}` };
}

describe('a link to a record', () => {
  test('has the slug that the record has now', async () => {
    const { target, article, address, before, to } = await linked('articles');
    expect(await address()).toBe(before);
    await change(`articles/${target.id}`, { slug: to });
    expect(await address()).toBe(`/articles/${to}`);
    const listed = (await visit('articles?page_size=100')).json.items.find(({ id }: Json) => id === article.id);
    expect(listed.body).toContain(`href="/articles/${to}"`);
    await change(`articles/${target.id}`, { slug: `${to}-again` });
    expect(await address()).toBe(`/articles/${to}-again`);
  });

  test('also in lists of texts and in records that are included', async () => {
    const { target, article, stored, to } = await linked('articles');
    const outer = await make('articles', { title: 'Outer', next: article.id, parts: [stored, '<p>none</p>', stored] });
    await change(`articles/${target.id}`, { slug: to });
    const { json } = await visit(`articles/${outer.id}?include=next`);
    expect(json.next.body).toContain(`href="/articles/${to}"`);
    expect(json.parts).toEqual([link(`/articles/${to}`, 'articles', target.id), '<p>none</p>', json.parts[0]]);
  });

  test('also above and below a record of a tree', async () => {
    const root = await make('topics', { title: 'Root' });
    const child = await make('topics', { title: 'Child', parent_id: root.id });
    await change(`topics/${root.id}`, { body: link('/topics/child', 'topics', child.id) });
    await change(`topics/${child.id}`, { slug: 'grown' });
    for (const path of [`${child.id}/ancestors`, `${root.id}/subtree`])
      expect((await visit(`topics/${path}`)).json.items[0].body).toContain('href="/topics/grown"');
  });

  test('stays as it is stored on the admin routes, where it can be put back', async () => {
    const { target, article, stored, to } = await linked('articles');
    await change(`articles/${target.id}`, { slug: to });
    const read = await service.send(`GET /api/v1/admin/cms/articles/${article.id}`, { as: 'editor' });
    expect(read.json.body).toBe(stored);
    expect((await change(`articles/${article.id}`, { body: read.json.body })).json.body).toBe(stored);
  });

  test('has a tag that changes with the address, and a cached answer follows', async () => {
    const { target, article, to } = await linked('articles');
    const path = `articles/${article.id}`;
    const first = await visit(path);
    const tag = first.headers.get('etag') ?? '';
    expect((await visit(path, undefined, { 'If-None-Match': tag })).status).toBe(304);
    await change(`articles/${target.id}`, { slug: to });
    const moved = await visit(path, undefined, { 'If-None-Match': tag });
    expect([moved.status, moved.json.body.includes(to)]).toEqual([200, true]);
    const again = await visit(path);
    expect(again.headers.get('cache-status')).toBe('recto; hit');
    expect([again.text, again.headers.get('etag')]).toEqual([moved.text, moved.headers.get('etag')]);
    const unchanged = await visit(path, undefined, { 'If-None-Match': again.headers.get('etag') ?? '' });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
  });

  test('leaves the record that has it in the state that If-Match names', async () => {
    const { target, article, to } = await linked('articles');
    const line = `/api/v1/cms/articles/${article.id}`;
    const tags = [(await visit(`articles/${article.id}`)).headers.get('etag') ?? ''];
    await change(`articles/${target.id}`, { slug: to });
    tags.push((await visit(`articles/${article.id}`)).headers.get('etag') ?? '');
    expect(new Set(tags).size).toBe(2);
    const put = (tag = '') =>
      service.send(`PUT ${line}`, { as: 'member', headers: { 'If-Match': tag }, body: { title: `By ${tag}` } });
    expect((await put(tags[1])).status).toBe(200);
    for (const tag of tags) expect((await put(tag)).json.code).toBe('stale');
  });
});

describe('a link says nothing of a record that the reader may not get', () => {
  test('a draft, and one that was published', async () => {
    const { target, address, before, to } = await linked('guides');
    await change(`guides/${target.id}`, { slug: to });
    expect(await address()).toBe(before);
    await change(`guides/${target.id}`, { status: 'published' });
    expect(await address()).toBe(`/guides/${to}`);
    await change(`guides/${target.id}`, { status: 'draft', slug: `${to}-secret` });
    expect(await address()).toBe(before);
    expect(await address('admin')).toBe(before);
  });

  test('of two callers who share a cached answer, each gets what they may see', async () => {
    const { target, article, address, before, to } = await linked('secrets');
    await change(`secrets/${target.id}`, { slug: to });
    expect(await address('admin')).toBe(`/secrets/${to}`);
    expect(await address('member')).toBe(before);
    expect(await address()).toBe(before);
    const both = await Promise.all([address('admin'), address(), address('member'), address('admin')]);
    expect(both).toEqual([`/secrets/${to}`, before, before, `/secrets/${to}`]);
    const hidden = await visit(`articles/${article.id}`);
    expect(hidden.text).not.toContain(to);
    await service.send(`DELETE /api/v1/admin/cms/secrets/${target.id}`, { as: 'admin' });
    const gone = await visit(`articles/${article.id}`);
    expect([gone.text, gone.headers.get('etag')]).toEqual([hidden.text, hidden.headers.get('etag')]);
  });

  test.each(['hiddens', 'notes'])('a type whose slugs nobody reads: %s', async (plural) => {
    const { target, address, before } = await linked(plural);
    await change(`${plural}/${target.id}`, { title: 'Other', ...(plural === 'hiddens' ? { slug: 'not-shown' } : {}) });
    expect(await address('admin')).toBe(before);
  });

  test.each([
    ['no record', `articles/${noId}`],
    ['no type', `nothings/${noId}`],
    ['accounts', `users/${noId}`],
  ])('%s', async (_, reference) => {
    const html = `<p><a href="/articles/a" data-record="${reference}">x</a></p>`;
    const article = await make('articles', { title: 'Odd', body: html });
    const read = await visit(`articles/${article.id}`);
    expect(read.json.body).toBe(html);
  });
});

test('references of another form are not stored', async () => {
  const article = await make('articles', { title: 'Forms' });
  for (const reference of [
    '',
    'articles',
    `articles/${noId}/x`,
    `Articles/${noId}`,
    '../x',
    `articles/${noId}" onclick="x`,
  ])
    expect(
      (await change(`articles/${article.id}`, { body: `<a href="/a" data-record="${reference}">x</a>` })).json.body,
    ).toBe(reference.endsWith('"x') ? `<a href="/a" data-record="articles/${noId}">x</a>` : '<a href="/a">x</a>');
});

test('of very many links some are followed, and the others stay', async () => {
  const { target, to } = await linked('articles');
  const foreign = Array.from({ length: 400 }, (_, n) => link('/x/y', 'articles', noId.slice(0, -3) + (100 + n)));
  const [first, last] = [link('/a/old', 'articles', target.id), link('/b/old', 'guides', noId)];
  const article = await make('articles', { title: 'Many', body: [first, ...foreign, last].join('') });
  await change(`articles/${target.id}`, { slug: to });
  const { json } = await visit(`articles/${article.id}`);
  expect(json.body).toContain(`href="/a/${to}"`);
  expect(json.body).toContain(last);
});

test('in another language, the slug is that of the language', async () => {
  const localized = { localized: true };
  const place = {
    singular: 'place',
    plural: 'places',
    fields: [
      { ...title, ...localized },
      { ...slug, ...localized },
      { ...body, ...localized },
    ],
  };
  await using own = await openPublications([place], { languages: 'en,de' });
  const send = async (line: string, sent: object) => (await own.send(`${line}`, { as: 'admin', body: sent })).json;
  const target = await send('POST /api/v1/admin/cms/places', { title: 'Harbour' });
  const line = `PUT /api/v1/admin/cms/places/${target.id}`;
  await send(`${line}?language=de`, { title: 'Hafen', slug: 'hafen' });
  const linking = await send('POST /api/v1/admin/cms/places', {
    title: 'A',
    body: link('/x/old', 'places', target.id),
  });
  await send(`PUT /api/v1/admin/cms/places/${linking.id}?language=de`, {
    body: link('/de/alt', 'places', target.id),
  });
  const read = async (query: string) => (await own.send(`GET /api/v1/cms/places/${linking.id}${query}`)).json.body;
  expect(await read('')).toContain('href="/x/harbour"');
  expect(await read('?language=de')).toContain('href="/de/hafen"');
  await send(line, { slug: 'port' });
  expect(await read('')).toContain('href="/x/port"');
  expect(await read('?language=de')).toContain('href="/de/hafen"');
});
