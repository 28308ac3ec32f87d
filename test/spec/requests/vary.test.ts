import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Sent, TestService } from '../../support/service.ts';

// Any answer can depend on who asks (a bad token is rejected everywhere) and for which tenant, so every answer says so to caches.

const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    fields: [{ name: 'title', field_type: 'text' }],
    api: { list: { cache: true }, get: { cache: true }, create: { access: 'public' } },
  },
];

let service: TestService;
let open: TestService;
let id = '';
const everything = ['Authorization', 'Recto-Tenant'];

beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true, corsOrigins: ['https://a.example'] });
  open = await TestService.open(definitions, { builtIn: true, corsOrigins: ['*'] });
  for (const each of [service, open]) await each.account('ada', 'admin');
  id = (await service.seed('notes', { title: 'A note' })).id;
  await service.seed('pages', { title: 'A page', status: 'Published' });
});

afterAll(async () => {
  await service.database.close();
  await open.database.close();
});

const varyOf = (headers: Headers): readonly string[] => (headers.get('vary') ?? '').split(', ').toSorted();

const rows: Readonly<Record<string, readonly [line: string, status: number, sent?: Sent]>> = {
  'a list': ['GET /api/v1/cms/notes', 200],
  'the list again, from the cache': ['GET /api/v1/cms/notes', 200],
  'the list that the caller has': ['GET /api/v1/cms/notes', 304, { headers: { 'If-None-Match': '*' } }],
  'the head of a list': ['HEAD /api/v1/cms/notes', 200],
  'a list of a page of another origin': ['GET /api/v1/cms/notes', 200, { headers: { Origin: 'https://b.example' } }],
  'a list of a tenant': ['GET /api/v1/cms/notes', 200, { headers: { 'Recto-Tenant': 'north' } }],
  'a tenant that is none': ['GET /api/v1/cms/notes', 400, { headers: { 'Recto-Tenant': 'no tenant' } }],
  'a record': ['GET /api/v1/cms/notes/{id}', 200],
  'a record for an admin': ['GET /api/v1/admin/cms/notes/{id}', 200, { as: 'ada' }],
  'a record that is not there': ['GET /api/v1/cms/notes/nowhere', 404],
  'a new record': ['POST /api/v1/cms/notes', 201, { body: { title: 'B' } }],
  'a record that is not valid': ['POST /api/v1/cms/notes', 422, { body: { title: 1 } }],
  'no token': ['GET /api/v1/admin/cms/notes', 401],
  'a bad token': ['GET /api/v1/healthz', 401, { headers: { Authorization: 'Bearer x' } }],
  'a probe': ['GET /api/v1/healthz', 200],
  'the OpenAPI document': ['GET /api/v1/openapi.json', 200],
  'an account': ['GET /api/v1/auth/me', 200, { as: 'ada' }],
  'no path': ['GET /nowhere', 404],
  'no such method': ['DELETE /api/v1/cms/notes', 405],
  'the methods of a path': ['OPTIONS /api/v1/cms/notes', 204],
  posts: ['GET /api/v1/posts', 200],
};

describe.each(Object.entries(rows))('%s', (_, [line, status, sent]) => {
  const send = (to: TestService) => to.send(line.replace('{id}', id), sent);

  test('for some origins', async () => {
    const reply = await send(service);
    expect([reply.status, varyOf(reply.headers)]).toEqual([status, [...everything, 'Origin'].toSorted()]);
  });

  test('for all origins', async () => {
    if (line.includes('{id}')) return;
    expect(varyOf((await send(open)).headers)).toEqual(everything);
  });
});

test.each(['application/json', 'application/xml'])('a sitemap depends on Accept as well: %s', async (Accept) => {
  const first = await service.send('GET /api/v1/pages/sitemap', { headers: { Accept } });
  const etag = first.headers.get('etag') ?? '';
  const second = await service.send('GET /api/v1/pages/sitemap', { headers: { Accept, 'If-None-Match': etag } });
  const head = await service.send('HEAD /api/v1/pages/sitemap', { headers: { Accept } });
  expect([first.status, second.status, head.status]).toEqual([200, 304, 200]);
  for (const { headers } of [first, second, head])
    expect(varyOf(headers)).toEqual(['Accept', ...everything, 'Origin'].toSorted());
});

describe('a forged Host, where no setting says where the site is', () => {
  const sitemap = async (host: string, Accept = 'application/json', headers = {}) => {
    const request = new Request(`http://${host}/api/v1/pages/sitemap`, { headers: { Accept, ...headers } });
    const response = await service.app.fetch(request);
    return { response, text: await response.text() };
  };

  test('is in no answer to others', async () => {
    const forged = await sitemap('evil.example');
    const honest = await sitemap('cms.example');
    expect(forged.text).toContain('http://evil.example/api/v1/pages/a-page');
    expect(honest.text).toContain('http://cms.example/api/v1/pages/a-page');
    expect(honest.text).not.toContain('evil');
    expect(honest.text).toBe(forged.text.replaceAll('evil.example', 'cms.example'));
    expect(forged.response.headers.get('etag')).not.toBe(honest.response.headers.get('etag'));
    // Not for shared caches: a proxy may pass on a header that is not part of its cache key.
    expect(honest.response.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('has no tag of another host', async () => {
    const etag = (await sitemap('evil.example')).response.headers.get('etag') ?? '';
    expect((await sitemap('cms.example', undefined, { 'If-None-Match': etag })).response.status).toBe(200);
    expect((await sitemap('evil.example', undefined, { 'If-None-Match': etag })).response.status).toBe(304);
  });

  test('takes no room in the cache', async () => {
    await sitemap('cms.example');
    await sitemap('cms.example', 'application/xml');
    const { entries, bytes } = service.answers.stats;
    for (let number = 0; number < 50; number++) {
      await sitemap(`host${number}.example`);
      await sitemap(`host${number}.example`, 'application/xml');
    }
    expect(service.answers.stats).toMatchObject({ entries, bytes });
  });

  test('is escaped', async () => {
    const { text } = await sitemap("a&b'c.example", 'application/xml');
    expect(text).toContain('<loc>http://a&amp;b&apos;c.example/api/v1/pages/a-page</loc>');
    expect(JSON.parse((await sitemap("a&b'c.example")).text).items[0].loc).toStartWith("http://a&b'c.example/");
  });

  test('is in no Location and not in the OpenAPI document', async () => {
    const made = await service.app.fetch(
      new Request('http://evil.example/api/v1/cms/notes', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"title":"C"}',
      }),
    );
    expect(made.headers.get('location')).toStartWith('/api/v1/');
    const document = await service.app.fetch(new Request('http://evil.example/api/v1/openapi.json'));
    expect(await document.text()).not.toContain('evil.example');
  });
});
