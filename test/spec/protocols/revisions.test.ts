// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Versions of records: what makes one, what is shown of them and to whom, and how they are brought back.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    protocols: ['versionable', 'soft_deletable', 'timestampable', 'ownable', { name: 'lockable', required: true }],
    fields: [
      { name: 'title', field_type: 'text', required: true },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'price', field_type: 'decimal' },
      { name: 'big', field_type: 'bigint' },
      { name: 'open', field_type: 'boolean' },
      { name: 'data', field_type: 'json' },
      { name: 'born', field_type: 'integer', immutable: true },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'key', field_type: 'password' },
      { name: 'topic', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'topics' } },
      { name: 'topics', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'topics' } },
    ],
    api: open,
  },
  {
    singular: 'topic',
    plural: 'topics',
    fields: [
      { name: 'name', field_type: 'text' },
      { name: 'notes', field_type: 'relation', relation: { relation_type: 'one_to_many', target: 'notes' } },
    ],
  },
  {
    singular: 'short',
    plural: 'shorts',
    protocols: [{ name: 'versionable', keep: 3, max_age_days: 30 }],
    fields: [{ name: 'title', field_type: 'text' }],
    api: open,
  },
  {
    singular: 'home',
    plural: 'homes',
    kind: 'single',
    protocols: ['versionable'],
    fields: [{ name: 'title', field_type: 'text', default: 'Welcome' }],
    api: { update: { access: 'public' } },
  },
  {
    singular: 'step',
    plural: 'steps',
    protocols: ['versionable', 'sortable', 'nestable'],
    fields: [{ name: 'title', field_type: 'text' }],
    api: open,
  },
];

/** How far the clock of the service is ahead, in milliseconds. */
let ahead = 0;
let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true, now: () => Date.now() + ahead });
  for (const [name, role] of [
    ['mia', 'member'],
    ['eve', 'editor'],
    ['ada', 'admin'],
  ] as const) {
    await service.account(name, role);
  }
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
/** What the service does by itself within so many days. */
const afterDays = async (days: number): Promise<void> => {
  ahead = days * 86_400_000;
  await service.runJobs();
  ahead = 0;
};
const admin = '/api/v1/admin/cms';
let count = 0;
const made = (more: object = {}) =>
  ok(service.send('POST /api/v1/cms/notes', { as: 'mia', body: { title: `t${++count}`, ...more } }), 201);
const update = async (id: string, body: object, as = 'ada') => {
  const { lock_version } = await ok(service.send(`GET ${admin}/notes/${id}`, { as: 'ada' }));
  return ok(service.send(`PUT ${admin}/notes/${id}`, { as, body: { ...body, lock_version } }));
};
const listed = async (path: string, as = 'ada') => (await ok(service.send(`GET ${path}/revisions`, { as }))).items;
const heads = async (path: string, as?: string) =>
  (await listed(path, as)).map((one: Reply['json']) => [one.revision, one.action, one.changed]);

