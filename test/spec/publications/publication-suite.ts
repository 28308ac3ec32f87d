import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, type Sent, TestService } from '../../support/service.ts';

/** Pages or posts, whose routes are the same but for the order of pages. */
export interface Publication {
  readonly singular: 'page' | 'post';
  readonly plural: 'pages' | 'posts';
}

/** A request with what it must answer. `$draft`, `$published` and `$archived` are ids of records made for the case, `$slug` that of the published one. */
interface Case {
  readonly request: string;
  readonly says?: string;
  readonly body?: unknown;
}

interface Refused extends Case {
  readonly says: string;
  readonly status: number;
  readonly code?: string;
  /** Field → code, all of them. */
  readonly errors?: Readonly<Record<string, string>>;
}

interface Records {
  readonly draft: Reply['json'];
  readonly published: Reply['json'];
  readonly archived: Reply['json'];
}

/** A service with pages, posts and comments, and an account of each role. */
export async function openPublications(...parameters: Parameters<typeof TestService.open>): Promise<TestService> {
  const [definitions, options] = parameters;
  const service = await TestService.open(definitions, { ...options, builtIn: true });
  await service.account('member');
  await service.account('editor', 'editor');
  await service.account('admin', 'admin');
  return service;
}

export const noId = '01a1fc65-8957-735c-8289-9fdca63e2d00';

const callers = ['visitor', 'member', 'editor', 'admin'] as const;
const everyone = [200, 200, 200, 200];
const accounts = (status: number) => [401, status, status, status];
const editors = (status: number) => [401, 403, status, status];

const reorderRow: [Case, readonly number[]] = [
  { request: 'PUT /admin/pages/reorder', body: { items: [{ id: '$draft', sort_order: 3 }] } },
  editors(200),
];

/** Every row of section 4.1, and what it answers an anonymous caller, a member, an editor and an admin. */
const rolesOf = ({ plural, singular }: Publication): readonly [Case, readonly number[]][] => [
  [{ request: `GET /${plural}` }, everyone],
  [{ request: `GET /${plural}/sitemap` }, everyone],
  [{ request: `GET /${plural}/$slug` }, everyone],
  [{ request: `POST /${plural}`, body: { title: 'New' } }, accounts(201)],
  [
    { request: `POST /${plural}`, says: 'published', body: { title: 'New', status: 'Published' } },
    [401, 403, 201, 201],
  ],
  [{ request: `POST /${plural}`, says: 'archived', body: { title: 'New', status: 'archived' } }, [401, 403, 201, 201]],
  [{ request: `POST /${plural}`, says: 'draft', body: { title: 'New', status: 'DRAFT' } }, accounts(201)],
  [{ request: `GET /admin/${plural}` }, editors(200)],
  [{ request: `GET /admin/${plural}/$draft` }, editors(200)],
  [{ request: `PUT /admin/${plural}/$draft`, body: { title: 'Changed' } }, editors(200)],
  [{ request: `PATCH /admin/${plural}/$draft`, body: { title: 'Changed' } }, editors(200)],
  [{ request: `DELETE /admin/${plural}/$draft` }, editors(204)],
  [{ request: `PUT /admin/${plural}/$draft/status`, body: { status: 'Published' } }, editors(200)],
  [{ request: `POST /admin/${plural}/batch`, body: { action: 'publish', ids: ['$draft'] } }, editors(200)],
  ...(singular === 'page' ? [reorderRow] : []),
];

const text = (length: number): string => 'x'.repeat(length);
const many = (count: number): readonly string[] => Array.from({ length: count }, () => noId);

