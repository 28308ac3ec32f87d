// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { quarters, uploadForm, uploadRaw } from './media-calls.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'live'], published: 'live' },
  ],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'cover', field_type: 'media' },
    { name: 'gallery', field_type: 'media', multiple: true },
    { name: 'logo', field_type: 'media', external: true },
  ],
  api: { create: { access: 'public' }, update: { access: 'public' } },
};
const needy = {
  singular: 'needy',
  plural: 'needies',
  fields: [
    { name: 'cover', field_type: 'media', required: true, private: true },
    { name: 'pictures', field_type: 'media', multiple: true, required: true },
  ],
};
const credited = { extends: 'media', fields: [{ name: 'credit', field_type: 'text' }] };

let service: TestService;
let image: Reply['json'];
let other: Reply['json'];
let secret: Reply['json'];
beforeAll(async () => {
  service = await TestService.open([article, needy, credited], { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
  const png = await quarters(40, 20);
  image = (await uploadRaw(service, png, { as: 'ada', name: 'one.png', fields: { alt: 'One' } })).json;
  other = (await uploadRaw(service, png, { as: 'ada', name: 'two.png' })).json;
  secret = (await uploadRaw(service, png, { as: 'ada', name: 'p.png', fields: { visibility: 'private' } })).json;
});
afterAll(() => service[Symbol.asyncDispose]());

const shownOf = ({
  id,
  url,
  name,
  mime_type,
  width,
  height,
  alt,
  focal_x,
  focal_y,
  placeholder,
  variants,
}: Reply['json']) => ({
  ...{ id, url, name, mime_type, width, height, alt, focal_x, focal_y, placeholder, variants },
});
const hiddenOf = (id: string) => ({
  ...{ id, url: null, name: null, mime_type: null, width: null, height: null },
  ...{ alt: null, focal_x: null, focal_y: null, placeholder: null, variants: {} },
});

const create = (body: unknown, as?: string): Promise<Reply> =>
  service.send('POST /api/v1/cms/articles', as === undefined ? { body } : { as, body });
const get = async (id: string, search = ''): Promise<Reply['json']> =>
  (await service.send(`GET /api/v1/cms/articles/${id}${search}`)).json;
const address = 'https://example.com/a.png';

describe('a field of type media', () => {
  test('holds ids and reads as what is shown of the files', async () => {
    const body = {
      title: 'a',
      cover: image.id,
      gallery: [other.id, image.id],
      logo: address,
      status: 'live',
    };
    const made = await create(body, 'ada');
    expect(made.status, made.text).toBe(201);
    const wanted = {
      cover: shownOf(image),
      gallery: [shownOf(other), shownOf(image)],
      logo: address,
    };
    expect(made.json).toMatchObject(wanted);
    expect(await get(made.json.id)).toMatchObject(wanted);
    const listed = (await service.send(`GET /api/v1/cms/articles?id=${made.json.id}`)).json ?? {};
    if (listed.items !== undefined) expect(listed.items[0]).toMatchObject(wanted);
    const admin = await service.send(`GET /api/v1/admin/cms/articles/${made.json.id}`, { as: 'ada' });
    expect(admin.json).toMatchObject(wanted);
    // A fetched record can be sent back whole.
    const back = await service.send(`PUT /api/v1/admin/cms/articles/${made.json.id}`, { as: 'ada', body: admin.json });
    expect(back.json).toMatchObject(wanted);
    const none = { cover: null, gallery: [], logo: null };
    const emptied = await service.send(`PUT /api/v1/admin/cms/articles/${made.json.id}`, { as: 'ada', body: none });
    expect(emptied.json).toMatchObject(none);
  });

  test('shows all of a file with include, and leads to it in filters', async () => {
    await service.send(`PUT /api/v1/media/${image.id}`, { as: 'ada', body: { credit: 'Ines' } });
    const { id } = (await create({ cover: image.id, gallery: [image.id], logo: image.id, status: 'live' }, 'ada')).json;
    const included = await get(id, '?include=cover,gallery');
    expect(included.cover).toMatchObject({ id: image.id, credit: 'Ines', size: image.size });
    expect(included.gallery[0]).toMatchObject({ credit: 'Ines', hash: image.hash });
    const found = async (filter: string): Promise<readonly string[]> => {
      const reply = await service.send(`GET /api/v1/cms/articles?filter=${encodeURIComponent(filter)}`);
      expect(reply.status, reply.text).toBe(200);
      return reply.json.items.map((item: Reply['json']) => item.id);
    };
    expect(await found('cover.credit = "Ines"')).toContain(id);
    expect(await found('cover.mime_type = "image/gif"')).toEqual([]);
    expect(await found(`cover = "${image.id}"`)).toContain(id);
    expect(await found(`gallery.credit ?= "Ines"`)).toContain(id);
    const exact = await service.send(`GET /api/v1/cms/articles?cover=${image.id}&gallery=${image.id}`);
    expect(exact.json.items.map((item: Reply['json']) => item.id)).toEqual([id]);
  });

  test('shows the id alone of a file that the caller may not read', async () => {
    const body = { cover: secret.id, gallery: [secret.id, image.id], status: 'live' };
    const { id } = (await create(body, 'ada')).json;
    const read = await get(id);
    expect([read.cover, read.gallery]).toEqual([hiddenOf(secret.id), [hiddenOf(secret.id), shownOf(image)]]);
    expect((await get(id, '?include=cover')).cover).toBeNull();
    // Sent back by that caller, it is still there.
    const back = await service.send(`PUT /api/v1/cms/articles/${id}`, {
      body: { cover: read.cover, gallery: read.gallery },
    });
    expect(back.status).toBe(200);
    const admin = await service.send(`GET /api/v1/admin/cms/articles/${id}`, { as: 'ada' });
    expect(admin.json.cover).toMatchObject({ id: secret.id, name: 'p.png' });
    await service.send(`PUT /api/v1/media/${secret.id}`, { as: 'ada', body: { visibility: 'public' } });
    expect((await get(id)).cover).toMatchObject({ name: 'p.png' });
    await service.send(`PUT /api/v1/media/${secret.id}`, { as: 'ada', body: { visibility: 'private' } });
    expect((await get(id)).cover).toEqual(hiddenOf(secret.id));
  });

  test.each([
    [{ cover: '01990000-0000-7000-8000-000000000000' }, 'cover', 'unknown_record'],
    [{ gallery: ['01990000-0000-7000-8000-000000000000'] }, 'gallery[0]', 'unknown_record'],
    [{ cover: address }, 'cover', 'bad_format'],
    [{ gallery: [address] }, 'gallery[0]', 'bad_format'],
    [{ logo: 'javascript:alert(1)' }, 'logo', 'bad_format'],
    [{ logo: '//example.com/a.png' }, 'logo', 'bad_format'],
    [{ gallery: ['data:text/html,x'] }, 'gallery', 'bad_format'],
    [{ cover: {} }, 'cover', undefined],
    [{ cover: { id: 5 } }, 'cover', undefined],
    [{ cover: 5 }, 'cover', 'wrong_type'],
    [{ cover: '' }, 'cover', 'bad_format'],
    [{ gallery: 'x' }, 'gallery', 'wrong_type'],
    [{ gallery: { id: 'x' } }, 'gallery', 'wrong_type'],
  ])('rejects %j', async (body, field, code) => {
    const refused = await create(body);
    expect(refused.status, refused.text).toBe(422);
    const [fault] = refused.json.errors;
    expect(fault.field.startsWith(field)).toBe(true);
    if (code !== undefined) expect(fault.code).toBe(code);
  });

  test('takes a file once, and only so many', async () => {
    expect((await create({ gallery: [image.id, image.id] })).json.errors[0].code).toBe('invalid');
    expect((await create({ gallery: Array.from({ length: 201 }, () => image.id) })).status).toBe(422);
  });

  test('keeps an address that was stored before there were files', async () => {
    const { id } = (await create({ title: 'old', status: 'live' }, 'ada')).json;
    const { database } = service;
    await database.transaction(async (transaction) => {
      await transaction.run(query('update cms_article set cover = ? where id = ?', address, id));
      transaction.touch('article');
    });
    expect((await get(id)).cover).toBe(address);
    const path = `PUT /api/v1/cms/articles/${id}`;
    expect((await service.send(path, { body: { cover: address, title: 'new' } })).json).toMatchObject({
      cover: address,
      title: 'new',
    });
    expect((await service.send(path, { body: { cover: `${address}?2` } })).status).toBe(422);
    expect((await service.send(path, { body: { cover: image.id } })).json.cover.id).toBe(image.id);
  });

  test('is required where its definition says so', async () => {
    const send = (body: unknown) => service.send('POST /api/v1/admin/cms/needies', { as: 'ada', body });
    expect((await send({})).json.errors.map((fault: Reply['json']) => [fault.field, fault.code])).toEqual([
      ['cover', 'required'],
      ['pictures', 'required'],
    ]);
    expect((await send({ cover: image.id, pictures: [] })).status).toBe(422);
    const made = await send({ cover: image.id, pictures: [image.id] });
    expect(made.status).toBe(201);
    // Private fields are for the admin routes alone.
    expect((await service.send(`GET /api/v1/cms/needies/${made.json.id}`)).json.cover).toBeUndefined();
  });

  test('has revisions and drafts', async () => {
    const { id } = (await create({ title: 'r', cover: image.id, gallery: [image.id], status: 'live' }, 'ada')).json;
    const path = `/api/v1/admin/cms/articles/${id}`;
    await service.send(`PUT ${path}`, { as: 'ada', body: { cover: other.id, gallery: [other.id, image.id] } });
    const restored = await service.send(`POST ${path}/revisions/1/restore`, { as: 'ada' });
    expect(restored.status, restored.text).toBe(200);
    expect([restored.json.cover.id, restored.json.gallery.map((file: Reply['json']) => file.id)]).toEqual([
      image.id,
      [image.id],
    ]);
    const drafted = await service.send(`PUT ${path}?draft=true`, { as: 'ada', body: { cover: other.id } });
    expect(drafted.status, drafted.text).toBe(200);
    expect((await get(id)).cover.id).toBe(image.id);
    await service.send(`POST ${path}/publish`, { as: 'ada' });
    expect((await get(id)).cover.id).toBe(other.id);
  });
});

describe('a file that is used', () => {
  test('stays, and the answer has the places', async () => {
    const file = (await uploadRaw(service, new TextEncoder().encode('used'), { as: 'ada' })).json;
    const one = (await create({ cover: file.id, status: 'live' }, 'ada')).json;
    const two = (await create({ gallery: [image.id, file.id], logo: file.id, status: 'live' }, 'ada')).json;
    const refused = await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' });
    expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
    const places = [
      { type: 'article', id: one.id, field: 'cover' },
      { type: 'article', id: two.id, field: 'gallery' },
      { type: 'article', id: two.id, field: 'logo' },
    ];
    expect(refused.json.places).toEqual(places);
    const uses = await service.send(`GET /api/v1/admin/media/${file.id}/uses`, { as: 'ada' });
    expect(uses.json).toEqual({
      items: places.map((place) => ({ ...place, places: [place.field] })),
      drafts: [],
      ...{ total: 3, page: 1, page_size: 20 },
    });
    expect((await service.send(`GET /api/v1/admin/media/${file.id}/uses`, { as: 'mia' })).status).toBe(403);
    await service.send(`PUT /api/v1/admin/cms/articles/${one.id}`, { as: 'ada', body: { cover: null } });
    await service.send(`DELETE /api/v1/admin/cms/articles/${two.id}`, { as: 'ada' });
    expect((await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' })).status).toBe(204);
    expect((await service.send(`GET /api/v1/media/${file.id}`)).status).toBe(404);
  });

  test('by posts and pages stays, too', async () => {
    const file = (await uploadRaw(service, new TextEncoder().encode('post'), { as: 'ada' })).json;
    const post = await service.seed('posts', { title: 'With a cover', cover_image: file.id, status: 'Published' });
    expect(post.cover_image).toEqual(shownOf(file));
    const refused = await service.send(`DELETE /api/v1/media/${file.id}`, { as: 'ada' });
    expect(refused.json.places).toEqual([{ type: 'post', id: post.id, field: 'cover_image' }]);
    const addressed = await service.seed('posts', { title: 'Elsewhere', cover_image: address });
    expect(addressed.cover_image).toBe(address);
  });
});

describe('records of files', () => {
  test('are listed for editors and admins, with filters', async () => {
    expect((await service.send('GET /api/v1/media')).status).toBe(401);
    expect((await service.send('GET /api/v1/media', { as: 'mia' })).json.items).toEqual([]);
    const listed = await service.send('GET /api/v1/media?filter=width%20%3E%2030&sort=name:asc&page_size=2', {
      as: 'ada',
    });
    expect(listed.json.items.map((item: Reply['json']) => item.name)).toEqual(['one.png', 'p.png']);
    expect((await service.send('GET /api/v1/media?search=one', { as: 'ada' })).json.items[0].id).toBe(image.id);
    expect((await service.send(`GET /api/v1/media/${image.id}`)).json).toMatchObject({ id: image.id, alt: 'One' });
  });

  test('keep what the service found, whatever is sent', async () => {
    const path = `PUT /api/v1/media/${other.id}`;
    const sent = { ...other, hash: 'x', size: 1, mime_type: 'text/html', url: 'https://evil.example', alt: 'Two' };
    const changed = await service.send(path, { as: 'ada', body: sent });
    expect(changed.json).toMatchObject({
      hash: other.hash,
      size: other.size,
      mime_type: 'image/png',
      url: other.url,
      alt: 'Two',
    });
    expect((await service.send(path, { as: 'mia', body: { alt: 'x' } })).status).toBe(403);
    expect((await service.send(path, { body: { alt: 'x' } })).status).toBe(401);
  });

  test('take the JSON of their own fields from a form', async () => {
    const fields = [{ name: 'meta', field_type: 'json' }];
    await using own = await TestService.open([{ extends: 'media', fields }], { builtIn: true });
    await own.account('ada', 'admin');
    const meta = async (text: string) =>
      (await uploadForm(own, new Uint8Array(3), { as: 'ada', fields: { meta: text } })).json.meta;
    expect(await meta('{"a":[1,null]}')).toEqual({ a: [1, null] });
    expect([await meta('null'), await meta(''), await meta('false'), await meta('0')]).toEqual([null, null, false, 0]);
  });

  test('can have other access, by extends', async () => {
    const open = { extends: 'media', api: { list: { access: 'public' }, create: { access: 'public' } } };
    await using opened = await TestService.open([open], { builtIn: true });
    expect((await uploadRaw(opened, new TextEncoder().encode('x'))).status).toBe(201);
    expect((await opened.send('GET /api/v1/media')).json.items.length).toBe(1);
  });
});
