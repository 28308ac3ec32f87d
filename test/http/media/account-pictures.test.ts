// databases: sqlite, postgres:rest
import { expect, test } from 'bun:test';
import sharp from 'sharp';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { getBytes, quarters, untilStored, uploadRaw } from './media-calls.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const open = async () => {
  const service = await TestService.open([], { builtIn: true });
  for (const [name, role, tenant] of [
    ['ada', 'admin', null],
    ['eve', 'editor', null],
    ['mia', 'member', null],
    ['tim', 'editor', 'north'],
    ['tia', 'admin', 'north'],
    ['sue', 'editor', 'south'],
  ] as const)
    await service.account(name, role, tenant);
  const put = (as: string | undefined, body: Bytes | string, type = 'image/png') =>
    service.send('PUT /api/v1/auth/me/picture', {
      ...(as === undefined ? {} : { as }),
      headers: { 'Content-Type': type },
      body,
    });
  /** What somebody is shown of the pictures of these. */
  const seen = async (as: string, ...names: readonly string[]) => {
    const ids = names.map((name) => service.idOf(name)).join(',');
    const { status, json } = await service.send(`GET /api/v1/admin/pictures?ids=${ids}`, { as });
    return status === 200 ? json.items : status;
  };
  /** How many files the storage is to have. */
  const files = async () => Number((await service.database.rows(query('select * from recto_media_files'))).length);
  return { service, put, seen, files, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
};

test('a picture is a small square without what else was in the file, by a signed address', async () => {
  await using world = await open();
  const { service, put, seen } = world;
  const original = await sharp(await quarters(800, 400, 'jpeg'))
    .withExif({ IFD0: { Copyright: 'Where Eve lives' } })
    .jpeg()
    .toBuffer();
  const reply = await put('eve', new Uint8Array(original), 'image/jpeg');
  expect(reply.status).toBe(200);
  const { picture } = reply.json;
  expect(picture).toStartWith(`/api/v1/users/${service.idOf('eve')}/picture?expires=`);
  expect(picture).not.toContain('eve@');
  const { status, headers, bytes } = await getBytes(service, picture);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('image/webp');
  expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+, immutable$/);
  const seconds = Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]);
  expect(seconds).toBeGreaterThan(86_000);
  expect(seconds).toBeLessThanOrEqual(172_800);
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  const { width, height, exif, format } = await sharp(bytes).metadata();
  expect({ width, height, exif, format }).toEqual({ width: 256, height: 256, exif: undefined, format: 'webp' });
  expect(await seen('ada', 'eve', 'ada', 'mia')).toEqual([{ id: service.idOf('eve'), picture }]);
  const etag = headers.get('etag') ?? '';
  expect((await getBytes(service, picture, { headers: { 'If-None-Match': etag } })).status).toBe(304);
});

test('no other address leads to a picture', async () => {
  await using world = await open();
  const { service, put } = world;
  const { picture } = (await put('eve', await quarters(300, 300))).json;
  const own = (await put('ada', await quarters(310, 300))).json.picture;
  const file = await uploadRaw(service, await quarters(20, 20), { as: 'ada', fields: { visibility: 'private' } });
  const { id } = file.json;
  const signed = (await service.send(`POST /api/v1/media/${id}/sign`, { as: 'ada', body: { seconds: 60 } })).json.url;
  const ending = (address: string): string => address.slice(address.indexOf('?') + 1).replace(/v=\w+&/, '');
  for (const address of [
    picture.replace(/\?.*/, ''),
    picture.replace(/&signature=.*/, ''),
    picture.replace(/signature=./, 'signature=~'),
    picture.replace(/expires=\d/, 'expires=9'),
    picture.replace(service.idOf('eve'), service.idOf('ada')),
    picture.replace(service.idOf('eve'), service.idOf('mia')),
    picture.replace(/\?.*/, `?${ending(own)}`),
    picture.replace(/\?.*/, `?${ending(signed)}`),
  ]) {
    expect([address, (await getBytes(service, address)).status]).toEqual([address, 404]);
    // No right of somebody's own opens it either.
    expect((await getBytes(service, address, { as: 'eve' })).status).toBe(404);
  }
  // Nor does what signs a picture open a file.
  expect((await getBytes(service, `${signed.replace(/\?.*/, '')}?${ending(picture)}`)).status).toBe(404);
  expect((await getBytes(service, picture)).status).toBe(200);
});

test('who sees names in the admin sees pictures: of a tenant, its own people’s', async () => {
  await using world = await open();
  const { service, put, seen } = world;
  for (const [index, name] of ['ada', 'tim', 'sue'].entries())
    expect((await put(name, await quarters(300 + index, 300))).status).toBe(200);
  const all = (await seen('ada', 'ada', 'tim', 'sue')).map(({ id }: { readonly id: string }) => id);
  expect(all.toSorted()).toEqual(['ada', 'tim', 'sue'].map((name) => service.idOf(name)).toSorted());
  expect(await seen('tim', 'ada', 'sue', 'tim')).toMatchObject([{ id: service.idOf('tim') }]);
  expect(await seen('tia', 'tim')).toHaveLength(1);
  expect(await seen('mia', 'ada')).toBe(403);
  expect((await service.send(`GET /api/v1/admin/pictures?ids=${service.idOf('ada')}`)).status).toBe(401);
  for (const ids of ['', 'nobody', ','.repeat(100), 'a,'.repeat(50), Array(51).fill(service.idOf('ada')).join(',')])
    expect((await service.send(`GET /api/v1/admin/pictures?ids=${ids}`, { as: 'ada' })).status).toBe(400);
  // An admin of a tenant removes those of the tenant only.
  const remove = async (as: string, name: string) =>
    (await service.send(`DELETE /api/v1/admin/users/${service.idOf(name)}/picture`, { as })).status;
  expect(await remove('tia', 'sue')).toBe(404);
  expect(await remove('tia', 'ada')).toBe(404);
  expect(await remove('eve', 'ada')).toBe(403);
  expect(await remove('tia', 'tim')).toBe(204);
  expect(await seen('ada', 'tim', 'sue')).toMatchObject([{ id: service.idOf('sue') }]);
});

