import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleApp } from '../../../../../test/support/sample-app.ts';
import { rootMount } from '../../features/admin/root-mount.ts';
import type { Mount } from '../mount.ts';
import { publicFiles } from './public-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'recto-public-'));
await Bun.write(join(folder, 'site/index.html'), '<p>home</p>');
await Bun.write(join(folder, 'site/docs/index.html'), '<p>docs</p>');
await Bun.write(join(folder, 'site/docs/a b/index.html'), '<p>blank</p>');
await Bun.write(join(folder, 'site/api/v1/x.json'), '{}');
await Bun.write(join(folder, 'site/admin/app.js'), 'let shadow;');
await Bun.write(join(folder, 'site/.env'), 'secret');
await Bun.write(join(folder, 'secret.txt'), 'secret');
await Bun.write(join(folder, 'no-front/a.txt'), 'a');
afterAll(() => rmSync(folder, { recursive: true }));

const admin: Mount = { prefix: '/admin', handle: () => new Response('admin') };
const appOf = (name: string) => {
  const files = publicFiles(join(folder, name));
  return sampleApp({ mounts: [files, admin, rootMount('/admin/', files)] });
};
const app = appOf('site');
const html = { Accept: 'text/html,*/*;q=0.8' };
const send = async (path: string, init: RequestInit = {}, to = app): Promise<Response> =>
  to.fetch(new Request(`http://recto.test${path}`, init));

describe('a site beside the API', () => {
  test('its files and folders', async () => {
    const page = await send('/docs/', { headers: html });
    expect([page.status, await page.text()]).toEqual([200, '<p>docs</p>']);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await send('/docs/index.html', { method: 'HEAD' })).status).toBe(200);
  });

  test.each([
    ['/docs', '/docs/'],
    ['/docs/a%20b', '/docs/a%20b/'],
    ['/docs?page=2', '/docs/?page=2'],
  ])('%s leads to its folder', async (path, location) => {
    const answer = await send(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
  });

  test('its first page is that of the service for people, where it has one', async () => {
    expect(await (await send('/', { headers: html })).text()).toBe('<p>home</p>');
    expect(await (await send('/')).json()).toMatchObject({ admin: '/admin/' });
    const without = appOf('no-front');
    expect(await (await send('/', { headers: html }, without)).text()).toContain('<a href="/admin/">');
    expect(await (await send('/a.txt', {}, without)).text()).toBe('a');
    const missing = appOf('missing');
    expect(await (await send('/', { headers: html }, missing)).text()).toContain('<a href="/admin/">');
    expect((await send('/a.txt', {}, missing)).status).toBe(404);
  });

  test('nothing in it takes a path of the service', async () => {
    expect(await (await send('/admin/app.js')).text()).toBe('admin');
    expect(await (await send('/pages/a')).json()).toEqual({ slug: 'a' });
    for (const path of ['/api/v1/x.json', '/API/v1/x.json', '/api', '/api/v1/typo']) {
      const answer = await send(path);
      expect([path, answer.status, await answer.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'route_not_found' }),
      ]);
    }
  });

  test.each(['/.env', '/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '//docs', '//evil.test', '/docs//'])(
    '%s is nothing',
    async (path) => {
      const answer = await send(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is for the API alone', async (method) => {
    expect((await send('/docs/index.html', { method })).status).toBe(404);
  });
});
