// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../support/service.ts';

const author = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const fields = [
  { name: 'title', field_type: 'text', max_length: 5 },
  { name: 'code', field_type: 'text', unique: true },
  { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
];
const book = { singular: 'book', plural: 'books', fields };
const ruled = { singular: 'ruled', plural: 'ruleds', fields, api: { create: { filter: 'title != "no"' } } };
const body = { title: 'too long', code: 'A', author: Bun.randomUUIDv7(), extra: 1 };
const errorFields = (reply: { json: { errors: { field: string }[] } }) =>
  reply.json.errors.map(({ field }) => field).sort();

test('errors of the payload and of the stored records are reported at once', async () => {
  await using service = await TestService.open([author, book]);
  await service.seed('books', { code: 'A' });
  const other = await service.seed('books', { code: 'B' });
  await service.account('mia');
  const created = await service.send('POST /api/v1/cms/books', { as: 'mia', body });
  expect(errorFields(created)).toEqual(['author', 'code', 'extra', 'title']);
  const updated = await service.send(`PUT /api/v1/cms/books/${other.id}`, { as: 'mia', body });
  expect(errorFields(updated)).toEqual(['author', 'code', 'extra', 'title']);
});

test('a caller whom a rule could reject gets the errors of the payload only', async () => {
  await using service = await TestService.open([author, ruled]);
  await service.seed('ruleds', { code: 'A' });
  await service.account('mia');
  expect(errorFields(await service.send('POST /api/v1/cms/ruleds', { as: 'mia', body }))).toEqual(['extra', 'title']);
});
