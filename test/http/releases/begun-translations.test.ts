// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { ReleasesWorld, releasesRoot as root } from './releases.fixture.ts';

// What a record says in a language for the first time, by a release.

const state = { name: 'statusable', values: ['draft', 'published', 'archived'], default: 'draft' };
const type = (singular: string, plural: string, more: object) => ({
  ...{ singular, plural },
  protocols: [
    { name: 'versionable', drafts: true },
    { ...state, ...more },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true, localized: true },
    { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
    { name: 'body', field_type: 'text', localized: true },
    { name: 'points', field_type: 'integer' },
  ],
  api: { list: { access: 'public' }, get: { access: 'public' } },
});
const onlyPublished = { access: 'public', filter: 'status = "published"' };
/** Each language of a guide has a status of its own; those of a story and of an essay share it. */
const types = [
  type('guide', 'guides', { by_language: true }),
  type('story', 'stories', {}),
  { ...type('essay', 'essays', {}), api: { list: onlyPublished, get: onlyPublished } },
];

let world: ReleasesWorld;
beforeEach(async () => {
  world = await ReleasesWorld.open({ languages: 'en,de,fr' }, types);
});
afterEach(() => world[Symbol.asyncDispose]());

const english = async (plural: string): Promise<string> =>
  (await world.make(plural, { title: 'Hello', body: 'Old', points: 1, status: 'published' })).id;
const write = (plural: string, id: string, values: object) =>
  world.must(200, `PUT /api/v1/admin/cms/${plural}/${id}?language=de`, values);
/** All that editors see of the languages of a record, but for what counts its writes. */
const whole = async (plural: string, id: string) => {
  const { lock_version, updated_at, ...record } = await world.must(
    200,
    `GET /api/v1/admin/cms/${plural}/${id}?language=*`,
  );
  return { record, languages: (await world.must(200, `GET /api/v1/admin/cms/${plural}/${id}/languages`)).items };
};
const seen = async (plural: string, id: string) => {
  const { status, json } = await world.service.send(`GET /api/v1/cms/${plural}/${id}?language=de&fallback=false`);
  return status === 200 ? [json.title, json.__languages] : status;
};
const begun = async (singular: string, id: string, changes: object, name = 'Spring') => {
  const release = await world.release(name);
  const item = await world.put(release, singular, id, { action: 'publish', language: 'de', changes });
  return { release, item };
};
const published = async (release: string) => {
  const reply = await world.publish(release);
  expect([reply.status, reply.json?.problems]).toEqual([200, []]);
};
const taken = async (release: string) => {
  const revert = await world.must(201, `POST ${root}/${release}/revert`);
  expect(revert.conflicts).toEqual([]);
  return published(revert.id);
};
const previewed = async (singular: string, plural: string, id: string, release: string, language = 'de') => {
  const { token } = await world.must(201, 'POST /api/v1/admin/preview', { type: singular, id, release, language });
  const headers = { Authorization: `Bearer ${token}` };
  const { status, json } = await world.service.send(`GET /api/v1/cms/${plural}/${id}?fallback=false`, { headers });
  return status === 200 ? [json.title, json.__languages] : status;
};

const kinds: [string, string, number | unknown[]][] = [
  ['guide', 'guides', 404],
  ['story', 'stories', [null, ['en']]],
];

