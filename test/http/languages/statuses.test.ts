// databases: sqlite, postgres
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type FailedUpdate, ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Each language is published alone: what is not published says nothing to the public, whatever it asks.

const open = { access: 'public' };
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['versionable', { name: 'statusable', by_language: true, schedule: 'published' }, 'timestampable'],
  fields: [
    { name: 'title', field_type: 'text', max_length: 100, required: true, localized: true, indexed: true },
    { name: 'slug', field_type: 'uid', localized: true },
    { name: 'text', field_type: 'richtext', localized: true },
    { name: 'points', field_type: 'integer' },
    { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'story' } },
  ],
  api: { list: open, get: open, update: open },
};
const drafted = {
  ...story,
  singular: 'essay',
  plural: 'essays',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', by_language: true },
  ],
  fields: story.fields.slice(0, 4),
};
const guarded = {
  ...drafted,
  singular: 'poem',
  plural: 'poems',
  fields: [
    ...story.fields.slice(0, 3),
    { name: 'form', field_type: 'enum', enum_values: ['free', 'sonnet'], localized: true },
    { name: 'rhyme', field_type: 'text', localized: true, required: true, show_if: 'form = "sonnet"' },
  ],
  protocols: [
    {
      name: 'statusable',
      by_language: true,
      transitions: { draft: ['review'], review: ['published'] },
      values: ['draft', 'review', 'published'],
    },
  ],
};

const failures: FailedUpdate[] = [];
let service: TestService;
let updates: ScheduledUpdates;
beforeAll(async () => {
  service = await TestService.open([story, drafted, guarded], {
    languages: 'en,de,fr,fr-CA',
    languageFallbacks: { 'fr-CA': ['fr', 'en'] },
    roles: [{ name: 'writer', base: 'editor', types: { story: { publish: false } } }],
  });
  updates = new ScheduledUpdates(service.records, (failure) => failures.push(failure));
  await service.account('ann', 'admin');
  await service.account('will', 'writer');
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  failures.length = 0;
});

const admin = (line: string, body?: unknown, as = 'ann') =>
  service.send(line.replace(' ', ' /api/v1/admin/cms/'), { as, ...(body === undefined ? {} : { body }) });
const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const put = (id: string, language: string, body: object, status = 200) =>
  ok(admin(`PUT stories/${id}?language=${language}`, body), status);
const publicly = (path: string, query: string) => service.send(`GET /api/v1/cms/${path}?${query}`);
const read = (id: string, query: string) => ok(publicly(`stories/${id}`, query));
let count = 0;
const made = async (status: string, words: object = {}): Promise<string> =>
  (await service.seed('stories', { title: `Story ${++count}`, status, ...words })).id;
const faults = ({ errors }: Reply['json']) => errors.map(({ field, code }: Reply['json']) => [field, code]);

