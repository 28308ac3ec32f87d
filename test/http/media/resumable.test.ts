// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { getBytes, quarters } from './media-calls.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, mediaMaxFile: 20_000_000 });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('mia', 'member');
});
afterAll(() => service[Symbol.asyncDispose]());

const version = { 'Tus-Resumable': '1.0.0' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const begin = (
  size: number,
  as = 'ada',
  metadata = `filename ${base64('long.bin')},alt ${base64('x')}`,
): Promise<Reply> =>
  service.send('POST /api/v1/media/uploads', {
    as,
    headers: { ...version, 'Upload-Length': String(size), 'Upload-Metadata': metadata },
  });

const state = (path: string, as = 'ada'): Promise<Reply> => service.send(`HEAD ${path}`, { as, headers: version });

const sendPart = (path: string, offset: number, body: Uint8Array, as = 'ada'): Promise<Reply> =>
  service.send(`PATCH ${path}`, {
    as,
    headers: { ...version, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
    body,
  });

describe('an upload by tus', () => {
  test('of another version of the protocol learns which one is answered', async () => {
    const path = (await begin(3)).headers.get('location') ?? '';
    for (const other of [{ 'Tus-Resumable': '0.2.2' }, { 'Tus-Resumable': '1.0.0, 2.0.0' }, {}]) {
      for (const [method, address] of [
        ['POST', '/api/v1/media/uploads'],
        ['HEAD', path],
        ['PATCH', path],
        ['DELETE', path],
      ]) {
        const reply = await service.send(`${method} ${address}`, {
          as: 'ada',
          headers: { ...other, 'Upload-Length': '3' },
        });
        const version = ['tus-version', 'tus-resumable'].map((name) => reply.headers.get(name));
        expect([method, reply.status, ...version]).toEqual([method, 412, '1.0.0', '1.0.0']);
        if (method !== 'HEAD') expect(reply.json.code).toBe('unsupported_version');
      }
    }
    expect((await state(path)).status).toBe(200);
  });

  test('arrives in parts and becomes a record', async () => {
    const bytes = new Uint8Array(10_000_000).map((_, index) => (index * 7) % 253);
    const begun = await begin(bytes.length);
    expect(begun.status).toBe(201);
    const path = begun.headers.get('location') ?? '';
    expect(path).toStartWith('/api/v1/media/uploads/');
    expect(begun.headers.get('access-control-allow-origin')).toBeNull();
    expect((await state(path)).headers.get('upload-offset')).toBe('0');
    const first = await sendPart(path, 0, bytes.subarray(0, 6_000_000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '6000000']);
    expect(first.headers.get('recto-media')).toBeNull();
    const last = await sendPart(path, 6_000_000, bytes.subarray(6_000_000));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '10000000']);
    const id = last.headers.get('recto-media');
    const record = (await service.send(`GET /api/v1/media/${id}`)).json;
    expect(record).toMatchObject({
      name: 'long.bin',
      alt: 'x',
      size: bytes.length,
      hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      created_by: service.idOf('ada'),
    });
    expect((await getBytes(service, record.url)).bytes).toEqual(bytes);
    expect(await service.storedKeys('uploads/')).toEqual([]);
    // Whoever missed the answer finds the record all the same.
    const after = await state(path);
    expect([after.headers.get('upload-offset'), after.headers.get('recto-media')]).toEqual(['10000000', id]);
  });

  test('goes on where it broke off', async () => {
    const { headers } = await begin(30);
    const path = headers.get('location') ?? '';
    const breaking = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('0123456789'));
        await Bun.sleep(0);
        controller.error(new Error('gone'));
      },
    });
    const request = new Request(`http://recto.test${path}`, {
      method: 'PATCH',
      headers: {
        ...version,
        Authorization: `Bearer ${service.tokenOf('ada')}`,
        'Upload-Offset': '0',
        'Content-Type': 'application/offset+octet-stream',
      },
      body: breaking,
      duplex: 'half',
    } as RequestInit);
    await Promise.resolve(service.app.fetch(request)).catch(() => undefined);
    const offset = Number((await state(path)).headers.get('upload-offset'));
    expect([0, 10]).toContain(offset);
    const rest = new TextEncoder().encode('012345678901234567890123456789').subarray(offset);
    expect((await sendPart(path, offset, rest)).headers.get('recto-media')).not.toBeNull();
  });

  test('takes each byte once', async () => {
    const path = (await begin(20)).headers.get('location') ?? '';
    const bytes = new TextEncoder().encode('0123456789');
    expect((await sendPart(path, 0, bytes)).status).toBe(204);
    expect((await sendPart(path, 0, bytes)).status).toBe(409);
    expect((await sendPart(path, 5, bytes)).status).toBe(409);
    expect((await sendPart(path, 11, bytes)).status).toBe(409);
    const both = await Promise.all([sendPart(path, 10, bytes), sendPart(path, 10, bytes)]);
    expect(both.filter(({ status }) => status === 204).length).toBe(1);
    expect((await state(path)).headers.get('upload-offset')).toBe('20');
  });

  test('takes no bytes after the last, from a request that began before', async () => {
    const path = (await begin(20)).headers.get('location') ?? '';
    const bytes = new TextEncoder().encode('0123456789');
    expect((await sendPart(path, 0, bytes)).status).toBe(204);
    const reading = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const late = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          reading.resolve();
          await go.promise;
          controller.enqueue(new TextEncoder().encode('abcdefghij'));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const overtaken = service.app.fetch(
      new Request(`http://recto.test${path}`, {
        method: 'PATCH',
        headers: {
          ...version,
          Authorization: `Bearer ${service.tokenOf('ada')}`,
          'Upload-Offset': '10',
          'Content-Type': 'application/offset+octet-stream',
        },
        body: late,
        duplex: 'half',
      } as RequestInit),
    );
    await reading.promise;
    expect((await sendPart(path, 10, bytes)).status).toBe(204);
    go.resolve();
    expect((await overtaken).status).toBe(409);
    const id = (await state(path)).headers.get('recto-media');
    const record = (await service.send(`GET /api/v1/admin/media/${id}`, { as: 'ada' })).json;
    expect(new TextDecoder().decode((await getBytes(service, record.url)).bytes)).toBe('01234567890123456789');
    expect(await service.storedKeys('uploads/')).toEqual([]);
  });

  test('is only for who began it', async () => {
    const path = (await begin(20)).headers.get('location') ?? '';
    expect((await begin(20, 'mia')).status).toBe(403);
    expect((await service.send('POST /api/v1/media/uploads', { headers: version })).status).toBe(401);
    for (const [as, status] of [
      ['eve', 404],
      ['mia', 403],
    ] as const) {
      expect((await state(path, as)).status).toBe(status);
      expect((await sendPart(path, 0, new Uint8Array(5), as)).status).toBe(status);
      expect((await service.send(`DELETE ${path}`, { as, headers: version })).status).toBe(status);
    }
    expect((await service.send(`DELETE ${path}`, { as: 'ada', headers: version })).status).toBe(204);
    expect((await state(path)).status).toBe(404);
  });

  test('has limits', async () => {
    expect((await begin(20_000_001)).status).toBe(413);
    expect((await begin(-1)).status).toBe(400);
    expect((await service.send('POST /api/v1/media/uploads', { as: 'ada', headers: version })).status).toBe(400);
    const path = (await begin(5)).headers.get('location') ?? '';
    const tooMuch = await sendPart(path, 0, new Uint8Array(6));
    expect(tooMuch.status).toBeGreaterThanOrEqual(400);
    for (const wrong of ['/api/v1/media/uploads/x', '/api/v1/media/uploads/%2e%2e']) {
      expect((await state(wrong)).status).toBe(404);
    }
    expect((await service.send(`PUT ${path}`, { as: 'ada', headers: version, body: 'x' })).status).toBe(405);
  });

  test('has a bound for what an account leaves unfinished', async () => {
    await using own = await TestService.open([], { builtIn: true, mediaMaxFile: 1_000 });
    await own.account('ada', 'admin');
    await own.account('eve', 'editor');
    const create = (size: number, as = 'ada'): Promise<Reply> =>
      own.send('POST /api/v1/media/uploads', { as, headers: { ...version, 'Upload-Length': String(size) } });
    const all = await Promise.all(Array.from({ length: 100 }, () => create(10)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await create(10)).toMatchObject({ status: 409, json: { code: 'too_many_uploads' } });
    expect((await create(10, 'eve')).status).toBe(201);
    const [complete, given] = all.map(({ headers }) => headers.get('location') ?? '');
    const part = { ...version, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    const sent = await own.send(`PATCH ${complete}`, { as: 'ada', headers: part, body: new Uint8Array(10) });
    expect(sent.status).toBe(204);
    expect((await create(10)).status).toBe(201);
    expect((await create(10)).status).toBe(409);
    expect((await own.send(`DELETE ${given}`, { as: 'ada', headers: version })).status).toBe(204);
    expect((await create(10)).status).toBe(201);
    // Those of 8 files as large as a file can be.
    for (const size of [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 990])
      expect((await create(size, 'eve')).status).toBe(201);
    expect(await create(1, 'eve')).toMatchObject({ status: 409, json: { code: 'too_many_uploads' } });
    expect((await create(0, 'eve')).status).toBe(201);
  });

  test('says what it can to whoever asks', async () => {
    const path = (await begin(5)).headers.get('location') ?? '';
    for (const place of ['/api/v1/media/uploads', path]) {
      const { status, headers } = await service.send(`OPTIONS ${place}`);
      expect([status, headers.get('tus-version'), headers.get('tus-max-size')]).toEqual([204, '1.0.0', '20000000']);
      expect(headers.get('tus-extension')).toBe('creation,creation-with-upload,termination,expiration');
      expect(headers.get('allow')).toContain('OPTIONS');
    }
    expect((await service.send('OPTIONS /api/v1/media')).headers.get('tus-version')).toBeNull();
  });

  test('takes its methods by POST from who can send no others', async () => {
    const path = (await begin(10)).headers.get('location') ?? '';
    const sent = (method: string, more: object = {}, body?: Uint8Array, as = 'ada'): Promise<Reply> =>
      service.send(`POST ${path}`, {
        as,
        headers: { ...version, 'X-HTTP-Method-Override': method, ...more },
        ...(body === undefined ? {} : { body }),
      });
    const bytes = new TextEncoder().encode('01234');
    const part = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
    expect((await sent('PATCH', part, bytes, 'eve')).status).toBe(404);
    expect((await sent('PATCH', part, bytes)).headers.get('upload-offset')).toBe('5');
    expect((await sent('head')).headers.get('upload-offset')).toBe('5');
    for (const other of ['GET', 'POST', 'PUT', 'OPTIONS', 'x']) expect((await sent(other)).status).toBe(405);
    expect((await service.send(`POST ${path}`, { as: 'ada', headers: version })).status).toBe(405);
    expect((await sent('DELETE')).status).toBe(204);
    expect((await state(path)).status).toBe(404);
  });

  test('that can be no record is removed, with its bytes', async () => {
    await using images = await TestService.open([], { builtIn: true, mediaTypes: ['image/*'] });
    await images.account('ada', 'admin');
    const named = `filename ${base64('x')}`;
    const sent = (metadata: string, body: Uint8Array): Promise<Reply> =>
      images.send('POST /api/v1/media/uploads', {
        as: 'ada',
        headers: {
          ...version,
          'Upload-Length': String(body.length),
          'Upload-Metadata': metadata,
          'Content-Type': 'application/offset+octet-stream',
        },
        body,
      });
    const png = await quarters(8, 8);
    const hidden = await sent(`${named},visibility ${base64('hidden')}`, png);
    expect([hidden.status, hidden.json?.errors?.[0]?.field]).toEqual([422, 'visibility']);
    expect((await sent(named, new Uint8Array(100))).json?.code).toBe('media_type_not_allowed');
    expect(await images.storedKeys()).toEqual([]);
    expect((await sent(named, png)).headers.get('recto-media')).not.toBeNull();
    const path = (await begin(1, 'ada', `${named},visibility ${base64('hidden')}`)).headers.get('location') ?? '';
    expect((await sendPart(path, 0, new Uint8Array(1))).status).toBe(422);
    expect((await state(path)).status).toBe(404);
  });
});

test('an upload of which the storage has lost a part is 503, and makes no record', async () => {
  service.expectErrors(/"code":"storage_unavailable"/);
  const bytes = new Uint8Array(2_000).fill(7);
  const path = (await begin(bytes.length)).headers.get('location') ?? '';
  expect((await sendPart(path, 0, bytes.subarray(0, 1_000))).status).toBe(204);
  const before = (await service.send('GET /api/v1/media', { as: 'ada' })).json.total;
  for (const key of await service.storedKeys('uploads/')) await service.storage.delete(key);
  const lost = await sendPart(path, 1_000, bytes.subarray(1_000));
  expect([lost.status, lost.json.code]).toEqual([503, 'storage_unavailable']);
  expect((await service.send('GET /api/v1/media', { as: 'ada' })).json.total).toBe(before);
  expect((await service.send(`DELETE ${path}`, { as: 'ada', headers: version })).status).toBe(204);
});
