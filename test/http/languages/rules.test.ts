// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { definitionsIn } from '../../support/definitions.ts';
import { TestService } from '../../support/service.ts';

// Rules read the language of a request, and the languages in which a record says something.

const open = { access: 'public' };
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', max_length: 100, ...more });

/** Without words of any language: each notice is in one. */
const notice = {
  singular: 'notice',
  plural: 'notices',
  fields: [text('title'), text('tongue')],
  api: {
    list: { access: 'public', filter: 'tongue = @request.language' },
    get: { access: 'public', filter: 'tongue = null || tongue = @request.language:lower' },
    create: { access: 'public', filter: '@request.body.tongue = @request.language' },
    update: { access: 'public', filter: '@request.language = "de"' },
  },
};

/** Shown to the public once there is a German text. */
const guide = {
  singular: 'guide',
  plural: 'guides',
  fields: [
    text('title', { localized: true, required: true }),
    text('note', { localized: true }),
    { name: 'parent', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'guide' } },
  ],
  api: {
    list: { access: 'public', filter: 'languages ?= "de"' },
    get: { access: 'public', filter: 'languages ?= "de" || parent.languages ?= "de"' },
    create: { access: 'public', filter: 'languages ?= "en" && languages:length = 1 && languages ?!= "de"' },
  },
};
/** Nobody but admins sees that there is a note. */
const secretive = {
  singular: 'secret',
  plural: 'secrets',
  fields: [text('title', { localized: true }), text('note', { localized: true, private: true })],
  api: { list: open, create: { access: 'public', filter: 'languages ?= "de"' } },
};
const staged = {
  singular: 'story',
  plural: 'stories',
  protocols: [{ name: 'statusable', by_language: true }],
  fields: [text('title', { localized: true })],
  api: { list: open },
};
const own = {
  singular: 'own',
  plural: 'owns',
  fields: [text('title', { localized: true }), text('languages')],
  api: { list: { access: 'public', filter: 'languages = "mine"' } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([notice, guide, secretive, staged, own], {
    languages: 'en,de,fr',
    roles: [
      {
        name: 'translator',
        base: 'editor',
        types: { guide: { update: '@request.language != "en"', publish: false, create: false } },
      },
      { name: 'reader', base: 'editor', types: { guide: { create: false, read: { except: ['note'] } } } },
    ],
  });
  for (const [name, role] of [
    ['ada', 'admin'],
    ['tom', 'translator'],
    ['rita', 'reader'],
  ] as const)
    await service.account(name, role);
});
afterAll(() => service[Symbol.asyncDispose]());

const titles = async (path: string, as?: string): Promise<readonly string[]> => {
  const { status, json } = await service.send(`GET /api/v1/${path}`, as === undefined ? {} : { as });
  expect(status).toBe(200);
  return json.items.map(({ title }: { title: string }) => title).toSorted();
};
const translate = async (path: string, body: object): Promise<void> => {
  const { status, text: answer } = await service.send(`PUT /api/v1/admin/cms/${path}`, { as: 'ada', body });
  expect([status, answer]).toEqual([200, answer]);
};