describe('a revision is created', () => {
  test('by a creation and by each change, with author, time and the names of what changed', async () => {
    const note = await made();
    await service.send(`PUT /api/v1/cms/notes/${note.id}`, {
      as: 'eve',
      body: { title: 'b', price: '1.50', lock_version: 1 },
    });
    await service.send(`PUT /api/v1/cms/notes/${note.id}`, { body: { open: true, lock_version: 2 } });
    expect(await listed(`${admin}/notes/${note.id}`)).toEqual([
      {
        revision: 3,
        action: 'update',
        author: null,
        author_kind: null,
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        restored_from: null,
        changed: ['open'],
        name: null,
      },
      expect.objectContaining({
        revision: 2,
        author: service.idOf('eve'),
        author_kind: 'account',
        changed: ['title', 'price'],
      }),
      expect.objectContaining({ revision: 1, action: 'create', author: service.idOf('mia'), at: note.created_at }),
    ]);
  });

  test('holding the record as admins got it', async () => {
    const topic = await service.seed('topics', { name: 'a' });
    const other = await service.seed('topics', { name: 'b' });
    const whole = {
      code: 'whole',
      price: '12.5',
      big: '9007199254740993',
      open: false,
      data: { a: [1, { b: null }] },
      secret: 'hush',
      key: 'correct horse',
      topic: topic.id,
      topics: [other.id, topic.id],
    };
    const { id } = await made(whole);
    const first = await ok(service.send(`GET ${admin}/notes/${id}`, { as: 'ada' }));
    const second = await update(id, { topics: [topic.id], big: null });
    const revision = async (number: number) =>
      (await ok(service.send(`GET ${admin}/notes/${id}/revisions/${number}`, { as: 'ada' }))).record;
    expect([await revision(1), await revision(2)]).toEqual([first, second]);
    expect(await heads(`${admin}/notes/${id}`)).toEqual([
      [2, 'update', ['big', 'topics']],
      [1, 'create', []],
    ]);
    const stored = await service.database.rows<unknown>({ sql: 'SELECT * FROM recto_revisions', parameters: [] });
    expect(JSON.stringify(stored)).not.toContain('quick:');
    expect(JSON.stringify(stored)).not.toContain('argon2');
  });

  test('not by an update that changes nothing, nor by one that is rejected', async () => {
    const note = await made({ data: { a: 1, b: 2 }, price: '1.5' });
    await update(note.id, {});
    await update(note.id, { title: note.title, data: { b: 2, a: 1 }, price: '1.50', topics: [] });
    await update(note.id, { key: 'battery staple' });
    await service.send(`PUT ${admin}/notes/${note.id}`, { as: 'ada', body: { title: null } });
    expect(await heads(`${admin}/notes/${note.id}`)).toEqual([[1, 'create', []]]);
  });

  test('by an API token, under its id', async () => {
    const { id, token } = await ok(
      service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body: { name: 'feed', role: 'editor' } }),
      201,
    );
    const headers = { Authorization: `Bearer ${token}` };
    const made = await ok(service.send(`POST ${admin}/shorts`, { headers, body: { title: 'a' } }), 201);
    expect(await listed(`${admin}/shorts/${made.id}`)).toMatchObject([{ author: id, author_kind: 'api_token' }]);
  });

  test('by a mark that deletes and by what takes it away', async () => {
    const { id } = await made();
    await ok(service.send(`DELETE ${admin}/notes/${id}`, { as: 'ada' }), 204);
    await ok(service.send(`GET ${admin}/notes/${id}/revisions`, { as: 'ada' }), 404);
    const { items } = await ok(service.send(`GET ${admin}/notes/${id}/revisions?deleted=only`, { as: 'ada' }));
    expect(items[0]).toMatchObject({ revision: 2, action: 'delete', changed: ['deleted_at', 'deleted_by'] });
    await ok(service.send(`POST ${admin}/notes/${id}/restore`, { as: 'eve' }));
    expect((await listed(`${admin}/notes/${id}`))[0]).toMatchObject({
      revision: 3,
      action: 'restore',
      restored_from: null,
    });
    await ok(service.send(`DELETE ${admin}/notes/${id}`, { as: 'ada' }), 204);
    await ok(service.send(`DELETE ${admin}/notes/${id}/purge`, { as: 'ada' }), 204);
    const left = query('SELECT count(*) AS n FROM recto_revisions WHERE record = ?', id);
    expect(await service.database.first<unknown>(left)).toEqual({ n: 0 });
  });

  test('by reordering and moving, which the record below that comes along has none of', async () => {
    const [a, b, c] = [
      await service.seed('steps', { title: 'a' }),
      await service.seed('steps', { title: 'b' }),
      await service.seed('steps', { title: 'c' }),
    ];
    await ok(service.send(`POST ${admin}/steps/${c.id}/move`, { as: 'ada', body: { parent_id: b.id } }));
    await ok(service.send(`POST ${admin}/steps/${b.id}/move`, { as: 'ada', body: { parent_id: a.id } }));
    await ok(service.send(`PUT ${admin}/steps/reorder`, { as: 'ada', body: { items: [{ id: b.id, position: 9 }] } }));
    expect(await heads(`${admin}/steps/${b.id}`)).toEqual([
      [3, 'reorder', ['position']],
      [2, 'move', ['parent_id']],
      [1, 'create', []],
    ]);
    expect((await heads(`${admin}/steps/${c.id}`))[0]).toEqual([2, 'move', ['parent_id']]);
    const { record } = await ok(service.send(`GET ${admin}/steps/${b.id}/revisions/3`, { as: 'ada' }));
    expect(record).toEqual(await ok(service.send(`GET ${admin}/steps/${b.id}`, { as: 'ada' })));
  });

  test('of the one record of a single type, which nobody makes', async () => {
    const { id } = await ok(service.send('GET /api/v1/cms/home'));
    const path = `${admin}/homes/${id}`;
    expect(await heads(path)).toEqual([[1, 'create', []]]);
    await ok(service.send('PUT /api/v1/cms/home', { as: 'mia', body: { title: 'Hello' } }));
    expect((await listed(path))[0]).toMatchObject({ revision: 2, author: service.idOf('mia'), changed: ['title'] });
    expect(await ok(service.send(`POST ${path}/revisions/1/restore`, { as: 'eve' }))).toMatchObject({
      title: 'Welcome',
    });
    expect((await ok(service.send('GET /api/v1/cms/home'))).title).toBe('Welcome');
  });
});