describe.each(kinds)('of a %s, a translation', (singular, plural, hidden) => {
  test('begins with the release, is previewed before, and goes when it is taken back', async () => {
    const id = await english(plural);
    const before = await whole(plural, id);
    const { release, item } = await begun(singular, id, { title: 'Hallo', body: 'Neu' });
    expect(item).toMatchObject({ language: 'de', base: { title: null, body: null } });
    expect(await world.check(release)).toEqual({ ok: true, problems: [] });
    expect(await whole(plural, id)).toEqual(before);
    expect(await seen(plural, id)).toEqual(hidden);
    expect(await previewed(singular, plural, id, release)).toEqual(['Hallo', ['en', 'de']]);
    expect(await previewed(singular, plural, id, release, 'en')).toEqual(['Hello', ['en', 'de']]);
    expect(await whole(plural, id)).toEqual(before);
    await published(release);
    expect(await seen(plural, id)).toEqual(['Hallo', ['en', 'de']]);
    expect(await world.record(plural, id)).toMatchObject({ title: 'Hello', body: 'Old', points: 1 });
    await taken(release);
    expect(await seen(plural, id)).toEqual(hidden);
    expect(await whole(plural, id)).toEqual(before);
    const { items } = await world.must(200, `GET /api/v1/admin/cms/${plural}?missing_language=de`);
    expect(items.map((each: { id: string }) => each.id)).toEqual([id]);
    // Its slug is free again, as if nobody had had it.
    await write(plural, await english(plural), { title: 'Hallo', slug: 'hallo' });
  });

  test('that somebody else has begun meanwhile is a conflict, unless it says the same', async () => {
    const [other, same, beside] = [await english(plural), await english(plural), await english(plural)];
    const changes = { title: 'Hallo' };
    const releases = [];
    for (const id of [other, same, beside]) releases.push((await begun(singular, id, changes)).release);
    await write(plural, other, { title: 'Servus' });
    await write(plural, same, { title: 'Hallo' });
    await write(plural, beside, { body: 'Text' });
    const [first = '', ...rest] = releases;
    expect(await world.problems(first)).toEqual([[singular, other, 'title', 'draft_conflict']]);
    expect((await world.publish(first)).status).toBe(409);
    expect((await whole(plural, other)).record.title).toEqual({ en: 'Hello', de: 'Servus' });
    for (const release of rest) await published(release);
    expect((await whole(plural, beside)).record).toMatchObject({
      ...{ title: { en: 'Hello', de: 'Hallo' }, body: { en: 'Old', de: 'Text' } },
    });
    // Taken back, what the other has written stays.
    const revert = await world.must(201, `POST ${root}/${releases[2]}/revert`);
    await published(revert.id);
    expect((await whole(plural, beside)).record).toMatchObject({ title: { en: 'Hello' }, body: { de: 'Text' } });
  });

  test('begins in one of two releases, and is a conflict in the other until that is taken back', async () => {
    const id = await english(plural);
    const [spring, summer] = [
      (await begun(singular, id, { title: 'Frühling' })).release,
      (await begun(singular, id, { title: 'Sommer' }, 'Summer')).release,
    ];
    await published(spring);
    expect(await world.problems(summer)).toEqual([[singular, id, 'title', 'draft_conflict']]);
    await taken(spring);
    await published(summer);
    expect(await seen(plural, id)).toEqual(['Sommer', ['en', 'de']]);
  });
});

test('a translation that was written on after the release is not taken back with it unasked', async () => {
  const id = await english('guides');
  const { release } = await begun('guide', id, { title: 'Hallo' });
  await published(release);
  await write('guides', id, { title: 'Servus' });
  const revert = await world.must(201, `POST ${root}/${release}/revert`);
  expect(revert.conflicts).toMatchObject([{ field: 'title', code: 'draft_conflict' }]);
  expect((await world.publish(revert.id)).status).toBe(409);
  expect(await seen('guides', id)).toEqual(['Servus', ['en', 'de']]);
});

describe('a preview with a release', () => {
  test('has what its items hold in each language, and leaves the others as they are', async () => {
    const id = await english('guides');
    await write('guides', id, { title: 'Hallo', body: 'Alt' });
    await world.must(200, `PUT /api/v1/admin/cms/guides/${id}?language=fr`, { title: 'Salut' });
    const { release } = await begun('guide', id, { title: 'Neu' });
    await world.put(release, 'guide', id, { action: 'publish', changes: { title: 'New' } });
    const shown = (language: string) => previewed('guide', 'guides', id, release, language);
    expect(await shown('en')).toEqual(['New', ['en', 'de']]);
    expect(await shown('de')).toEqual(['Neu', ['en', 'de']]);
    expect(await shown('fr')).toBe(404);
    await world.put(release, 'guide', id, { action: 'unpublish' });
    expect(await shown('en')).toBe(404);
    expect(await shown('de')).toEqual(['Neu', ['de']]);
  });

  test('lacks a translation that the release removes', async () => {
    const id = await english('guides');
    await write('guides', id, { title: 'Hallo', status: 'published' });
    const release = await world.release();
    await world.put(release, 'guide', id, { action: 'delete', language: 'de' });
    expect(await previewed('guide', 'guides', id, release)).toBe(404);
    expect(await previewed('guide', 'guides', id, release, 'en')).toEqual(['Hello', ['en']]);
    expect(await seen('guides', id)).toEqual(['Hallo', ['en', 'de']]);
  });

  test('does not publish a draft whose languages share its status, of which it holds another language alone', async () => {
    const { id } = await world.make('essays', { title: 'Secret', status: 'draft' });
    await write('essays', id, { title: 'Geheim' });
    const removal = await world.release();
    await world.put(removal, 'essay', id, { action: 'delete', language: 'de' });
    expect(await previewed('essay', 'essays', id, removal, 'en')).toBe(404);
    const change = await world.release('Summer');
    await world.put(change, 'essay', id, { action: 'publish', language: 'de', changes: { title: 'Neu' } });
    expect(await previewed('essay', 'essays', id, change, 'en')).toBe(404);
  });

  test('shows a translation that is not finished', async () => {
    const id = await english('guides');
    const { release } = await begun('guide', id, { body: 'Text' });
    expect(await world.problems(release)).toEqual([['guide', id, 'title', 'language_required']]);
    expect(await previewed('guide', 'guides', id, release)).toEqual([null, ['en', 'de']]);
  });
});
