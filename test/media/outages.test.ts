import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { S3Server, s3Keys, s3ServerPath } from '../../packages/recto/src/storage/s3-server.fixture.ts';
import { TestService } from '../service.ts';
import { getBytes, quarters, untilStored, uploadForm, uploadRaw } from './media-calls.ts';

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
});
