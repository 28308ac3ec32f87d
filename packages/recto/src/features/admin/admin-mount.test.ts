import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleApp } from '../../../../../test/support/sample-app.ts';
import { adminMount } from './admin-mount.ts';
import { rootMount } from './root-mount.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-admin-'));
await Bun.write(join(folder, 'index.html'), '<p>admin</p>');
await Bun.write(join(folder, 'assets/app-1f.js'), 'let a;');
await Bun.write(join(folder, 'assets/app-1f.js.br'), 'brotli');
afterAll(() => rmSync(folder, { recursive: true }));

const built = sampleApp({ mounts: [adminMount(folder), rootMount('/admin/')] });
const unbuilt = sampleApp({ mounts: [adminMount(join(folder, 'missing')), rootMount(null)] });
const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const get = async (app: typeof built, path: string, headers: Readonly<Record<string, string>> = {}) =>
  app.fetch(new Request(`http://recto.test${path}`, { headers }));

describe('/admin', () => {
  test.each(['/admin/', '/admin/content/articles', '/admin/content/articles/01890000-0000-7000-8000-000000000000'])(
    '%s is the page, asked for anew each time',
    async (path) => {
      const answer = await get(built, path, html);
      expect([answer.status, await answer.text()]).toEqual([200, '<p>admin</p>']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('etag')).toBeString();
    },
  );

  test('its files are kept for good, and sent compressed', async () => {
    const answer = await get(built, '/admin/assets/app-1f.js', { 'Accept-Encoding': 'gzip, br' });
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual(['br', 'brotli']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('a file that is not there is not the page', async () => {
    expect((await get(built, '/admin/assets/app-2f.js')).status).toBe(404);
  });

  test('a strict policy on pages and files', async () => {
    for (const path of ['/admin/', '/admin/assets/app-1f.js', '/']) {
      const { headers } = await get(built, path, html);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).not.toContain('unsafe');
      for (const part of [
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy.split('; ')).toContain(part);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('says how to build what is not built', async () => {
    const answer = await get(unbuilt, '/admin/users', html);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });
});

describe('/', () => {
  test('a page for people', async () => {
    const answer = await get(built, '/', html);
    expect(answer.headers.get('content-type')).toStartWith('text/html');
    expect(await answer.text()).toContain('<a href="/admin/">');
    expect(await (await get(unbuilt, '/', html)).text()).not.toContain('/admin');
  });

  test('JSON for programs', async () => {
    const answer = await get(built, '/');
    expect(await answer.json()).toMatchObject({ name: 'Recto', admin: '/admin/', openapi: '/api/v1/openapi.json' });
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await (await get(unbuilt, '/')).json()).not.toHaveProperty('admin');
  });

  test('nothing else', async () => {
    for (const path of ['/index.html', '//', '//admin']) expect((await get(built, path)).status).toBe(404);
    const posted = await built.fetch(new Request('http://recto.test/', { method: 'POST' }));
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
