// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const relation = (name: string, target: string, more: object = {}) =>
  field(name, 'relation', { relation: { relation_type: 'many_to_one', target }, ...more });

const definitions = [
  { singular: 'shop', plural: 'shops', fields: [field('name', 'text', { required: true })] },
  {
    singular: 'task',
    plural: 'tasks',
    protocols: [
      'soft_deletable',
      'lockable',
      { name: 'versionable' },
      {
        name: 'statusable',
        transitions: { draft: ['published'], published: ['draft', 'archived'], archived: ['draft'] },
      },
    ],
    fields: [
      field('title', 'text', { required: true, max_length: 20 }),
      field('code', 'text', { unique: true }),
      field('born', 'integer', { immutable: true }),
      field('n', 'integer'),
      relation('shop', 'shops', { required: true }),
    ],
  },
  { singular: 'plain', plural: 'plains', fields: [field('n', 'integer')] },
  {
    singular: 'essay',
    plural: 'essays',
    protocols: ['statusable', { name: 'versionable', drafts: true }],
    fields: [field('title', 'text')],
  },
  { singular: 'owned', plural: 'owneds', protocols: ['tenantable'], fields: [field('n', 'integer')] },
  { singular: 'node', plural: 'nodes', protocols: ['nestable'], fields: [field('n', 'integer')] },
];

let service: TestService;
let shop: string;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('ed', 'editor');
  await service.account('tess', 'editor', 'acme');
  await service.account('mia');
  ({ id: shop } = await service.seed('shops', { name: 'a' }));
});
afterAll(() => service[Symbol.asyncDispose]());

const batch = (plural: string, body: object, as = 'ed', headers: Record<string, string> = {}) =>
  service.send(`POST /api/v1/admin/cms/${plural}/batch`, { as, body, headers });
const task = (more: object = {}) => service.seed('tasks', { title: 'one', shop, ...more });
const get = async (plural: string, id: string) =>
  (await service.send(`GET /api/v1/admin/cms/${plural}/${id}`, { as: 'ed' })).json;
const errors = ({ json }: { json: { errors: { field: string; code: string }[] } }) =>
  json.errors.map(({ field: at, code }) => `${at} ${code}`);

test('update sets fields of all records, by ids and by a filter', async () => {
  const made = [await task({ n: 901 }), await task({ n: 902 })];
  const { status, json } = await batch('tasks', {
    action: 'update',
    ids: made.map(({ id }) => id),
    set: { title: 'two' },
  });
  expect([status, json]).toEqual([200, { action: 'update', affected: 2 }]);
  expect((await get('tasks', made[0].id)).title).toBe('two');
  const filtered = await batch('tasks', { action: 'update', filter: 'n >= 901 && n <= 902', set: { n: 903 } });
  expect(filtered.json).toEqual({ action: 'update', affected: 2 });
  const { n, lock_version } = await get('tasks', made[1].id);
  expect([n, lock_version]).toEqual([903, 3]);
  expect((await batch('tasks', { action: 'update', filter: 'n = 901', set: { n: 1 } })).json.affected).toBe(0);
  const { json: revisions } = await service.send(`GET /api/v1/admin/cms/tasks/${made[0].id}/revisions`, { as: 'ed' });
  expect(revisions.total).toBe(3);
});

test('delete, restore and the states', async () => {
  const made = [await task(), await task()];
  const ids = made.map(({ id }) => id);
  for (const [action, status] of Object.entries({ publish: 'published', archive: 'archived', unpublish: 'draft' })) {
    expect((await batch('tasks', { action, ids })).json).toEqual({ action, affected: 2 });
    expect((await get('tasks', ids[0] ?? '')).status).toBe(status);
  }
  expect((await batch('tasks', { action: 'delete', ids })).status).toBe(200);
  expect((await get('tasks', ids[0] ?? '')).code).toBe('not_found');
  expect(errors(await batch('tasks', { action: 'delete', ids }))).toEqual([
    'ids[0] unknown_record',
    'ids[1] unknown_record',
  ]);
  const filter = `id in ["${ids[0]}", "${ids[1]}"]`;
  expect((await batch('tasks', { action: 'delete', filter })).json.affected).toBe(0);
  expect((await batch('tasks', { action: 'restore', filter })).json.affected).toBe(2);
  expect(errors(await batch('tasks', { action: 'restore', ids }))).toEqual([
    'ids[0] unknown_record',
    'ids[1] unknown_record',
  ]);
  expect((await get('tasks', ids[1] ?? '')).deleted_at).toBe(null);
});

