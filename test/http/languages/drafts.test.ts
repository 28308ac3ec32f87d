// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// The next version of what a record says in a language: each language has a draft of its own.

const open = { access: 'public' };
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
  fields: [
    { name: 'title', field_type: 'text', max_length: 100, required: true, localized: true, indexed: true },
    { name: 'slug', field_type: 'uid', localized: true },
    { name: 'text', field_type: 'richtext', localized: true },
    { name: 'parts', field_type: 'list', localized: true, fields: [{ name: 'heading', field_type: 'text' }] },
    { name: 'points', field_type: 'integer' },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'story' } },
  ],
  api: { list: open, get: open },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story], {
    languages: 'en,de,fr,fr-CA',
    languageFallbacks: { 'fr-CA': ['fr', 'en'] },
    roles: [
      {
        name: 'writer',
        types: { story: { list: true, get: true, update: true, publish: true, read: { only: ['title'] } } },
      },
    ],
  });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = (line: string, body?: unknown, headers = {}) =>
  service.send(line.replace(' ', ' /api/v1/admin/cms/stories/'), {
    as: 'ann',
    headers,
    ...(body === undefined ? {} : { body }),
  });
const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const one = (id: string, query = '') => ok(admin(`GET ${id}${query}`));
const publicly = (id: string, query = '') => ok(service.send(`GET /api/v1/cms/stories/${id}${query}`));
const draft = (id: string, language: string, body: object, status = 200) =>
  ok(admin(`PUT ${id}?draft=true&language=${language}`, body), status);

/** A published story in English and German. */
async function published(more: object = {}): Promise<string> {
  const { id } = await service.seed('stories', { title: 'Hello', text: '<p>Text</p>', status: 'published', ...more });
  await ok(admin(`PUT ${id}?language=de`, { title: 'Hallo' }));
  return id;
}

