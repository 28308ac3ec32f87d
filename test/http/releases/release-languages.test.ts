// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// Releases of what records say in one language: each language of a record is an item of its own.

const texts = [
  { name: 'title', field_type: 'text', max_length: 40, required: true, localized: true },
  { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
  { name: 'body', field_type: 'richtext', localized: true },
  { name: 'points', field_type: 'integer' },
];
const state = {
  name: 'statusable',
  values: ['draft', 'published', 'archived'],
  default: 'draft',
  schedule: 'published',
};
const api = { list: { access: 'public' }, get: { access: 'public' } };
/** Each language has a status of its own. */
const guide = {
  ...{ singular: 'guide', plural: 'guides', fields: texts, api },
  protocols: [{ name: 'versionable', drafts: true }, 'lockable', { ...state, by_language: true }],
};
/** Languages share the status. */
const story = { singular: 'story', plural: 'stories', fields: texts, api, protocols: [{ name: 'versionable' }, state] };
const term = { singular: 'term', plural: 'terms', fields: texts, api };

const roles = [
  {
    name: 'german',
    types: {
      guide: { list: true, get: true, create: false, update: true, delete: true, publish: true, languages: ['de'] },
    },
    may: { releases: true },
  },
  {
    name: 'english',
    types: { guide: { list: true, get: '@request.language = "en"', update: true, publish: true } },
    may: { releases: true },
  },
];

let world: ReleasesWorld;
beforeEach(async () => {
  world = await ReleasesWorld.open({ languages: 'en,de,fr', roles }, [guide, story, term]);
  for (const { name } of roles) await world.service.account(name, name);
});
afterEach(() => world[Symbol.asyncDispose]());

const made = async (plural: string, german: object | null = { title: 'Hallo', body: 'Alt' }, values: object = {}) => {
  const { id } = await world.make(plural, { title: 'Hello', body: 'Old', points: 1, status: 'published', ...values });
  if (german !== null) await world.must(200, `PUT /api/v1/admin/cms/${plural}/${id}?language=de`, german);
  return String(id);
};
const german = (plural: string, id: string) => world.must(200, `GET /api/v1/admin/cms/${plural}/${id}?language=de`);
const seen = async (plural: string, id: string) =>
  (await world.service.send(`GET /api/v1/cms/${plural}/${id}?language=de&fallback=false`)).json;
const released = async (release: string) => {
  const reply = await world.publish(release);
  expect([reply.status, reply.json?.problems]).toEqual([200, []]);
};

describe('an item in a language', () => {
  test('is beside that of the default language, and is published with it', async () => {
    const id = await made('guides', { title: 'Hallo', status: 'published' });
    const release = await world.release();
    const english = await world.put(release, 'guide', id, { action: 'publish', changes: { title: 'New', points: 2 } });
    expect(english).toMatchObject({ language: 'en', base: { title: 'Hello', points: 1 } });
    const other = await world.put(release, 'guide', id, {
      ...{ action: 'publish', language: 'de' },
      changes: { title: 'Neu', body: '<p>Text</p>' },
    });
    expect(other).toMatchObject({ language: 'de', base: { title: 'Hallo', body: null }, record: id });
    expect((await german('guides', id)).title).toBe('Hallo');
    const { items } = await world.must(200, `GET ${root}/${release}`);
    expect(items.map(({ language }: { language: string }) => language)).toEqual(['en', 'de']);
    await released(release);
    expect(await world.record('guides', id)).toMatchObject({ title: 'New', points: 2 });
    expect(await german('guides', id)).toMatchObject({ title: 'Neu', body: '<p>Text</p>', points: 2 });
    const { items: events } = await world.must(200, 'GET /api/v1/admin/events?limit=100', undefined, 'ada');
    const own = events
      .filter((event: { record: string; via: string }) => event.record === id && event.via === 'release')
      .map(({ changed, language, release: by }: Record<string, unknown>) => [changed, language, by]);
    expect(
      new Map(own.map(([changed, language, by]: [string[], string, string]) => [language, [changed.toSorted(), by]])),
    ).toEqual(
      new Map([
        ['en', [['points', 'title'], release]],
        ['de', [['body@de', 'title@de'], release]],
      ]),
    );
  });

  test('is put anew and taken out by its language', async () => {
    const id = await made('guides');
    const release = await world.release();
    const first = await world.put(release, 'guides', id, {
      action: 'publish',
      language: 'de',
      changes: { title: 'A' },
    });
    const again = await world.put(release, 'guides', id, {
      action: 'publish',
      language: 'DE',
      changes: { title: 'B' },
    });
    expect([again.id, again.changes]).toEqual([first.id, { title: 'B' }]);
    const line = `DELETE ${root}/${release}/items/guide/${id}`;
    await world.must(404, line);
    await world.must(404, `${line}?language=fr`);
    expect((await world.must(400, `${line}?language=it`)).code).toBe('unknown_language');
    await world.must(204, `${line}?language=de`);
    expect((await world.must(200, `GET ${root}/${release}`)).items).toEqual([]);
  });

  test('is refused for a language that is not there, shared fields, and new records', async () => {
    const [id, author] = [await made('guides'), await world.make('authors', { name: 'Ines' })];
    const release = await world.release();
    const refused = async (type: string, record: string, body: object) =>
      (await world.must(422, `PUT ${root}/${release}/items/${type}/${record}`, body)).errors.map(
        ({ field, code }: Record<string, string>) => `${field} ${code}`,
      );
    const publish = { action: 'publish' } as const;
    expect(await refused('guide', id, { ...publish, language: 'it' })).toEqual(['language unknown_language']);
    expect(await refused('author', author.id, { ...publish, language: 'de' })).toEqual(['language not_allowed']);
    expect(await refused('guide', id, { ...publish, language: 'de', changes: { title: 'A', points: 9 } })).toEqual([
      'changes.points not_in_release',
    ]);
    // What is sent as it is, is no change.
    await world.put(release, 'guide', id, { ...publish, language: 'de', changes: { title: 'A', points: 1 } });
    const fresh = await world.add(release, 'guides', { title: 'Fresh' });
    expect(fresh.language).toBe('en');
    expect(await refused('guide', fresh.id, { ...publish, language: 'de' })).toEqual(['language not_in_release']);
    expect((await world.put(release, 'author', author.id, publish)).language).toBe(null);
    expect((await world.put(release, 'guide', id, { ...publish, language: 'en' })).language).toBe('en');
  });

  test('does not take what another language stands in for', async () => {
    const id = await made('guides', { title: 'Hallo' });
    const release = await world.release();
    const read = await world.must(200, `GET /api/v1/admin/cms/guides/${id}?language=de&fallback=true`);
    expect(read.__fallback).toEqual(['slug', 'body']);
    const { __fallback, body, slug } = read;
    const changes = { title: 'Neu', body, slug, __fallback };
    const item = await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes });
    expect(item.changes).toEqual({ title: 'Neu' });
  });
});

