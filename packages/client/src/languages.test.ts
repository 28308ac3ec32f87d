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
    fields: [{ name: 'title', field_type: 'text', required: true, localized: true }],
  };
  service = await TestService.open([article], { languages: 'en,de,fr' });
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

test('a language is drafted, published and looked at alone', async () => {
  const recto = createAdminClient({
    url: 'http://recto.test',
    fetch: async (request: Request) => service.app.fetch(request),
    retries: 0,
  });
  await recto.auth.login(credentials);
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