describe('a language that is not published', () => {
  test('shows the record in the language that it falls back to, or not at all', async () => {
    const id = await made('published', { text: '<p>Text</p>' });
    await put(id, 'de', { title: 'Geheim', slug: 'geheim' });
    expect(await read(id, 'language=de')).toMatchObject({ slug: null, __languages: ['en'], status: 'published' });
    expect((await read(id, 'language=de')).title).toBe((await read(id, '')).title);
    expect((await publicly(`stories/${id}`, 'language=de&fallback=false')).status).toBe(404);
    await put(id, 'de', { status: 'published' });
    expect(await read(id, 'language=de')).toMatchObject({
      title: 'Geheim',
      text: '<p>Text</p>',
      __languages: ['en', 'de'],
      __fallback: ['text'],
    });
    expect((await read(id, 'language=de&fallback=false')).text).toBeNull();
    await put(id, 'de', { status: 'archived' });
    expect((await read(id, 'language=de')).slug).toBeNull();
  });

  test('hides the default language, and leaves those that are published', async () => {
    const id = await made('draft', { text: '<p>Secret</p>' });
    await put(id, 'de', { title: 'Hallo', status: 'published' });
    expect((await publicly(`stories/${id}`, '')).status).toBe(404);
    expect(await read(id, 'language=de')).toMatchObject({
      title: 'Hallo',
      text: null,
      __languages: ['de'],
      __fallback: [],
    });
    expect((await publicly(`stories/${id}`, 'language=fr')).status).toBe(404);
  });

  test('is passed over by a chain of languages', async () => {
    const id = await made('published', { text: '<p>English</p>' });
    await put(id, 'fr', { title: 'Bonjour', text: '<p>Secret</p>' });
    expect(await read(id, 'language=fr-CA')).toMatchObject({ text: '<p>English</p>' });
    await put(id, 'fr', { status: 'published' });
    expect(await read(id, 'language=fr-CA')).toMatchObject({ title: 'Bonjour', __fallback: ['title', 'text'] });
    await ok(admin(`PUT stories/${id}`, { status: 'draft' }));
    expect(await read(id, 'language=fr-CA')).toMatchObject({ title: 'Bonjour', text: '<p>Secret</p>' });
    await put(id, 'fr-CA', { title: 'Allô' });
    expect((await read(id, 'language=fr-CA')).title).toBe('Bonjour');
  });

  test('is found by no filter, order, sum, cursor, slug or relation', async () => {
    const id = await made('published', { slug: 'open-1', points: 11 });
    await put(id, 'de', { title: 'AAA secret', slug: 'geheim-1' });
    const holder = await made('published', { next: id });
    await put(holder, 'de', { title: 'Halter', status: 'published' });
    const total = async (query: string) => (await ok(publicly('stories', query))).total;
    for (const query of ['language=de', 'language=de&fallback=false']) {
      expect(await total(`${query}&title=AAA%20secret`)).toBe(0);
      expect(await total(`${query}&slug=geheim-1`)).toBe(0);
      expect(await total(`${query}&filter=${encodeURIComponent('title ~ "AAA"')}`)).toBe(0);
      expect(await total(`${query}&filter=${encodeURIComponent('next.title ~ "AAA"')}`)).toBe(0);
      const listed = await ok(publicly('stories', `${query}&sort=title:asc&page_size=100`));
      expect(JSON.stringify(listed)).not.toContain('secret');
      const sums = await publicly('stories/aggregate', `${query}&group=title`);
      expect(sums.text).not.toContain('secret');
      expect((await publicly('stories/slug/geheim-1', query)).status).toBe(404);
      const { next } = await ok(publicly(`stories/${holder}`, `${query}&include=next`));
      expect(JSON.stringify(next)).not.toContain('secret');
    }
    expect(await total('language=de&slug=open-1')).toBe(1);
    await put(id, 'de', { status: 'published' });
    expect(await total('language=de&slug=geheim-1')).toBe(1);
    expect(await total('language=de&slug=open-1')).toBe(0);
    expect((await ok(publicly(`stories/${holder}`, 'language=de&include=next'))).next.title).toBe('AAA secret');
  });

  test('is not changed through public routes', async () => {
    const id = await made('published');
    await put(id, 'de', { title: 'Geheim' });
    const change = (body: object) => service.send(`PUT /api/v1/cms/stories/${id}?language=de`, { body });
    expect((await change({ title: 'Meins' })).status).toBe(404);
    await put(id, 'de', { status: 'published' });
    expect((await change({ title: 'Meins' })).json.title).toBe('Meins');
  });

  test('is a draft to editors, who see all of it with and without fallback', async () => {
    const id = await made('draft', { text: '<p>Secret</p>' });
    await put(id, 'de', { title: 'Geheim' });
    const shown = await ok(admin(`GET stories/${id}?language=de&fallback=true`));
    expect(shown).toMatchObject({ title: 'Geheim', text: '<p>Secret</p>', status: 'draft', __languages: ['en', 'de'] });
    expect((await ok(admin(`GET stories/${id}?language=fr`))).status).toBe('draft');
    const ids = async (query: string) =>
      (await ok(admin(`GET stories?page_size=100&${query}`))).items.map((item: Reply['json']) => item.id);
    expect(await ids('language=de&status=draft')).toContain(id);
    await put(id, 'de', { status: 'published' });
    expect(await ids('language=de&status=published')).toContain(id);
    expect(await ids('status=published')).not.toContain(id);
    const { items } = await ok(admin(`GET stories/${id}/languages`));
    expect(items.map(({ language, status, scheduled_at }: Reply['json']) => [language, status, scheduled_at])).toEqual([
      ['en', 'draft', null],
      ['de', 'published', null],
      ['fr', 'draft', null],
      ['fr-CA', 'draft', null],
    ]);
  });
});

