// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

const title = { name: 'title', field_type: 'text' };
const slug = { name: 'slug', field_type: 'uid', target_field: 'title' };
const rich = (name: string, more: object = {}) => ({ name, field_type: 'richtext', ...more });
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['statusable'],
    fields: [
      title,
      slug,
      rich('body'),
      rich('notes', { format: 'markdown', private: true }),
      {
        name: 'parts',
        field_type: 'blocks',
        blocks: [
          { name: 'text', fields: [rich('content'), rich('inner', { private: true })] },
          { name: 'lines', fields: [{ name: 'lines', field_type: 'list', item: { field_type: 'richtext' } }] },
        ],
      },
    ],
    api: { get: { filter: 'status = "published"' } },
  },
  {
    ...{ singular: 'drafted', plural: 'drafteds' },
    protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
    fields: [
      title,
      slug,
      rich('body'),
      { name: 'parts', field_type: 'blocks', blocks: [{ name: 'text', fields: [rich('content')] }] },
    ],
    api: { get: { access: 'public', filter: 'status = "published"' } },
  },
  { singular: 'diary', plural: 'diaries', fields: [title, slug, rich('body')], api: { get: { access: 'member' } } },
];
const writer = {
  name: 'writer',
  types: {
    article: { list: true, get: 'title != "Closed"', read: { only: ['title', 'body', 'parts'] } },
    drafted: { list: true, get: true, read: { only: ['body', 'parts'] } },
  },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { roles: [writer], publicUrl: 'https://example.com/site' });
  await service.account('admin', 'admin');
  await service.account('editor', 'editor');
  await service.account('writer', 'writer');
  await service.account('member');
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];
const make = async (plural: string, body: Readonly<Record<string, unknown>>): Promise<Json> => {
  const { status, json } = await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'admin', body });
  expect(status).toBe(201);
  return json;
};
const published = (values: Readonly<Record<string, unknown>>) => make('articles', { status: 'published', ...values });
const change = async (path: string, body: unknown) =>
  expect((await service.send(`PUT /api/v1/admin/cms/${path}`, { as: 'admin', body })).status).toBe(200);
const linksTo = async (plural: string, id: string, as = 'editor'): Promise<readonly Json[]> => {
  const reply = await service.send(`GET /api/v1/admin/links/${plural}/${id}`, { as });
  expect(reply.status).toBe(200);
  return reply.json.items;
};
const dead = async (as = 'editor'): Promise<readonly Json[]> => {
  const items = [];
  for (let after = ''; ; ) {
    const { status, json } = await service.send(`GET /api/v1/admin/links/dead${after}`, { as });
    expect(status).toBe(200);
    items.push(...json.items);
    if (json.next === null) return items;
    after = `?after=${json.next}`;
  }
};
const deadOf = async (id: string, as?: string) => (await dead(as)).filter((link) => link.id === id);
const link = (href: string, reference?: string) =>
  `<p><a href="${href}"${reference === undefined ? '' : ` data-record="${reference}"`}>x</a></p>`;
const noId = '01a1fc65-8957-735c-8289-9fdca63e2d00';

describe('the records that link to one', () => {
  test('by reference and by address, wherever the text stands', async () => {
    const target = await published({ title: 'The target' });
    const named = `articles/${target.id}`;
    const both = await published({ title: 'A', body: link('/old', named), notes: 'see [it](/articles/the-target#x)' });
    const inside = await make('articles', {
      title: 'B',
      parts: [
        { block: 'text', content: '<p>none</p>' },
        { block: 'text', content: link('https://example.com/site/articles/the-target'), inner: link('/x', named) },
        { block: 'lines', lines: ['<p>none</p>', link('/site/articles/the-target/?a=1')] },
      ],
    });
    const diary = await make('diaries', { title: 'C', body: link('/articles/the-target.html') });
    for (const href of ['/articles/the-target-2', '/diaries/the-target', 'https://other.example/articles/the-target'])
      await published({ title: 'No', body: link(href) });
    await published({ title: 'Text', body: `<p>/articles/the-target articles/${target.id}</p>` });
    await change(`articles/${target.id}`, { body: link('/articles/the-target', named) });
    expect(await linksTo('articles', target.id)).toEqual([
      { type: 'article', id: both.id, places: ['body', 'notes'] },
      {
        type: 'article',
        id: inside.id,
        places: ['parts[1].content', 'parts[1].inner', 'parts[2].lines[1]'],
      },
      { type: 'diary', id: diary.id, places: ['body'] },
    ]);
  });

  test('are those that a role sees, by what it reads', async () => {
    const target = await published({ title: 'Seen' });
    const named = `articles/${target.id}`;
    await published({ title: 'Closed', body: link('/x', named) });
    await published({ title: 'Notes', notes: `[x](/articles/seen) ${link('/x', named)}` });
    await make('diaries', { title: 'Diary', body: link('/x', named) });
    const shown = await published({
      title: 'Shown',
      parts: [{ block: 'text', content: link('/x', named), inner: link('/x', named) }],
    });
    // It does not read slugs, so it is not said what links by them.
    await published({ title: 'Slug', body: link('/articles/seen') });
    expect(await linksTo('articles', target.id, 'writer')).toEqual([
      { type: 'article', id: shown.id, places: ['parts[0].content'] },
    ]);
    expect(await linksTo('articles', target.id)).toHaveLength(5);
  });

  test('are not there for a record that the caller does not find', async () => {
    const closed = await published({ title: 'Closed' });
    const diary = await make('diaries', { title: 'Own' });
    const ask = async (to: string, as?: string) =>
      (await service.send(`GET /api/v1/admin/links/${to}`, as === undefined ? {} : { as })).status;
    expect(await ask(`articles/${closed.id}`, 'writer')).toBe(404);
    expect(await ask(`diaries/${diary.id}`, 'writer')).toBe(404);
    expect(await ask(`articles/${noId}`, 'admin')).toBe(404);
    expect(await ask(`nothings/${noId}`, 'admin')).toBe(404);
    expect(await ask('articles/x', 'admin')).toBe(404);
    expect(await ask(`articles/${closed.id}`, 'member')).toBe(403);
    expect(await ask(`articles/${closed.id}`)).toBe(401);
  });
});

