import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Reply, TestService } from '../support/service.ts';

// Reads of the service itself, as those of records, are sent once for as long as nothing changes.

const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };

let service: TestService;
let token: string;
let hook: string;
let view: string;
beforeAll(async () => {
  service = await TestService.open([note]);
  await service.account('ada', 'admin');
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await service.send(`POST /api/v1/admin/${path}`, { as: 'ada', body });
    expect([path, status, status === 201 ? '' : text]).toEqual([path, 201, '']);
    return json.id;
  };
  token = await made('api-tokens', { name: 'Reader', role: 'member' });
  hook = await made('webhooks', { url: 'https://1.1.1.1/hook' });
  view = await made('views', { type: 'notes', name: 'Mine' });
});
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  service.send(`GET /api/v1/${path}`, { as: 'ada', headers });

const reads: readonly (readonly [name: string, path: () => string])[] = [
  ...['auth/me', 'admin/users', 'admin/api-tokens', 'admin/webhooks', 'admin/views', 'admin/preferences'],
  ...['admin/events', 'admin/jobs', 'admin/content-types', 'admin/exports', 'admin/imports'],
].map((path) => [path, () => path] as const);
const ones: typeof reads = [
  ['a user', () => `admin/users/${service.idOf('ada')}`],
  ['an API token', () => `admin/api-tokens/${token}`],
  ['a webhook', () => `admin/webhooks/${hook}`],
  ['its deliveries', () => `admin/webhooks/${hook}/deliveries`],
  ['a view', () => `admin/views/${view}`],
];

test.each([...reads, ...ones])('%s has a tag', async (_, path) => {
  const first = await get(path());
  const tag = first.headers.get('etag') ?? '';
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(tag).toMatch(/^"\w+"$/);
  const again = await get(path(), { 'If-None-Match': `"other", W/${tag}` });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
  expect((await get(path(), { 'If-None-Match': '"other"' })).text).toBe(first.text);
});

test('what has changed is sent with another tag', async () => {
  const before = await get('auth/me');
  const tag = before.headers.get('etag') ?? '';
  await service.send('PUT /api/v1/auth/me', { as: 'ada', body: { display_name: 'Ada L.' } });
  const after = await get('auth/me', { 'If-None-Match': tag });
  expect([after.status, after.json.display_name]).toEqual([200, 'Ada L.']);
  expect(after.headers.get('etag')).not.toBe(tag);
});
