import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// Service specification, section 4.4: every route of every table, and its rules.

const fields = [
  { name: 'title', field_type: 'text', required: true },
  { name: 'note', field_type: 'text', private: true },
  { name: 'open', field_type: 'boolean', default: true },
];
const rules = { list: { filter: 'open = true' }, get: { filter: 'open = true' } };
const definitions = [
  { singular: 'article', plural: 'articles', fields, api: rules },
  { singular: 'report', plural: 'reports', api_restful: false, fields, api: rules },
  {
    singular: 'site',
    plural: 'sites',
    kind: 'single',
    fields: [
      { name: 'title', field_type: 'text', required: true, default: 'Recto' },
      { name: 'note', field_type: 'text', private: true, default: 'inside' },
    ],
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  for (const role of ['admin', 'editor', 'member'] as const) await service.account(role, role);
});
afterAll(() => service[Symbol.asyncDispose]());

const body = { title: 'One' };
const seeded = async (plural: string, more: object = {}): Promise<string> =>
  (await service.seed(plural, { ...body, ...more })).id;

/** A row of a table of routes: what it takes, who may by default, and what it answers. */
interface RouteRow {
  readonly route: string;
  readonly allowed: string | undefined;
  readonly refused: readonly (readonly [as: string | undefined, status: number])[];
  readonly body?: object;
  readonly status: number;
  readonly check?: (reply: Reply) => void;
}

const member = { allowed: 'member', refused: [[undefined, 401]] } as const;
const anyone = { allowed: undefined, refused: [] } as const;
const admin = {
  allowed: 'admin',
  refused: [
    [undefined, 401],
    ['member', 403],
    ['editor', 403],
  ],
} as const;
const content = {
  allowed: 'editor',
  refused: [
    [undefined, 401],
    ['member', 403],
  ],
} as const;

const checkList = ({ json }: Reply) =>
  expect(json).toEqual({ items: expect.any(Array), total: expect.any(Number), page: 1, page_size: 20 });
const checkRecord = ({ json }: Reply) => expect(json).toEqual({ id: expect.any(String), title: 'One', open: true });
const checkAll = ({ json }: Reply) =>
  expect(json).toEqual({ id: expect.any(String), title: 'One', note: null, open: true });
const checkEmpty = ({ text, headers }: Reply) => expect([text, headers.get('content-type')]).toEqual(['', null]);
const madeAt = (base: string, check: (reply: Reply) => void) => (reply: Reply) => {
  check(reply);
  expect(reply.headers.get('location')).toBe(`${base}/${reply.json.id}`);
};

const tables: Readonly<Record<string, readonly RouteRow[]>> = {
  'collection type, RESTful mode': [
    { route: 'GET /api/v1/cms/articles', ...anyone, status: 200, check: checkList },
    { route: 'GET /api/v1/cms/articles/{id}', ...anyone, status: 200, check: checkRecord },
    {
      route: 'POST /api/v1/cms/articles',
      ...member,
      body,
      status: 201,
      check: madeAt('/api/v1/cms/articles', checkRecord),
    },
    { route: 'PUT /api/v1/cms/articles/{id}', ...member, body, status: 200, check: checkRecord },
    { route: 'PATCH /api/v1/cms/articles/{id}', ...member, body, status: 200, check: checkRecord },
    { route: 'DELETE /api/v1/cms/articles/{id}', ...admin, status: 204, check: checkEmpty },
  ],
  'collection type, simple mode': [
    { route: 'GET /api/v1/cms/reports', ...anyone, status: 200, check: checkList },
    { route: 'GET /api/v1/cms/reports/{id}', ...anyone, status: 200, check: checkRecord },
    {
      route: 'POST /api/v1/cms/reports/create',
      ...member,
      body,
      status: 201,
      check: madeAt('/api/v1/cms/reports', checkRecord),
    },
    { route: 'POST /api/v1/cms/reports/{id}/update', ...member, body, status: 200, check: checkRecord },
    { route: 'POST /api/v1/cms/reports/{id}/delete', ...admin, status: 204, check: checkEmpty },
  ],
  'admin routes': [
    { route: 'GET /api/v1/admin/cms/articles', ...content, status: 200, check: checkList },
    { route: 'GET /api/v1/admin/cms/articles/{id}', ...content, status: 200, check: checkAll },
    {
      route: 'POST /api/v1/admin/cms/articles',
      ...content,
      body,
      status: 201,
      check: madeAt('/api/v1/admin/cms/articles', checkAll),
    },
    { route: 'PUT /api/v1/admin/cms/articles/{id}', ...content, body, status: 200, check: checkAll },
    { route: 'PATCH /api/v1/admin/cms/articles/{id}', ...content, body, status: 200, check: checkAll },
    { route: 'DELETE /api/v1/admin/cms/articles/{id}', ...content, status: 204, check: checkEmpty },
    { route: 'GET /api/v1/admin/cms/reports', ...content, status: 200, check: checkList },
    { route: 'GET /api/v1/admin/cms/reports/{id}', ...content, status: 200, check: checkAll },
    {
      route: 'POST /api/v1/admin/cms/reports',
      ...content,
      body,
      status: 201,
      check: madeAt('/api/v1/admin/cms/reports', checkAll),
    },
    { route: 'PUT /api/v1/admin/cms/reports/{id}', ...content, body, status: 200, check: checkAll },
    { route: 'DELETE /api/v1/admin/cms/reports/{id}', ...content, status: 204, check: checkEmpty },
  ],
};

