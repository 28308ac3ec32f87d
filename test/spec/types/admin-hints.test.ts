import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parse } from 'smol-toml';
import { faultsOf } from '../../support/check-files.ts';
import { TestService } from '../../support/service.ts';

// `[admin]` in a definition, and the definitions as editors see them.

const source = `
singular = "article"
plural = "articles"
protocols = ["timestampable", { name = "statusable", values = ["draft", "live"], published = "live" }]

[[fields]]
name = "title"
field_type = "text"
help = "As it stands on the cover."
placeholder = "A title"
widget = "wide-text"

[[fields]]
name = "slug"
field_type = "uid"
target_field = "title"

[[fields]]
name = "author"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "authors" }

[[fields]]
name = "note"
field_type = "text"
private = true

[api.list]
filter = 'status = "live"'

[admin]
icon = "newspaper"
color = "teal"
section = "The magazine"
title_field = "title"
list_columns = ["title", "author", "status"]
preview_url = "https://magazine.example/articles/{slug}?id={id}"
hidden = false

[[admin.groups]]
label = "Text"
fields = ["title", "note"]

[[admin.groups]]
label = "Facts"
fields = ["slug", "author", "created_at"]
column = "side"
`;
const article = parse(source);
const author = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };

describe('the types as callers see them', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.open([article, author, { singular: 'site', kind: 'single' }], { builtIn: true });
    await service.account('ada', 'admin');
    await service.account('eve', 'editor');
    await service.account('mia');
    await service.account('ann', 'admin', 'acme');
    await service.account('ben', 'editor', 'acme');
    const body = {
      singular: 'job',
      plural: 'jobs',
      admin: { icon: 'hammer' },
      api: { list: { filter: 'id != null' } },
    };
    expect((await service.send('POST /api/v1/admin/content-types', { as: 'ada', body })).status).toBe(201);
  });
  afterAll(() => service[Symbol.asyncDispose]());
  const get = (path: string, as: string) => service.send(`GET /api/v1/admin/content-types${path}`, { as });

  test('an admin sees all of a definition', async () => {
    const { json, headers } = await get('/article', 'ada');
    expect(json.definition).toEqual(article);
    expect(json.may).toEqual({ create: true, update: true, delete: true, define: false });
    expect((await get('/job', 'ada')).json).toMatchObject({ revision: 1, may: { define: true } });
    expect(headers.get('etag')).not.toBe((await get('/article', 'eve')).headers.get('etag'));
  });

  test.each(['eve', 'ben', 'ann'])('%s sees it without rules and history', async (as) => {
    const { json } = await get('/article', as);
    const { api: _, ...rest } = article;
    expect(json.definition).toEqual(rest);
    expect(json.fields).toContainEqual({
      ...{ name: 'author', field_type: 'relation', origin: 'declared', target: 'author', many: false },
      ...{
        required: false,
        must_be_sent: false,
        unique: false,
        private: false,
        immutable: false,
        writable: true,
        writers: null,
      },
    });
    expect(json.fields).toContainEqual(
      expect.objectContaining({ name: 'created_at', origin: 'protocol', writable: false }),
    );
    expect(json.may).toEqual({ create: true, update: true, delete: true, define: false });
    const job = (await get('/job', as)).json;
    expect(job).toMatchObject({
      revision: null,
      created_at: null,
      updated_at: null,
      updated_by: null,
      may: { define: false },
    });
    expect(job.definition).toEqual({ singular: 'job', plural: 'jobs', admin: { icon: 'hammer' } });
    const { json: list } = await get('?page_size=100', as);
    expect(list.items.map((item: { singular: string }) => item.singular)).toContain('post');
    expect(JSON.stringify(list)).not.toContain('"filter"');
    expect((await get('/site', as)).json.may).toMatchObject({ create: false, update: true, delete: false });
  });

  test('members do not see them, and editors do not change them or see their history', async () => {
    expect((await get('', 'mia')).status).toBe(403);
    expect((await get('/article', 'mia')).status).toBe(403);
    expect((await get('/job/revisions', 'eve')).status).toBe(403);
    for (const line of [
      'PUT /api/v1/admin/content-types/job',
      'DELETE /api/v1/admin/content-types/job',
      'POST /api/v1/admin/content-types',
    ]) {
      expect((await service.send(line, { as: 'eve', body: { singular: 'job', plural: 'jobs' } })).status).toBe(403);
    }
    expect((await service.send('DELETE /api/v1/admin/content-types/job', { as: 'ann' })).status).toBe(403);
  });

  test('a tag that an admin has read still guards a replacement', async () => {
    const { headers } = await get('/job', 'ada');
    const body = { singular: 'job', plural: 'jobs', admin: { icon: 'wrench' } };
    const sent = { as: 'ada', body, headers: { 'If-Match': headers.get('etag') ?? '' } };
    expect((await service.send('PUT /api/v1/admin/content-types/job', sent)).status).toBe(200);
    expect((await service.send('PUT /api/v1/admin/content-types/job', sent)).status).toBe(409);
  });
});