describe('dead links', () => {
  test('lead to a record that is not there', async () => {
    const target = await published({ title: 'Gone' });
    const reference = `articles/${target.id}`;
    const { id } = await published({ title: 'A', body: `${link('/a', reference)}${link('/articles/gone')}` });
    expect(await deadOf(id)).toEqual([]);
    await service.send(`DELETE /api/v1/admin/cms/${reference}`, { as: 'admin' });
    const common = { type: 'article', id, place: 'body', language: null, draft: false, reason: 'no_record' };
    expect(await deadOf(id)).toEqual([
      { ...common, href: '/a', record: reference },
      { ...common, href: '/articles/gone', record: null },
    ]);
  });

  test('lead from a public record to a hidden one', async () => {
    const target = await published({ title: 'Target' });
    const body = `${link('/a', `articles/${target.id}`)}${link('/articles/target')}`;
    const { id } = await published({ title: 'A', body });
    const draft = await make('articles', { title: 'B', body });
    await change(`articles/${target.id}`, { status: 'draft' });
    expect((await deadOf(id)).map(({ reason }) => reason)).toEqual(['hidden', 'hidden']);
    expect(await deadOf(draft.id)).toEqual([]);
  });

  test('in drafts are those that their authors see, before readers find them', async () => {
    const target = await make('drafteds', { title: 'Target', status: 'published' });
    const { id } = await make('drafteds', { title: 'A', status: 'published', body: link('/drafteds/none') });
    const draft = async (body: object) =>
      expect(
        (await service.send(`PUT /api/v1/admin/cms/drafteds/${id}?draft=true`, { as: 'editor', body })).status,
      ).toBe(200);
    const places = async (as?: string) =>
      (await deadOf(id, as)).map(({ place, draft: isDraft, href, reason }) => [place, isDraft, href, reason]);
    const own = ['body', false, '/drafteds/none', 'no_record'];
    expect(await places()).toEqual([own]);
    const parts = [{ block: 'text', content: link('/x', `drafteds/${noId}`) }];
    await draft({ body: `${link('/drafteds/target')}${link('/drafteds/gone')}`, parts });
    expect(await places()).toEqual([
      own,
      ['body', true, '/drafteds/gone', 'no_record'],
      ['parts[0].content', true, '/x', 'no_record'],
    ]);
    // A role that reads no drafts learns nothing of them.
    expect(await places('writer')).toEqual([own]);
    await change(`drafteds/${target.id}`, { status: 'draft' });
    expect(await places()).toContainEqual(['body', true, '/drafteds/target', 'hidden']);
    await service.send(`POST /api/v1/admin/cms/drafteds/${id}/publish`, { as: 'editor' });
    expect((await places()).map(([, isDraft]) => isDraft)).toEqual([false, false, false]);
  });

  test('are none of former slugs, other sites, other paths, members’ pages', async () => {
    const target = await published({ title: 'First' });
    const diary = await make('diaries', { title: 'Diary' });
    await change(`articles/${target.id}`, { slug: 'second' });
    const alive = [
      ...['/articles/first', '/articles/second', 'https://example.com/site/articles/second', '/diaries/diary'],
      ...['/elsewhere/none', '/none', '#none', 'https://other.example/articles/none', 'mailto:a@example.com', ''],
    ];
    const body = [...alive.map((href) => link(href)), link('/x', `diaries/${diary.id}`)].join('');
    const { id } = await published({ title: 'A', body });
    expect(await deadOf(id)).toEqual([]);
    await change(`articles/${id}`, {
      body: `${body}${link('https://example.com/site/articles/none')}${link('/x', `none/${noId}`)}`,
    });
    expect((await deadOf(id)).map(({ href }) => href)).toEqual(['https://example.com/site/articles/none', '/x']);
  });

  test('are those of records that a role sees', async () => {
    const closed = await published({ title: 'Closed', body: link('/articles/none') });
    const notes = await published({ title: 'Notes', notes: '[x](/articles/none)' });
    const open = await published({ title: 'Open', body: link('/articles/none') });
    const own = new Set((await dead('writer')).map(({ id }) => id));
    expect([closed.id, notes.id, open.id].map((id) => own.has(id))).toEqual([false, false, true]);
    expect((await deadOf(notes.id)).length).toBe(1);
    expect((await service.send('GET /api/v1/admin/links/dead', { as: 'member' })).status).toBe(403);
    expect((await service.send('GET /api/v1/admin/links/dead?after=x', { as: 'admin' })).status).toBe(400);
  });

  test('say nothing of slugs to a role that reads none', async () => {
    await make('drafteds', { title: 'Sealed', status: 'draft' });
    await make('diaries', { title: 'Locked' });
    const hrefs = ['/drafteds/sealed', '/drafteds/unsealed', '/diaries/locked', '/diaries/unlocked'];
    const { id } = await published({ title: 'Tries', body: hrefs.map((href) => link(href)).join('') });
    const reasons = async (as: string) => (await deadOf(id, as)).map(({ href, reason }) => [href, reason]);
    expect(await reasons('editor')).toEqual([
      ['/drafteds/sealed', 'hidden'],
      ['/drafteds/unsealed', 'no_record'],
      ['/diaries/unlocked', 'no_record'],
    ]);
    expect(await reasons('writer')).toEqual([
      ['/drafteds/sealed', 'no_record'],
      ['/drafteds/unsealed', 'no_record'],
      // It reads no diaries.
      ['/diaries/locked', 'no_record'],
      ['/diaries/unlocked', 'no_record'],
    ]);
  });

  test('continue where a part of the report ended', async () => {
    const all = await dead();
    const articles = all.filter(({ type }) => type === 'article');
    const middle = articles[Math.floor(articles.length / 2)];
    const { json } = await service.send(`GET /api/v1/admin/links/dead?after=articles/${middle.id}`, { as: 'admin' });
    expect(json.items).toEqual(all.slice(all.findLastIndex(({ id }) => id === middle.id) + 1));
  });
});