/** What each row rejects, asked by an editor. */
const refusalsOf = ({ plural, singular }: Publication): readonly Refused[] => {
  const create = `POST /${plural}`;
  const update = `PUT /admin/${plural}/$draft`;
  const status = `PUT /admin/${plural}/$draft/status`;
  const batch = `POST /admin/${plural}/batch`;
  const invalid = (request: string, says: string, body: unknown, errors: NonNullable<Refused['errors']>): Refused => ({
    request,
    says,
    body,
    status: 422,
    code: 'validation_failed',
    errors,
  });
  const written = [create, update].flatMap((request) => [
    invalid(request, 'an empty title', { title: '' }, { title: 'required' }),
    invalid(request, 'no title', { title: null }, { title: 'required' }),
    invalid(request, 'a title of another type', { title: 5 }, { title: 'wrong_type' }),
    invalid(request, 'a huge title', { title: text(501) }, { title: 'too_long' }),
    invalid(request, 'NUL', { title: 'a\0b' }, { title: 'invalid_text' }),
    invalid(request, 'half a character', { title: 'a\ud800' }, { title: 'invalid_text' }),
    invalid(request, 'an unknown field', { title: 'T', colour: 'red' }, { colour: 'unknown_field' }),
    invalid(request, 'an unknown status', { title: 'T', status: 'Hidden' }, { status: 'not_allowed' }),
    invalid(request, 'no status', { title: 'T', status: null }, { status: 'required' }),
    invalid(request, 'a slug that is a path', { title: 'T', slug: '../admin' }, { slug: 'bad_format' }),
    invalid(request, 'a slug in upper case', { title: 'T', slug: 'About' }, { slug: 'bad_format' }),
    invalid(request, 'a huge slug', { title: 'T', slug: text(201) }, { slug: 'too_long' }),
    invalid(request, 'the slug of another', { title: 'T', slug: '$slug' }, { slug: 'taken' }),
    invalid(request, 'the slug that is a route', { title: 'T', slug: 'sitemap' }, { slug: 'taken' }),
    invalid(request, 'no slug', { title: 'T', slug: null }, { slug: 'required' }),
    invalid(
      request,
      'every fault at once',
      { title: '', status: 'x', slug: 'A', more: 1 },
      {
        title: 'required',
        status: 'not_allowed',
        slug: 'bad_format',
        more: 'unknown_field',
      },
    ),
    { request, says: 'an array', body: [], status: 400, code: 'body_not_object' },
    { request, says: 'no JSON', body: '{"title":', status: 400, code: 'malformed_json' },
    { request: `${request}?loud=1`, says: 'a parameter', body: { title: 'T' }, status: 400, code: 'unknown_parameter' },
  ]);
  return [
    { request: `GET /${plural}/nothing`, says: 'unknown', status: 404, code: 'not_found' },
    { request: `GET /${plural}/$draft`, says: 'an id in place of a slug', status: 404, code: 'not_found' },
    { request: `GET /${plural}/${text(5000)}`, says: 'a huge slug', status: 404, code: 'not_found' },
    { request: `GET /${plural}/%00`, says: 'NUL', status: 400, code: 'malformed_encoding' },
    { request: `GET /${plural}/a%2Fb`, says: 'a slash', status: 404, code: 'not_found' },
    { request: `GET /${plural}/$slug?loud=1`, says: 'a parameter', status: 400, code: 'unknown_parameter' },
    { request: `GET /${plural}?status=hidden`, says: 'an unknown status', status: 400, code: 'invalid_parameter' },
    { request: `GET /${plural}?colour=red`, says: 'an unknown field', status: 400, code: 'unknown_parameter' },
    { request: `GET /${plural}?page=0`, says: 'no page', status: 400, code: 'invalid_parameter' },
    { request: `GET /${plural}/sitemap?page=0`, says: 'no page', status: 400, code: 'invalid_parameter' },
    {
      request: `GET /${plural}/sitemap?sort=title:asc`,
      says: 'a list’s parameter',
      status: 400,
      code: 'unknown_parameter',
    },
    invalid(create, 'no fields', {}, { title: 'required' }),
    ...written,
    ...['GET', 'PUT', 'DELETE'].flatMap((method): readonly Refused[] =>
      [noId, 'nonsense', text(3000)].map((id) => ({
        request: `${method} /admin/${plural}/${id}`,
        says: `no ${singular} (${id.slice(0, 10)})`,
        ...(method === 'PUT' ? { body: { title: 'T' } } : {}),
        status: 404,
        code: 'not_found',
      })),
    ),
    { request: `PUT /admin/${plural}/${noId}/status`, says: 'unknown', body: { status: 'Draft' }, status: 404 },
    invalid(status, 'an unknown word', { status: 'Hidden' }, { status: 'not_allowed' }),
    invalid(status, 'nothing', {}, { status: 'required' }),
    invalid(status, 'null', { status: null }, { status: 'wrong_type' }),
    invalid(status, 'another field', { status: 'Draft', title: 'T' }, { title: 'unknown_field' }),
    invalid(batch, 'nothing', {}, { action: 'required', ids: 'required' }),
    invalid(batch, 'an unknown action', { action: 'approve', ids: ['$draft'] }, { action: 'not_allowed' }),
    invalid(batch, 'the name of a property', { action: 'constructor', ids: ['$draft'] }, { action: 'not_allowed' }),
    invalid(batch, 'no ids', { action: 'publish', ids: [] }, { ids: 'too_few_items' }),
    invalid(batch, '1,001 ids', { action: 'publish', ids: many(1001) }, { ids: 'too_many_items' }),
    invalid(batch, '10,000 ids', { action: 'delete', ids: many(10_000) }, { ids: 'too_many_items' }),
    invalid(batch, 'an id of another type', { action: 'publish', ids: [7] }, { 'ids[0]': 'wrong_type' }),
    invalid(batch, 'an id twice', { action: 'publish', ids: ['$draft', '$draft'] }, { 'ids[1]': 'doubled' }),
    invalid(
      batch,
      'unknown and doubled ids',
      { action: 'publish', ids: ['$draft', noId, '$published', '$draft', '$archived', 'nonsense'] },
      { 'ids[1]': 'unknown_record', 'ids[3]': 'doubled', 'ids[5]': 'unknown_record' },
    ),
  ];
};

