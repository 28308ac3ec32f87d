import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../../test/support/service.ts';
import { createAdminClient } from './create-admin-client.ts';

const credentials = { email: 'ada@example.com', password: 'correct horse' };
let service: TestService;
beforeAll(async () => {
  const article = {
    singular: 'article',
    plural: 'articles',
    protocols: [
      { name: 'versionable', drafts: true },
      { name: 'statusable', by_language: true },
    ],
    fields: [
      { name: 'title', field_type: 'text', required: true, localized: true },
      { name: 'slug', field_type: 'uid', target_field: 'title', localized: true },
    ],
    api: { list: { access: 'public' }, get: { access: 'public' } },
  };
  service = await TestService.open([article], {
    ...{ languages: 'en,de,fr', settings: { languageUrls: { de: 'https://example.com/de' } } },
  });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

/** An admin's client. */
async function opened() {
  const recto = createAdminClient({
    url: 'http://recto.test',
    fetch: async (request: Request) => service.app.fetch(request),
    retries: 0,
  });
  await recto.auth.login(credentials);
  return recto;
}

test('a language is drafted, published and looked at alone', async () => {
  const recto = await opened();
  const articles = recto.admin.collection('articles');
  const { id } = await articles.create({ title: 'Hello' });
  await articles.update(id, { title: 'Hallo' }, { language: 'de' });
  expect((await articles.publish(id, { language: 'de' })).status).toBe('published');
  const draft = articles.draft(id);
  await draft.update({ title: 'Guten Tag' }, { language: 'de' });
  expect((await draft.get({ language: 'de' })).title).toBe('Guten Tag');
  const { items } = await articles.languages(id);
  expect(items.map(({ language, status, draft }) => [language, status, draft])).toEqual([
    ['en', 'draft', false],
    ['de', 'published', true],
    ['fr', 'draft', false],
  ]);
  await draft.discard({ language: 'de' });
  expect((await draft.get({ language: 'de' })).title).toBe('Hallo');
  expect((await articles.publish(id, { language: '*' })).status).toBe('published');
});

test('records have their addresses in all languages, and a stream shows one language', async () => {
  const recto = await opened();
  const { id } = await recto.admin.collection('articles').create({ title: 'Margins' });
  const german = { title: 'Ränder', slug: 'raender' };
  await recto.admin.collection('articles').update(id, german, { language: 'de' });
  await recto.admin.collection('articles').publish(id, { language: '*' });
  const articles = recto.collection('articles');
  const found = await articles.get(id, { language: 'de', alternates: true });
  expect(found).toMatchObject({
    title: 'Ränder',
    __alternates: {
      en: { slug: 'margins', url: null },
      de: { slug: 'raender', url: 'https://example.com/de/articles/raender' },
    },
  });
  expect((await articles.list({ alternates: true })).items.find((item) => item.id === id)).toHaveProperty(
    '__alternates',
  );

  await recto.admin.collection('articles').update(id, { title: 'Margins matter' });
  await recto.admin.collection('articles').update(id, { title: 'Ränder zählen' }, { language: 'de' });
  const stopped = new AbortController();
  const options = { types: ['articles'], language: 'de', languages: ['de'], after: 1, signal: stopped.signal } as const;
  for await (const event of recto.events(options)) {
    if (event.action === 'reset' || event.id !== id) continue;
    // The change of English alone is not among them.
    expect(event).toMatchObject({ record: { __language: 'de', title: 'Ränder zählen' } });
    if (event.action === 'update' && event.language === 'de') break;
  }
  stopped.abort();
});
