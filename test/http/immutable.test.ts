// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import { TestService } from '../support/service.ts';

const tag = { singular: 'tag', plural: 'tags', fields: [{ name: 'name', field_type: 'text' }] };
const book = {
  singular: 'book',
  plural: 'books',
  fields: [
    { name: 'isbn', field_type: 'text', immutable: true },
    {
      name: 'tags',
      field_type: 'relation',
      immutable: true,
      relation: { relation_type: 'many_to_many', target: 'tags' },
    },
  ],
};

test('immutable fields may be sent back as they are, and not otherwise', async () => {
  await using service = await TestService.open([tag, book]);
  const [one, two] = [await service.seed('tags', { name: 'one' }), await service.seed('tags', { name: 'two' })];
  const made = await service.seed('books', { isbn: '1', tags: [two.id, one.id] });
  const send = (body: object) => service.send(`PUT /api/v1/admin/cms/books/${made.id}`, { as: 'seeding-admin', body });

  expect(await send(made)).toMatchObject({ status: 200, json: made });
  for (const change of [{ isbn: '2' }, { tags: [one.id, two.id] }, { tags: [one.id] }, { isbn: null }]) {
    const [field] = Object.keys(change);
    expect(await send(change)).toMatchObject({ status: 422, json: { errors: [{ field, code: 'immutable' }] } });
  }
});

test('an immutable field that public routes do not show answers to every value alike', async () => {
  const relation = { relation_type: 'many_to_many', target: 'tags' };
  const secret = {
    singular: 'secret',
    plural: 'secrets',
    protocols: ['tenantable'],
    fields: [
      { name: 'code', field_type: 'text', immutable: true, private: true },
      { name: 'none', field_type: 'text', immutable: true, private: true },
      { name: 'tags', field_type: 'relation', immutable: true, private: true, relation },
      { name: 'unlisted', field_type: 'text', immutable: true },
      { name: 'listed', field_type: 'text', immutable: true },
    ],
    api: { list: { fields: ['listed'] }, get: { fields: [] }, update: { access: 'public', fields: [] } },
  };
  await using service = await TestService.open([tag, secret]);
  const { id: one } = await service.seed('tags', { name: 'one' });
  const values = { code: 'a', tags: [one], unlisted: 'b', listed: 'c' };
  const { id } = await service.seed('secrets', values);
  const send = async (body: object, path = 'cms') => {
    const as = path === 'cms' ? {} : { as: 'seeding-admin' };
    const { status, json } = await service.send(`PUT /api/v1/${path}/secrets/${id}`, { ...as, body });
    return [
      status,
      ...(json.errors ?? []).map((fault: { field: string; code: string }) => `${fault.field} ${fault.code}`),
    ];
  };

  for (const body of [{ code: 'a' }, { code: 'x' }, { code: null }])
    expect(await send(body)).toEqual([422, 'code immutable']);
  for (const body of [{ none: null }, { none: 'x' }]) expect(await send(body)).toEqual([422, 'none immutable']);
  for (const body of [{ tags: [one] }, { tags: [] }]) expect(await send(body)).toEqual([422, 'tags immutable']);
  for (const body of [{ unlisted: 'b' }, { unlisted: 'x' }])
    expect(await send(body)).toEqual([422, 'unlisted immutable']);
  expect(await send({ code: 5 })).toEqual([422, 'code wrong_type']);
  expect(await send({ listed: 'c', tenant_id: null })).toEqual([200]);
  expect(await send({ listed: 'x' })).toEqual([422, 'listed immutable']);
  expect(await send(values, 'admin/cms')).toEqual([200]);
});
