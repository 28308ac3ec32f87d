import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { OpenApiReader } from '../../support/openapi/openapi-reader.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from './media-calls.ts';

const landing = {
  singular: 'landing',
  plural: 'landings',
  protocols: ['versionable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'hero', field_type: 'group', fields: [{ name: 'picture', field_type: 'media' }] },
    { name: 'gallery', field_type: 'list', item: { field_type: 'media' } },
    {
      name: 'body',
      field_type: 'blocks',
      blocks: [
        {
          name: 'figure',
          fields: [
            { name: 'picture', field_type: 'media', required: true },
            { name: 'logo', field_type: 'media', external: true },
            { name: 'source', field_type: 'media', private: true },
          ],
        },
        { name: 'text', fields: [{ name: 'content', field_type: 'richtext' }] },
      ],
    },
    { name: 'main', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'landings' } },
  ],
  api: { create: { access: 'public' }, update: { access: 'public' } },
};
const credited = { extends: 'media', fields: [{ name: 'credit', field_type: 'text' }] };

const address = 'https://example.com/a.png';
const unknown = '01990000-0000-7000-8000-000000000000';
const shownNames = ['id', 'url', 'name', 'mime_type', 'width', 'height', 'alt', 'focal_x', 'focal_y', 'placeholder'];

let service: TestService;
let image: Reply['json'];
let secret: Reply['json'];
beforeAll(async () => {
  service = await TestService.open([landing, credited], { builtIn: true });
  await service.account('ada', 'admin');
  const png = await quarters(40, 20);
  image = (await uploadRaw(service, png, { as: 'ada', name: 'one.png', fields: { alt: 'One' } })).json;
  await service.send(`PUT /api/v1/media/${image.id}`, { as: 'ada', body: { credit: 'Ines' } });
  secret = (await uploadRaw(service, png, { as: 'ada', name: 'p.png', fields: { visibility: 'private' } })).json;
});
afterAll(() => service[Symbol.asyncDispose]());

const shownOf = (file: Reply['json']) => ({
  ...Object.fromEntries(shownNames.map((name) => [name, file[name]])),
  variants: file.variants,
});
const hiddenOf = (id: string) => ({
  ...Object.fromEntries(shownNames.map((name) => [name, null])),
  ...{ id, variants: {} },
});

const create = (body: unknown, as?: string): Promise<Reply> =>
  service.send('POST /api/v1/cms/landings', as === undefined ? { body } : { as, body });