test('a type allows the actions of its protocols, and the error names them', async () => {
  const { id } = await service.seed('plains', { n: 1 });
  for (const action of ['publish', 'unpublish', 'archive', 'restore', 'purge', 'constructor', '']) {
    const { status, json } = await batch('plains', { action, ids: [id] });
    expect([status, json.errors[0].field, json.errors[0].message]).toEqual([
      422,
      'action',
      'Must be one of: update, delete.',
    ]);
  }
});

describe('all or nothing', () => {
  test('an unknown id, an id twice and no id are named, and nothing changes', async () => {
    const { id } = await task({ n: 5 });
    const reply = await batch('tasks', { action: 'update', ids: [id, Bun.randomUUIDv7(), id, 'x'], set: { n: 6 } });
    expect(errors(reply)).toEqual(['ids[1] unknown_record', 'ids[3] unknown_record', 'ids[2] doubled']);
    expect((await get('tasks', id)).n).toBe(5);
  });

  test('what is wrong with a record is named with its place, of all records, and nothing changes', async () => {
    const free = await task({ n: 1, status: 'draft' });
    const bound = await task({ n: 1, status: 'archived' });
    const last = await task({ n: 1, status: 'archived' });
    const ids = [free.id, bound.id, last.id];
    const reply = await batch('tasks', { action: 'publish', ids });
    expect(errors(reply)).toEqual(['ids[1].status transition_not_allowed', 'ids[2].status transition_not_allowed']);
    expect((await get('tasks', free.id)).status).toBe('draft');
    const filter = `id = "${bound.id}"`;
    expect(errors(await batch('tasks', { action: 'publish', filter }))).toEqual([
      `${bound.id}.status transition_not_allowed`,
    ]);
    expect(errors(await batch('tasks', { action: 'update', ids: [free.id], set: { born: 4 } }))).toEqual([
      'ids[0].born immutable',
    ]);
  });

  test('what is wrong with the fields to set is named once', async () => {
    const ids = [(await task()).id, (await task()).id];
    const set = { title: 'far too long for this field', no_such: 1, n: 'x', shop: null };
    expect(errors(await batch('tasks', { action: 'update', ids, set })).toSorted()).toEqual([
      'set.n wrong_type',
      'set.no_such unknown_field',
      'set.shop required',
      'set.title too_long',
    ]);
  });

  test('a unique value for two records, a lock that does not hold, and a record in use change nothing', async () => {
    const made = [await task({ n: 7 }), await task({ n: 7 })];
    const ids = made.map(({ id }) => id);
    const twice = await batch('tasks', { action: 'update', ids, set: { code: 'same', n: 8 } });
    expect([twice.status, errors(twice)]).toEqual([422, ['ids[1].code taken']]);
    const stale = await batch('tasks', { action: 'update', ids, set: { lock_version: 9 } });
    expect([stale.status, stale.json.code, stale.json.detail]).toEqual([
      409,
      'lock_version_mismatch',
      expect.stringContaining('ids[0]: '),
    ]);
    const other = await service.seed('shops', { name: 'b' });
    const used = await batch('shops', { action: 'delete', ids: [other.id, shop] });
    expect([used.status, used.json.code, used.json.detail]).toEqual([
      409,
      'record_in_use',
      expect.stringContaining('ids[1]: '),
    ]);
    expect((await get('shops', other.id)).name).toBe('b');
    expect((await get('tasks', ids[0] ?? '')).n).toBe(7);
  });
});

test('publish publishes drafts, and takes what is published as it is', async () => {
  const made = await Promise.all(['a', 'b', 'c'].map((title) => service.seed('essays', { title })));
  const ids = made.map(({ id }) => id);
  await batch('essays', { action: 'publish', ids: ids.slice(0, 2) });
  await service.send(`PUT /api/v1/admin/cms/essays/${ids[0]}?draft=true`, { as: 'ed', body: { title: 'A' } });
  expect((await batch('essays', { action: 'publish', ids })).json).toEqual({ action: 'publish', affected: 3 });
  const { json } = await service.send('GET /api/v1/cms/essays?sort=title:asc', { as: 'ed' });
  expect(json.items.map((item: { title: string; status: string }) => `${item.title} ${item.status}`)).toEqual([
    'A published',
    'b published',
    'c published',
  ]);
});

