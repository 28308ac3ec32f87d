// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { TestService } from '../../support/service.ts';
import { openMagazine, translated } from './articles.ts';

let service: TestService;
let [hello, untranslated, sunset, news] = ['', '', '', ''];

const get = async (path: string, as?: string) => service.send(`GET /api/v1/${path}`, as === undefined ? {} : { as });
const items = async (path: string) => (await get(path)).json.items;
const titles = async (path: string) => (await items(path)).map(({ title }: { title: string }) => title);

beforeAll(async () => {
  service = await openMagazine();
  const named = await service.seed('categories', { name: 'News' });
  news = named.id;
  await service.send(`PUT /api/v1/admin/cms/categories/${news}?language=de`, {
    as: 'ann',
    body: { name: 'Nachrichten' },
  });
  hello = await translated(
    service,
    { title: 'Hello', slug: 'hello', body: 'World', notes: 'secret', points: 3, category: news },
    { de: { title: 'Hallo', slug: 'hallo' }, fr: { title: 'Bonjour' } },
  );
  untranslated = await translated(service, { title: 'Only English', slug: 'only', points: 1 });
  sunset = await translated(service, { title: 'Sunset', slug: 'sunset', points: 2 }, { de: { title: 'Abendrot' } });
});
afterAll(() => service[Symbol.asyncDispose]());

describe('a record in a language', () => {
  test('is shown in the default language without the parameter', async () => {
    const { json, headers } = await get(`cms/articles/${hello}`);
    expect(json).toMatchObject({ title: 'Hello', slug: 'hello', body: 'World', points: 3 });
    expect(json).toMatchObject({ __language: 'en', __languages: ['en', 'de', 'fr'], __fallback: [] });
    expect(headers.get('content-language')).toBe('en');
  });

  test('is shown in another one, with the values of a fallback where it lacks some', async () => {
    const { json, headers } = await get(`cms/articles/${hello}?language=de`);
    expect(json).toMatchObject({ title: 'Hallo', slug: 'hallo', body: 'World', points: 3 });
    expect(json).toMatchObject({ __language: 'de', __languages: ['en', 'de', 'fr'], __fallback: ['body'] });
    expect(headers.get('content-language')).toBe('de');
  });

  test('falls back along the chain of its language', async () => {
    const { json } = await get(`cms/articles/${hello}?language=fr-CA`);
    expect(json).toMatchObject({ title: 'Bonjour', slug: 'hello', __language: 'fr-CA' });
    expect(json.__fallback).toEqual(['title', 'slug', 'body']);
  });

  test('shows what it has of its own with fallback=false', async () => {
    const { json } = await get(`cms/articles/${hello}?language=de&fallback=false`);
    expect(json).toMatchObject({ title: 'Hallo', body: null, __fallback: [] });
  });

  test('shows nothing of other languages on admin routes, unless fallback=true', async () => {
    const own = await get(`admin/cms/articles/${hello}?language=de`, 'ann');
    expect(own.json).toMatchObject({ title: 'Hallo', body: null, notes: null, __fallback: [] });
    const whole = await get(`admin/cms/articles/${hello}?language=de&fallback=true`, 'ann');
    expect(whole.json).toMatchObject({ title: 'Hallo', body: 'World', notes: 'secret', __fallback: ['body', 'notes'] });
  });

  test('is found by the tag in whatever case, and in no language that there is not', async () => {
    expect((await get(`cms/articles/${hello}?language=FR-ca`)).json.__language).toBe('fr-CA');
    const { status, json } = await get(`cms/articles/${hello}?language=es`);
    expect([status, json.code]).toEqual([400, 'unknown_language']);
    expect((await get('cms/counters?language=es')).json.code).toBe('unknown_language');
  });

  test('has only the fields that are asked for, and says which of these fell back', async () => {
    const { json } = await get(`cms/articles/${hello}?language=de&fields=title,slug`);
    expect(json).toEqual({
      id: hello,
      title: 'Hallo',
      slug: 'hallo',
      __language: 'de',
      __languages: ['en', 'de', 'fr'],
      __fallback: [],
    });
  });

  test('includes records in the same language', async () => {
    const { json } = await get(`cms/articles/${hello}?language=de&include=category`);
    expect(json.category).toMatchObject({ name: 'Nachrichten', __language: 'de' });
    const back = await get(`cms/categories/${news}?language=de&include=articles`);
    expect(back.json.articles.map(({ title }: { title: string }) => title)).toEqual(['Hallo']);
  });

  test('has another entity tag in each language, and 304 keeps the language', async () => {
    const [en, de] = [await get(`cms/articles/${hello}`), await get(`cms/articles/${hello}?language=de`)];
    expect(en.headers.get('etag')).not.toBe(de.headers.get('etag'));
    const headers = { 'If-None-Match': String(de.headers.get('etag')) };
    const again = await service.send(`GET /api/v1/cms/articles/${hello}?language=de`, { headers });
    expect([again.status, again.headers.get('content-language')]).toEqual([304, 'de']);
  });
});