describe('a list of revisions', () => {
  test('is paged', async () => {
    const { id } = await made();
    for (const title of ['b', 'c', 'd']) await update(id, { title });
    const path = `${admin}/notes/${id}/revisions`;
    const page = await ok(service.send(`GET ${path}?page=2&page_size=3`, { as: 'eve' }));
    expect(page).toMatchObject({ items: [{ revision: 1 }], total: 4, page: 2, page_size: 3 });
    expect(await ok(service.send(`GET ${path}?page_size=1000`, { as: 'eve' }))).toMatchObject({ page_size: 100 });
    expect(await ok(service.send(`GET ${path}?page=9`, { as: 'eve' }))).toMatchObject({ items: [], total: 4 });
    for (const query of ['page=0', 'page_size=x', 'sort=revision:asc', 'deleted=x']) {
      await ok(service.send(`GET ${path}?${query}`, { as: 'eve' }), 400);
    }
  });

  test('and each of its kind is for editors and admins', async () => {
    const { id } = await made();
    for (const line of ['GET revisions', 'GET revisions/1', 'GET revisions/1/diff/1', 'POST revisions/1/restore']) {
      const [method, path] = line.split(' ');
      const send = (as?: string) =>
        service.send(`${method} ${admin}/notes/${id}/${path}`, as === undefined ? {} : { as });
      expect([(await send()).status, (await send('mia')).status, (await send('eve')).status]).toEqual([401, 403, 200]);
    }
  });

  test('returns 404 for a record that does not exist', async () => {
    const { id } = await made();
    for (const path of [
      `notes/${id.replace(/.{4}$/, '0000')}/revisions`,
      'notes/nonsense/revisions',
      `notes/${id}/revisions/2`,
      `notes/${id}/revisions/0`,
      `notes/${id}/revisions/x`,
      `notes/${id}/revisions/99999999999999999999`,
      `notes/${id}/revisions/1/diff/2`,
      `notes/${id}/revisions/2/diff/1`,
      `shorts/${id}/revisions`,
      `topics/${id}/revisions`,
    ]) {
      expect([path, (await service.send(`GET ${admin}/${path}`, { as: 'ada' })).status]).toEqual([path, 404]);
    }
  });
});

describe('retention', () => {
  test('keeps as many as it says, of which the newest always', async () => {
    const { id } = await service.seed('shorts', { title: 'a' });
    const path = `${admin}/shorts/${id}`;
    for (const title of ['b', 'c', 'd', 'e']) await ok(service.send(`PUT ${path}`, { as: 'ada', body: { title } }));
    expect((await listed(path)).map((one: Reply['json']) => one.revision)).toEqual([5, 4, 3]);
    await ok(service.send(`GET ${path}/revisions/2`, { as: 'ada' }), 404);
    // All of them become old.
    await service.database.transaction(async (transaction) =>
      transaction.run(query(`UPDATE recto_revisions SET at = '2020-01-01T00:00:00.000Z' WHERE record = ?`, id)),
    );
    expect((await listed(path)).map((one: Reply['json']) => one.revision)).toEqual([5]);
    await ok(service.send(`PUT ${path}`, { as: 'ada', body: { title: 'f' } }));
    expect((await listed(path)).map((one: Reply['json']) => one.revision)).toEqual([6]);
    const left = query('SELECT revision FROM recto_revisions WHERE record = ?', id);
    expect(await service.database.rows<unknown>(left)).toEqual([{ revision: 6 }]);
  });
});

test('what is too old is removed by itself, but for the newest of each record', async () => {
  const [a, b] = [await service.seed('shorts', { title: 'a' }), await service.seed('shorts', { title: 'b' })];
  for (const title of ['x', 'y']) await ok(service.send(`PUT ${admin}/shorts/${a.id}`, { as: 'ada', body: { title } }));
  const note = await made();
  await update(note.id, { title: 'x' });
  const left = async () =>
    (
      await service.database.rows<{ record: string; revision: number }>(
        query(
          'SELECT record, revision FROM recto_revisions WHERE record IN (?, ?, ?) ORDER BY record, revision',
          a.id,
          b.id,
          note.id,
        ),
      )
    ).map(({ record, revision }) => [record, revision]);
  const all = await left();
  expect(all).toHaveLength(6);
  await afterDays(1);
  expect(await left()).toEqual(all);
  await afterDays(31);
  expect(await left()).toEqual(all.filter(([record, revision]) => record !== a.id || revision === 3));
});

