// databases: sqlite, postgres:rest
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { AllowedTarget } from '../../../packages/recto/src/base/net/allowed-target.ts';
import { TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from './media-calls.ts';

// Pictures of other sites that the service gets itself.

const png = await quarters(20, 10);
const asked: string[] = [];
/** What only the machine of the service reaches. */
const inner = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => {
    asked.push(`inner ${new URL(url).pathname}`);
    return new Response(png);
  },
});
const answers: Readonly<Record<string, () => Response>> = {
  '/one.png': () => new Response(png),
  '/photo': () => new Response(png, { headers: { 'Content-Type': 'text/html' } }),
  '/moved.png': () => Response.redirect('/one.png'),
  '/inner.png': () => Response.redirect(`http://127.0.0.1:${inner.port}/secret`),
  '/host.png': () => Response.redirect('http://localhost/secret'),
  '/circle.png': () => Response.redirect('/circle.png'),
  '/packed.png': () => new Response('x', { headers: { 'Content-Encoding': 'br' } }),
  '/page.png': () => new Response('<!doctype html><title>A page</title>'),
  '/large.png': () => new Response(new Uint8Array([...png, ...new Uint8Array(200_000)])),
};
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url, headers }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    expect([headers.get('authorization'), headers.get('cookie')]).toEqual([null, null]);
    return answers[pathname]?.() ?? new Response('', { status: 404 });
  },
});
const mediaFetchAllow: readonly AllowedTarget[] = [
  { kind: 'network', address: '127.0.0.1', prefix: 32, port: Number(site.port) },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([], {
    builtIn: true,
    roles: [
      { name: 'adder', may: { media: 'own' } },
      { name: 'reader', may: { media: 'none' } },
    ],
    mediaMaxFile: 100_000,
    settings: { mediaFetchAllow },
  });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(async () => {
  await Promise.all([site.stop(true), inner.stop(true)]);
  await service[Symbol.asyncDispose]();
});

const at = (path: string): string => new URL(path, site.url).href;
const fetchAs = (as: string, url: string, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  service.send('POST /api/v1/admin/media/fetch', { as, body: { url, ...more }, headers });
const count = async (): Promise<number> => (await service.send('GET /api/v1/admin/media', { as: 'ada' })).json.total;

describe('a picture of another site', () => {
  test('becomes a file of the library, once for the same bytes', async () => {
    const made = await fetchAs('ada', `${at('/one.png')}?size=large#left`, { alt: 'Four colours' });
    expect([made.status, made.text]).toEqual([201, expect.anything()]);
    expect(made.json).toMatchObject({ name: 'one.png', alt: 'Four colours', mime_type: 'image/png', width: 20 });
    const before = await count();
    for (const path of ['/one.png', '/photo', '/moved.png']) {
      const again = await fetchAs('ada', at(path), { alt: 'Another' });
      expect([again.status, again.json.id, again.json.alt]).toEqual([200, made.json.id, 'Four colours']);
    }
    expect(await count()).toBe(before);
    expect(asked).toEqual(['/one.png', '/one.png', '/photo', '/moved.png', '/one.png']);
    await service.send(`DELETE /api/v1/admin/media/${made.json.id}`, { as: 'ada' });
    // The type is found from the bytes, and so is the ending of the name.
    const named = await fetchAs('ada', at('/photo'));
    expect([named.status, named.json.name, named.json.alt]).toEqual([201, 'photo.png', null]);
    await service.send(`DELETE /api/v1/admin/media/${named.json.id}`, { as: 'ada' });
  });

  test('is added beside a private file with the same bytes, which readers could not see', async () => {
    const sent = { as: 'ada', name: 'private.png', fields: { visibility: 'private' } };
    const hidden = (await uploadRaw(service, png, sent)).json.id;
    const made = await fetchAs('ada', at('/one.png'));
    expect([made.status, made.json.visibility]).toEqual([201, 'public']);
    for (const id of [hidden, made.json.id]) await service.send(`DELETE /api/v1/admin/media/${id}`, { as: 'ada' });
  });

  test('is added once for a request that is sent again', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const made = await fetchAs('ada', at('/one.png'), {}, headers);
    const again = await fetchAs('ada', at('/one.png'), {}, headers);
    expect([made.status, again.status, again.json.id]).toEqual([201, 201, made.json.id]);
    expect(asked).toEqual(['/one.png']);
    await service.send(`DELETE /api/v1/admin/media/${made.json.id}`, { as: 'ada' });
  });

  test.each([
    ['/none.png', 422, 'fetch_failed', 'answers 404'],
    ['/packed.png', 422, 'fetch_failed', 'compressed'],
    ['/circle.png', 422, 'fetch_failed', 'redirected too often'],
    ['/inner.png', 422, 'address_not_allowed', 'no public place'],
    ['/host.png', 422, 'address_not_allowed', 'no public place'],
    ['/page.png', 415, 'media_type_not_allowed', 'image/*'],
    ['/large.png', 413, 'body_too_large', '100000 bytes'],
  ])('%s is %d %s', async (path, status, code, detail) => {
    const before = await count();
    const refused = await fetchAs('ada', at(path));
    expect([refused.status, refused.json.code]).toEqual([status, code]);
    expect(refused.json.detail).toContain(detail);
    expect(await count()).toBe(before);
    expect(asked.filter((one) => one.startsWith('inner'))).toEqual([]);
  });

  test.each([
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ftp://example.com/a.png',
    'http://user:secret@example.com/a.png',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/a.png',
    'http://[::1]/a.png',
    'http://0x7f.1/a.png',
    '/media/a.png',
    'no address',
  ])('%s is nothing that is fetched', async (url) => {
    const refused = await fetchAs('ada', url);
    expect([refused.status, refused.json.code]).toEqual([422, 'address_not_allowed']);
    // Not even where a name leads.
    expect(refused.json.detail).not.toContain('10.0.0.1');
    expect(asked).toEqual([]);
  });

  test('is for those who may add files, and nothing is asked for others', async () => {
    expect((await service.send('POST /api/v1/admin/media/fetch', { body: { url: at('/one.png') } })).status).toBe(401);
    expect((await fetchAs('mia', at('/one.png'))).status).toBe(403);
    await service.account('rex', 'reader');
    expect((await fetchAs('rex', at('/one.png'))).status).toBe(403);
    expect(asked).toEqual([]);
    const known = await fetchAs('ada', at('/one.png'));
    await service.account('abe', 'adder');
    const made = await fetchAs('abe', at('/one.png'));
    // Who may list no others is not shown that there is one.
    expect([made.status, made.json.id === known.json.id]).toEqual([201, false]);
    const again = await fetchAs('abe', at('/one.png'));
    expect([again.status, again.json.id]).toEqual([200, made.json.id]);
  });
});