describe('hints that are wrong are named, with their place', () => {
  test.each<[string, unknown, string]>([
    ['an unknown hint', { icons: 'x' }, 'admin.icons: unknown name "icons" — did you mean "icon"?'],
    [
      'a title that is no field',
      { title_field: 'titel' },
      'admin.title_field: there is no field "titel" — did you mean "title"?',
    ],
    [
      'a title that is a relation',
      { title_field: 'author' },
      'admin.title_field: "author" is no text that could stand as a title — name a field with one value',
    ],
    [
      'a column that is no field',
      { list_columns: ['title', 'x'] },
      'admin.list_columns[1]: there is no field "x" — there are: id, title, slug, author, note, created_at, updated_at, status',
    ],
    [
      'a column twice',
      { list_columns: ['title', 'title'] },
      'admin.list_columns[1]: "title" is named twice — name it once',
    ],
    [
      'a field in two groups',
      {
        groups: [
          { label: 'A', fields: ['title'] },
          { label: 'B', fields: ['title'] },
        ],
      },
      'admin.groups[1].fields[0]: "title" already stands in admin.groups[0] — name it in one group',
    ],
    [
      'a group without a label',
      { groups: [{ fields: ['title'] }] },
      'admin.groups[0].label: label is missing — add label',
    ],
    [
      'a column of a form that is none',
      { groups: [{ label: 'A', fields: [], column: 'left' }] },
      'admin.groups[0].column: "left" is no column — it is one of: main, side',
    ],
    [
      'a script',
      { preview_url: 'javascript:alert(1)' },
      'admin.preview_url: is no address of a page — write an address that begins with https://, http:// or /, such as "/articles/{slug}"',
    ],
    [
      'another host by two slashes',
      { preview_url: '//example.com/{id}' },
      'admin.preview_url: is no address of a page — write an address that begins with https://, http:// or /, such as "/articles/{slug}"',
    ],
    [
      'a host of the record’s choice',
      { preview_url: 'https://{slug}.example.com/' },
      'admin.preview_url: is no address of a page — write an address that begins with https://, http:// or /, such as "/articles/{slug}"',
    ],
    [
      'another field in an address',
      { preview_url: '/x/{title}' },
      'admin.preview_url: "{title}" has no meaning here — write {id} or {slug}',
    ],
    [
      'a colour that is none',
      { color: 'mauve' },
      'admin.color: "mauve" is no color — it is one of: red, orange, yellow, green, teal, blue, purple, pink',
    ],
    ['a section without a name', { section: ' ' }, 'admin.section: has no letters — write a heading, or leave it out'],
    [
      'a list that is none',
      { list_columns: 'title' },
      'admin.list_columns: must be an array, not "title" — write a value of that type',
    ],
  ])('%s', async (_name, admin, expected) => {
    expect(await faultsOf({ ...article, admin }, author)).toEqual([expected]);
  });

  test('an address with a slug needs the field', async () => {
    expect(await faultsOf({ ...author, admin: { preview_url: '/a/{slug}' } })).toEqual([
      expect.stringMatching(/^admin\.preview_url: the type has no field "slug" — /),
    ]);
  });
});
