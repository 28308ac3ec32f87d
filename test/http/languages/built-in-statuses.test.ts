// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { TestService } from '../../support/service.ts';

// Posts and pages whose languages are published one by one: the file that extends them says so.

const words = ['title', 'slug', 'content', 'excerpt'];
const extensions = [
  { extends: 'post', localized: words, by_language: true },
  { extends: 'page', localized: words, by_language: true },
];
let service: TestService;
beforeAll(async () => {
  service = await TestService.open(extensions, {
    ...{ languages: 'en,de,fr', builtIn: true, publicUrl: 'https://example.com' },
    settings: { languageUrls: { de: 'https://example.com/de', fr: 'https://example.com/fr' } },
  });
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = async (line: string, body?: unknown) => {
  const reply = await service.send(line.replace(' ', ' /api/v1/'), {
    as: 'ann',
    ...(body === undefined ? {} : { body }),
  });
  if (reply.status >= 300) throw new Error(`${line}: ${reply.text}`);
  return reply.json;
};
const read = (path: string) => service.send(`GET /api/v1/${path}`);
const sitemap = async (plural: string) =>
  (await read(`${plural}/sitemap`)).json.items.map(({ loc }: { loc: string }) =>
    loc.replace('https://example.com', ''),
  );

describe.each(['posts', 'pages'])('%s', (plural) => {
  test('are published in one language at a time, at once or by themselves', async () => {
    const { id } = await send(`POST ${plural}`, { title: 'Hello', content: '<p>One</p>', status: 'Published' });
    await send(`PUT admin/${plural}/${id}?language=de`, { title: 'Hallo', slug: 'hallo' });
    const { items: states } = await send(`GET admin/${plural}/${id}/languages`);
    expect(states.map(({ status }: { status: string }) => status)).toEqual(['Published', 'Draft', 'Draft']);
    // Until German is published, it says nothing to anybody: not by its slug, in lists, in searches and in sitemaps.
    expect((await read(`${plural}/hallo?language=de`)).status).toBe(404);
    expect((await read(`${plural}/hello?language=de`)).json).toMatchObject({ title: 'Hello', __languages: ['en'] });
    expect((await read(`${plural}/hello?language=de&fallback=false`)).status).toBe(404);
    expect((await read(`${plural}?language=de&search=hallo`)).json.items).toEqual([]);
    expect(await sitemap(plural)).toEqual([`/${plural}/hello`]);
    const { json } = await read(`${plural}/hello?alternates=true`);
    expect(Object.keys(json.__alternates)).toEqual(['en']);
    await send(`POST admin/${plural}/${id}/publish?language=de`);
    expect((await read(`${plural}/hallo?language=de`)).json).toMatchObject({
      id,
      title: 'Hallo',
      __languages: ['en', 'de'],
    });
    expect(await sitemap(plural)).toEqual([`/${plural}/hello`, `/de/${plural}/hallo`]);
    // French becomes public at its time.
    await send(`PUT admin/${plural}/${id}?language=fr`, {
      ...{ title: 'Salut', slug: 'salut', scheduled_at: '2998-01-01T00:00:00.000Z' },
    });
    expect((await read(`${plural}/salut?language=fr`)).status).toBe(404);
    await new ScheduledUpdates(service.records, () => {}).run('2998-01-02T00:00:00.000Z');
    expect((await read(`${plural}/salut?language=fr`)).json.title).toBe('Salut');
    // The default language goes, and the others stay.
    await send(`PUT admin/${plural}/${id}`, { status: 'Draft' });
    expect((await read(`${plural}/hello`)).status).toBe(404);
    expect((await read(`${plural}/hallo?language=de`)).json).toMatchObject({ title: 'Hallo', content: null });
    expect(await sitemap(plural)).toEqual([`/de/${plural}/hallo`, `/fr/${plural}/salut`]);
    const reply = await service.send(`GET /api/v1/${plural}/sitemap`, { headers: { Accept: 'application/xml' } });
    expect(reply.text).not.toContain(`/${plural}/hello`);
  });

  test('have their status set in the language that the route for it names', async () => {
    const { id } = await send(`POST ${plural}`, { title: 'Ink', content: '<p>One</p>', status: 'Published' });
    await send(`PUT admin/${plural}/${id}?language=de`, { title: 'Tinte', slug: 'tinte' });
    const statuses = async () =>
      (await send(`GET admin/${plural}/${id}/languages`)).items.map(({ status }: { status: string }) => status);
    const path = `PUT /api/v1/admin/${plural}/${id}/status`;
    const reply = await service.send(`${path}?language=de`, { as: 'ann', body: { status: 'Published' } });
    expect(reply.headers.get('content-language')).toBe('de');
    expect(reply.json).toMatchObject({ title: 'Tinte', status: 'Published', __language: 'de' });
    expect(await statuses()).toEqual(['Published', 'Published', 'Draft']);
    await send(`PUT admin/${plural}/${id}/status?language=de`, { status: 'Archived' });
    expect(await statuses()).toEqual(['Published', 'Archived', 'Draft']);
    await send(`PUT admin/${plural}/${id}/status`, { status: 'Draft' });
    expect(await statuses()).toEqual(['Draft', 'Archived', 'Draft']);
    for (const [query, code] of [
      ['language=it', 'unknown_language'],
      ['language=*', 'invalid_parameter'],
      ['language=de&fallback=true', 'unknown_parameter'],
    ] as const) {
      const refused = await service.send(`${path}?${query}`, { as: 'ann', body: { status: 'Published' } });
      expect([refused.status, refused.json.code]).toEqual([400, code]);
    }
    expect(await statuses()).toEqual(['Draft', 'Archived', 'Draft']);
  });

  test('need what is required in each language that is published, and show no slug of one that is not', async () => {
    const { id } = await send(`POST ${plural}`, { title: 'Secret', content: '<p>One</p>' });
    await send(`PUT admin/${plural}/${id}?language=de`, { title: 'Offen' });
    const reply = await service.send(`POST /api/v1/admin/${plural}/${id}/publish?language=de`, { as: 'ann' });
    expect([reply.status, reply.json.errors]).toMatchObject([422, [{ field: 'slug', code: 'language_required' }]]);
    await send(`PUT admin/${plural}/${id}?language=de`, { slug: 'offen', status: 'Published' });
    expect(await sitemap(plural)).toContain(`/de/${plural}/offen`);
    expect((await service.send(`GET /api/v1/${plural}/sitemap`)).text).not.toContain('secret');
    expect((await read(`${plural}?language=de`)).text).not.toContain('One');
  });
});

test('feeds have what is published in their language', async () => {
  const feed = async (query: string) =>
    (await read(`posts/feed.json${query}`)).json.items.map(({ title }: { title: string }) => title);
  const { id } = await send('POST posts', { title: 'Fed', status: 'Published' });
  await send(`PUT admin/posts/${id}?language=de`, { title: 'Verborgen', slug: 'verborgen' });
  expect(await feed('?language=de')).not.toContain('Verborgen');
  await send(`PUT admin/posts/${id}?language=de`, { status: 'Published' });
  expect(await feed('?language=de')).toContain('Verborgen');
});

test('forms know that each language has a status', async () => {
  const { items } = await send('GET admin/content-types');
  const known = items.map(({ singular, status_by_language }: Record<string, unknown>) => [
    singular,
    status_by_language,
  ]);
  expect(known).toContainEqual(['post', true]);
  expect(known).toContainEqual(['category', undefined]);
});