test('nothing but images of pixels is taken, and not of API tokens, members or nobody', async () => {
  await using world = await open();
  const { service, put, seen, files } = world;
  const png = await quarters(300, 300);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [body, type, status, code] of [
    [svg, 'image/svg+xml', 415, 'unsupported_media_type'],
    [svg, 'image/png', 415, 'media_type_not_allowed'],
    ['<!doctype html><script>alert(1)</script>', 'image/png', 415, 'media_type_not_allowed'],
    ['', 'image/png', 415, 'media_type_not_allowed'],
    [png, 'text/html', 415, 'unsupported_media_type'],
    [png.slice(0, 60), 'image/png', 422, 'validation_failed'],
    [new Uint8Array(10 * 1024 * 1024 + 1), 'image/png', 413, 'body_too_large'],
  ] as const) {
    const reply = await put('eve', body, type);
    expect([type, reply.status, reply.json.code]).toEqual([type, status, code]);
  }
  expect((await put('mia', png)).status).toBe(403);
  expect((await put(undefined, png)).status).toBe(401);
  const token = await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body: { name: 'x', role: 'admin' } });
  const sent = await service.send('PUT /api/v1/auth/me/picture', {
    headers: { 'Content-Type': 'image/png', Authorization: `Bearer ${token.json.token}` },
    body: png,
  });
  expect([sent.status, sent.json.code]).toEqual([403, 'not_an_account']);
  expect(await seen('ada', 'eve', 'mia')).toEqual([]);
  expect(await files()).toBe(0);
});

test('the file goes when the picture is replaced or removed, and with the account; not while others have the same', async () => {
  await using world = await open();
  const { service, put, seen, files } = world;
  const first = await quarters(300, 300);
  const before = (await put('eve', first)).json.picture;
  await put('ada', first);
  await put('tim', first);
  expect(await files()).toBe(1);
  const after = (await put('eve', await quarters(300, 300, 'webp').then(rotated))).json.picture;
  expect(after).not.toBe(before);
  // The old address leads nowhere, although others have the same picture.
  expect((await getBytes(service, before)).status).toBe(404);
  expect((await getBytes(service, after)).status).toBe(200);
  await untilStored(service, 2);
  // Of those who have the first, one is left when the second goes.
  await service.send('DELETE /api/v1/auth/me/picture', { as: 'ada' });
  expect((await service.send('DELETE /api/v1/auth/me/picture', { as: 'eve' })).status).toBe(204);
  expect((await service.send('DELETE /api/v1/auth/me/picture', { as: 'eve' })).status).toBe(204);
  expect((await getBytes(service, after)).status).toBe(404);
  await untilStored(service, 1);
  const [left] = await seen('ada', 'eve', 'ada', 'tim');
  expect(left.id).toBe(service.idOf('tim'));
  expect((await getBytes(service, left.picture)).status).toBe(200);
  expect((await service.send(`DELETE /api/v1/admin/users/${service.idOf('tim')}`, { as: 'ada' })).status).toBe(204);
  expect(await service.database.rows(query('select * from recto_account_pictures'))).toEqual([]);
  expect((await getBytes(service, left.picture)).status).toBe(404);
  await untilStored(service, 0);
});

test('a file of the library with the same bytes keeps them, and the log says who changed what', async () => {
  await using world = await open();
  const { service, put, files } = world;
  const { picture } = (await put('eve', await quarters(300, 300))).json;
  const { bytes } = await getBytes(service, picture);
  const file = await uploadRaw(service, new Uint8Array(bytes), { as: 'ada', name: 'eve.webp' });
  expect(await files()).toBe(1);
  const other = await uploadRaw(service, await quarters(30, 30), { as: 'ada' });
  await service.send('DELETE /api/v1/auth/me/picture', { as: 'eve' });
  await service.send(`DELETE /api/v1/media/${other.json.id}`, { as: 'ada' });
  await untilStored(service, 1);
  expect((await getBytes(service, file.json.url)).status).toBe(200);
  const id = service.idOf('eve');
  const { items } = (await service.send('GET /api/v1/admin/events?type=recto:account', { as: 'ada' })).json;
  const ofEve = items.filter(({ record, action }: Reply['json']) => record === id && action === 'update');
  const change = { action: 'update', actor: { id }, changed: ['picture'] };
  expect(ofEve).toMatchObject([change, change]);
});

test('an account that is disabled while the bytes arrive gets no picture', async () => {
  await using world = await open();
  const { service, seen, files } = world;
  const png = await quarters(300, 300);
  const asked = Promise.withResolvers<void>();
  const disabled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        asked.resolve();
        await disabled.promise;
        controller.enqueue(png);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'Content-Type': 'image/png', Authorization: `Bearer ${service.tokenOf('eve')}` };
  const request = new Request('http://localhost/api/v1/auth/me/picture', { method: 'PUT', headers, body });
  const reply = service.app.fetch(request);
  await asked.promise;
  const change = { as: 'ada', body: { disabled: true } };
  expect((await service.send(`PUT /api/v1/admin/users/${service.idOf('eve')}`, change)).status).toBe(200);
  disabled.resolve();
  expect((await reply).status).toBe(404);
  expect(await seen('ada', 'eve')).toEqual([]);
  expect(await files()).toBe(0);
});

async function rotated(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await sharp(bytes).rotate(90).png().toBuffer());
}
