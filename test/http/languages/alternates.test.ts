// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { article, category, openMagazine, translated } from './articles.ts';

// `alternates=true`: where a record is in all languages, of those in which this caller can read it.

const urls = { de: 'https://example.com/de', 'fr-CA': 'https://ca.example.com' };

let service: TestService;
let id: string;
beforeAll(async () => {
  service = await openMagazine({ publicUrl: 'https://example.com', settings: { languageUrls: urls } });
  id = await translated(
    service,
    { title: 'Hello', slug: 'hello' },
    { de: { title: 'Hallo', slug: 'hallo' }, 'fr-CA': { body: '<p>Bonjour</p>' } },
  );
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];
const get = async (path: string, options = {}): Promise<Json> => {
  const { status, json, text } = await service.send(`GET /api/v1/${path}`, options);
  expect({ status, text }).toEqual({ status: 200, text });
  return json;
};

const inAll = {
  en: { slug: 'hello', url: 'https://example.com/articles/hello' },
  de: { slug: 'hallo', url: 'https://example.com/de/articles/hallo' },
  // The French of Canada has a text and no slug: English stands in, as on the site.
  'fr-CA': { slug: 'hello', url: 'https://ca.example.com/articles/hello' },
};

test('a record says where it is in the languages in which it says something', async () => {
  for (const query of ['', '&language=de', '&language=fr', '&language=fr-CA', '&language=de&fallback=false']) {
    expect((await get(`cms/articles/${id}?alternates=true${query}`)).__alternates).toEqual(inAll);
  }
  expect((await get('cms/articles/slug/hallo?language=de&alternates=true')).__alternates).toEqual(inAll);
  const part = await get(`cms/articles/${id}?alternates=true&fields=title`);
  expect([part.title, part.__alternates, part.slug]).toEqual(['Hello', inAll, undefined]);
  for (const query of ['', '?alternates=false'])
    expect(await get(`cms/articles/${id}${query}`)).not.toContainKey('__alternates');
});

test('lists and admin routes say it too', async () => {
  const only = await translated(service, { title: 'English alone', slug: 'alone' });
  const list = (await get('cms/articles?alternates=true&sort=title:asc')).items;
  expect(list.map(({ __alternates }: Json) => __alternates)).toEqual([
    { en: { slug: 'alone', url: 'https://example.com/articles/alone' } },
    inAll,
  ]);
  const edited = await get('admin/cms/articles?alternates=true&language=de&sort=created_at:asc', { as: 'ann' });
  expect(edited.items[0].__alternates).toEqual(inAll);
  const one = await get(`admin/cms/articles/${id}?alternates=true`, { as: 'ann' });
  expect(one.__alternates).toEqual(inAll);
  // What is read can be sent back.
  const back = await service.send(`PUT /api/v1/admin/cms/articles/${id}`, { as: 'ann', body: one });
  expect(back.status).toBe(200);
  expect(back.json).not.toContainKey('__alternates');
  await service.send(`DELETE /api/v1/admin/cms/articles/${only}`, { as: 'ann' });
});

test('an answer that is remembered knows of a translation that was written since', async () => {
  const own = await translated(service, { title: 'Later', slug: 'later' });
  const read = async () => Object.keys((await get(`cms/articles/${own}?alternates=true`)).__alternates);
  expect(await read()).toEqual(['en']);
  const put = await service.send(`PUT /api/v1/admin/cms/articles/${own}?language=de`, {
    as: 'ann',
    body: { slug: 'spaeter' },
  });
  expect(put.status).toBe(200);
  expect(await read()).toEqual(['en', 'de']);
  await service.send(`DELETE /api/v1/admin/cms/articles/${own}`, { as: 'ann' });
});

test('types without slugs or without languages', async () => {
  const { id: news } = await service.seed('categories', { name: 'News' });
  const { __alternates } = await get(`cms/categories/${news}?alternates=true`);
  expect(__alternates).toEqual({ en: { slug: null, url: null } });
  const counters = await service.send('GET /api/v1/cms/counters?alternates=true');
  expect([counters.status, counters.json.code]).toEqual([400, 'unknown_parameter']);
  const wrong = await service.send('GET /api/v1/cms/articles?alternates=maybe');
  expect([wrong.status, wrong.json.code]).toEqual([400, 'invalid_parameter']);
  const sums = await service.send('GET /api/v1/cms/articles/aggregate?count=*&alternates=true');
  expect(sums.status).toBe(400);
});

test('without addresses in the settings there are slugs alone', async () => {
  await using bare = await openMagazine();
  const own = await translated(bare, { title: 'Hello', slug: 'hello' }, { de: { slug: 'hallo' } });
  const { json } = await bare.send(`GET /api/v1/cms/articles/${own}?alternates=true`);
  expect(json.__alternates).toEqual({ en: { slug: 'hello', url: null }, de: { slug: 'hallo', url: null } });
});

describe('a language that the caller does not see is not named', () => {
  const open = { access: 'public' };
  const story = {
    singular: 'story',
    plural: 'stories',
    protocols: [{ name: 'statusable', by_language: true }],
    fields: article.fields.filter(({ name }) => name !== 'category'),
    api: { list: open, get: open },
  };
  // A rule that reads a localized field: what it hides depends on the language.
  const ruled = {
    ...article,
    singular: 'notice',
    plural: 'notices',
    fields: [
      { name: 'title', field_type: 'text', localized: true },
      { name: 'slug', field_type: 'uid', localized: true },
      { name: 'state', field_type: 'enum', enum_values: ['open', 'closed'], localized: true },
      { name: 'secret', field_type: 'text', localized: true, private: true },
    ],
    api: { list: { access: 'public', filter: 'state = "open"' }, get: { access: 'public', filter: 'state = "open"' } },
  };
  let site: TestService;
  beforeAll(async () => {
    site = await TestService.open([story, ruled, category, article], { languages: 'en,de,fr' });
    await site.account('ann', 'admin');
  });
  afterAll(() => site[Symbol.asyncDispose]());
  const put = async (path: string, body: object) =>
    expect((await site.send(`PUT /api/v1/admin/cms/${path}`, { as: 'ann', body })).status).toBe(200);
  const named = async (path: string, as?: string) =>
    (await site.send(`GET /api/v1/${path}`, as === undefined ? {} : { as })).json.__alternates;

  test('because it is not published', async () => {
    const { id: own } = await site.seed('stories', { title: 'Night', slug: 'night', status: 'draft' });
    await put(`stories/${own}?language=de`, { title: 'Nacht', slug: 'nacht', status: 'published' });
    await put(`stories/${own}?language=fr`, { title: 'Nuit', slug: 'nuit' });
    const read = () => named(`cms/stories/${own}?language=de&alternates=true`);
    expect(await read()).toEqual({ de: { slug: 'nacht', url: null } });
    expect(Object.keys(await named(`admin/cms/stories/${own}?alternates=true`, 'ann'))).toEqual(['en', 'de', 'fr']);
    await put(`stories/${own}`, { status: 'published' });
    expect(await read()).toEqual({ en: { slug: 'night', url: null }, de: { slug: 'nacht', url: null } });
  });

  test('because a rule hides the record in it', async () => {
    const { id: own } = await site.seed('notices', { title: 'Fair', slug: 'fair', state: 'open' });
    await put(`notices/${own}?language=de`, { title: 'Messe', slug: 'messe', state: 'closed' });
    await put(`notices/${own}?language=fr`, { title: 'Foire', slug: 'foire' });
    expect(Object.keys(await named(`cms/notices/${own}?alternates=true`))).toEqual(['en', 'fr']);
  });

  test('because it has private values alone', async () => {
    const { id: own } = await site.seed('notices', { title: 'Fair', slug: 'fair-two', state: 'open' });
    await put(`notices/${own}?language=de`, { secret: 'Not yet' });
    expect(Object.keys(await named(`cms/notices/${own}?alternates=true`))).toEqual(['en']);
    expect(Object.keys(await named(`admin/cms/notices/${own}?alternates=true`, 'ann'))).toEqual(['en', 'de']);
  });
});