describe('publishing', () => {
  test('one language leaves the others as they are, and a change of one does too', async () => {
    const id = await made('draft');
    await put(id, 'de', { title: 'Hallo' });
    await put(id, 'fr', { title: 'Bonjour' });
    expect((await ok(admin(`POST stories/${id}/publish?language=de`))).status).toBe('published');
    const states = async () =>
      (await ok(admin(`GET stories/${id}/languages`))).items.map((item: Reply['json']) => item.status);
    expect(await states()).toEqual(['draft', 'published', 'draft', 'draft']);
    await put(id, 'fr', { title: 'Salut', text: '<p>Texte</p>' });
    await ok(admin(`PUT stories/${id}`, { title: 'Good day', points: 3 }));
    expect(await states()).toEqual(['draft', 'published', 'draft', 'draft']);
    expect((await ok(admin(`POST stories/${id}/publish?language=de`), 409)).code).toBe('no_draft');
    expect((await ok(admin(`POST stories/${id}/publish?language=*`))).status).toBe('published');
    expect(await states()).toEqual(['published', 'published', 'published', 'draft']);
    expect((await ok(admin(`POST stories/${id}/publish?language=*`), 409)).code).toBe('no_draft');
    const { items } = await ok(admin(`GET stories/${id}/revisions?page_size=3`));
    expect(items.map(({ action, changed }: Reply['json']) => [action, changed])).toEqual([
      ['publish', ['status@fr']],
      ['publish', ['status']],
      ['update', ['title', 'points']],
    ]);
    const log = (await service.send(`GET /api/v1/admin/events?type=story&record=${id}`, { as: 'ann' })).json.items;
    expect(log[0]).toMatchObject({ action: 'publish', changed: ['status@fr'] });
  });

  test('a language needs what is required, and something to say', async () => {
    const id = await made('published');
    await put(id, 'de', { text: '<p>Nur Text</p>' });
    expect(faults(await put(id, 'de', { status: 'published' }, 422))).toEqual([['title', 'language_required']]);
    expect(faults(await ok(admin(`POST stories/${id}/publish?language=de`), 422))).toEqual([
      ['title', 'language_required'],
    ]);
    await put(id, 'de', { title: 'Hallo', status: 'published' });
    expect(faults(await put(id, 'de', { title: null }, 422))).toEqual([['title', 'language_required']]);
    expect(faults(await put(id, 'de', { title: '' }, 422))).toEqual([['title', 'language_required']]);
    await put(id, 'de', { title: null, status: 'draft' });
    expect(faults(await put(id, 'fr', { status: 'published' }, 422))).toEqual([['title', 'language_required']]);
    const { json } = await admin(`POST stories/${id}/publish?language=*`);
    expect(faults(json)).toEqual([['title', 'language_required']]);
  });

  test('a language needs what a condition requires, by what it says itself', async () => {
    const { id } = await service.seed('poems', { title: 'Poem', form: 'free' });
    const change = (body: object) => admin(`PUT poems/${id}?language=de`, body);
    await ok(change({ title: 'Gedicht', form: 'sonnet', status: 'review' }));
    expect(faults(await ok(change({ status: 'published' }), 422))).toEqual([['rhyme', 'language_required']]);
    await ok(change({ rhyme: 'abba', status: 'published' }));
    expect(faults(await ok(change({ rhyme: null }), 422))).toEqual([['rhyme', 'language_required']]);
    await ok(change({ form: 'free', rhyme: null }));
  });

  test('needs the right to publish, in each language', async () => {
    const id = await made('published');
    const as = (line: string, body?: unknown) => admin(line, body, 'will');
    await ok(as(`PUT stories/${id}?language=de`, { title: 'Hallo' }));
    expect((await as(`PUT stories/${id}?language=de`, { status: 'published' })).status).toBe(403);
    expect((await as(`PUT stories/${id}?language=de`, { scheduled_at: '2999-01-01T00:00:00Z' })).status).toBe(403);
    expect((await as(`POST stories/${id}/publish?language=de`)).status).toBe(403);
    await put(id, 'de', { status: 'published' });
    expect((await as(`PUT stories/${id}?language=de`, { status: 'draft' })).status).toBe(403);
    expect((await as(`DELETE stories/${id}/languages/de`)).status).toBe(403);
    await ok(as(`PUT stories/${id}?language=de`, { title: 'Servus' }));
    expect((await read(id, 'language=de')).title).toBe('Servus');
  });

  test('goes the way of its transitions, in each language', async () => {
    const { id } = await service.seed('poems', { title: 'Poem' });
    const move = (status: string) => admin(`PUT poems/${id}?language=de`, { title: 'Gedicht', status });
    expect((await move('published')).json.errors[0].code).toBe('transition_not_allowed');
    expect((await move('review')).status).toBe(200);
    expect((await move('published')).status).toBe(200);
    expect((await move('draft')).status).toBe(422);
    expect((await admin(`PUT poems/${id}?language=de`, { status: null })).status).toBe(422);
    expect((await ok(admin(`GET poems/${id}`))).status).toBe('draft');
  });

  test('a deleted language is one that nobody has written yet', async () => {
    const id = await made('published');
    await put(id, 'de', { title: 'Hallo', status: 'published' });
    await ok(admin(`DELETE stories/${id}/languages/de`), 204);
    expect(await read(id, 'language=de')).toMatchObject({ __languages: ['en'], __fallback: ['title'] });
    expect((await ok(admin(`GET stories/${id}?language=de`))).status).toBe('draft');
    await put(id, 'de', { title: 'Wieder da' });
    expect((await read(id, 'language=de')).title).not.toBe('Wieder da');
  });

  test('a version that is brought back leaves the status of other languages, and what those need', async () => {
    const id = await made('published');
    await put(id, 'de', { title: 'Hallo' });
    await put(id, 'de', { status: 'published' });
    await put(id, 'de', { title: 'Servus' });
    const restored = await ok(admin(`POST stories/${id}/revisions/2/restore`));
    expect(restored.status).toBe('published');
    expect(await read(id, 'language=de')).toMatchObject({ title: 'Hallo', status: 'published' });
    const refused = await ok(admin(`POST stories/${id}/revisions/1/restore`), 422);
    expect(faults(refused)).toEqual([['title@de', 'language_required']]);
  });
});

