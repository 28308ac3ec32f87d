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
labels = { created_at = { en = "Written", de = "Geschrieben" }, id = "Number" }

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
        show_if: null,
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
      'admin.preview_url: "{title}" has no meaning here — write {id}, {slug}, {language}, {token}',
    ],
    [
      'a colour that is none',
      { color: 'mauve' },
      'admin.color: "mauve" is no color — it is one of: red, orange, yellow, green, teal, blue, purple, pink',
    ],
    ['a section without a name', { section: ' ' }, 'admin.section: has no letters — write a heading, or leave it out'],
    [
      'a section without a name in one language',
      { section: { en: 'Museum', de: ' ' } },
      'admin.section.de: has no letters — write a heading, or leave it out',
    ],
    [
      'a section in a language that is none',
      { section: { English: 'Museum' } },
      'admin.section.English: "English" is no language — write a code such as "en" or "pt-BR"',
    ],
    [
      'a label of a field that there is not',
      { labels: { creatd_at: 'Written' } },
      'admin.labels.creatd_at: there is no field "creatd_at" — did you mean "created_at"?',
    ],
    [
      'a label of a field that is declared',
      { labels: { title: 'Heading' } },
      'admin.labels.title: "title" is declared in this definition — write a label where it is declared',
    ],
    [
      'a label in a language that is none',
      { labels: { created_at: { German: 'Geschrieben' } } },
      'admin.labels.created_at.German: "German" is no language — write a code such as "en" or "pt-BR"',
    ],
    [
      'a list that is none',
      { list_columns: 'title' },
      'admin.list_columns: must be an array, not "title" — write a value of that type',
    ],
  ])('%s', async (_name, admin, expected) => {
    expect(await faultsOf({ ...article, admin }, author)).toEqual([expected]);
  });

  test.each<[string, unknown, string]>([
    [
      'a heading in a language that is none',
      { groups: [{ label: { english: 'Text' }, fields: ['title'] }] },
      'admin.groups[0].label.english: "english" is no language — write a code such as "en" or "pt-BR"',
    ],
    [
      'a name without a text',
      { label: {} },
      'admin.label: has no text in any language — write one, such as { en = "Summary" }',
    ],
    [
      'a plural that is no text',
      { plural_label: { en: 3 } },
      'admin.plural_label.en: must be a string, not 3 — write a value of that type',
    ],
  ])('labels: %s', async (_name, admin, expected) => {
    expect(await faultsOf({ ...article, admin }, author)).toEqual([expected]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    [
      'another spelling of a language',
      { field_type: 'text', label: { DE: 'Titel' } },
      'fields[0].label.DE: "DE" is no language — write a code such as "en" or "pt-BR"',
    ],
    [
      'neither a text nor texts',
      { field_type: 'text', help: 3 },
      'fields[0].help: must be a string or an object, not 3 — write a value of that type',
    ],
    [
      'of a field that has no values',
      { field_type: 'text', value_labels: { a: 'A' } },
      'fields[0].value_labels: a field of type text has no value_labels — leave it out',
    ],
    [
      'of another value',
      { field_type: 'enum', enum_values: ['a', 'b'], value_labels: { c: 'C' } },
      'fields[0].value_labels.c: "c" is not one of the values — the values are: a, b',
    ],
    [
      'of a block',
      { field_type: 'blocks', blocks: [{ name: 'quote', label: { 'en-us': 'Quote' }, fields: [] }] },
      'fields[0].blocks[0].label.en-us: "en-us" is no language — write a code such as "en" or "pt-BR"',
    ],
  ])('labels of a field: %s', async (_name, field, expected) => {
    const note = { singular: 'note', plural: 'notes', fields: [{ name: 'x', ...field }] };
    expect(await faultsOf(note)).toEqual([expected]);
  });

  test('labels of statuses name statuses', async () => {
    const protocol = { name: 'statusable', values: ['draft', 'live'], value_labels: { alive: 'Live' } };
    expect(await faultsOf({ singular: 'note', plural: 'notes', protocols: [protocol] })).toEqual([
      'protocols[0].value_labels.alive: "alive" is not one of the values — write a value of that kind',
    ]);
  });

  test('labels in several languages and a password in a group are no errors, and are served as written', async () => {
    const written = {
      singular: 'note',
      plural: 'notes',
      protocols: [{ name: 'statusable', value_labels: { draft: { en: 'Draft', de: 'Entwurf' } } }],
      fields: [
        { name: 'size', field_type: 'enum', enum_values: ['s'], label: { de: 'Maß' }, value_labels: { s: 'Small' } },
        { name: 'pass', field_type: 'password', help: { en: 'Eight characters', de: 'Acht Zeichen' } },
      ],
      admin: { label: { en: 'Note', de: 'Notiz' }, groups: [{ label: { en: 'Access' }, fields: ['pass'] }] },
    };
    await using service = await TestService.open([written]);
    await service.account('ada', 'admin');
    const { json } = await service.send('GET /api/v1/admin/content-types/note', { as: 'ada' });
    expect(json.definition).toEqual(written);
    expect((await service.send('GET /api/v1/openapi.json')).text).toContain('size');
  });

  test('an address with a slug needs the field', async () => {
    expect(await faultsOf({ ...author, admin: { preview_url: '/a/{slug}' } })).toEqual([
      expect.stringMatching(/^admin\.preview_url: the type has no field "slug" — /),
    ]);
  });
});