describe('@request.language', () => {
  test('is what the request names, else the default, whether the type is localized or not', async () => {
    for (const tongue of ['en', 'de', 'fr']) await service.seed('notices', { title: `In ${tongue}`, tongue });
    expect(await titles('cms/notices')).toEqual(['In en']);
    expect(await titles('cms/notices?language=de')).toEqual(['In de']);
    expect(await titles('cms/notices?language=FR&fallback=false')).toEqual(['In fr']);
    expect(await titles('cms/notices?language=en')).toEqual(['In en']);
    const count = await service.send('GET /api/v1/cms/notices/aggregate?count=true&language=de');
    expect(count.text).toContain('"count":1');
  });

  test('takes :lower, and is part of what is remembered of an answer', async () => {
    const { id } = await service.seed('notices', { title: 'One', tongue: 'de' });
    for (const [query, status] of [
      ['', 404],
      ['?language=de', 200],
      ['', 404],
      ['?language=de', 200],
    ] as const)
      expect((await service.send(`GET /api/v1/cms/notices/${id}${query}`)).status).toBe(status);
  });

  test('decides on updates, and on roles', async () => {
    const { id } = await service.seed('notices', { title: 'Two', tongue: 'de' });
    const put = (query: string) =>
      service.send(`PUT /api/v1/cms/notices/${id}${query}`, { body: { title: 'Changed' } });
    expect((await put('')).status).toBe(404);
    expect((await put('?language=fr')).status).toBe(404);
    expect((await put('?language=de')).status).toBe(200);
    const { id: other } = await service.seed('guides', { title: 'Hello' });
    const write = (query: string) =>
      service.send(`PUT /api/v1/admin/cms/guides/${other}${query}`, { as: 'tom', body: { title: 'Hallo' } });
    expect((await write('')).status).toBe(403);
    expect((await write('?language=de')).status).toBe(200);
    const remove = (tag: string) =>
      service.send(`DELETE /api/v1/admin/cms/guides/${other}/languages/${tag}`, { as: 'tom' });
    expect((await remove('de')).status).toBe(204);
  });

  test('decides on new records', async () => {
    const create = (tongue: string, query = '') =>
      service.send(`POST /api/v1/cms/notices${query}`, { body: { title: 'New', tongue } });
    expect((await create('de')).status).toBe(403);
    expect((await create('en')).status).toBe(201);
  });

  test('is null in a service without languages, and any text compares with it', async () => {
    await using one = await TestService.open([notice]);
    for (const tongue of ['en', null]) await one.seed('notices', { title: String(tongue), tongue });
    const { json } = await one.send('GET /api/v1/cms/notices');
    expect(json.items.map(({ title }: { title: string }) => title)).toEqual(['null']);
  });

  test('compares with languages of the service alone, and decides on no form', () => {
    const listed = (filter: string) => ({ ...notice, api: { list: { access: 'public', filter } } });
    expect(() => definitionsIn('en,de', listed('@request.language = "fr"'))).toThrow('one of en, de');
    expect(() => definitionsIn('en,de', listed('@request.language = 1'))).toThrow('text');
    const shown = { ...notice, fields: [text('title', { show_if: '@request.language = "de"' }), text('tongue')] };
    expect(() => definitionsIn('en,de', shown)).toThrow('depends on the record alone');
  });
});

describe('languages of a record', () => {
  test('are those in which it says something, in rules and through relations', async () => {
    const { id } = await service.seed('guides', { title: 'Both' });
    const { id: child } = await service.seed('guides', { title: 'English alone', parent: id });
    const isShown = async (path: string) => (await service.send(`GET /api/v1/cms/guides/${path}`)).status === 200;
    expect([await isShown(id), await isShown(child)]).toEqual([false, false]);
    await translate(`guides/${id}?language=de`, { title: 'Beides' });
    expect([await isShown(id), await isShown(child)]).toEqual([true, true]);
    for (const [query, title] of [
      ['', 'Both'],
      ['?language=de', 'Beides'],
      ['?language=fr', 'Both'],
    ])
      expect(await titles(`cms/guides${query}`)).toEqual([title ?? '']);
    expect((await service.send(`DELETE /api/v1/admin/cms/guides/${id}/languages/de`, { as: 'ada' })).status).toBe(204);
    expect([await isShown(id), await isShown(child)]).toEqual([false, false]);
  });

  test('of a new record are the default alone', async () => {
    expect((await service.send('POST /api/v1/cms/guides', { body: { title: 'New' } })).status).toBe(201);
    expect((await service.send('POST /api/v1/cms/secrets', { body: { title: 'New' } })).status).toBe(403);
  });

  test('can be filtered by, where the caller sees whatever decides', async () => {
    const { id } = await service.seed('guides', { title: 'Filtered' });
    await translate(`guides/${id}?language=fr`, { note: 'Un mot' });
    const filter = `filter=${encodeURIComponent('languages ?= "fr" && title = "Filtered"')}`;
    expect(await titles(`admin/cms/guides?${filter}`, 'ada')).toEqual(['Filtered']);
    // A role that does not read the note is not to learn that there is one.
    expect((await service.send(`GET /api/v1/admin/cms/guides?${filter}`, { as: 'rita' })).status).toBe(400);
    for (const type of ['secrets', 'stories']) {
      const { status, json } = await service.send(
        `GET /api/v1/cms/${type}?filter=${encodeURIComponent('languages ?= "de"')}`,
      );
      expect([status, json.code]).toEqual([400, 'invalid_filter']);
    }
    const unknown = await service.send(
      `GET /api/v1/admin/cms/guides?filter=${encodeURIComponent('languages ?= "xx"')}`,
      { as: 'ada' },
    );
    expect(unknown.status).toBe(400);
  });

  test('give way to a field of that name', async () => {
    for (const languages of ['mine', 'yours']) await service.seed('owns', { title: languages, languages });
    expect(await titles('cms/owns')).toEqual(['mine']);
  });
});