describe('where each language has a status', () => {
  test('one is published, unpublished, archived and removed alone', async () => {
    const [published, shelved, hidden, gone] = [
      await made('guides'),
      await made('guides', { title: 'Archiv', status: 'published' }),
      await made('guides', { title: 'Entwurf', status: 'published' }),
      await made('guides', { title: 'Weg', status: 'published' }),
    ];
    const release = await world.release();
    for (const [id, action] of [
      [published, 'publish'],
      [shelved, 'archive'],
      [hidden, 'unpublish'],
      [gone, 'delete'],
    ] as const)
      await world.put(release, 'guide', id, { action, language: 'de' });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect((await german('guides', gone)).title).toBe('Weg');
    await released(release);
    const states = await Promise.all(
      [published, shelved, hidden].map(async (id) => (await german('guides', id)).status),
    );
    expect(states).toEqual(['published', 'archived', 'draft']);
    expect(await german('guides', gone)).toMatchObject({ title: null, status: 'draft', __languages: ['en'] });
    for (const id of [published, shelved, hidden, gone])
      expect(await world.record('guides', id)).toMatchObject({ title: 'Hello', status: 'published' });
    expect((await seen('guides', published)).title).toBe('Hallo');
    expect((await seen('guides', gone)).code).toBe('not_found');
    // What is taken back is as it was.
    const revert = await world.must(201, `POST ${root}/${release}/revert`);
    expect(revert.conflicts).toEqual([]);
    expect(revert.items.map(({ language }: { language: string }) => language)).toEqual(['de', 'de', 'de', 'de']);
    await released(revert.id);
    expect(await german('guides', published)).toMatchObject({ title: 'Hallo', status: 'draft' });
    expect(await german('guides', shelved)).toMatchObject({ title: 'Archiv', status: 'published' });
    expect(await german('guides', hidden)).toMatchObject({ title: 'Entwurf', status: 'published' });
    expect(await german('guides', gone)).toMatchObject({
      title: 'Weg',
      status: 'published',
      __languages: ['en', 'de'],
    });
  });

  test('what a language needs is a problem, also where it says nothing', async () => {
    const [half, empty] = [await made('guides', { body: 'Text' }), await made('guides', null)];
    const release = await world.release();
    for (const id of [half, empty]) await world.put(release, 'guide', id, { action: 'publish', language: 'de' });
    expect(await world.problems(release)).toEqual([
      ['guide', half, 'title', 'language_required'],
      ['guide', empty, 'title', 'language_required'],
    ]);
    expect((await world.publish(release)).status).toBe(422);
    expect((await german('guides', half)).status).toBe('draft');
  });
});

