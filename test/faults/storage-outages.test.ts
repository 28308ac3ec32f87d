import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { roomKept } from '../../packages/recto/src/database/outage-problem.ts';
import { S3Server, s3Keys, s3ServerPath } from '../../packages/recto/src/storage/s3-server.fixture.ts';
import { getBytes, quarters, untilStored, uploadForm, uploadRaw } from '../http/media/media-calls.ts';
import { HoldingProxy } from '../support/processes/holding-proxy.ts';
import { canMount, SmallDisk } from '../support/processes/small-disk.ts';
import { TestService } from '../support/service.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

// Needs versitygw, which `.ci/run` builds where Go is installed.
describe.skipIf(s3ServerPath === null)('files on S3', () => {
  let server: S3Server;
  let service: TestService;
  const kept = { ...Bun.env };
  beforeAll(async () => {
    server = await S3Server.start(s3ServerPath ?? '');
    Bun.env.AWS_ACCESS_KEY_ID = s3Keys.accessKeyId;
    Bun.env.AWS_SECRET_ACCESS_KEY = s3Keys.secretAccessKey;
    service = await TestService.open([], { builtIn: true, storage: server.location('site/') });
    service.expectErrors(/"code":"storage_unavailable"/);
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      if (kept[name] === undefined) delete Bun.env[name];
      else Bun.env[name] = kept[name];
    }
  });

  test('are stored, served by ranges, made into variants and removed', async () => {
    const bytes = await quarters(300, 200);
    const made = await uploadForm(service, bytes, { as: 'ada', name: 'a.png' });
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject({ width: 300, height: 200 });
    expect((await getBytes(service, made.json.url)).bytes).toEqual(new Uint8Array(bytes));
    const part = await getBytes(service, made.json.url, { headers: { Range: 'bytes=5-14' } });
    expect([part.status, part.bytes]).toEqual([206, new Uint8Array(bytes.slice(5, 15))]);
    expect((await getBytes(service, made.json.url, { method: 'HEAD' })).headers.get('content-length')).toBe(
      String(bytes.length),
    );
    expect((await getBytes(service, made.json.variants.thumb)).status).toBe(200);
    expect((await service.storedKeys()).length).toBe(2);
    await service.send(`DELETE /api/v1/media/${made.json.id}`, { as: 'ada' });
    await untilStored(service, 0);
  });

  test('are 503 while S3 is away, with nothing stored, and there again afterwards', async () => {
    const before = await uploadRaw(service, new TextEncoder().encode('before'), { as: 'ada' });
    expect(before.status).toBe(201);
    await server.stop();
    const away = await uploadRaw(service, new TextEncoder().encode('away'), { as: 'ada' });
    expect([away.status, away.json.code]).toEqual([503, 'storage_unavailable']);
    expect(away.headers.get('retry-after')).not.toBeNull();
    expect((await uploadForm(service, new TextEncoder().encode('away'), { as: 'ada' })).status).toBe(503);
    const read = await getBytes(service, before.json.url);
    expect(read.status).toBe(503);
    expect((await service.send('GET /api/v1/media', { as: 'ada' })).json.total).toBe(1);
    await server.restart();
    expect((await getBytes(service, before.json.url)).status).toBe(200);
    expect((await uploadRaw(service, new TextEncoder().encode('away'), { as: 'ada' })).status).toBe(201);
    expect((await service.storedKeys('files/')).length).toBe(2);
  });

  test('are waited for while S3 is slow, and nothing else is', async () => {
    await using proxy = await HoldingProxy.before(server.url);
    await using slow = await TestService.open([], {
      builtIn: true,
      storage: { ...server.location('slow/'), endpoint: proxy.url },
    });
    await slow.account('ada', 'admin');
    await slow.account('eve', 'editor');
    const image = await quarters(60, 40);
    const kept = (await uploadRaw(slow, image, { as: 'ada', name: 'kept.png' })).json;
    proxy.hold();
    let isWaiting = true;
    const waiting = Promise.all([
      uploadRaw(slow, bytesOf('new'), { as: 'ada', name: 'new.txt' }),
      uploadForm(slow, image, { as: 'eve', name: 'same.png' }),
      getBytes(slow, kept.url),
      getBytes(slow, kept.variants.thumb),
      getBytes(slow, kept.variants.thumb),
    ]).finally(() => {
      isWaiting = false;
    });
    await proxy.holding;
    // Reads and writes of all types, that of files too, of the same callers and of others.
    const post = await slow.send('POST /api/v1/posts', { as: 'ada', body: { title: 'Meanwhile' } });
    expect(post.status).toBe(201);
    expect((await slow.send(`PUT /api/v1/media/${kept.id}`, { as: 'eve', body: { alt: 'Colours' } })).status).toBe(200);
    expect((await slow.send('GET /api/v1/media', { as: 'eve' })).json.total).toBe(1);
    expect((await slow.send('GET /api/v1/healthz')).status).toBe(200);
    // A job that looks through the storage waits as well.
    const jobs = slow.runJobs();
    expect(isWaiting).toBe(true);
    proxy.release();
    await jobs;
    const [text, same, file, ...thumbs] = await waiting;
    expect([text.status, same.status, file.status, ...thumbs.map(({ status }) => status)]).toEqual([
      ...[201, 201, 200, 200, 200],
    ]);
    expect(file.bytes).toEqual(new Uint8Array(image));
    expect((await getBytes(slow, text.json.url)).bytes).toEqual(bytesOf('new'));
    expect((await slow.send('GET /api/v1/media', { as: 'eve' })).json.total).toBe(3);
    // Two contents and one variant.
    expect((await slow.storedKeys()).length).toBe(3);
  });

  test('leave nothing where S3 goes away while it is waited for', async () => {
    const proxy = await HoldingProxy.before(server.url);
    await using broken = await TestService.open([], {
      builtIn: true,
      storage: { ...server.location('broken/'), endpoint: proxy.url },
    });
    broken.expectErrors(/"code":"storage_unavailable"/);
    await broken.account('ada', 'admin');
    proxy.hold();
    const waiting = uploadRaw(broken, bytesOf('lost'), { as: 'ada', name: 'lost.txt' });
    await proxy.holding;
    await proxy[Symbol.asyncDispose]();
    const lost = await waiting;
    expect([lost.status, lost.json.code]).toEqual([503, 'storage_unavailable']);
    expect((await broken.send('GET /api/v1/media', { as: 'ada' })).json.total).toBe(0);
  });
});

