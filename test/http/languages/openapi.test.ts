import { afterAll, beforeAll, expect, test } from 'bun:test';
import { OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import type { TestService } from '../../support/service.ts';
import { openMagazine, translated } from './articles.ts';

let service: TestService;
let reader: OpenApiReader;
let id: string;

beforeAll(async () => {
  service = await openMagazine();
  id = await translated(service, { title: 'Hello', slug: 'hello' }, { de: { title: 'Hallo' } });
  reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
});
afterAll(() => service[Symbol.asyncDispose]());

const operation = (method: string, path: string) => {
  const found = reader.operations.find((each) => each.method === method && each.path === path);
  if (found === undefined) throw new Error(`The document has no ${method} ${path}.`);
  return found;
};

test.each([
  ['GET', '/api/v1/cms/articles', 'language=de&fallback=false'],
  ['GET', '/api/v1/cms/articles/{id}', 'language=fr-CA&fallback=true'],
  ['GET', '/api/v1/cms/articles/{id}', ''],
  ['GET', '/api/v1/cms/articles/{id}', 'language=de&fields=title'],
  ['GET', '/api/v1/cms/articles/{id}', 'include=category&language=de'],
  ['GET', '/api/v1/admin/cms/articles', 'language=de&fallback=true'],
  ['GET', '/api/v1/admin/cms/articles', 'missing_language=fr'],
  ['GET', '/api/v1/admin/cms/articles/{id}', 'language=de'],
  ['GET', '/api/v1/admin/cms/articles/{id}/languages', ''],
  ['GET', '/api/v1/cms/counters', 'language=de'],
  ['GET', '/api/v1/cms/articles/aggregate', 'language=de&group=title'],
])('%s %s?%s answers as documented', async (method, path, query) => {
  const documented = operation(method, path);
  const names = [...new URLSearchParams(query).keys()];
  expect(documented.queryNames).toEqual(expect.arrayContaining(names));
  const reply = await service.send(`${method} ${path.replace('{id}', id)}?${query}`, { as: 'ann' });
  const isPart = names.includes('fields');
  expect([reply.status, reader.differences(documented, reply, isPart)]).toEqual([200, []]);
});

test('a record that was read can be sent back, as the document says', async () => {
  const documented = operation('PUT', '/api/v1/admin/cms/articles/{id}');
  expect(documented.queryNames).toContain('language');
  const path = `/api/v1/admin/cms/articles/${id}?language=de`;
  const { json: body } = await service.send(`GET ${path}`, { as: 'ann' });
  const reply = await service.send(`PUT ${path}`, { as: 'ann', body });
  expect([reply.status, reader.differences(documented, reply)]).toEqual([200, []]);
});

test('a service with one language documents none', async () => {
  await using alone = await openMagazine({ languages: 'en' });
  const { text } = await alone.send('GET /api/v1/openapi.json');
  expect(text).not.toContain('__language');
  expect(text).not.toContain('"fallback"');
});
