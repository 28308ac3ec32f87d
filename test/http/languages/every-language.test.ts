// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { openMagazine, translated } from './articles.ts';

// `language=*` on admin routes: each localized field by language.

type Json = Reply['json'];

let service: TestService;
let hello: string;
let bye: string;
let news: string;
beforeAll(async () => {
  service = await openMagazine({
    roles: [
      {
        name: 'desk',
        base: 'editor',
        types: {
          article: {
            list: true,
            get: 'title != "Geheim" || title = null',
            read: { only: ['title', 'body', 'seo', 'points'] },
          },
        },
      },
    ],
  });
  news = (await service.seed('categories', { name: 'News' })).id;
  await service.send(`PUT /api/v1/admin/cms/categories/${news}?language=de`, { as: 'ann', body: { name: 'Neues' } });
  hello = await translated(
    service,
    { title: 'Hello', slug: 'hello', seo: { title: 'Hi' }, points: 3, category: news },
    { de: { title: 'Hallo', slug: 'hallo', notes: 'innen' }, fr: { title: 'Bonjour', seo: { title: 'Salut' } } },
  );
  bye = await translated(service, { title: 'Goodbye', points: 5 }, { de: { title: 'Tschüss' } });
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, as = 'ann') => service.send(`GET /api/v1/admin/cms/${path}`, { as });
const ok = async (path: string): Promise<Json> => {
  const { status, text, json } = await get(path);
  expect({ status, text }).toEqual({ status: 200, text });
  return json;
};
const ids = (json: Json) => json.items.map(({ id }: Json) => id);

test('a record has each localized field by language', async () => {
  const record = await ok(`articles/${hello}?language=*`);
  expect(record).toMatchObject({
    id: hello,
    title: { en: 'Hello', de: 'Hallo', fr: 'Bonjour' },
    slug: { en: 'hello', de: 'hallo' },
    body: {},
    notes: { de: 'innen' },
    seo: { en: { title: 'Hi' }, fr: { title: 'Salut' } },
    points: 3,
    category: news,
    __language: '*',
    __languages: ['en', 'de', 'fr'],
  });
  for (const name of ['__fallback', '__every']) expect(record).not.toContainKey(name);
  const part = await ok(`articles/${hello}?language=*&fields=title,points`);
  expect(part).toEqual({
    id: hello,
    title: { en: 'Hello', de: 'Hallo', fr: 'Bonjour' },
    points: 3,
    __language: '*',
    __languages: ['en', 'de', 'fr'],
  });
});

test('what is sent back is of no language, and is refused wherever a record is written', async () => {
  const part = await ok(`articles/${hello}?language=*&fields=points,seo`);
  for (const line of [`PUT articles/${hello}`, `PUT articles/${hello}?language=de`, 'POST articles']) {
    const body = line.startsWith('POST') ? { title: 'New', __language: '*' } : { ...part, points: 9 };
    const reply = await service.send(line.replace(' ', ' /api/v1/admin/cms/'), { as: 'ann', body });
    expect([line, reply.status, reply.json.errors]).toEqual([
      line,
      422,
      expect.arrayContaining([expect.objectContaining({ field: '__language', code: 'not_allowed' })]),
    ]);
  }
  expect((await ok(`articles/${hello}`)).points).toBe(3);
});

test('an answer has its own tag, and no language', async () => {
  const first = await get(`articles/${hello}?language=*`);
  expect(first.headers.get('content-language')).toBeNull();
  const again = await service.send(`GET /api/v1/admin/cms/articles/${hello}?language=*`, {
    as: 'ann',
    headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('lists have it too, and a filter finds what any language says', async () => {
  expect((await ok('articles?language=*&sort=points:asc')).items.map(({ title }: Json) => title)).toEqual([
    { en: 'Hello', de: 'Hallo', fr: 'Bonjour' },
    { en: 'Goodbye', de: 'Tschüss' },
  ]);
  for (const title of ['Hello', 'Hallo', 'Bonjour']) {
    const found = await ok(`articles?language=*&title=${title}`);
    expect([ids(found), found.total]).toEqual([[hello], 1]);
  }
  expect(ids(await ok(`articles?language=*&filter=${encodeURIComponent('title ~ "Tsch%" && points >= 5')}`))).toEqual([
    bye,
  ]);
  // All of it in one language: German says one, and English the other.
  expect(ids(await ok(`articles?language=*&title=Hallo&slug=hello`))).toEqual([]);
  expect(ids(await ok(`articles?language=*&title=Hallo&slug=hallo`))).toEqual([hello]);
  expect((await ok('articles?language=*&title=Nowhere')).total).toBe(0);
});

test('a search finds the words of any language', async () => {
  for (const word of ['Hello', 'hallo', 'bonj'])
    expect(ids(await ok(`articles?language=*&search=${word}`))).toEqual([hello]);
  expect(ids(await ok('articles?language=*&search=goodbye hallo'.replace(' ', '%20')))).toEqual([]);
});

test('pages follow one another', async () => {
  const first = await ok('articles?language=*&sort=points:asc&page_size=1');
  const second = await ok(`articles?language=*&sort=points:asc&page_size=1&cursor=${first.next_cursor}`);
  expect([...ids(first), ...ids(second)]).toEqual([hello, bye]);
});

test('a role reads of each language what it reads of the record', async () => {
  await service.account('dan', 'desk');
  const own = await translated(service, { title: 'Open' }, { de: { title: 'Geheim', notes: 'x' } });
  const { json } = await get(`articles/${own}?language=*`, 'dan');
  // The right hides the record where it says "Geheim", which is in German.
  expect(json.title).toEqual({ en: 'Open' });
  expect(json).not.toContainKey('notes');
  expect(ids((await get('articles?language=*&title=Geheim', 'dan')).json)).toEqual([]);
  expect(ids((await get('articles?language=*&title=Geheim')).json)).toEqual([own]);
  await service.send(`DELETE /api/v1/admin/cms/articles/${own}`, { as: 'ann' });
});

test('a relation that is localized is by language too, as an id or as the record', async () => {
  const leaf = {
    singular: 'leaf',
    plural: 'leaves',
    fields: [
      { name: 'title', field_type: 'text', localized: true },
      {
        name: 'next',
        field_type: 'relation',
        relation: { relation_type: 'many_to_one', target: 'leaf' },
        localized: true,
      },
    ],
  };
  await using site = await TestService.open([leaf], { languages: 'en,de' });
  await site.account('ann', 'admin');
  const { id: one } = await site.seed('leaves', { title: 'One' });
  const { id: two } = await site.seed('leaves', { title: 'Two' });
  const { id } = await site.seed('leaves', { title: 'Three', next: one });
  const put = await site.send(`PUT /api/v1/admin/cms/leaves/${id}?language=de`, { as: 'ann', body: { next: two } });
  expect(put.status).toBe(200);
  const read = async (more: string) =>
    (await site.send(`GET /api/v1/admin/cms/leaves/${id}?language=*${more}`, { as: 'ann' })).json.next;
  expect(await read('')).toEqual({ en: one, de: two });
  expect(await read('&include=next')).toMatchObject({ en: { id: one, title: 'One' }, de: { id: two, title: 'Two' } });
});

describe('it is refused', () => {
  test.each([
    ['GET /api/v1/cms/articles?language=*', 'unknown_language'],
    ['GET /api/v1/cms/articles?language=*&title=Hello', 'unknown_language'],
    ['GET /api/v1/admin/cms/articles/aggregate?count=*&language=*', 'unknown_language'],
    ['GET /api/v1/admin/cms/articles?language=*&format=csv', 'invalid_parameter'],
  ])('%s', async (line, code) => {
    const { status, json } = await service.send(line, { as: 'ann' });
    expect([status, json.code]).toEqual([400, code]);
  });
  test('on the public route of a record', async () => {
    const { status, json } = await service.send(`GET /api/v1/cms/articles/${hello}?language=*`);
    expect([status, json.code]).toEqual([400, 'unknown_language']);
    const written = await service.send(`PUT /api/v1/admin/cms/articles/${hello}?language=*`, { as: 'ann', body: {} });
    expect([written.status, written.json.code]).toEqual([400, 'unknown_language']);
  });
});