const made = async (body: unknown): Promise<Reply['json']> => {
  const reply = await service.send('POST /api/v1/admin/cms/landings', { as: 'ada', body });
  expect(reply.status, reply.text).toBe(201);
  return reply.json;
};
const get = async (id: string, search = ''): Promise<Reply['json']> => {
  const reply = await service.send(`GET /api/v1/cms/landings/${id}${search}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
};
const sent = () => ({
  title: 'a',
  hero: { picture: image.id },
  gallery: [image.id, secret.id, image.id],
  body: [
    { block: 'figure', picture: image.id, logo: address, source: image.id },
    { block: 'text', content: 'x' },
    { block: 'figure', picture: secret.id, logo: image.id },
  ],
});

describe('a field of files inside another', () => {
  test('reads as what is shown of the files, on every route', async () => {
    const created = await made(sent());
    const own = shownOf(image);
    const hidden = hiddenOf(secret.id);
    const inPublic = (record: Reply['json']) => {
      expect([record.hero, record.gallery]).toEqual([{ picture: own }, [own, hidden, own]]);
      expect(record.body[0]).toEqual({ block: 'figure', id: created.body[0].id, picture: own, logo: address });
      expect(record.body[2]).toEqual({ block: 'figure', id: created.body[2].id, picture: hidden, logo: own });
    };
    const asAdmin = (record: Reply['json']) => {
      expect(record.gallery).toEqual([own, shownOf(secret), own]);
      expect(record.body[0]).toMatchObject({ picture: own, logo: address, source: own });
      expect(record.body[2]).toMatchObject({ picture: shownOf(secret), logo: own, source: null });
    };
    asAdmin(created);
    inPublic(await get(created.id));
    const listed = await service.send('GET /api/v1/cms/landings?title=a');
    inPublic(listed.json.items[0]);
    asAdmin((await service.send('GET /api/v1/admin/cms/landings?title=a', { as: 'ada' })).json.items[0]);
    asAdmin((await service.send(`GET /api/v1/admin/cms/landings/${created.id}`, { as: 'ada' })).json);
    const other = await made({ main: created.id });
    inPublic((await get(other.id, '?include=main')).main);
    const opened = await create({ hero: { picture: image.id }, gallery: [secret.id] });
    expect([opened.json.hero.picture, opened.json.gallery]).toEqual([own, [hidden]]);
  });

  test('can be sent back as it was read', async () => {
    const created = await made(sent());
    const path = `/api/v1/admin/cms/landings/${created.id}`;
    const again = await service.send(`PUT ${path}`, { as: 'ada', body: created });
    expect(again.status, again.text).toBe(200);
    expect({ ...again.json, updated_at: '' }).toEqual({ ...created, updated_at: '' });
    // Also by a caller who sees less of it.
    const shown = await get(created.id);
    const back = await service.send(`PUT /api/v1/cms/landings/${created.id}`, { body: shown });
    expect(back.status, back.text).toBe(200);
    const after = (await service.send(`GET ${path}`, { as: 'ada' })).json;
    expect([after.gallery, after.body]).toEqual([created.gallery, created.body]);
  });

  test('follows changes of the file and of who may read it', async () => {
    const { id } = await made({ hero: { picture: secret.id } });
    expect((await get(id)).hero.picture).toEqual(hiddenOf(secret.id));
    await service.send(`PUT /api/v1/media/${secret.id}`, { as: 'ada', body: { visibility: 'public' } });
    expect((await get(id)).hero.picture.name).toBe('p.png');
    await service.send(`PUT /api/v1/media/${secret.id}`, { as: 'ada', body: { visibility: 'private' } });
    expect((await get(id)).hero.picture).toEqual(hiddenOf(secret.id));
  });

  test('shows all of a file with include', async () => {
    const { id } = await made(sent());
    const included = await get(id, '?include=hero.picture,gallery,body.picture');
    expect(included.hero.picture).toMatchObject({ credit: 'Ines', hash: image.hash });
    expect(included.body[0].picture).toMatchObject({ credit: 'Ines' });
    expect([included.body[2].picture, included.body[0].logo, included.body[2].logo]).toEqual([
      null,
      address,
      shownOf(image),
    ]);
  });

  test.each([
    [{ hero: { picture: unknown } }, 'hero.picture', 'unknown_record'],
    [{ gallery: [unknown] }, 'gallery[0]', 'unknown_record'],
    [{ body: [{ block: 'figure', picture: { id: unknown } }] }, 'body[0].picture', 'unknown_record'],
    [{ hero: { picture: address } }, 'hero.picture', 'bad_format'],
    [{ gallery: [address] }, 'gallery[0]', 'bad_format'],
    [{ hero: { picture: 'javascript:alert(1)' } }, 'hero.picture', 'bad_format'],
    [{ hero: { picture: 5 } }, 'hero.picture', 'wrong_type'],
    [{ body: [{ block: 'figure' }] }, 'body[0].picture', 'required'],
  ])('rejects %j', async (body, field, code) => {
    const refused = await create(body);
    expect(refused.status, refused.text).toBe(422);
    expect(refused.json.errors.map((fault: Reply['json']) => [fault.field, fault.code])).toEqual([[field, code]]);
  });

  test('holds only so many', async () => {
    const refused = await create({ gallery: Array.from({ length: 201 }, () => image.id) });
    expect([refused.status, refused.json.errors[0].code]).toEqual([422, 'too_many_items']);
  });

  test('keeps an address that was stored before', async () => {
    const { id } = await made({ hero: { picture: image.id } });
    const { database } = service;
    const stored = { picture: address };
    await database.transaction(async (transaction) => {
      const hero = database.dialect.encode('json', stored);
      await transaction.run(query('update cms_landing set hero = ? where id = ?', hero, id));
      transaction.touch('landing');
    });
    expect((await get(id)).hero.picture).toBe(address);
    const path = `PUT /api/v1/cms/landings/${id}`;
    expect((await service.send(path, { body: { title: 'new', hero: { picture: address } } })).status).toBe(200);
    expect((await service.send(path, { body: { hero: { picture: `${address}?2` } } })).status).toBe(422);
  });

  test('has revisions', async () => {
    const { id } = await made({ hero: { picture: image.id } });
    const path = `/api/v1/admin/cms/landings/${id}`;
    await service.send(`PUT ${path}`, { as: 'ada', body: { hero: { picture: secret.id } } });
    const restored = await service.send(`POST ${path}/revisions/1/restore`, { as: 'ada' });
    expect(restored.json.hero, restored.text).toEqual({ picture: shownOf(image) });
  });

  test('keeps its file, and the answer has the places', async () => {
    const file = (await uploadRaw(service, new TextEncoder().encode('inside'), { as: 'ada' })).json;
    const figure = { block: 'figure', picture: image.id };
    const one = await made({ gallery: [image.id, file.id], body: [figure, { ...figure, source: file.id }] });
    const two = await made({ hero: { picture: file.id } });
    const refused = await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' });
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    const places = [
      { type: 'landing', id: one.id, field: 'body', places: ['body[1].source'] },
      { type: 'landing', id: one.id, field: 'gallery', places: ['gallery[1]'] },
      { type: 'landing', id: two.id, field: 'hero', places: ['hero.picture'] },
    ];
    expect(refused.json.places).toEqual(places);
    const uses = await service.send(`GET /api/v1/admin/media/${file.id}/uses`, { as: 'ada' });
    expect(uses.json.items).toEqual(places);
    await service.send(`PUT /api/v1/admin/cms/landings/${one.id}`, { as: 'ada', body: { gallery: [], body: [] } });
    expect((await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' })).status).toBe(409);
    await service.send(`DELETE /api/v1/admin/cms/landings/${two.id}`, { as: 'ada' });
    expect((await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' })).status).toBe(204);
  });

  test('holds one file, and says what to write for several', async () => {
    const inside = [{ name: 'pictures', field_type: 'media', multiple: true }];
    const wrong = { ...landing, fields: [{ name: 'hero', field_type: 'group', fields: inside }] };
    const opening = TestService.open([wrong], { builtIn: true });
    await expect(opening).rejects.toThrow(/fields\[0\]\.multiple[\s\S]*write a list/);
  });
});

test('is documented as it is shown', async () => {
  const reader = new OpenApiReader((await service.send('GET /api/v1/openapi.json')).json);
  const { id } = await made(sent());
  const calls: readonly (readonly [operation: string, route: string])[] = [
    ['getLandingRecord', `GET /api/v1/cms/landings/${id}`],
    ['getLandingRecord', `GET /api/v1/cms/landings/${id}?include=hero.picture,gallery,body.logo`],
    ['listLandingRecords', 'GET /api/v1/cms/landings'],
    ['adminGetLandingRecord', `GET /api/v1/admin/cms/landings/${id}`],
  ];
  for (const [operation, route] of calls) {
    const reply = await service.send(route, { as: 'ada' });
    expect(reply.status).toBe(200);
    expect([route, reader.differences(reader.operation(operation), reply)]).toEqual([route, []]);
  }
});