describe('a draft of a language', () => {
  test('is its own: the other languages have no draft, and nothing that is published changes', async () => {
    const id = await published();
    const paths = ['', '?language=de', '?language=fr'];
    const before = await Promise.all(paths.map((path) => publicly(id, path)));
    expect(await draft(id, 'de', { title: 'Guten Tag' })).toMatchObject({ title: 'Guten Tag', __language: 'de' });
    expect(await Promise.all(paths.map((path) => publicly(id, path)))).toEqual(before);
    expect((await one(id, '?language=de')).__draft).toMatchObject({
      author: service.idOf('ann'),
      changes: { title: 'Guten Tag' },
      base: { title: 'Hallo' },
    });
    expect((await one(id)).__draft).toBeNull();
    expect((await one(id, '?language=fr')).__draft).toBeNull();
    expect(await one(id, '?language=de&draft=true')).toMatchObject({ title: 'Guten Tag', text: null });
    expect((await one(id, '?draft=true')).title).toBe('Hello');
    const { total } = await ok(admin(`GET ${id}/revisions`));
    expect(total).toBe(2);
  });

  test('stands beside that of another language, and each is published and thrown away alone', async () => {
    const id = await published();
    await draft(id, 'de', { title: 'Guten Tag' });
    await draft(id, 'en', { title: 'Good day', points: 5 });
    await draft(id, 'fr', { title: 'Bonjour' });
    expect(await ok(admin(`POST ${id}/publish?language=de`))).toMatchObject({ title: 'Guten Tag', __draft: null });
    expect((await publicly(id)).title).toBe('Hello');
    expect((await publicly(id, '?language=fr')).title).toBe('Hello');
    expect((await publicly(id, '?language=de')).title).toBe('Guten Tag');
    expect((await one(id)).__draft.changes).toEqual({ title: 'Good day', points: 5 });
    await ok(admin(`DELETE ${id}/draft?language=fr`), 204);
    expect((await one(id, '?language=fr')).__draft).toBeNull();
    expect((await one(id)).__draft).not.toBeNull();
    expect((await admin(`DELETE ${id}/draft?language=fr`)).status).toBe(404);
    expect(await ok(admin(`POST ${id}/publish`))).toMatchObject({ title: 'Good day', points: 5, __draft: null });
    expect((await publicly(id, '?language=de')).title).toBe('Guten Tag');
  });

  test('is published with those of all other languages at once, or none is', async () => {
    const id = await published();
    await draft(id, 'en', { points: 7 });
    await draft(id, 'de', { title: 'Guten Tag' });
    await draft(id, 'fr', { title: 'Bonjour' });
    await ok(admin(`PUT ${id}?language=de`, { title: 'Servus' }));
    const refused = await ok(admin(`POST ${id}/publish?language=*`), 409);
    expect([refused.code, refused.detail]).toEqual(['draft_conflict', expect.stringContaining('title@de')]);
    expect((await publicly(id)).points).toBeNull();
    await draft(id, 'de', { title: 'Servus' });
    expect((await one(id, '?language=de')).__draft).toBeNull();
    expect(await ok(admin(`POST ${id}/publish?language=*`))).toMatchObject({ points: 7, __draft: null });
    expect((await publicly(id, '?language=fr')).title).toBe('Bonjour');
    expect((await publicly(id, '?language=de')).title).toBe('Servus');
    expect((await ok(admin(`POST ${id}/publish?language=*`), 409)).code).toBe('no_draft');
    expect((await ok(admin(`POST ${id}/publish?language=de`), 409)).code).toBe('no_draft');
  });

  test('saved by itself with what other languages stand in with makes none of it its own', async () => {
    const id = await published();
    const read = () => one(id, '?draft=true&language=de&fallback=true');
    let shown = await read();
    expect([shown.text, shown.__fallback]).toEqual(['<p>Text</p>', ['text']]);
    for (const heading of ['A', 'AB', 'ABC']) {
      await draft(id, 'de', { ...shown, parts: [{ heading }] });
      shown = await read();
    }
    expect(shown.__draft.changes).toEqual({ parts: [{ heading: 'ABC' }] });
    await draft(id, 'de', { ...shown, text: '<p>Eigener</p>' });
    shown = await read();
    expect([shown.text, shown.__fallback]).toEqual(['<p>Eigener</p>', []]);
    await draft(id, 'de', shown);
    expect(Object.keys((await one(id, '?language=de')).__draft.changes)).toEqual(['parts', 'text']);
    await ok(admin(`POST ${id}/publish?language=de`));
    expect(await one(id, '?language=de')).toMatchObject({ slug: null, text: '<p>Eigener</p>' });
  });

  test('has localized fields alone, and shared ones only as they are', async () => {
    const id = await published({ points: 3 });
    await draft(id, 'de', { ...(await one(id, '?language=de&draft=true')), title: 'Guten Tag' });
    const { errors } = await draft(id, 'de', { points: 4, next: [id], title: 'Servus' }, 422);
    expect(errors.map(({ field, code }: Reply['json']) => [field, code])).toEqual([
      ['points', 'not_in_draft'],
      ['next', 'not_in_draft'],
    ]);
    expect((await one(id, '?language=de')).__draft.changes).toEqual({ title: 'Guten Tag' });
    expect((await draft(id, 'de', { status: 'archived' }, 422)).errors[0].code).toBe('not_in_draft');
  });

  test('is checked as an update in the language is', async () => {
    const id = await published({ slug: 'hello' });
    const other = await published({ slug: 'other' });
    await ok(admin(`PUT ${other}?language=de`, { slug: 'vergeben' }));
    expect((await draft(id, 'de', { slug: 'vergeben' }, 422)).errors[0]).toMatchObject({ field: 'slug' });
    await draft(id, 'de', { slug: 'hello' });
    await ok(admin(`PUT ${other}?language=de`, { slug: 'hello' }));
    const { errors } = await ok(admin(`POST ${id}/publish?language=de`), 422);
    expect(errors[0].field).toBe('slug');
    expect((await one(id, '?language=de')).__draft.changes).toEqual({ slug: 'hello' });
  });

  test('is compared with the tag of what its language would be', async () => {
    const id = await published();
    const tagOf = async (query: string) => (await admin(`GET ${id}?draft=true&${query}`)).headers.get('etag') ?? '';
    const german = await tagOf('language=de');
    await draft(id, 'en', { title: 'Good day' });
    const put = (tag: string, title: string) =>
      admin(`PUT ${id}?draft=true&language=de`, { title }, { 'if-match': tag });
    expect((await put(german, 'Guten Tag')).status).toBe(200);
    expect((await put(german, 'Servus')).status).toBe(409);
    expect((await put(await tagOf('language=de&fallback=true'), 'Servus')).status).toBe(200);
  });

  test('is listed by its language', async () => {
    const id = await published();
    await draft(id, 'de', { title: 'Guten Tag' });
    const ids = async (query: string) =>
      (await ok(service.send(`GET /api/v1/admin/cms/stories?page_size=100&${query}`, { as: 'ann' }))).items.map(
        (item: Reply['json']) => item.id,
      );
    expect(await ids('has_draft=true&language=de')).toContain(id);
    expect(await ids('has_draft=true')).not.toContain(id);
    expect(await ids('has_draft=false&language=fr')).toContain(id);
  });

  test('goes with its language, and with the record', async () => {
    const id = await published();
    await draft(id, 'de', { title: 'Guten Tag' });
    await draft(id, 'fr', { title: 'Bonjour' });
    await ok(admin(`DELETE ${id}/languages/de`), 204);
    expect((await one(id, '?language=de')).__draft).toBeNull();
    await ok(admin(`DELETE ${id}/languages/fr`), 204);
    expect((await one(id, '?language=fr')).__draft).toBeNull();
    expect((await admin(`DELETE ${id}/languages/fr`)).status).toBe(404);
    await ok(admin(`DELETE ${id}`), 204);
  });

  test('needs a published record, whose status all languages share', async () => {
    const { id } = await service.seed('stories', { title: 'Hello', status: 'draft' });
    expect((await draft(id, 'de', { title: 'Hallo' }, 409)).code).toBe('not_published');
    await ok(admin(`PUT ${id}`, { status: 'published' }));
    await draft(id, 'de', { title: 'Hallo' });
    await ok(admin(`PUT ${id}`, { status: 'archived' }));
    expect((await ok(admin(`POST ${id}/publish?language=de`), 409)).code).toBe('not_published');
    expect((await one(id)).status).toBe('archived');
  });

  test('is not seen by a role that does not read all of it', async () => {
    const id = await published();
    await draft(id, 'de', { title: 'Guten Tag' });
    await service.account('will', 'writer');
    const asked = (line: string) => service.send(line, { as: 'will' });
    const path = `/api/v1/admin/cms/stories/${id}`;
    expect((await asked(`GET ${path}?language=de`)).json.__draft).toBeUndefined();
    const states = await asked(`GET ${path}/languages`);
    expect(states.json.items.map((item: Reply['json']) => item.draft)).toEqual([false, false, false, false]);
    expect((await asked(`DELETE ${path}/draft?language=de`)).status).toBe(403);
  });

  test.each(['language=xx', 'language=', 'draft=true', 'language=de&other=1', 'language=de&fallback=true'])(
    'is not published by ?%s',
    async (query) => {
      const id = await published();
      await draft(id, 'de', { title: 'Guten Tag' });
      expect((await admin(`POST ${id}/publish?${query}`)).status).toBe(400);
    },
  );
});