test('a record that another one takes along is done with', async () => {
  const root = await service.seed('nodes', { n: 1 });
  const below = await service.seed('nodes', { n: 2, parent_id: root.id });
  const { json } = await batch('nodes', { action: 'delete', ids: [root.id, below.id] });
  expect(json).toEqual({ action: 'delete', affected: 2 });
});

test('editors of a tenant change its records alone', async () => {
  const [ours, theirs] = [
    await service.seed('owneds', { n: 1, tenant_id: 'acme' }),
    await service.seed('owneds', { n: 1, tenant_id: 'other' }),
  ];
  expect(errors(await batch('owneds', { action: 'delete', ids: [ours.id, theirs.id] }, 'tess'))).toEqual([
    'ids[1] unknown_record',
  ]);
  expect((await batch('owneds', { action: 'update', filter: 'n = 1', set: { n: 2 } }, 'tess')).json.affected).toBe(1);
  expect((await get('owneds', theirs.id)).n).toBe(1);
});

test('members may not, and a repeated request is done once', async () => {
  const { id } = await task({ n: 1 });
  expect((await batch('tasks', { action: 'delete', ids: [id] }, 'mia')).status).toBe(403);
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const first = await batch('tasks', { action: 'update', ids: [id], set: { n: 2 } }, 'ed', key);
  const second = await batch('tasks', { action: 'update', ids: [id], set: { n: 2 } }, 'ed', key);
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect((await get('tasks', id)).lock_version).toBe(2);
});

test.each([
  [{}, ['action required', 'ids required']],
  [{ action: 'update', ids: [] }, ['ids too_few_items', 'set required']],
  [{ action: 'delete', ids: ['x'], set: {} }, ['set not_allowed']],
  [{ action: 'delete', ids: ['x'], filter: 'true' }, ['filter not_allowed']],
  [{ action: 'update', ids: ['x'], set: [] }, ['set wrong_type']],
  [{ action: 'delete', ids: ['x'], more: 1 }, ['more unknown_field']],
])('%j is 422', async (body, expected) => {
  const reply = await batch('tasks', body);
  expect([reply.status, errors(reply).toSorted()]).toEqual([422, expected.toSorted()]);
});

test('a filter that is none is 400 with its place', async () => {
  const { status, json } = await batch('tasks', { action: 'delete', filter: 'n = = 1' });
  expect([status, json.code, json.position]).toEqual([400, 'invalid_filter', 5]);
});

test('posts take fields and filters too', async () => {
  const post = await service.seed('posts', { title: 'Batch me' });
  const body = { action: 'update', filter: 'title = "Batch me"', set: { excerpt: 'x' } };
  expect((await service.send('POST /api/v1/admin/posts/batch', { as: 'ed', body })).json.affected).toBe(1);
  const { json } = await service.send(`GET /api/v1/admin/posts/${post.id}`, { as: 'ed' });
  expect(json.excerpt).toBe('x');
});