describe('a draft', () => {
  test('is of a language that is published, whatever the others are', async () => {
    const { id } = await service.seed('essays', { title: 'Essay', status: 'draft' });
    const draft = (language: string, body: object) => admin(`PUT essays/${id}?draft=true&language=${language}`, body);
    await ok(admin(`PUT essays/${id}?language=de`, { title: 'Aufsatz', status: 'published' }));
    expect((await draft('fr', { title: 'Essai' })).json.code).toBe('not_published');
    expect((await draft('en', { title: 'Essay 2' })).json.code).toBe('not_published');
    expect((await draft('de', { title: 'Entwurf' })).status).toBe(200);
    const shown = await publicly(`essays/${id}`, 'language=de');
    expect(shown.json.title).toBe('Aufsatz');
    await ok(admin(`POST essays/${id}/publish?language=de`));
    expect((await publicly(`essays/${id}`, 'language=de')).json.title).toBe('Entwurf');
    expect((await publicly(`essays/${id}`, '')).status).toBe(404);
    const { errors } = (await draft('de', { title: null })).json;
    expect(errors).toBeUndefined();
    expect(faults(await ok(admin(`POST essays/${id}/publish?language=de`), 422))).toEqual([
      ['title', 'language_required'],
    ]);
  });
});

describe('a schedule', () => {
  const later = '2999-01-01T00:00:00.000Z';
  const at = (day: number) => `2998-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;

  test('is of a language, and the others stay', async () => {
    const id = await made('draft');
    await put(id, 'de', { title: 'Hallo', scheduled_at: at(2) });
    await put(id, 'fr', { title: 'Bonjour', scheduled_at: at(3) });
    expect(await updates.run(at(1))).toBe(at(2));
    expect(await updates.dueAt(at(1))).toBe(at(2));
    expect(await updates.run(at(2))).toBe(at(3));
    expect((await read(id, 'language=de')).title).toBe('Hallo');
    expect((await publicly(`stories/${id}`, '')).status).toBe(404);
    expect((await publicly(`stories/${id}`, 'language=fr')).status).toBe(404);
    expect(
      (await ok(admin(`GET stories/${id}/languages`))).items.map((item: Reply['json']) => item.scheduled_at),
    ).toEqual([null, null, at(3), null]);
    await put(id, 'fr', { status: 'archived' });
    expect(await updates.run(later)).toBeNull();
    expect((await publicly(`stories/${id}`, 'language=fr')).status).toBe(404);
    const { items } = await ok(admin(`GET stories/${id}/revisions`));
    expect(items.map(({ action }: Reply['json']) => action)).toContain('schedule');
    expect(failures).toEqual([]);
  });

  test('that is past publishes at once, and one that cannot be made is reported', async () => {
    const id = await made('draft');
    await put(id, 'de', { title: 'Hallo', scheduled_at: '2020-01-01T00:00:00Z' });
    expect((await read(id, 'language=de')).title).toBe('Hallo');
    await put(id, 'fr', { text: '<p>Texte</p>', scheduled_at: at(5) });
    await updates.run(later);
    await updates.run(later);
    expect(failures.map((failure) => failure.id)).toEqual([id]);
    expect((await ok(admin(`GET stories/${id}?language=fr`))).status).toBe('draft');
    await put(id, 'fr', { title: 'Bonjour' });
    const again = new ScheduledUpdates(service.records, (failure) => failures.push(failure));
    await again.run(later);
    expect((await read(id, 'language=fr')).title).toBe('Bonjour');
  });
});

test.each([
  [{ ...story, fields: [story.fields[3]] }, 'no field of the type is localized'],
  [
    { ...story, protocols: [{ name: 'statusable', by_language: true, default: 'published' }] },
    'a language would be published before anybody has written in it',
  ],
  [
    { ...story, protocols: [{ name: 'statusable', by_language: true, values: ['new', 'old'] }] },
    'none of the values is that of published records',
  ],
])('a definition is refused: %#', async (definition, message) => {
  const fields = definition.fields.filter((field) => field !== undefined && field.name !== 'next');
  const opened = TestService.open([{ ...definition, fields }], { languages: 'en,de' });
  expect(opened).rejects.toThrow(message);
});
