// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';
import { getBytes, quarters, untilStored, uploadForm, uploadRaw } from './media-calls.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], { builtIn: true, mediaMaxFile: 300_000 });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('mia', 'member');
});
afterAll(() => service[Symbol.asyncDispose]());

const encoder = new TextEncoder();

describe('an upload', () => {
  test('as a form stores the file and the fields of its record', async () => {
    const bytes = await quarters(80, 40);
    const fields = { alt: 'Four colours', focal_x: '0.25', focal_y: '1', tags: '["a","b"]', folder: 'colours' };
    const made = await uploadForm(service, bytes, { as: 'eve', name: 'Four colours.png', type: 'text/html', fields });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: 'Four colours.png',
      mime_type: 'image/png',
      size: bytes.length,
      width: 80,
      height: 40,
      hash: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
      alt: 'Four colours',
      caption: null,
      focal_x: 0.25,
      focal_y: 1,
      folder: 'colours',
      tags: ['a', 'b'],
      visibility: 'public',
      created_by: service.idOf('eve'),
    });
    expect(made.json.placeholder).toMatch(/^[A-Za-z0-9+/]+=*$/);
    expect(Object.keys(made.json.variants)).toEqual(['thumb', 'preview']);
    expect(made.headers.get('location')).toBe(`/api/v1/media/${made.json.id}`);
    const read = await getBytes(service, made.json.url);
    expect(read.status).toBe(200);
    expect(read.bytes).toEqual(new Uint8Array(bytes));
  });

  test('as its bytes alone takes the name from the address', async () => {
    const made = await uploadRaw(service, encoder.encode('hello'), {
      as: 'ada',
      name: 'a b.txt',
      fields: { alt: 'x' },
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ name: 'a b.txt', mime_type: 'application/octet-stream', size: 5, alt: 'x' });
    expect(made.json.variants).toEqual({});
    expect((await getBytes(service, made.json.url)).bytes).toEqual(encoder.encode('hello'));
  });

  test('is for editors and admins, before any byte is read', async () => {
    let read = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read += 1;
          if (read > 5) controller.close();
          else controller.enqueue(new Uint8Array(10));
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { 'Content-Type': 'image/png', Authorization: `Bearer ${service.tokenOf('mia')}` };
    const init = { method: 'POST', headers, body, duplex: 'half' } as const;
    const refused = await service.app.fetch(new Request('http://recto.test/api/v1/media?name=x', init));
    expect(refused.status).toBe(403);
    expect(read).toBe(0);
    expect((await uploadRaw(service, encoder.encode('x'))).status).toBe(401);
    expect((await uploadForm(service, encoder.encode('x'), { as: 'mia' })).status).toBe(403);
  });

  test('that is too large, or of wrong fields, is rejected and leaves nothing', async () => {
    const before = await service.storedKeys();
    const large = new Uint8Array(300_001);
    expect((await uploadRaw(service, large, { as: 'ada' })).status).toBe(413);
    expect((await uploadForm(service, large, { as: 'ada' })).status).toBe(413);
    for (const [fields, code] of [
      [{ focal_x: '1.5' }, 'too_large'],
      [{ focal_x: 'left' }, 'wrong_type'],
      [{ visibility: 'hidden' }, 'not_allowed'],
      [{ tags: '[1]' }, 'wrong_type'],
      [{ hash: 'abc' }, 'unknown_field'],
      [{ colour: 'red' }, 'unknown_field'],
    ] as const) {
      const refused = await uploadForm(service, encoder.encode(code), { as: 'ada', fields });
      expect([refused.status, refused.json.errors?.[0]?.code, fields]).toEqual([422, code, fields]);
    }
    const form = { headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
    expect((await service.send('POST /api/v1/media', { as: 'ada', ...form, body: '--x--' })).status).toBe(422);
    expect((await service.send('POST /api/v1/media', { as: 'ada', ...form, body: '--x\r\nConte' })).status).toBe(400);
    expect(await service.storedKeys()).toEqual(before);
  });

  test('of the same bytes is stored once', async () => {
    const bytes = encoder.encode('the same bytes');
    const before = await service.storedKeys();
    const made = await Promise.all(
      ['one.txt', 'two.txt', 'three.txt'].map((name) => uploadRaw(service, bytes, { as: 'ada', name })),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ json }) => json.hash)).size).toBe(1);
    expect((await service.storedKeys()).length).toBe(before.length + 1);
    for (const { json } of made) expect((await getBytes(service, json.url)).bytes).toEqual(bytes);
    // The file goes with the last of its records.
    for (const [index, { json }] of made.entries()) {
      expect((await service.send(`DELETE /api/v1/media/${json.id}`, { as: 'eve' })).status).toBe(204);
      if (index < 2) expect((await service.storedKeys()).length).toBe(before.length + 1);
      else await untilStored(service, before.length);
      expect((await getBytes(service, json.url)).status).toBe(404);
    }
  });

  test('may send the same memory again and again, within a program', async () => {
    const stored = (await service.storedKeys()).length;
    const chunk = crypto.getRandomValues(new Uint8Array(10_000));
    const before = chunk.slice();
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 20) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { Authorization: `Bearer ${service.tokenOf('ada')}` };
    const request = new Request('http://recto.test/api/v1/media?name=again', { method: 'POST', headers, body });
    const made = (await (await service.app.fetch(request)).json()) as { hash: string; id: string };
    const hash = new Bun.CryptoHasher('sha256');
    for (let times = 0; times < 20; times += 1) hash.update(before);
    expect(made.hash).toBe(hash.digest('hex'));
    expect(chunk).toEqual(before);
    await service.send(`DELETE /api/v1/media/${made.id}`, { as: 'ada' });
    await untilStored(service, stored);
  });

  test('of bytes whose last record is being removed has its file', async () => {
    const bytes = encoder.encode('removed and stored at the same moment');
    let made = await uploadRaw(service, bytes, { as: 'ada' });
    for (let round = 0; round < 10; round += 1) {
      const [, next] = await Promise.all([
        service.send(`DELETE /api/v1/media/${made.json.id}`, { as: 'ada' }).then(() => service.runJobs()),
        uploadRaw(service, bytes, { as: 'ada' }),
      ]);
      await service.runJobs();
      expect(next.status).toBe(201);
      expect((await getBytes(service, next.json.url)).bytes).toEqual(bytes);
      made = next;
    }
  });

  test('replaces the bytes of a record, which keeps its id', async () => {
    const before = await service.storedKeys().then((keys) => keys.length + 1);
    const made = await uploadRaw(service, encoder.encode('before'), {
      as: 'eve',
      name: 'x.txt',
      fields: { alt: 'kept' },
    });
    const bytes = await quarters(20, 10);
    const path = `/api/v1/media/${made.json.id}`;
    const replaced = await service.send(`PUT ${path}/file`, {
      as: 'eve',
      headers: { 'Content-Type': 'image/png' },
      body: bytes,
    });
    expect(replaced.status).toBe(200);
    expect(replaced.json).toMatchObject({
      id: made.json.id,
      name: 'x.txt',
      alt: 'kept',
      mime_type: 'image/png',
      width: 20,
    });
    expect(replaced.json.url).not.toBe(made.json.url);
    expect((await getBytes(service, replaced.json.url)).bytes).toEqual(new Uint8Array(bytes));
    expect((await service.send(`GET ${path}`)).json).toMatchObject({
      hash: replaced.json.hash,
      url: replaced.json.url,
    });
    await untilStored(service, before);
    const send = (as: string, id: string) =>
      service.send(`PUT /api/v1/media/${id}/file`, { as, headers: { 'Content-Type': 'a/b' }, body: 'x' });
    expect((await send('mia', made.json.id)).status).toBe(403);
    expect((await send('eve', '01990000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await service.storedKeys()).length).toBe(before);
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\x.png', 'x.png'],
    ['a\u0000b\u001fc\u007f.png', 'abc.png'],
    ['photo\u202egpj.exe', 'photogpj.exe'],
    ['.htaccess', 'htaccess'],
    ['...', 'file'],
    ['', 'file'],
    ['a<script>.png', 'a_script_.png'],
    [`${'x'.repeat(4000)}.jpeg`, `${'x'.repeat(195)}.jpeg`],
    ['تقرير.pdf', 'تقرير.pdf'],
    ['  two   words .txt ', 'two words .txt'],
  ])('named %j is called %j', async (sent, kept) => {
    const [byForm, byName] = await Promise.all([
      uploadForm(service, encoder.encode(kept), { as: 'ada', name: sent.replace(/[\r\n\0]/g, '') }),
      // NUL in an address is rejected before.
      uploadRaw(service, encoder.encode(kept), { as: 'ada', name: sent.replaceAll('\0', '') }),
    ]);
    expect([byForm.status, byName.status]).toEqual([201, 201]);
    expect(byName.json.name).toBe(kept);
    const renamed = await service.send(`PUT /api/v1/media/${byName.json.id}`, {
      as: 'ada',
      body: { name: `new ${kept}` },
    });
    expect(renamed.json.name.startsWith('new ')).toBe(true);
    expect((await getBytes(service, renamed.json.url)).status).toBe(200);
  });
});

describe('RECTO_MEDIA_TYPES', () => {
  test('allows what it names, by the bytes', async () => {
    await using images = await TestService.open([], { builtIn: true, mediaTypes: ['image/*'] });
    await images.account('ada', 'admin');
    const png = await quarters(4, 4);
    expect((await uploadRaw(images, png, { as: 'ada', type: 'text/html' })).status).toBe(201);
    const refused = await uploadRaw(images, encoder.encode('no image'), {
      as: 'ada',
      type: 'image/gif',
      name: 'x.gif',
    });
    expect([refused.status, refused.json.code]).toEqual([415, 'media_type_not_allowed']);
    expect((await uploadForm(images, encoder.encode('x'), { as: 'ada', type: 'image/png' })).status).toBe(415);
  });
});