const pluralOf = (route: string): string => /cms\/(\w+)/.exec(route)?.[1] ?? '';
const sentBy = (as: string | undefined, sent?: object) => ({
  ...(as === undefined ? {} : { as }),
  ...(sent === undefined ? {} : { body: sent }),
});

describe.each(Object.entries(tables))('%s', (_, rows) => {
  describe.each(rows.map((row) => [row.route, row] as const))('%s', (route, row) => {
    const byId = route.includes('{id}');
    const at = async () => route.replace('{id}', byId ? await seeded(pluralOf(route)) : '');

    test(`answers ${row.allowed ?? 'anyone'} with ${row.status}`, async () => {
      const reply = await service.send(await at(), sentBy(row.allowed, row.body));
      expect({ status: reply.status, text: reply.text }).toEqual({ status: row.status, text: reply.text });
      row.check?.(reply);
    });

    test.each(row.refused)('rejects %p with %p', async (as, status) => {
      const line = await at();
      const reply = await service.send(line, sentBy(as, row.body));
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([status, status === 401 ? 'Bearer' : null]);
    });

    if (byId) {
      test.each([Bun.randomUUIDv7(), 'no-id', 'x'.repeat(300), '%F0%9F%99%82'])(
        'answers 404 for the id %p',
        async (id) => {
          const reply = await service.send(route.replace('{id}', id), sentBy('admin', row.body));
          expect([reply.status, reply.json.code]).toEqual([404, 'not_found']);
        },
      );
    }
  });
});

describe('a write is there for the next read', () => {
  const modes = [
    [
      'RESTful',
      'articles',
      'POST /api/v1/cms/articles',
      'PUT /api/v1/cms/articles/{id}',
      'DELETE /api/v1/cms/articles/{id}',
    ],
    [
      'simple',
      'reports',
      'POST /api/v1/cms/reports/create',
      'POST /api/v1/cms/reports/{id}/update',
      'POST /api/v1/cms/reports/{id}/delete',
    ],
    [
      'admin',
      'articles',
      'POST /api/v1/admin/cms/articles',
      'PUT /api/v1/admin/cms/articles/{id}',
      'DELETE /api/v1/admin/cms/articles/{id}',
    ],
  ] as const;
  test.each(modes)('%s mode', async (_, plural, create, update, remove) => {
    const { id } = (await service.send(create, { as: 'admin', body: { title: 'New' } })).json;
    const read = () => service.send(`GET /api/v1/cms/${plural}/${id}`);
    expect((await read()).json).toEqual({ id, title: 'New', open: true });
    const changed = await service.send(update.replace('{id}', id), { as: 'admin', body: { title: 'Changed' } });
    expect(changed.json).toMatchObject({ id, title: 'Changed', open: true });
    expect((await read()).json.title).toBe('Changed');
    expect((await service.send(remove.replace('{id}', id), { as: 'admin' })).status).toBe(204);
    expect((await read()).status).toBe(404);
    expect((await service.send(remove.replace('{id}', id), { as: 'admin' })).status).toBe(404);
  });

  test.each(['PUT', 'PATCH'])('%s keeps the fields that are left out', async (method) => {
    const id = await seeded('articles', { note: 'kept' });
    await service.send(`${method} /api/v1/cms/articles/${id}`, { as: 'member', body: {} });
    const reply = await service.send(`GET /api/v1/admin/cms/articles/${id}`, { as: 'editor' });
    expect(reply.json).toEqual({ id, title: 'One', note: 'kept', open: true });
  });
});