test('texts and slugs of all languages are known', async () => {
  const story = {
    ...{ singular: 'story', plural: 'stories', protocols: ['statusable'] },
    fields: [
      { ...title, localized: true },
      { name: 'slug', field_type: 'uid', localized: true },
      rich('body', { localized: true }),
    ],
    api: { get: { access: 'public', filter: 'status = "published"' } },
  };
  await using other = await TestService.open([story], { languages: 'en,de,fr' });
  await other.account('ada', 'admin');
  const send = async (line: string, body?: object) =>
    (await other.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) })).json;
  const stories = '/api/v1/admin/cms/stories';
  const target = await send(`POST ${stories}`, { title: 'Paper', slug: 'paper', status: 'published' });
  await send(`PUT ${stories}/${target.id}?language=de`, { title: 'Papier', slug: 'papier' });
  const body = `${link('/stories/papier')}${link('/stories/paper')}${link('/stories/papel')}`;
  const { id } = await send(`POST ${stories}`, { title: 'A', slug: 'a', status: 'published', body });
  await send(`PUT ${stories}/${id}?language=fr`, { body: `${link('/stories/papier')}${link('/stories/rien')}` });
  const report = async () =>
    (await send('GET /api/v1/admin/links/dead')).items.map((each: Json) => [each.language, each.href, each.reason]);
  const known = [
    [null, '/stories/papel', 'no_record'],
    ['fr', '/stories/rien', 'no_record'],
  ];
  expect(await report()).toEqual(known);
  // The old German address leads on.
  await send(`PUT ${stories}/${target.id}?language=de`, { slug: 'papier-neu' });
  expect(await report()).toEqual(known);
  const later = await send(`GET /api/v1/admin/links/dead?after=stories/${id}`);
  expect(later.items.map((each: Json) => each.href)).toEqual(['/stories/rien']);
  expect((await send(`GET /api/v1/admin/links/dead?after=stories/${id}/fr`)).items).toEqual([]);
  await send(`PUT ${stories}/${target.id}`, { status: 'draft' });
  const reasons = (await report()).map(([, , reason]: string[]) => reason);
  expect(reasons).toEqual(['no_record', 'hidden', 'no_record', 'no_record', 'no_record']);
});
