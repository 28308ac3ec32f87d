import { expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// `private` is about reading: who may write a record may write its private fields, until a rule forbids it.

const forbidden = { filter: '@request.body.bought_from:isset = false' };

test.each([
  ['without a rule', {}, [201, 200]],
  ['with a whitelist of returned fields', { create: { fields: ['title'] }, update: { fields: ['title'] } }, [201, 200]],
  ['with the documented rule', { create: forbidden, update: forbidden }, [403, 403]],
])('a member who sends a private field %s', async (_, api, expected) => {
  await using service = await TestService.open([
    {
      ...{ singular: 'book', plural: 'books', api },
      fields: [
        { name: 'title', field_type: 'text' },
        { name: 'bought_from', field_type: 'text', private: true },
      ],
    },
  ]);
  await service.account('mia');
  await service.account('ada', 'admin');
  const { id } = (await service.send('POST /api/v1/cms/books', { as: 'mia', body: { title: 'One' } })).json;
  const body = { title: 'Two', bought_from: 'Mora' };
  const made = await service.send('POST /api/v1/cms/books', { as: 'mia', body });
  const changed = await service.send(`PUT /api/v1/cms/books/${id}`, { as: 'mia', body });
  expect([made.status, changed.status]).toEqual([...expected]);
  for (const { text } of [made, changed]) expect(text).not.toContain('Mora');
  const byAdmin = await service.send(`PUT /api/v1/admin/cms/books/${id}`, { as: 'ada', body });
  expect([byAdmin.status, byAdmin.json.bought_from]).toEqual([200, 'Mora']);
});