describe('a difference', () => {
  test('is a JSON Patch', async () => {
    const note = await made({ data: { a: [1, 2], b: 1 }, title: 'a' });
    await update(note.id, { data: { a: [1, 3, 2] }, title: 'b' });
    const reply = await service.send(`GET ${admin}/notes/${note.id}/revisions/1/diff/2`, { as: 'ada' });
    expect(reply.headers.get('content-type')).toBe('application/json-patch+json');
    expect(reply.json).toEqual(
      expect.arrayContaining([
        { op: 'replace', path: '/title', value: 'b' },
        { op: 'remove', path: '/data/b' },
        { op: 'add', path: '/data/a/1', value: 3 },
        { op: 'replace', path: '/lock_version', value: 2 },
      ]),
    );
    expect(await ok(service.send(`GET ${admin}/notes/${note.id}/revisions/2/diff/2`, { as: 'ada' }))).toEqual([]);
    const again = { as: 'ada', headers: { 'If-None-Match': reply.headers.get('etag') ?? '' } };
    expect((await service.send(`GET ${admin}/notes/${note.id}/revisions/1/diff/2`, again)).status).toBe(304);
  });
});

describe('a restore', () => {
  test('is an update to what the revision has, with a revision of its own', async () => {
    const topic = await service.seed('topics', { name: 'a' });
    const note = await made({ title: 'old', price: '3', topics: [topic.id], born: 5, key: 'correct horse' });
    await update(note.id, { title: 'new', price: null, topics: [], data: { a: 1 } });
    const { key } = (await service.database.first<{ key: string }>(
      query('SELECT key FROM cms_note WHERE id = ?', note.id),
    )) ?? { key: '' };
    const back = await ok(service.send(`POST ${admin}/notes/${note.id}/revisions/1/restore`, { as: 'eve' }));
    expect(back).toMatchObject({ title: 'old', price: '3', topics: [topic.id], data: null, born: 5, lock_version: 3 });
    expect(back.updated_by).toBe(service.idOf('eve'));
    expect(await ok(service.send(`GET ${admin}/notes/${note.id}`, { as: 'ada' }))).toEqual(back);
    expect((await listed(`${admin}/notes/${note.id}`))[0]).toMatchObject({
      revision: 3,
      action: 'restore',
      restored_from: 1,
      author: service.idOf('eve'),
      changed: ['title', 'price', 'data', 'topics'],
    });
    const kept = query('SELECT key FROM cms_note WHERE id = ?', note.id);
    expect(await service.database.first<unknown>(kept)).toEqual({ key });
  });

  test('of what the record is makes no revision', async () => {
    const { id } = await made();
    await ok(service.send(`POST ${admin}/notes/${id}/revisions/1/restore`, { as: 'ada' }));
    expect(await heads(`${admin}/notes/${id}`)).toEqual([[1, 'create', []]]);
  });

  test('is rejected, with all errors, where what is stored stands against it', async () => {
    const topic = await service.seed('topics', { name: 'gone' });
    const note = await made({ title: 'x', code: 'mine', topic: topic.id, topics: [topic.id] });
    await update(note.id, { title: 'y', code: null, topic: null, topics: [] });
    await made({ code: 'mine' });
    await ok(service.send(`DELETE ${admin}/topics/${topic.id}`, { as: 'ada' }), 204);
    const refused = await ok(service.send(`POST ${admin}/notes/${note.id}/revisions/1/restore`, { as: 'ada' }), 422);
    expect(refused.errors.map(({ field, code }: Reply['json']) => [field, code])).toEqual([
      ['code', 'taken'],
      ['topic', 'unknown_record'],
      ['topics[0]', 'unknown_record'],
    ]);
    expect((await ok(service.send(`GET ${admin}/notes/${note.id}`, { as: 'ada' }))).title).toBe('y');
  });

  test('takes If-Match, and is 404 for a deleted record', async () => {
    const { id } = await made();
    const path = `${admin}/notes/${id}/revisions/1/restore`;
    await ok(service.send(`POST ${path}`, { as: 'ada', headers: { 'If-Match': '"stale"' } }), 409);
    await ok(service.send(`DELETE ${admin}/notes/${id}`, { as: 'ada' }), 204);
    await ok(service.send(`POST ${path}`, { as: 'ada' }), 404);
  });
});

