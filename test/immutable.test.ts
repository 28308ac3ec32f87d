import { expect, test } from 'bun:test';
import { TestService } from './service.ts';

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
