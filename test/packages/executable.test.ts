import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { RectoFolder } from '../support/processes/recto-process.ts';

// The one file that has everything inside: built as `npm run build:executable` does, and run where there is nothing else.

const root = join(import.meta.dir, '../..');
const isBuilt = existsSync(join(root, 'packages/admin/dist/index.html'));
const admin = { email: 'ada@example.com', password: 'correct horse' };

const article = `
singular = "article"
plural = "articles"
fields = [{ name = "title", field_type = "text", required = true }, { name = "body", field_type = "richtext" }]
[api.create]
access = "public"
`;
const note = `import { defineContentType } from 'recto';
export default defineContentType({ singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] });
`;

const hook = `import { hooks } from 'recto';
export default hooks('article', { check({ record }) { record.title = String(record.title).trim(); } });
`;
const route = `import { route, Type } from 'recto';
export default route({
  method: 'GET', path: '/echo', access: 'public', query: Type.Object({ word: Type.String() }), response: Type.Object({ word: Type.String() }),
  handler: ({ query }) => ({ word: query.word }),
});
`;

describe.skipIf(!isBuilt)(`the executable${isBuilt ? '' : ' (skipped: the admin is not built)'}`, () => {
  const built = mkdtempSync(join(tmpdir(), 'recto-executable-'));
  const file = join(built, 'recto');
  let folder: RectoFolder;
  beforeAll(async () => {
    const build = Bun.spawn([process.execPath, join(root, 'scripts/package/build-executable.ts')], {
      env: { ...process.env, RECTO_EXECUTABLE: file },
      stdout: 'inherit',
      stderr: 'inherit',
    });
    expect(await build.exited).toBe(0);
    folder = new RectoFolder({ 'article.toml': article, 'note.ts': note });
    folder.write('hooks/article.ts', hook);
    folder.write('routes/echo.ts', route);
    folder.write('articles.ndjson', '{"id":"01a1fc4d-4e39-75e9-b87c-fc2731e697d2","title":"From a file"}\n');
  }, 600_000);
  afterAll(() => {
    folder[Symbol.dispose]();
    rmSync(built, { recursive: true, force: true });
  });

  /** No program is found by its name: neither node nor bun. */
  const environment = {
    PATH: '/nonexistent',
    RECTO_ADMIN_EMAIL: admin.email,
    RECTO_ADMIN_PASSWORD: admin.password,
  };
  const run = (...args: readonly string[]) => folder.spawn(args, environment, [file]);

  test('checks definitions, also those that are programs', async () => {
    const { exitCode, out, err } = await run('check').ended();
    expect([exitCode, err, out]).toEqual([0, '', expect.stringContaining('2 content types')]);
    using wrong = new RectoFolder({ 'wrong.toml': `${article}fiter = "true"\n`, 'wrong.json': '{"singular": ' });
    const faults = await wrong.spawn(['check'], environment, [file]).ended();
    expect([faults.exitCode, faults.err]).toEqual([
      1,
      expect.stringMatching(/wrong\.json:1:14: .*\n[\s\S]*wrong\.toml:7 /),
    ]);
  }, 600_000);

  test('runs nothing that a bunfig.toml of the working folder names', async () => {
    using prepared = new RectoFolder({ 'article.toml': article });
    prepared.write('bunfig.toml', 'preload = ["./first.ts"]\n');
    prepared.write('first.ts', `await Bun.write(${JSON.stringify(join(prepared.path, 'ran'))}, 'yes');\n`);
    expect((await prepared.spawn(['check'], environment, [file]).ended()).exitCode).toBe(0);
    expect(existsSync(join(prepared.path, 'ran'))).toBe(false);
  }, 600_000);

  test('serves with two workers, imports, and stops in order', async () => {
    const service = run('start', '--workers', '2');
    const url = await service.url();
    const made = await fetch(`${url}/api/v1/cms/articles`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title: ' On paper ', body: '<p onclick="x()">White</p><script>x()</script>' }),
    });
    expect([made.status, await made.json()]).toEqual([
      201,
      expect.objectContaining({ title: 'On paper', body: '<p>White</p>' }),
    ]);
    // A search runs in a thread, whose program is inside too.
    const list: { total: number } = JSON.parse(await (await fetch(`${url}/api/v1/cms/articles?search=pap`)).text());
    expect(list.total).toBe(1);
    // So does the code of a deployment, in another one.
    expect(await (await fetch(`${url}/api/v1/x/echo?word=yes`)).text()).toBe('{"word":"yes"}');
    expect(
      (await fetch(`${url}/metrics`).then((response) => response.text())).match(/^recto_workers 2$/m),
    ).not.toBeNull();
    const page = await (await fetch(`${url}/admin/`)).text();
    const [script = ''] = /\/admin\/assets\/[^"]+\.js/.exec(page) ?? [];
    expect((await fetch(url + script)).headers.get('Content-Type')).toContain('javascript');
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
    const imported = await run('import', 'json', 'articles.ndjson', '--type', 'article').ended();
    expect([imported.exitCode, imported.err]).toEqual([0, '']);
    expect((await run('doctor').ended()).exitCode).toBe(0);
  }, 600_000);

  test('makes images with the runtime: within the size, without metadata, WebP for AVIF', async () => {
    const service = run('start');
    const url = `${await service.url()}/api/v1`;
    const login = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(admin),
    });
    const { access_token }: { access_token: string } = JSON.parse(await login.text());
    const photo = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#c63' } })
      .withExif({ IFD0: { Copyright: 'Ada' } })
      .jpeg()
      .toBuffer();
    const sent = await fetch(`${url}/media?name=photo.jpg`, {
      method: 'POST',
      headers: { 'Content-Type': 'image/jpeg', Authorization: `Bearer ${access_token}` },
      body: new Uint8Array(photo),
    });
    const file: { width: number; height: number; variants: { thumb: string } } = JSON.parse(await sent.text());
    expect([sent.status, file.width, file.height]).toEqual([201, 600, 300]);
    const thumb = new URL(file.variants.thumb, url);
    const variant = await fetch(thumb, { headers: { Accept: 'image/avif,image/webp,*/*' } });
    expect([variant.status, variant.headers.get('Content-Type')]).toEqual([200, 'image/webp']);
    const { width, height, exif } = await sharp(await variant.arrayBuffer()).metadata();
    expect([width, height, exif]).toEqual([256, 128, undefined]);
    service.kill('SIGTERM');
    expect((await service.ended()).exitCode).toBe(0);
  }, 600_000);
});