describe('where languages share the status', () => {
  test('a language changes what it says, of a record that is or becomes published', async () => {
    const [id, draft] = [await made('stories'), await made('stories', { title: 'Entwurf' }, { status: 'draft' })];
    const release = await world.release();
    for (const record of [id, draft])
      await world.put(release, 'story', record, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
    expect(await world.problems(release)).toEqual([['story', draft, '', 'not_published']]);
    await world.put(release, 'story', draft, { action: 'publish' });
    await released(release);
    for (const record of [id, draft])
      expect(await german('stories', record)).toMatchObject({ title: 'Neu', status: 'published' });
    for (const action of ['unpublish', 'archive']) {
      const line = `PUT ${root}/${await world.release()}/items/story/${id}`;
      expect((await world.must(422, line, { action, language: 'de' })).errors).toMatchObject([{ field: 'action' }]);
    }
    const removing = await world.release();
    await world.put(removing, 'story', id, { action: 'delete', language: 'de' });
    await released(removing);
    expect(await world.record('stories', id)).toMatchObject({ title: 'Hello', __languages: ['en'] });
  });

  test('a type without a status takes the changes', async () => {
    const { id } = await world.make('terms', { title: 'Hello' });
    const release = await world.release();
    await world.put(release, 'term', id, { action: 'publish', language: 'fr', changes: { title: 'Salut' } });
    await released(release);
    const french = await world.must(200, `GET /api/v1/admin/cms/terms/${id}?language=fr`);
    expect(french).toMatchObject({ title: 'Salut', __languages: ['en', 'fr'] });
  });
});

describe('what has been changed since', () => {
  test('is a conflict in its language alone', async () => {
    const id = await made('guides', { title: 'Hallo', status: 'published' });
    const release = await world.release();
    await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
    await world.must(200, `PUT /api/v1/admin/cms/guides/${id}`, { title: 'Changed', points: 7 });
    await world.must(200, `PUT /api/v1/admin/cms/guides/${id}?language=fr`, { title: 'Salut' });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    await world.must(200, `PUT /api/v1/admin/cms/guides/${id}?language=de`, { title: 'Anders' });
    const refused = await world.publish(release);
    expect([refused.status, refused.json.errors]).toMatchObject([409, [{ field: 'items[0].title' }]]);
    expect((await german('guides', id)).title).toBe('Anders');
  });

  test('a revert that meets a later change names it', async () => {
    const id = await made('guides', { title: 'Hallo', status: 'published' });
    const release = await world.release();
    await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
    await released(release);
    await world.must(200, `PUT /api/v1/admin/cms/guides/${id}?language=de`, { title: 'Noch neuer' });
    const revert = await world.must(201, `POST ${root}/${release}/revert`);
    expect(revert.conflicts).toMatchObject([{ field: 'title', code: 'draft_conflict' }]);
  });
});

describe('the rights of a role', () => {
  test('that writes German alone reach no other language', async () => {
    const id = await made('guides', { title: 'Hallo', status: 'published' });
    const release = await world.release('A', 'german');
    const line = `PUT ${root}/${release}/items/guide/${id}`;
    const changes = { title: 'Neu' };
    for (const language of ['en', 'fr', undefined])
      expect((await world.must(403, line, { action: 'publish', language, changes }, 'german')).code).toBe(
        'insufficient_role',
      );
    for (const action of ['publish', 'unpublish', 'delete'])
      expect((await world.must(403, line, { action, language: 'fr' }, 'german')).code).toBe('insufficient_role');
    await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes }, 'german');
    expect((await world.publish(release, 'german')).status).toBe(200);
    expect((await german('guides', id)).title).toBe('Neu');
    // What an editor has put in is not published by who may not write it.
    const other = await world.release();
    await world.put(other, 'guide', id, { action: 'publish', language: 'fr', changes: { title: 'Salut' } });
    expect((await world.check(other, 'german')).problems).toMatchObject([{ code: 'insufficient_role' }]);
  });

  test('decide by the language of an item whether it is there', async () => {
    const id = await made('guides', { title: 'Hallo', status: 'published' });
    const release = await world.release();
    await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
    await world.put(release, 'guide', id, { action: 'publish', changes: { title: 'New' } });
    const { items } = await world.must(200, `GET ${root}/${release}`, undefined, 'english');
    expect(items.map(({ language }: { language: string }) => language)).toEqual(['en']);
    const codes = (await world.check(release, 'english')).problems.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['hidden_items']);
    await world.must(404, `DELETE ${root}/${release}/items/guide/${id}?language=de`, undefined, 'english');
  });
});

test('a language that the service no longer has is a problem of its items', async () => {
  const id = await made('guides', { title: 'Hallo', status: 'published' });
  const release = await world.release();
  await world.put(release, 'guide', id, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
  const { database } = world.service;
  await database.transaction(async (transaction) => {
    await transaction.run({ sql: "UPDATE recto_release_items SET language = 'it'", parameters: [] });
  });
  expect(await world.problems(release)).toEqual([['guide', id, '', 'unknown_language']]);
});