describe('private fields', () => {
  test('are for admins alone, in every answer', async () => {
    const { id } = await made({ secret: 'one' });
    await update(id, { secret: 'two' });
    await update(id, { secret: 'three', title: 'seen' });
    const path = `${admin}/notes/${id}`;
    expect(await heads(path, 'ada')).toEqual([
      [3, 'update', ['title', 'secret']],
      [2, 'update', ['secret']],
      [1, 'create', []],
    ]);
    expect(await heads(path, 'eve')).toEqual([
      [3, 'update', ['title']],
      [1, 'create', []],
    ]);
    expect((await ok(service.send(`GET ${path}/revisions`, { as: 'eve' }))).total).toBe(2);
    for (const tail of ['2', '2/diff/3', '1/diff/2']) {
      await ok(service.send(`GET ${path}/revisions/${tail}`, { as: 'eve' }), 404);
      expect((await service.send(`GET ${path}/revisions/${tail}`, { as: 'ada' })).text).toContain('secret');
    }
    await ok(service.send(`POST ${path}/revisions/2/restore`, { as: 'eve' }), 404);
    for (const tail of ['1', '3', '1/diff/3']) {
      const { text } = await service.send(`GET ${path}/revisions/${tail}`, { as: 'eve' });
      for (const word of ['secret', 'one', 'three']) expect(text).not.toContain(word);
    }
  });

  test('keep their present values when an editor restores, and not when an admin does', async () => {
    const { id } = await made({ title: 'first', secret: 'one' });
    await update(id, { title: 'second', secret: 'two' });
    const restore = (as: string) => ok(service.send(`POST ${admin}/notes/${id}/revisions/1/restore`, { as }));
    expect(await restore('eve')).toMatchObject({ title: 'first', secret: 'two' });
    expect(await restore('ada')).toMatchObject({ title: 'first', secret: 'one' });
  });
});

test('a time at which the status moves by itself is not brought back', async () => {
  const path = '/api/v1/admin/posts';
  const at = new Date(Date.now() + 40 * 86_400_000).toISOString();
  const { id } = await service.seed('posts', { title: 'Planned', scheduled_at: at });
  await afterDays(41);
  expect(await listed(`${path}/${id}`)).toMatchObject([
    { revision: 2, action: 'schedule', author: null, changed: ['status', 'scheduled_at', 'published_at'] },
    { revision: 1, action: 'create' },
  ]);
  const back = await ok(service.send(`POST ${path}/${id}/revisions/1/restore`, { as: 'ada' }));
  expect(back).toMatchObject({ status: 'Draft', scheduled_at: null });
});

test.each(['posts', 'pages'])('%s are versionable', async (plural) => {
  const path = `/api/v1/admin/${plural}`;
  const { id } = await ok(service.send(`POST /api/v1/${plural}`, { as: 'mia', body: { title: 'Old' } }), 201);
  await ok(service.send(`PUT ${path}/${id}`, { as: 'eve', body: { title: 'New', content: '<p>x</p>' } }));
  await ok(service.send(`PUT ${path}/${id}/status`, { as: 'eve', body: { status: 'published' } }));
  await ok(service.send(`POST ${path}/batch`, { as: 'eve', body: { action: 'archive', ids: [id] } }));
  expect(await heads(`${path}/${id}`, 'eve')).toEqual([
    [4, 'update', ['status']],
    [3, 'publish', ['status', 'published_at']],
    [2, 'update', ['title', 'content']],
    [1, 'create', []],
  ]);
  const patch = await ok(service.send(`GET ${path}/${id}/revisions/1/diff/2`, { as: 'eve' }));
  expect(patch).toContainEqual({ op: 'replace', path: '/title', value: 'New' });
  const back = await ok(service.send(`POST ${path}/${id}/revisions/2/restore`, { as: 'eve' }));
  expect(back).toMatchObject({ title: 'New', status: 'Draft' });
  await ok(service.send(`DELETE ${path}/${id}`, { as: 'eve' }), 204);
  await ok(service.send(`GET ${path}/${id}/revisions`, { as: 'eve' }), 404);
});

test.each([
  [{ keep: 0 }, /keep/],
  [{ keep: 1.5 }, /keep/],
  [{ keep: 1001 }, /keep/],
  [{ max_age_days: 0 }, /max_age_days/],
  [{ days: 3 }, /no such option/],
])('a definition with %j is refused', (options, message) => {
  const protocols = [{ name: 'versionable', ...options }];
  expect(() => definitionsOf({ singular: 'a', plural: 'as', protocols, fields: [] })).toThrow(message);
});