/** The tests that pages and posts share: each row of the routes, its roles, its refusals, and what it does. */
export function publicationSuite(publication: Publication): void {
  const { plural, singular } = publication;
  let service: TestService;
  let made = 0;

  beforeAll(async () => {
    service = await openPublications([]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const make = async (status: string): Promise<Reply['json']> =>
    service.seed(plural, { title: `Sample ${++made}`, status });
  const samples = async (): Promise<Records> => ({
    draft: await make('Draft'),
    published: await make('Published'),
    archived: await make('Archived'),
  });
  const filledIn = ({ draft, published, archived }: Records, template: string): string =>
    template
      .replaceAll('$draft', draft.id)
      .replaceAll('$published', published.id)
      .replaceAll('$archived', archived.id)
      .replaceAll('$slug', published.slug);
  const send = (records: Records, { request, body }: Case, as?: string): Promise<Reply> => {
    const [method, path = ''] = filledIn(records, request).split(' ');
    const sent: Sent = {
      ...(as === undefined || as === 'visitor' ? {} : { as }),
      ...(body === undefined
        ? {}
        : { body: filledIn(records, typeof body === 'string' ? body : JSON.stringify(body)) }),
    };
    return service.send(`${method} /api/v1${path}`, sent);
  };
  const admin = (line: string, body?: unknown): Promise<Reply> =>
    service.send(line, { as: 'editor', ...(body === undefined ? {} : { body }) });
  const stored = async (id: string): Promise<Reply['json']> => (await admin(`GET /api/v1/admin/${plural}/${id}`)).json;

  describe('roles', () => {
    for (const [row, statuses] of rolesOf(publication)) {
      for (const [index, caller] of callers.entries()) {
        test(`${row.request} ${row.says ?? ''} by ${caller}`, async () => {
          const { status, json, headers } = await send(await samples(), row, caller);
          expect(status).toBe(statuses[index] ?? 0);
          if (status === 401) {
            expect(json.code).toBe('authentication_required');
            expect(headers.get('www-authenticate')).toBe('Bearer');
          }
        });
      }
      test(`${row.request} ${row.says ?? ''} with a bad token`, async () => {
        const path = row.request.replace(/^(\w+) /, '$1 /api/v1').replace(/\$\w+/, noId);
        const { status } = await service.send(path, { headers: { Authorization: 'Bearer nonsense' } });
        expect(status).toBe(401);
      });
    }
  });

  describe('refusals', () => {
    for (const row of refusalsOf(publication)) {
      test(`${row.request.slice(0, 60)}: ${row.says}`, async () => {
        const records = await samples();
        const { status, json } = await send(records, row, 'editor');
        expect({ status, json }).toMatchObject({ status: row.status });
        if (row.code !== undefined) expect(json.code).toBe(row.code);
        if (row.errors !== undefined) {
          const reported = json.errors.map((fault: { field: string; code: string }) => [fault.field, fault.code]);
          expect(Object.fromEntries(reported)).toEqual(row.errors);
        }
        // All or nothing, and nothing it was.
        for (const record of Object.values(records)) expect(await stored(record.id)).toMatchObject(record);
      });
    }

    test('a batch of too many says how many may be', async () => {
      const { json } = await admin(`POST /api/v1/admin/${plural}/batch`, { action: 'publish', ids: many(10_000) });
      expect(json.errors[0].message).toContain('1000');
    });

    test(`there is no route that makes ${plural} at the admin's`, async () => {
      expect((await admin(`POST /api/v1/admin/${plural}`, { title: 'T' })).status).toBe(405);
      expect((await admin(`GET /api/v1/cms/${plural}`)).status).toBe(404);
      expect((await admin(`GET /api/v1/admin/cms/${plural}`)).status).toBe(404);
    });
  });

  describe(`POST /${plural}`, () => {
    test('creates a draft of the caller, and returns it complete', async () => {
      const { status, json, headers } = await service.send(`POST /api/v1/${plural}`, {
        as: 'member',
        body: { title: 'Crème brûlée', content: '<script>alert(1)</script>& <b>"Cream\u0007"</b> ' },
      });
      expect(status).toBe(201);
      expect(json).toMatchObject({
        title: 'Crème brûlée',
        slug: 'creme-brulee',
        // Sanitised, and otherwise as it was sent.
        content: '&amp; <b>"Cream\u0007"</b> ',
        excerpt: null,
        status: 'Draft',
        cover_image: null,
        meta_title: null,
        meta_description: null,
        author_id: service.idOf('member'),
        published_at: null,
      });
      expect(json.created_at).toBe(json.updated_at);
      expect(headers.get('location')).toBe(`/api/v1/${plural}/creme-brulee`);
      expect(headers.get('etag')).toMatch(/^".+"$/);
    });

    test('what the service keeps is ignored', async () => {
      const kept = { id: noId, author_id: noId, published_at: '2020-01-01T00:00:00.000Z', created_at: 'never' };
      const { status, json } = await service.send(`POST /api/v1/${plural}`, {
        as: 'member',
        body: { title: 'Kept', ...kept },
      });
      expect(status).toBe(201);
      expect(json).toMatchObject({ author_id: service.idOf('member'), published_at: null });
      expect(json.id).not.toBe(noId);
    });

    test.each([
      ['published', 'Published'],
      ['PUBLISHED', 'Published'],
      ['aRchived', 'Archived'],
      ['draft', 'Draft'],
    ])('the status %s is %s', async (sent, status) => {
      const { json } = await admin(`POST /api/v1/${plural}`, { title: 'Status', status: sent });
      expect(json.status).toBe(status);
      expect(json.published_at === null).toBe(status !== 'Published');
    });

    test.each([
      ['日本語', /^n-[0-9a-f]{10}$/],
      ['Łódź & Ærø', /^lodz-aero$/],
      ['!!!', /^n-[0-9a-f]{10}$/],
      ['2026', /^2026$/],
      ['x'.repeat(500), /^x{120}$/],
    ])('the slug of %p', async (title, slug) => {
      expect((await admin(`POST /api/v1/${plural}`, { title })).json.slug).toMatch(slug);
    });

    test('slugs are numbered, never a route, and 50 at once are 50', async () => {
      const slugs = async (title: string, count: number, as = 'editor'): Promise<readonly string[]> => {
        const replies = await Promise.all(
          Array.from({ length: count }, () => service.send(`POST /api/v1/${plural}`, { as, body: { title } })),
        );
        expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
        return replies.map(({ json }) => json.slug).toSorted();
      };
      expect(await slugs('Sitemap', 2)).toEqual(['sitemap-2', 'sitemap-3']);
      expect(await slugs('Same', 1)).toEqual(['same']);
      expect(await slugs('Same', 2)).toEqual(['same-2', 'same-3']);
      const expected = Array.from({ length: 50 }, (_, index) => (index === 0 ? 'fifty' : `fifty-${index + 1}`));
      expect(await slugs('Fifty', 50)).toEqual(expected.toSorted());
      // A number would show members that there are drafts which they do not see.
      expect(await slugs('Quiet', 50, 'member')).toEqual([
        'quiet',
        ...Array.from({ length: 49 }, () => expect.stringMatching(/^quiet-[a-z0-9]{6}$/)),
      ]);
    });

    test('of two that take one slug at the same moment one is rejected', async () => {
      const take = () => admin(`POST /api/v1/${plural}`, { title: 'T', slug: 'mine' });
      const replies = await Promise.all([take(), take()]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    });

    test('a slug may be a word that only admin routes have', async () => {
      for (const slug of ['batch', 'reorder', 'status']) {
        await admin(`POST /api/v1/${plural}`, { title: 'T', slug, status: 'Published' });
        expect((await service.send(`GET /api/v1/${plural}/${slug}`)).json.slug).toBe(slug);
      }
    });
  });

  describe(`GET /${plural}`, () => {
    let other: TestService;
    beforeAll(async () => {
      other = await openPublications([], { maxPageSize: 2 });
      for (const [title, status] of [
        ['Open apples', 'Published'],
        ['Open pears', 'Published'],
        ['Hidden apples', 'Draft'],
        ['Old apples', 'Archived'],
      ]) {
        await other.send(`POST /api/v1/${plural}`, { as: 'editor', body: { title, status } });
      }
    });
    afterAll(() => other[Symbol.asyncDispose]());

    const titles = async (query: string, as?: string): Promise<readonly string[]> => {
      const path = as === undefined ? plural : `admin/${plural}`;
      const { status, json } = await other.send(`GET /api/v1/${path}?${query}`, as === undefined ? {} : { as });
      expect(status).toBe(200);
      return json.items.map(({ title }: { title: string }) => title).toSorted();
    };

    test.each([
      ['', ['Open apples', 'Open pears']],
      ['search=apples', ['Open apples']],
      ['status=published', ['Open apples', 'Open pears']],
      ['status=Draft', []],
      ['status=ARCHIVED', []],
      ['slug=hidden-apples', []],
      ['slug=open-pears', ['Open pears']],
      ['page_size=1&sort=title:desc', ['Open pears']],
      ['page_size=1&page=2&sort=title:asc', ['Open pears']],
      [`author_id=${noId}`, []],
    ])('the public gets what is published: ?%s', async (query, expected) => {
      expect(await titles(query)).toEqual(expected);
    });

    test.each([
      ['status=draft', ['Hidden apples']],
      ['status=dRAFT', ['Hidden apples']],
      ['status=archived', ['Old apples']],
      ['search=hidden', ['Hidden apples']],
      ['page_size=2&page=1&sort=title:asc', ['Hidden apples', 'Old apples']],
    ])('editors get all: ?%s', async (query, expected) => {
      expect(await titles(query, 'editor')).toEqual(expected);
    });

    test('by author', async () => {
      expect(await titles(`author_id=${other.idOf('editor')}`)).toEqual(['Open apples', 'Open pears']);
    });

    test('totals and page sizes', async () => {
      const list = async (query: string): Promise<Reply['json']> => {
        const { items, next_cursor, ...rest } = (
          await other.send(`GET /api/v1/admin/${plural}?${query}`, { as: 'admin' })
        ).json;
        expect(next_cursor).toBeString();
        return { ...rest, items: items.length };
      };
      expect(await list('page_size=50')).toEqual({ total: 4, page: 1, page_size: 2, items: 2 });
      expect(await list('skip_total=true&page=2')).toEqual({ total: -1, page: 2, page_size: 2, items: 2 });
    });
  });

  test.each(['', '/$slug', '/sitemap'])(`GET /${plural}%s is cached, tagged, and ends with a write`, async (path) => {
    const records = await samples();
    const line = `GET /api/v1/${plural}${filledIn(records, path)}`;
    const first = await service.send(line);
    const again = await service.send(line);
    expect(again.headers.get('cache-status')).toBe('recto; hit');
    expect(again.text).toBe(first.text);
    const etag = first.headers.get('etag') ?? '';
    const unchanged = await service.send(line, { headers: { 'If-None-Match': etag } });
    expect(unchanged).toMatchObject({ status: 304, text: '' });
    expect(unchanged.headers.get('etag')).toBe(etag);

    await admin(`PUT /api/v1/admin/${plural}/${records.published.id}`, { title: 'Other', slug: `other-${++made}` });
    const after = await service.send(line, { headers: { 'If-None-Match': etag } });
    expect(after.status).toBe(path === '/$slug' ? 308 : 200);
    expect(after.text).not.toBe(first.text);
  });

  describe(`GET /${plural}/{slug}`, () => {
    test('returns only what is published', async () => {
      const { draft, published, archived } = await samples();
      const status = async ({ slug }: { slug: string }, as?: string) =>
        (await service.send(`GET /api/v1/${plural}/${slug}`, as === undefined ? {} : { as })).status;
      expect(await status(published)).toBe(200);
      expect(await status({ slug: published.slug.toUpperCase() })).toBe(404);
      for (const hidden of [draft, archived]) {
        expect(await status(hidden)).toBe(404);
        expect(await status(hidden, 'admin')).toBe(404);
      }
    });

    test('HEAD answers the same without a body', async () => {
      const { published } = await samples();
      const reply = await service.send(`HEAD /api/v1/${plural}/${published.slug}`);
      expect(reply).toMatchObject({ status: 200, text: '' });
      expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(100);
    });
  });

  describe(`PUT /admin/${plural}/{id}`, () => {
    test('a new title leaves the slug', async () => {
      const { published } = await samples();
      const { json } = await admin(`PUT /api/v1/admin/${plural}/${published.id}`, { title: 'Renamed' });
      expect(json).toMatchObject({ title: 'Renamed', slug: published.slug, status: 'Published' });
    });

    test('a new slug is where it is from then on', async () => {
      const { published } = await samples();
      const slug = `moved-${++made}`;
      await admin(`PUT /api/v1/admin/${plural}/${published.id}`, { slug });
      expect((await service.send(`GET /api/v1/${plural}/${slug}`)).json.id).toBe(published.id);
      expect((await service.send(`GET /api/v1/${plural}/${published.slug}`)).json).toEqual({ moved_to: slug });
    });

    test('a fetched record can be put back unchanged', async () => {
      const { published } = await samples();
      const fetched = await stored(published.id);
      const { status, json } = await admin(`PUT /api/v1/admin/${plural}/${published.id}`, fetched);
      expect(status).toBe(200);
      expect(json).toEqual({ ...fetched, updated_at: json.updated_at });
    });

    test('If-Match holds off a change of what has changed', async () => {
      const { draft } = await samples();
      const line = `/api/v1/admin/${plural}/${draft.id}`;
      const { headers } = await admin(`GET ${line}`);
      const match = { 'If-Match': headers.get('etag') ?? '' };
      const put = () => service.send(`PUT ${line}`, { as: 'editor', headers: match, body: { title: 'Mine' } });
      expect((await put()).status).toBe(200);
      expect((await put()).status).toBe(409);
      const status = await service.send(`PUT ${line}/status`, {
        as: 'editor',
        headers: match,
        body: { status: 'Draft' },
      });
      expect(status).toMatchObject({ status: 409, json: { code: 'stale' } });
    });
  });

  test(`DELETE /admin/${plural}/{id} is for good`, async () => {
    const { published } = await samples();
    const line = `/api/v1/admin/${plural}/${published.id}`;
    expect(await admin(`DELETE ${line}`)).toMatchObject({ status: 204, text: '' });
    expect((await admin(`DELETE ${line}`)).status).toBe(404);
    expect((await service.send(`GET /api/v1/${plural}/${published.slug}`)).status).toBe(404);
  });

  describe('publishing', () => {
    const routes: Readonly<Record<string, (id: string, status: string) => Promise<Reply>>> = {
      'PUT /{id}/status': (id, status) => admin(`PUT /api/v1/admin/${plural}/${id}/status`, { status }),
      'PUT /{id}': (id, status) => admin(`PUT /api/v1/admin/${plural}/${id}`, { status }),
      'POST /batch': (id, status) =>
        admin(`POST /api/v1/admin/${plural}/batch`, {
          action: { published: 'publish', DRAFT: 'unpublish', Archived: 'archive' }[status],
          ids: [id],
        }),
    };
    test.each(Object.entries(routes))('%s sets published_at once', async (_, change) => {
      const { draft } = await samples();
      expect((await change(draft.id, 'published')).status).toBe(200);
      const first = await stored(draft.id);
      expect(first.status).toBe('Published');
      expect(first.published_at).toBe(first.updated_at);
      for (const [sent, stands] of [
        ['DRAFT', 'Draft'],
        ['Archived', 'Archived'],
        ['published', 'Published'],
      ] as const) {
        expect((await change(draft.id, sent)).status).toBe(200);
        expect(await stored(draft.id)).toMatchObject({ status: stands, published_at: first.published_at });
      }
    });
  });

  describe(`POST /admin/${plural}/batch`, () => {
    test.each([
      ['publish', ['Published', 'Published', 'Published']],
      ['unpublish', ['Draft', 'Draft', 'Draft']],
      ['archive', ['Archived', 'Archived', 'Archived']],
      ['delete', [undefined, undefined, undefined]],
    ])('%s', async (action, statuses) => {
      const records = Object.values(await samples());
      const ids = records.map(({ id }) => id);
      const { status, json } = await admin(`POST /api/v1/admin/${plural}/batch`, { action, ids });
      expect({ status, json }).toEqual({ status: 200, json: { action, affected: 3 } });
      const now = await Promise.all(ids.map(stored));
      // A problem's `status` is a number: what is gone has none of the words.
      expect(now.map(({ title, status }) => (title === 'Not found' ? undefined : status))).toEqual(statuses);
    });

    test('takes 1,000', async () => {
      const ids: string[] = [];
      // All at the same moment would wait for each other longer than a request waits.
      while (ids.length < 1000) {
        ids.push(...(await Promise.all(Array.from({ length: 50 }, async () => (await make('Draft')).id))));
      }
      const { json } = await admin(`POST /api/v1/admin/${plural}/batch`, { action: 'delete', ids });
      expect(json).toEqual({ action: 'delete', affected: 1000 });
    });
  });

  test('a path beside the records has its own methods alone', async () => {
    for (const [path, allow] of [
      [`admin/${plural}/batch`, 'OPTIONS, POST'],
      [`${plural}/sitemap`, 'GET, HEAD, OPTIONS'],
    ]) {
      for (const [method, status] of [
        ['DELETE', 405],
        ['OPTIONS', 204],
      ] as const) {
        const reply = await service.send(`${method} /api/v1/${path}`);
        expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow ?? '']);
      }
    }
  });

  describe(`GET /${plural}/sitemap`, () => {
    let site: TestService;
    beforeAll(async () => {
      site = await openPublications([], { publicUrl: 'https://example.com/a&b' });
      for (const status of ['Published', 'Draft', 'Archived', 'Published'])
        await site.seed(plural, { title: 'T', status });
    });
    afterAll(() => site[Symbol.asyncDispose]());

    const accepting = (Accept: string, on = site) => on.send(`GET /api/v1/${plural}/sitemap`, { headers: { Accept } });

    test('JSON: published ones, where the site shows them', async () => {
      const { json, headers } = await accepting('application/json');
      expect(json).toEqual({
        items: ['t', 't-4'].map((slug) => ({
          slug,
          loc: `https://example.com/a&b/${plural}/${slug}`,
          updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        })),
      });
      expect(headers.get('content-type')).toBe('application/json');
      expect(headers.get('vary')).toBe('Authorization, Recto-Tenant, Accept');
    });

    test('XML: the same, escaped', async () => {
      const { items } = (await accepting('*/*')).json;
      const { text, headers } = await accepting('application/xml');
      expect(headers.get('content-type')).toBe('application/xml');
      expect(headers.get('vary')).toBe('Authorization, Recto-Tenant, Accept');
      const entries = items.map(
        ({ slug, updated_at }: { slug: string; updated_at: string }) =>
          `<url><loc>https://example.com/a&amp;b/${plural}/${slug}</loc><lastmod>${updated_at}</lastmod></url>\n`,
      );
      expect(text).toBe(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`,
      );
    });

    test('each format has its own tag', async () => {
      const [json, xml] = [await accepting('application/json'), await accepting('text/xml')];
      expect(json.headers.get('etag')).not.toBe(xml.headers.get('etag'));
      const etag = xml.headers.get('etag') ?? '';
      const headers = { Accept: 'application/xml', 'If-None-Match': etag };
      const unchanged = await site.send(`GET /api/v1/${plural}/sitemap`, { headers });
      expect(unchanged).toMatchObject({ status: 304, text: '' });
      expect(unchanged.headers.get('vary')).toBe('Authorization, Recto-Tenant, Accept');
    });

    test('without a setting the links are the addresses of the API, and lead somewhere', async () => {
      await make('Published');
      const { json } = await accepting('application/json', service);
      const { loc, slug } = json.items.at(-1);
      expect(loc).toBe(`http://recto.test/api/v1/${plural}/${slug}`);
      expect((await service.send(`GET ${new URL(loc).pathname}`)).json.slug).toBe(slug);
    });

    test('links begin as the request was addressed', async () => {
      const request = new Request(`https://cms.example:8443/api/v1/${plural}/sitemap`);
      const { items } = (await (await service.app.fetch(request)).json()) as { items: { loc: string }[] };
      expect(items[0]?.loc).toStartWith(`https://cms.example:8443/api/v1/${plural}/`);
    });

    test('50,000 at once, the rest on the next page', async () => {
      await using big = await openPublications([]);
      const type = big.types.get(singular);
      const { id } = await big.seed(plural, { title: 'First', status: 'Published' });
      const copied = type.fields.flatMap(({ name, place }) => (place.shape === 'to_many' ? [] : [`"${name}"`]));
      const values = copied.map((name) =>
        name === '"id"' ? `'z' || n` : name === '"slug"' ? `'slug-' || (100000 + n)` : name,
      );
      await big.database.transaction(async (transaction) => {
        const copy = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 50001)
          insert into "${type.table}" (${copied.join()}) select ${values.join()} from numbers, "${type.table}" where "id" = ?`;
        await transaction.run(query(copy, id));
        transaction.touch(singular);
      });
      const lengths = async (page: string) =>
        (await big.send(`GET /api/v1/${plural}/sitemap${page}`)).json.items.length;
      expect([await lengths(''), await lengths('?page=2'), await lengths('?page=3')]).toEqual([50_000, 2, 0]);
      const { text } = await accepting('application/xml', big);
      expect(text.split('<url>').length - 1).toBe(50_000);
    });
  });
}