describe('a list in a language', () => {
  test('sorts by what it shows', async () => {
    expect(await titles('cms/articles?language=de&sort=title:asc')).toEqual(['Abendrot', 'Hallo', 'Only English']);
    expect(await titles('cms/articles?sort=title:asc')).toEqual(['Hello', 'Only English', 'Sunset']);
    expect(await titles('cms/articles?language=de&fallback=false&sort=title:asc')).toEqual([null, 'Abendrot', 'Hallo']);
  });

  test('filters by what it shows, with and without values of others', async () => {
    expect(await titles('cms/articles?language=de&slug=hallo')).toEqual(['Hallo']);
    expect(await titles('cms/articles?language=de&slug=hello')).toEqual([]);
    expect(await titles('cms/articles?language=de&slug=sunset')).toEqual(['Abendrot']);
    expect(await titles('cms/articles?language=de&fallback=false&slug=sunset')).toEqual([]);
    const filter = encodeURIComponent('title ~ "%English%"');
    expect(await titles(`cms/articles?language=de&filter=${filter}`)).toEqual(['Only English']);
    expect(await titles(`cms/articles?language=de&fallback=false&filter=${filter}`)).toEqual([]);
  });

  test('filters through relations by what the related records show', async () => {
    const filter = (name: string) => encodeURIComponent(`category.name = "${name}"`);
    expect(await titles(`cms/articles?language=de&filter=${filter('Nachrichten')}`)).toEqual(['Hallo']);
    expect(await titles(`cms/articles?language=de&filter=${filter('News')}`)).toEqual([]);
    expect(await titles(`cms/articles?filter=${filter('News')}`)).toEqual(['Hello']);
  });

  test('pages by cursors in the order that it shows', async () => {
    const found: string[] = [];
    let cursor = '';
    do {
      const { json } = await get(`cms/articles?language=de&sort=title:desc&page_size=1${cursor}`);
      found.push(...json.items.map(({ title }: { title: string }) => title));
      cursor = json.next_cursor === undefined ? '' : `&cursor=${json.next_cursor}`;
    } while (cursor !== '');
    expect(found).toEqual(['Only English', 'Hallo', 'Abendrot']);
    const first = await get('cms/articles?language=de&sort=title:desc&page_size=1');
    const elsewhere = await get(
      `cms/articles?language=fr&sort=title:desc&page_size=1&cursor=${first.json.next_cursor}`,
    );
    expect([elsewhere.status, elsewhere.json.code]).toEqual([400, 'invalid_cursor']);
  });

  test('adds up and groups what it shows', async () => {
    const groups = async (query: string) => (await get(`cms/articles/aggregate?group=title&count=true${query}`)).json;
    const inGerman = await groups('&language=de');
    expect(JSON.stringify(inGerman)).toContain('Abendrot');
    expect(JSON.stringify(inGerman)).not.toContain('Sunset');
    expect(JSON.stringify(await groups(''))).toContain('Sunset');
  });

  test('has the same records whatever the language: none is lost for want of a translation', async () => {
    for (const query of ['', '?language=de', '?language=fr-CA', '?language=de&fallback=false']) {
      const { json } = await get(`cms/articles${query}`);
      expect(json.total).toBe(3);
      expect(json.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(
        [hello, untranslated, sunset].toSorted(),
      );
    }
  });

  test('finds what lacks a translation, for editors', async () => {
    const missing = async (tag: string) =>
      (await get(`admin/cms/articles?missing_language=${tag}&sort=title:asc`, 'ann')).json.items?.map(
        ({ title }: { title: string }) => title,
      );
    expect(await missing('de')).toEqual(['Only English']);
    expect(await missing('fr')).toEqual(['Only English', 'Sunset']);
    expect(await missing('en')).toEqual([]);
    expect((await get('admin/cms/articles?missing_language=es', 'ann')).json.code).toBe('unknown_language');
    expect((await get('cms/articles?missing_language=de')).json.code).toBe('unknown_parameter');
    const both = await get('admin/cms/articles?missing_language=fr&language=de&fallback=true&sort=title:asc', 'ann');
    expect(both.json.items.map(({ title }: { title: string }) => title)).toEqual(['Abendrot', 'Only English']);
  });

  test('comes as a file of rows in the language', async () => {
    const { text } = await get('cms/articles?language=de&format=csv&fields=title&sort=title:asc');
    expect(
      text
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',').at(-1)),
    ).toEqual(['Abendrot', 'Hallo', 'Only English']);
  });
});

describe('what has no languages', () => {
  test('takes the parameters and says nothing of languages', async () => {
    await service.seed('counters', { count: 1 });
    const plain = await get('cms/counters');
    const german = await get('cms/counters?language=de');
    expect(german.json).toEqual(plain.json);
    expect(plain.json.items[0]).not.toHaveProperty('__language');
  });

  test('knows no such parameter where the service has one language', async () => {
    await using one = await openMagazine({ languages: 'en', languageFallbacks: {} });
    const { id } = await one.seed('articles', { title: 'Hello' });
    const { status, json } = await one.send(`GET /api/v1/cms/articles/${id}?language=de`);
    expect([status, json.code]).toEqual([400, 'unknown_parameter']);
    const plain = await one.send(`GET /api/v1/cms/articles/${id}`);
    expect(plain.json).not.toHaveProperty('__language');
    expect(plain.headers.get('content-language')).toBeNull();
  });
});
