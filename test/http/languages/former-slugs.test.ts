// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { openMagazine, translated } from './articles.ts';

// A slug by which a record was visible in a language leads to the one that it has there now.

type Json = Reply['json'];

let service: TestService;
beforeAll(async () => {
  service = await openMagazine();
});
afterAll(() => service[Symbol.asyncDispose]());

const change = async (line: string, body?: unknown) => {
  const reply = await service.send(line.replace(' ', ' /api/v1/admin/cms/'), {
    as: 'ann',
    ...(body === undefined ? {} : { body }),
  });
  expect(reply.status < 300 ? 'done' : reply.text).toBe('done');
};
const visit = (slug: string, query: string, plural = 'articles') =>
  service.send(`GET /api/v1/cms/${plural}/slug/${slug}${query}`);

async function expectMoved(slug: string, query: string, to: string, plural = 'articles'): Promise<void> {
  const moved = await visit(slug, query, plural);
  expect({ status: moved.status, json: moved.json }).toEqual({ status: 308, json: { moved_to: to } });
  expect(moved.headers.get('location')).toBe(`/api/v1/cms/${plural}/slug/${to}${query}`);
}
const expectUnknown = async (slug: string, query: string, plural = 'articles') =>
  expect([slug, query, (await visit(slug, query, plural)).status]).toEqual([slug, query, 404]);

test('an old German slug leads on in German, and in no other language', async () => {
  const id = await translated(service, { title: 'Hello', slug: 'hello' }, { de: { title: 'Hallo', slug: 'hallo' } });
  await change(`PUT articles/${id}?language=de`, { slug: 'guten-tag' });
  await expectMoved('hallo', '?language=de', 'guten-tag');
  await expectMoved('hallo', '?fields=title&language=de', 'guten-tag');
  await expectMoved('hallo', '?language=de&fallback=false', 'guten-tag');
  for (const query of ['', '?language=en', '?language=fr', '?language=fr-CA']) await expectUnknown('hallo', query);
  expect((await visit('hello', '')).json.id).toBe(id);
});

test('what stood in for a slug leads to the one that takes its place', async () => {
  const id = await translated(service, { title: 'Spring', slug: 'spring' });
  await change(`PUT articles/${id}?language=fr`, { slug: 'printemps' });
  await expectMoved('spring', '?language=fr', 'printemps');
  await expectMoved('spring', '?language=fr-CA', 'printemps');
  expect((await visit('spring', '?language=de')).json.id).toBe(id);
  await change(`PUT articles/${id}`, { slug: 'springtime' });
  await expectMoved('spring', '', 'springtime');
  await expectMoved('spring', '?language=de', 'springtime');
  await expectMoved('spring', '?language=fr', 'printemps');
  await change(`DELETE articles/${id}/languages/fr`);
  await expectMoved('printemps', '?language=fr', 'springtime');
  await expectMoved('printemps', '?language=fr-CA', 'springtime');
});

test('a slug is released where another record takes it in that language', async () => {
  const first = await translated(service, { title: 'One', slug: 'one' }, { de: { slug: 'eins' } });
  await change(`PUT articles/${first}?language=de`, { slug: 'erstens' });
  await expectMoved('eins', '?language=de', 'erstens');
  const second = await translated(service, { title: 'Two', slug: 'eins' });
  // In German, English stands in: the second record has the address now.
  expect((await visit('eins', '?language=de')).json.id).toBe(second);
  await change(`PUT articles/${second}?language=de`, { slug: 'zwei' });
  await expectMoved('eins', '?language=de', 'zwei');
  await change(`DELETE articles/${second}`);
  await expectUnknown('eins', '?language=de');
  await expectUnknown('zwei', '?language=de');
});

