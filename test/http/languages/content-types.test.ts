// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { article, category, openMagazine } from './articles.ts';

const definition = (localized: boolean, max = 100) => ({
  singular: 'poem',
  plural: 'poems',
  fields: [{ name: 'title', field_type: 'text', max_length: max, localized, indexed: true }],
});

test('a type that is made through the API has languages, and keeps what they say', async () => {
  await using service = await openMagazine();
  const made = await service.send('POST /api/v1/admin/content-types', { as: 'ann', body: definition(false) });
  expect(made.status).toBe(201);
  const { id } = await service.seed('poems', { title: 'The panther' });
  const marked = await service.send('PUT /api/v1/admin/content-types/poem', { as: 'ann', body: definition(true) });
  expect(marked.status).toBe(200);
  const path = `/api/v1/admin/cms/poems/${id}`;
  const translated = await service.send(`PUT ${path}?language=de`, { as: 'ann', body: { title: 'Der Panther' } });
  expect(translated.json).toMatchObject({ title: 'Der Panther', __languages: ['en', 'de'] });
  const unmarked = await service.send('PUT /api/v1/admin/content-types/poem', { as: 'ann', body: definition(false) });
  expect([unmarked.status, unmarked.text]).toEqual([
    409,
    expect.stringContaining('its values in other languages, in 1 record, are kept, but not shown'),
  ]);
  const { json } = await service.send(`GET ${path}?language=de`, { as: 'ann' });
  expect(json.title).toBe('Der Panther');
});

test('what cannot be localized is refused with its place', async () => {
  await using service = await openMagazine();
  const body = {
    singular: 'poem',
    plural: 'poems',
    fields: [{ name: 'year', field_type: 'integer', localized: true }],
  };
  const { status, json } = await service.send('POST /api/v1/admin/content-types', { as: 'ann', body });
  expect([status, json.errors[0].field]).toEqual([422, 'fields[0].localized']);
});

test('types say which languages the service has, also those without localized fields', async () => {
  await using service = await openMagazine();
  for (const singular of ['article', 'counter']) {
    const { json } = await service.send(`GET /api/v1/admin/content-types/${singular}`, { as: 'ann' });
    expect(json.languages).toEqual(['en', 'de', 'fr', 'fr-CA']);
  }
  const { json } = await service.send('GET /api/v1/admin/content-types', { as: 'ann' });
  expect(json.items.map(({ languages }: { languages: unknown }) => languages)).toContainEqual([
    'en',
    'de',
    'fr',
    'fr-CA',
  ]);
});

test('a service with one language says nothing of languages', async () => {
  await using service = await TestService.open([article, category]);
  await service.account('ann', 'admin');
  const { json } = await service.send('GET /api/v1/admin/content-types/article', { as: 'ann' });
  expect('languages' in json).toBe(false);
});