describe('more than 1,000 records', () => {
  const all = Array.from({ length: 1_020 }, (_, n) => ({ n: n + 5_000 }));
  let ids: readonly string[];
  beforeAll(async () => {
    const made: { id: string }[] = [];
    for (let from = 0; from < all.length; from += 340) {
      made.push(...(await Promise.all(all.slice(from, from + 340).map((body) => service.seed('plains', body)))));
    }
    ids = made.map(({ id }) => id);
  }, 600_000);

  const job = async (reply: { status: number; headers: Headers; json: { job: string } }) => {
    expect(reply.status).toBe(202);
    const location = reply.headers.get('location') ?? '';
    expect(location).toBe(`/api/v1/admin/jobs/${reply.json.job}`);
    await service.runJobs();
    return (await service.send(`GET ${location}`, { as: 'ed' })).json;
  };

  test('are changed by a job with progress, and what cannot be changed is in its result', async () => {
    const gone = Bun.randomUUIDv7();
    const sent = await batch('plains', { action: 'update', ids: [...ids, gone], set: { n: 4_000 } });
    const { state, kind, progress, result } = await job(sent);
    expect([state, kind, progress]).toEqual(['done', 'records.batch', { done: 1_021, total: 1_021 }]);
    expect(result).toEqual({
      action: 'update',
      affected: 1_020,
      failed: 1,
      errors: [{ id: gone, code: 'not_found', detail: expect.any(String) }],
    });
    const { json } = await service.send('GET /api/v1/cms/plains?n=4000&page_size=1');
    expect(json.total).toBe(1_020);
  });

  test('a filter selects those that there are when it is asked for, once per key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const body = { action: 'update', filter: 'n = 4000', set: { n: 3_000 } };
    const first = await batch('plains', body, 'ed', headers);
    const again = await batch('plains', body, 'ed', headers);
    expect([again.status, again.json.job]).toEqual([202, first.json.job]);
    const { state, result } = await job(first);
    expect([state, result]).toEqual(['done', { action: 'update', affected: 1_020, failed: 0, errors: [] }]);
  });

  test('rights that were taken in the meantime end it', async () => {
    await service.account('nora', 'editor');
    const sent = await batch('plains', { action: 'delete', ids }, 'nora');
    await service.send(`PUT /api/v1/admin/users/${service.idOf('nora')}`, { as: 'ada', body: { role: 'member' } });
    await service.runJobs();
    const { json } = await service.send(`GET /api/v1/admin/jobs/${sent.json.job}`, { as: 'ada' });
    expect([json.state, json.error]).toEqual(['failed', 'Whoever asked for it may not do it any more.']);
    expect((await service.send('GET /api/v1/cms/plains?n=3000&page_size=1')).json.total).toBe(1_020);
  });

  test('a change of tenant in the meantime ends it, instead of leading to the records of another tenant', async () => {
    const owned = async (count: number, tenant_id: string) => {
      for (let from = 0; from < count; from += 334) {
        await Promise.all(
          Array.from({ length: Math.min(334, count - from) }, () => service.seed('owneds', { n: 77, tenant_id })),
        );
      }
    };
    await owned(1_001, 'moving');
    await owned(2, 'target');
    for (const [name, tenant_id] of [
      ['mo', 'target'],
      ['no', null],
    ] as const) {
      await service.account(name, 'editor', 'moving');
      const sent = await batch('owneds', { action: 'update', filter: 'n = 77', set: { n: 78 } }, name);
      expect(sent.status).toBe(202);
      await service.send(`PUT /api/v1/admin/users/${service.idOf(name)}`, { as: 'ada', body: { tenant_id } });
      await service.runJobs();
      const { json } = await service.send(`GET /api/v1/admin/jobs/${sent.json.job}`, { as: 'ada' });
      expect([json.state, json.error]).toEqual(['failed', 'Whoever asked for it may not do it any more.']);
      const { json: left } = await service.send('GET /api/v1/admin/cms/owneds?n=77&page_size=1', { as: 'ada' });
      expect(left.total).toBe(1_003);
    }
  }, 600_000);

  test('of posts are too many', async () => {
    const body = { action: 'delete', ids };
    const reply = await service.send('POST /api/v1/admin/posts/batch', { as: 'ed', body });
    expect(errors(reply)).toEqual(['ids too_many_items']);
  });
});

describe('a search', () => {
  const send = (plural: string, body: object) =>
    service.send(`POST /api/v1/admin/cms/${plural}/batch`, { as: 'ada', body });

  test('narrows what a filter selects', async () => {
    for (const title of ['quince jam', 'quince tart', 'plum jam']) await service.seed('essays', { title });
    const reply = await send('essays', {
      action: 'update',
      filter: 'title ~ "%jam"',
      search: 'quin',
      set: { title: 'x' },
    });
    expect([reply.status, reply.json]).toEqual([200, { action: 'update', affected: 1 }]);
    const left = (await service.send('GET /api/v1/admin/cms/essays?sort=title:asc&search=jam', { as: 'ada' })).json
      .items;
    expect(left.map(({ title }: { title: string }) => title)).toEqual(['plum jam']);
    const none = await send('essays', { action: 'delete', filter: 'title != "y"', search: 'nowhere' });
    expect(none.json.affected).toBe(0);
  });

  test('goes with a filter, and with types that can be searched', async () => {
    const refused = [
      await send('essays', { action: 'delete', ids: ['01900000-0000-7000-8000-000000000001'], search: 'x' }),
      await send('plains', { action: 'delete', filter: 'n = 1', search: 'x' }),
      await send('essays', { action: 'delete', filter: 'title = "z"', search: 'x\0' }),
    ];
    expect(refused.map(({ status, json }) => [status, json.errors?.[0]?.field, json.errors?.[0]?.code])).toEqual([
      [422, 'search', 'not_allowed'],
      [422, 'search', 'not_searchable'],
      [422, 'search', 'invalid_text'],
    ]);
  });
});