test('redirects are those of the language, in all formats', async () => {
  await using site = await openMagazine();
  const id = await translated(
    site,
    { title: 'Autumn', slug: 'autumn' },
    { de: { slug: 'herbst' }, fr: { slug: 'automne' } },
  );
  const rename = (slug: string, tag: string) =>
    site.send(`PUT /api/v1/admin/cms/articles/${id}?language=${tag}`, { as: 'ann', body: { slug } });
  await rename('spaetherbst', 'de');
  await rename('fall', 'en');
  const get = (search: string) => site.send(`GET /api/v1/redirects?type=articles${search}`);
  const lines = async (search: string) => (await get(search)).json.items.map(({ from, to }: Json) => `${from} ${to}`);
  // English stood in until there was a German slug.
  const inGerman = ['/articles/autumn /articles/spaetherbst', '/articles/herbst /articles/spaetherbst'];
  expect(await lines('&language=de')).toEqual(inGerman);
  expect(await lines('')).toEqual(['/articles/autumn /articles/fall']);
  expect(await lines('&language=en')).toEqual(['/articles/autumn /articles/fall']);
  expect(await lines('&language=fr')).toEqual(['/articles/autumn /articles/automne']);
  const of = async (format: string) => (await get(`&language=DE&path=/de/{slug}&format=${format}`)).text;
  expect(await of('netlify')).toBe('/de/autumn /de/spaetherbst 301\n/de/herbst /de/spaetherbst 301\n');
  expect(await of('cloudflare')).toBe('/de/autumn /de/spaetherbst 308\n/de/herbst /de/spaetherbst 308\n');
  expect(await of('nginx')).toBe('"/de/autumn" "/de/spaetherbst";\n"/de/herbst" "/de/spaetherbst";\n');
  expect(JSON.parse(await of('vercel')).redirects.map(({ source }: Json) => source)).toEqual([
    '/de/autumn',
    '/de/herbst',
  ]);
  const unknown = await get('&language=it');
  expect([unknown.status, unknown.json.code]).toEqual([400, 'unknown_language']);
});

describe('where each language is published alone', () => {
  const open = { access: 'public' };
  const story = {
    singular: 'story',
    plural: 'stories',
    protocols: [{ name: 'statusable', by_language: true }],
    fields: [
      { name: 'title', field_type: 'text', localized: true },
      { name: 'slug', field_type: 'uid', localized: true },
    ],
    api: { list: open, get: open },
  };
  let published: TestService;
  beforeAll(async () => {
    published = await TestService.open([story], { languages: 'en,de' });
    await published.account('ann', 'admin');
  });
  afterAll(() => published[Symbol.asyncDispose]());
  const put = async (id: string, tag: string, body: object) =>
    expect(
      (await published.send(`PUT /api/v1/admin/cms/stories/${id}?language=${tag}`, { as: 'ann', body })).status,
    ).toBe(200);
  const look = async (slug: string, query: string) => {
    const { status, json } = await published.send(`GET /api/v1/cms/stories/slug/${slug}?${query}`);
    return status === 308 ? json.moved_to : status;
  };

  test('only slugs by which a language was public lead on, while it is', async () => {
    const { id } = await published.seed('stories', { title: 'Night', slug: 'night', status: 'draft' });
    await put(id, 'de', { title: 'Nacht', slug: 'geheim' });
    await put(id, 'de', { slug: 'nacht', status: 'published' });
    expect(await look('geheim', 'language=de')).toBe(404);
    await put(id, 'de', { slug: 'mitternacht' });
    expect(await look('nacht', 'language=de')).toBe('mitternacht');
    expect(await look('nacht', '')).toBe(404);
    await put(id, 'de', { status: 'draft' });
    expect(await look('nacht', 'language=de')).toBe(404);
    expect(await look('mitternacht', 'language=de')).toBe(404);
    await put(id, 'en', { status: 'published' });
    // English stands in, by its own slug.
    expect(await look('nacht', 'language=de')).toBe('night');
    expect(await look('nacht', 'language=de&fallback=false')).toBe(404);
  });
});