describe('the languages of a record', () => {
  const states = async (id: string) => (await ok(admin(`GET ${id}/languages`))).items;

  test('are all those of the service, each with what it is', async () => {
    const id = await published();
    const written = { exists: true, outdated: false, draft: false, changed_at: expect.stringMatching(/Z$/) };
    const missing = { exists: false, outdated: false, draft: false, changed_at: null };
    expect(await states(id)).toEqual([
      { language: 'en', default: true, exists: true, outdated: false, draft: false, changed_at: null },
      { language: 'de', default: false, ...written },
      { language: 'fr', default: false, ...missing },
      { language: 'fr-CA', default: false, ...missing },
    ]);
  });

  test('are outdated when the default language changes, and not by a draft, a shared field or a publication of others', async () => {
    const id = await published();
    const outdated = async () => (await states(id)).map((item: Reply['json']) => item.outdated);
    await ok(admin(`PUT ${id}`, { points: 9 }));
    await draft(id, 'en', { points: 10 });
    await ok(admin(`POST ${id}/publish`));
    await ok(admin(`PUT ${id}?language=fr`, { title: 'Bonjour' }));
    expect(await outdated()).toEqual([false, false, false, false]);
    await draft(id, 'en', { title: 'Good day' });
    expect(await outdated()).toEqual([false, false, false, false]);
    await ok(admin(`POST ${id}/publish`));
    expect(await outdated()).toEqual([false, true, true, false]);
    await draft(id, 'de', { title: 'Guten Tag' });
    expect(await outdated()).toEqual([false, true, true, false]);
    expect((await states(id))[1].draft).toBe(true);
    await ok(admin(`POST ${id}/publish?language=de`));
    expect(await outdated()).toEqual([false, false, true, false]);
  });

  test('are 404 for a record that is not there, and 403 for who is no editor', async () => {
    await service.account('mia');
    expect((await admin(`GET ${crypto.randomUUID()}/languages`)).status).toBe(404);
    const id = await published();
    expect((await service.send(`GET /api/v1/admin/cms/stories/${id}/languages`, { as: 'mia' })).status).toBe(403);
  });
});