describe('routes that a mode does not have', () => {
  const get = 'GET, HEAD, OPTIONS';
  const missing = [
    ['POST /api/v1/cms/reports', 405, get],
    ['PUT /api/v1/cms/reports/{id}', 405, get],
    ['PATCH /api/v1/cms/reports/{id}', 405, get],
    ['DELETE /api/v1/cms/reports/{id}', 405, get],
    ['POST /api/v1/cms/articles/create', 405, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['POST /api/v1/cms/articles/{id}/update', 404, null],
    ['POST /api/v1/cms/articles/{id}/delete', 404, null],
    ['PUT /api/v1/cms/articles', 405, 'GET, HEAD, OPTIONS, POST'],
    ['POST /api/v1/admin/cms/reports/create', 405, 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['POST /api/v1/cms/site', 405, 'GET, HEAD, OPTIONS, PATCH, PUT'],
    ['DELETE /api/v1/cms/site', 405, 'GET, HEAD, OPTIONS, PATCH, PUT'],
    ['GET /api/v1/cms/site/{id}', 404, null],
    ['GET /api/v1/cms/sites', 404, null],
    ['GET /api/v1/cms/article', 404, null],
    ['GET /api/v1/cms/nothing', 404, null],
    ['GET /api/v1/cms', 404, null],
  ] as const;
  test.each(missing)('%s is %i', async (line, status, allow) => {
    const reply = await service.send(line.replace('{id}', Bun.randomUUIDv7()), { as: 'admin' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([status, allow]);
  });
});

describe('single type', () => {
  test('GET /api/v1/cms/{singular} makes the record on the first request, once, with its defaults', async () => {
    await using fresh = await TestService.open(definitions);
    const one = await fresh.send('GET /api/v1/cms/site');
    expect([one.status, one.json]).toEqual([200, { id: expect.any(String), title: 'Recto' }]);
    expect((await fresh.send('GET /api/v1/cms/site')).json).toEqual(one.json);
  });

  test('20 simultaneous first requests make one record', async () => {
    await using fresh = await TestService.open(definitions);
    await fresh.account('ada', 'admin');
    const admin = { as: 'ada' };
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        if (index % 4 === 3) return fresh.send('GET /api/v1/admin/cms/sites', admin);
        return index % 4 === 2
          ? fresh.send('PUT /api/v1/cms/site', { ...admin, body: { note: 'mine' } })
          : fresh.send('GET /api/v1/cms/site');
      }),
    );
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    const ids = all.map(({ json }) => json.id ?? json.items[0].id);
    expect(new Set(ids).size).toBe(1);
    expect((await fresh.send('GET /api/v1/admin/cms/sites', admin)).json.total).toBe(1);
  });

  test.each(['PUT', 'PATCH'])('%s /api/v1/cms/{singular} updates it, also as the first request', async (method) => {
    await using fresh = await TestService.open(definitions);
    await fresh.account('mia');
    const line = `${method} /api/v1/cms/site`;
    expect((await fresh.send(line, { body: { title: 'No' } })).status).toBe(401);
    const changed = await fresh.send(line, { as: 'mia', body: { title: 'Verso' } });
    expect([changed.status, changed.json]).toEqual([200, { id: expect.any(String), title: 'Verso' }]);
    expect((await fresh.send('GET /api/v1/cms/site')).json).toEqual(changed.json);
  });

  test('a rejected first update leaves its record, with the defaults', async () => {
    await using fresh = await TestService.open(definitions);
    await fresh.account('mia');
    expect((await fresh.send('PUT /api/v1/cms/site', { as: 'mia', body: { title: 1 } })).status).toBe(422);
    expect((await fresh.send('GET /api/v1/cms/site')).json.title).toBe('Recto');
  });

  test('admin routes list, get and update it, reject a second one, and it is created again after a deletion', async () => {
    await using fresh = await TestService.open(definitions);
    await fresh.account('eve', 'editor');
    const as = 'eve';
    const base = '/api/v1/admin/cms/sites';
    const listed = (await fresh.send(`GET ${base}`, { as })).json;
    expect(listed).toMatchObject({ total: 1, items: [{ title: 'Recto', note: 'inside' }] });
    const { id } = listed.items[0];
    expect((await fresh.send(`GET ${base}/${id}`, { as })).json).toEqual(listed.items[0]);
    expect((await fresh.send(`PUT ${base}/${id}`, { as, body: { title: 'Verso' } })).json.title).toBe('Verso');
    const second = await fresh.send(`POST ${base}`, { as, body: { title: 'Second' } });
    expect([second.status, second.json.code]).toEqual([409, 'single_exists']);
    expect((await fresh.send(`DELETE ${base}/${id}`, { as })).status).toBe(204);
    const again = (await fresh.send('GET /api/v1/cms/site')).json;
    expect([again.title, again.id === id]).toEqual(['Recto', false]);
  });
});

describe('rules of section 4.4', () => {
  const notObjects = ['[]', '"text"', '1', 'null', 'true', '{', ''];
  const writes = [
    'POST /api/v1/cms/articles',
    'PUT /api/v1/cms/articles/{id}',
    'POST /api/v1/cms/reports/create',
    'POST /api/v1/cms/reports/{id}/update',
    'PUT /api/v1/cms/site',
    'POST /api/v1/admin/cms/articles',
    'PUT /api/v1/admin/cms/articles/{id}',
  ];
  test.each(writes)('1. the payload of %s is a JSON object', async (route) => {
    const line = route.replace('{id}', route.includes('{id}') ? await seeded(pluralOf(route)) : '');
    for (const sent of notObjects) {
      const reply = await service.send(line, { as: 'admin', body: sent });
      expect({ sent, status: reply.status }).toEqual({ sent, status: 400 });
    }
    const unknown = await service.send(line, { as: 'admin', body: { title: 'x', bogus: 1 } });
    expect([unknown.status, unknown.json.errors?.[0]?.field]).toEqual([422, 'bogus']);
  });

  test.each(['articles', 'reports'])(
    '2. admin routes of %s bypass the rules and return private fields',
    async (plural) => {
      const id = await seeded(plural, { open: false, note: 'inside' });
      expect((await service.send(`GET /api/v1/cms/${plural}/${id}`, { as: 'admin' })).status).toBe(404);
      const one = await service.send(`GET /api/v1/admin/cms/${plural}/${id}`, { as: 'editor' });
      expect(one.json).toEqual({ id, title: 'One', note: 'inside', open: false });
      const { items } = (await service.send(`GET /api/v1/admin/cms/${plural}?id=${id}`, { as: 'editor' })).json;
      expect(items).toEqual([one.json]);
      const changed = await service.send(`PUT /api/v1/admin/cms/${plural}/${id}`, {
        as: 'editor',
        body: { note: 'b' },
      });
      expect(changed.json).toEqual({ ...one.json, note: 'b' });
    },
  );

  test('2. admin routes bypass filter_auth, and the rules of writes', async () => {
    const never = { filter: 'title = "no one"', filter_auth: 'title = "no one"' };
    const api = { list: never, get: never, create: never, update: never, delete: never };
    await using closed = await TestService.open([{ singular: 'article', plural: 'articles', fields, api }]);
    await closed.account('ada', 'admin');
    const as = 'ada';
    const made = await closed.send('POST /api/v1/admin/cms/articles', { as, body });
    expect(made.status).toBe(201);
    const line = `/api/v1/admin/cms/articles/${made.json.id}`;
    expect((await closed.send(`GET ${line}`, { as })).status).toBe(200);
    expect((await closed.send('GET /api/v1/admin/cms/articles', { as })).json.total).toBe(1);
    expect((await closed.send(`PUT ${line}`, { as, body: { title: 'b' } })).status).toBe(200);
    expect((await closed.send(`DELETE ${line}`, { as })).status).toBe(204);
  });

  test('3. public routes strip private fields from every answer, to whomever', async () => {
    for (const as of [undefined, 'member', 'admin']) {
      const id = await seeded('articles', { note: 'inside' });
      const answers = [
        await service.send('GET /api/v1/cms/articles', sentBy(as)),
        await service.send(`GET /api/v1/cms/articles/${id}`, sentBy(as)),
        await service.send('GET /api/v1/cms/site', sentBy(as)),
        ...(as === undefined
          ? []
          : [
              await service.send('POST /api/v1/cms/articles', sentBy(as, { ...body, note: 'inside' })),
              await service.send(`PUT /api/v1/cms/articles/${id}`, sentBy(as, { note: 'inside' })),
              await service.send('PUT /api/v1/cms/site', sentBy(as, { note: 'inside' })),
            ]),
      ];
      for (const { status, text } of answers) {
        expect(status).toBeLessThan(300);
        expect(text).not.toContain('note');
      }
    }
  });
});

test('HEAD answers as GET would, without the body', async () => {
  const id = await seeded('articles');
  for (const path of ['/api/v1/cms/articles?page_size=1', `/api/v1/cms/articles/${id}`, '/api/v1/cms/site']) {
    const [get, head] = [await service.send(`GET ${path}`), await service.send(`HEAD ${path}`)];
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', get.headers.get('etag')]);
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
  }
});
