// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'fee', field_type: 'integer', default: 80 },
  ],
};
const writer = { name: 'writer', types: { article: { list: true, get: true, create: true } } };
const path = '/api/v1/admin/cms/articles';

async function open() {
  const service = await TestService.open([article]);
  await service.account('ada', 'admin');
  const made = await service.send('POST /api/v1/admin/roles', { as: 'ada', body: writer });
  expect(made.status).toBe(201);
  await service.account('wes', 'writer');
  return service;
}

const headers = { 'Idempotency-Key': 'one' };

test('an answer is not sent again once the role of the caller has been changed', async () => {
  await using service = await open();
  const post = () => service.send(`POST ${path}`, { as: 'wes', body: { title: 'A' }, headers });
  const first = await post();
  expect([first.status, first.json.fee]).toEqual([201, 80]);
  expect((await post()).text).toBe(first.text);
  const narrow = { types: { article: { ...writer.types.article, read: { except: ['fee'] } } } };
  expect((await service.send('PUT /api/v1/admin/roles/writer', { as: 'ada', body: narrow })).status).toBe(200);
  const { status, json, text } = await post();
  expect([status, json.code]).toEqual([409, 'answer_not_kept']);
  expect(text).not.toContain('80');
  const { json: list } = await service.send(`GET ${path}`, { as: 'wes' });
  expect([list.total, Object.hasOwn(list.items[0], 'fee')]).toEqual([1, false]);
});

test('nor once the caller has another role', async () => {
  await using service = await open();
  const id = await service.account('eve', 'editor');
  const post = () => service.send(`POST ${path}`, { as: 'eve', body: { title: 'A' }, headers });
  expect((await post()).status).toBe(201);
  expect((await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'ada', body: { role: 'writer' } })).status).toBe(
    200,
  );
  expect((await post()).json.code).toBe('answer_not_kept');
});