test('no variant is made where what is left of the disk is kept for deletes; all other files are served', async () => {
  const path = mkdtempSync(join(tmpdir(), 'recto-kept-'));
  await using service = await TestService.open([], { builtIn: true, storage: { kind: 'file', path } });
  await service.account('ada', 'admin');
  const bytes = await quarters(600, 400);
  const image = (await uploadRaw(service, bytes, { as: 'ada', name: 'a.png' })).json;
  const { thumb, preview } = image.variants;
  expect((await getBytes(service, thumb)).status).toBe(200);
  const { requireRoom } = service.database;
  const before = await service.storedKeys();
  Object.assign(service.database, {
    requireRoom: () => {
      throw roomKept();
    },
  });
  const refused = await service.send(`GET ${preview}`);
  expect([refused.status, refused.json?.code]).toEqual([503, 'storage_full']);
  expect((await getBytes(service, image.url)).bytes).toEqual(new Uint8Array(bytes));
  // It has been made already.
  expect((await getBytes(service, thumb)).status).toBe(200);
  expect(await service.storedKeys()).toEqual(before);
  Object.assign(service.database, { requireRoom });
  expect((await getBytes(service, preview)).status).toBe(200);
  rmSync(path, { recursive: true, force: true });
});

describe.skipIf(!canMount)('files on a disk that is full (needs the right to mount one)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-full-'));
  let disk: SmallDisk;
  let service: TestService;
  beforeAll(async () => {
    disk = new SmallDisk(join(folder, 'disk'), '4m');
    const path = join(disk.path, 'media');
    service = await TestService.open([], { builtIn: true, storage: { kind: 'file', path } });
    service.expectErrors(/"code":"storage_full"/);
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    disk[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const filled = <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
    const filling = join(disk.path, 'filling');
    writeFileSync(filling, new Uint8Array(bytes));
    return work().finally(() => rmSync(filling));
  };
  const unfinished = (): readonly string[] => readdirSync(join(disk.path, 'media/.unfinished'));
  const large = new Uint8Array(1_500_000).map((_, index) => index % 251);
  const version = { 'Tus-Resumable': '1.0.0' };
  const patch = (path: string, offset: number) =>
    service.send(`PATCH ${path}`, {
      as: 'ada',
      headers: { ...version, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' },
      body: large.subarray(offset),
    });

  test('are 507, with nothing stored, and everything else goes on', async () => {
    const image = (await uploadRaw(service, await quarters(60, 40), { as: 'ada', name: 'a.png' })).json;
    const before = await service.storedKeys();
    await filled(3_000_000, async () => {
      for (const upload of [uploadRaw, uploadForm]) {
        const refused = await upload(service, large, { as: 'ada' });
        expect([refused.status, refused.json.code]).toEqual([507, 'storage_full']);
      }
      const replaced = await service.send(`PUT /api/v1/media/${image.id}/file`, {
        as: 'ada',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: large,
      });
      expect([replaced.status, replaced.json.code]).toEqual([507, 'storage_full']);
      expect([await service.storedKeys(), unfinished()]).toEqual([before, []]);
      expect((await getBytes(service, image.url)).status).toBe(200);
      expect((await service.send('GET /api/v1/media', { as: 'ada' })).json.total).toBe(1);
      const post = await service.send('POST /api/v1/posts', { as: 'ada', body: { title: 'Meanwhile' } });
      expect(post.status).toBe(201);
    });
    const made = await uploadRaw(service, large, { as: 'ada' });
    expect(made.status).toBe(201);
    await service.send(`DELETE /api/v1/media/${made.json.id}`, { as: 'ada' });
    await untilStored(service, before.length);
  });

  test('resume an upload when there is room again', async () => {
    const begun = await service.send('POST /api/v1/media/uploads', {
      as: 'ada',
      headers: { ...version, 'Upload-Length': String(large.length) },
    });
    const path = begun.headers.get('location') ?? '';
    const before = await service.storedKeys();
    await filled(3_000_000, async () => {
      const refused = await patch(path, 0);
      expect([refused.status, refused.json.code]).toEqual([507, 'storage_full']);
      expect([await service.storedKeys(), unfinished()]).toEqual([before, []]);
    });
    const state = await service.send(`HEAD ${path}`, { as: 'ada', headers: version });
    expect(state.headers.get('upload-offset')).toBe('0');
    // Now there is room for its pieces, and not for the file that is made of them.
    const half = await filled(1_500_000, () => patch(path, 0));
    expect([half.status, half.json.code]).toEqual([507, 'storage_full']);
    const done = await service.send(`HEAD ${path}`, { as: 'ada', headers: version });
    expect([done.status, done.headers.get('upload-offset')]).toEqual([200, String(large.length)]);
    const record = (await service.send(`GET /api/v1/media/${done.headers.get('recto-media')}`)).json;
    expect(record.size).toBe(large.length);
    expect(await service.storedKeys('uploads/')).toEqual([]);
    await service.send(`DELETE /api/v1/media/${record.id}`, { as: 'ada' });
    await untilStored(service, before.length);
  });

  test('make no variant, and one when there is room again', async () => {
    const image = (await uploadRaw(service, await quarters(900, 600), { as: 'ada', name: 'b.png' })).json;
    const stored = await service.storedKeys();
    await filled(1_000, async () => {
      const rest = join(disk.path, 'rest');
      // To the last page.
      for (let size = 4 * 1024 * 1024; size >= 4096; size /= 2) fill(rest, size);
      const refused = await getBytes(service, image.variants.thumb);
      expect(refused.status).toBe(507);
      expect([await service.storedKeys(), unfinished()]).toEqual([stored, []]);
      rmSync(rest);
    });
    expect((await getBytes(service, image.variants.thumb)).status).toBe(200);
  });
});

/** Makes a file larger, where there is room. */
function fill(path: string, size: number): void {
  try {
    writeFileSync(path, new Uint8Array(size), { flag: 'a' });
  } catch {
    // There is none.
  }
}
