// databases: sqlite, postgres:rest
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { uploadRaw } from '../../http/media/media-calls.ts';
import { type Reply, TestService } from '../../support/service.ts';

// What all tenants share cannot be removed while one of them needs it. To the others, the error does not say which records do.

const authors = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const notes = {
  singular: 'note',
  plural: 'notes',
  protocols: ['tenantable'],
  fields: [
    { name: 'cover', field_type: 'media' },
    { name: 'gallery', field_type: 'media', multiple: true },
    { name: 'hero', field_type: 'group', fields: [{ name: 'picture', field_type: 'media' }] },
    {
      name: 'by',
      field_type: 'list',
      fields: [
        {
          name: 'author',
          field_type: 'relation',
          required: true,
          relation: { relation_type: 'many_to_one', target: 'authors' },
        },
      ],
    },
  ],
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([authors, notes], { builtIn: true });
  await service.account('root', 'admin');
  for (const tenant of ['acme', 'bolt']) await service.account(tenant, 'editor', tenant);
});
afterAll(() => service[Symbol.asyncDispose]());

async function note(as: string, body: object): Promise<string> {
  const made = await service.send('POST /api/v1/admin/cms/notes', { as, body });
  expect(made.status, made.text).toBe(201);
  return made.json.id;
}

const file = async (): Promise<string> =>
  (await uploadRaw(service, new TextEncoder().encode(crypto.randomUUID()), { as: 'root' })).json.id;

const refused = async (path: string, as: string): Promise<Reply> => {
  const reply = await service.send(`DELETE /api/v1/admin/${path}`, { as });
  expect([reply.status, reply.json.code]).toEqual([409, 'record_in_use']);
  return reply;
};

test.each([
  ['cover', (id: string) => ({ cover: id })],
  ['gallery', (id: string) => ({ gallery: [id] })],
  ['hero', (id: string) => ({ hero: { picture: id } })],
] as const)('of a file in %s', async (field, shown) => {
  const id = await file();
  const used = await note('bolt', shown(id));
  const places = [{ type: 'note', id: used, field }];
  for (const as of ['root', 'bolt']) expect((await refused(`media/${id}`, as)).json.places).toMatchObject(places);
  const reply = await refused(`media/${id}`, 'acme');
  expect(reply.json).toMatchObject({ detail: 'This media is in use.', places: [] });
  expect(reply.text).not.toContain(used);
  const own = await note('acme', shown(id));
  const both = await refused(`media/${id}`, 'acme');
  expect(both.json.places).toMatchObject([{ type: 'note', id: own, field }]);
  expect(both.text).not.toContain(used);
});

test('of a record in a structured field', async () => {
  const author = (await service.send('POST /api/v1/admin/cms/authors', { as: 'root', body: { name: 'Ines' } })).json.id;
  const used = await note('bolt', { by: [{ author }] });
  for (const as of ['root', 'bolt']) {
    expect((await refused(`cms/authors/${author}`, as)).text).toContain(used);
  }
  const reply = await refused(`cms/authors/${author}`, 'acme');
  expect(reply.json.detail).toBe('A note needs this author in its by.');
});
