// databases: sqlite, postgres
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import { countsOf, importInto, openPlanned, planOf, type TestPlan } from '../../support/foreign-imports.ts';
import { PocketbaseFolder, type TestCollection } from '../../support/pocketbase-folder.ts';
import type { TestService } from '../../support/service.ts';
import { getBytes } from '../media/media-calls.ts';

const pocketbase = importers.find(({ format }) => format === 'pocketbase');
if (pocketbase === undefined) throw new Error('There is no importer of PocketBase.');
const entry = pocketbase;

/** Of "correct horse", at the least cost. */
const hash = Bun.password.hashSync('correct horse', { algorithm: 'bcrypt', cost: 4 });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const relation = (name: string, target: string, more: object = {}) => ({
  ...{ name, type: 'relation', collectionId: `${target}_id`, maxSelect: 1 },
  ...more,
});

/** A magazine: accounts, people of another collection, relations in both directions and every type of field. */
const magazine = (): Record<string, TestCollection> => ({
  users: {
    type: 'auth',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'username', type: 'text' },
      { name: 'avatar', type: 'file', maxSelect: 1 },
      relation('favourite', 'posts'),
    ],
    rules: { listRule: null, viewRule: 'id = @request.auth.id', createRule: '', updateRule: 'id = @request.auth.id' },
    options: { authRule: '', passwordAuth: { enabled: true }, mfa: { enabled: false } },
    rows: [
      {
        ...{ id: 'u1', email: 'ines@site.example', verified: 1, password: hash, tokenKey: 'k1', name: 'Ines Ferreira' },
        ...{ username: 'ines', avatar: 'face_abcdefghij.png', favourite: 'p1' },
      },
      {
        id: 'u2',
        email: 'tomas@site.example',
        verified: 0,
        password: hash,
        tokenKey: 'k2',
        name: '',
        username: 'tomas',
        avatar: '',
        favourite: '',
      },
    ],
  },
  staff: {
    type: 'auth',
    fields: [{ name: 'name', type: 'text' }],
    rules: { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' },
    rows: [{ id: 's1', email: 'ines@site.example', verified: 1, password: hash, tokenKey: 'k3', name: 'Ines at work' }],
  },
  _superusers: {
    type: 'auth',
    rows: [{ id: 'a1', email: 'root@site.example', verified: 1, password: hash, tokenKey: 'k4' }],
  },
  tags: {
    fields: [{ name: 'label', type: 'text', max: 50, required: true }],
    indexes: ["CREATE UNIQUE INDEX `i` ON `tags` (`label`) WHERE label != ''"],
    rules: { listRule: '', viewRule: '' },
    rows: [
      { id: 't1', label: 'type' },
      { id: 't2', label: 'paper' },
    ],
  },
  posts: {
    fields: [
      { name: 'title', type: 'text', required: true, max: 100 },
      { name: 'bodyText', type: 'editor' },
      { name: 'state', type: 'select', maxSelect: 1, values: ['draft', 'public'] },
      { name: 'kinds', type: 'select', maxSelect: 3, values: ['a', 'b', 'c'] },
      { name: 'views', type: 'number', onlyInt: true },
      { name: 'score', type: 'number' },
      { name: 'featured', type: 'bool' },
      { name: 'day', type: 'date' },
      { name: 'link', type: 'url' },
      { name: 'contact', type: 'email' },
      { name: 'data', type: 'json' },
      { name: 'place', type: 'geoPoint' },
      { name: 'cover', type: 'file', maxSelect: 1 },
      { name: 'papers', type: 'file', maxSelect: 5, protected: true },
      { name: 'secret', type: 'text', hidden: true },
      relation('owner', 'users', { required: true }),
      relation('tags', 'tags', { maxSelect: 9 }),
      relation('follows', 'posts'),
    ],
    rules: {
      listRule: 'state = "public" || owner = @request.auth.id',
      viewRule: 'state = "public" || owner = @request.auth.id',
      createRule: '@request.auth.id != "" && @request.body.owner = @request.auth.id',
      updateRule: 'owner = @request.auth.id',
      deleteRule: '@request.auth.id ?= @collection.staff.id',
    },
    rows: [
      {
        ...{ id: 'p1', title: 'On paper', state: 'public', kinds: '["c","a"]', views: 7, score: 1.5, featured: 1 },
        bodyText:
          '<p>Look: <img src="/api/files/posts_id/p1/cat_0123456789.png?thumb=100x100" onerror="x()"></p><script>x()</script>',
        ...{ day: '2024-04-01 12:30:00.000Z', link: 'https://site.example', contact: 'a@site.example' },
        ...{ data: '{"a":[1,{"b":null}]}', place: '{"lon":-8.6,"lat":41.1}', cover: 'cat_0123456789.png' },
        ...{
          papers: '["one_0123456789.txt","gone_0123456789.txt"]',
          secret: 'hush',
          owner: 'u1',
          tags: '["t2","t1"]',
          follows: 'p2',
        },
      },
      {
        ...{
          id: 'p2',
          title: 'Draft',
          bodyText: '',
          state: 'draft',
          kinds: '[]',
          views: 0,
          score: 0,
          featured: 0,
          day: '',
          link: '',
        },
        ...{
          contact: '',
          data: 'null',
          place: '{"lon":0,"lat":0}',
          cover: '',
          papers: '[]',
          secret: '',
          owner: 'u2',
          tags: '["t9"]',
        },
        ...{ follows: 'p1' },
      },
    ],
  },
  latest: {
    type: 'view',
    options: { viewQuery: 'SELECT id, title FROM posts' },
    rules: { listRule: '', viewRule: '' },
  },
});

const files = {
  'users_id/u1/face_abcdefghij.png': png,
  'posts_id/p1/cat_0123456789.png': png,
  'posts_id/p1/one_0123456789.txt': 'secret paper',
};

describe('a magazine', () => {
  let folder: PocketbaseFolder;
  let plan: TestPlan;
  let service: TestService;
  beforeAll(async () => {
    folder = new PocketbaseFolder(magazine(), files);
    plan = await planOf(entry, folder.path);
    service = await openPlanned(plan);
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  const list = async (plural: string) =>
    (await service.send(`GET /api/v1/admin/cms/${plural}?sort=created_at:asc`, { as: 'ada' })).json.items;
  const byForeign = async (plural: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: records of every type.
    new Map<string, any>((await list(plural)).map((item: any) => [item.__meta._pocketbase.id, item]));

  test('a dry run stores nothing', async () => {
    const report = await importInto(service, entry, folder.path, plan.map, { dryRun: true });
    expect(countsOf(report)).toMatchObject({
      accounts: [2, 0, 0, 0],
      imported_posts: [2, 0, 0, 0],
      files: [2, 0, 1, 0],
    });
    expect(await list('imported_posts')).toEqual([]);
    expect((await service.send('GET /api/v1/admin/users', { as: 'ada' })).json.total).toBe(1);
    expect(await service.storedKeys()).toEqual([]);
  });

  test('everything is brought in, and a second run adds nothing', async () => {
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(report)).toEqual({
      ...{ accounts: [2, 0, 0, 0], files: [2, 0, 1, 0], media: [3, 0, 0, 0] },
      ...{ user_profiles: [2, 0, 0, 0], staff: [1, 0, 0, 0], tags: [2, 0, 0, 0], imported_posts: [2, 0, 0, 0] },
    });
    expect(report.skipped).toEqual([
      { kind: 'files', text: 'not in the folder of files', count: 1, examples: ['posts/p1/gone_0123456789.txt'] },
    ]);
    const stored = await service.storedKeys();
    const before = await list('imported_posts');
    const again = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(again)).toMatchObject({
      ...{ accounts: [0, 2, 0, 0], user_profiles: [0, 2, 0, 0], staff: [0, 1, 0, 0] },
      ...{ tags: [0, 2, 0, 0], imported_posts: [0, 2, 0, 0] },
    });
    expect(await list('imported_posts')).toEqual(before);
    expect(await service.storedKeys()).toEqual(stored);
    expect((await service.send('GET /api/v1/admin/users', { as: 'ada' })).json.total).toBe(3);
  });

  test('a record has the values, times, relations and files that it had', async () => {
    const posts = await byForeign('imported_posts');
    const tags = await byForeign('tags');
    const profiles = await byForeign('user_profiles');
    const post = posts.get('p1');
    expect(post).toMatchObject({
      ...{
        title: 'On paper',
        state: 'public',
        kinds: ['c', 'a'],
        views: 7,
        score: 1.5,
        featured: true,
        secret: 'hush',
      },
      ...{ day: '2024-04-01T12:30:00.000Z', link: 'https://site.example', contact: 'a@site.example' },
      ...{ data: { a: [1, { b: null }] }, place: { lon: -8.6, lat: 41.1 } },
      ...{
        owner: profiles.get('u1').account,
        tags: [tags.get('t2').id, tags.get('t1').id],
        follows: posts.get('p2').id,
      },
      ...{ created_at: '2024-05-01T10:00:00.000Z', updated_at: '2024-05-02T10:00:00.000Z' },
      cover: { name: 'cat.png', mime_type: 'image/png', width: 1 },
    });
    // Ids begin with the time of creation.
    expect(Number.parseInt(post.id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse('2024-05-01T10:00:00Z'));
    expect(post.body_text).toContain(`src="${post.cover.url}"`);
    expect(post.body_text).not.toContain('script');
    expect(post.body_text).not.toContain('onerror');
    expect(posts.get('p2')).toMatchObject({
      ...{ body_text: '', kinds: [], views: 0, featured: false, day: null, link: '', contact: null, data: null },
      ...{ cover: null, papers: [], tags: [], follows: post.id },
    });
    expect(profiles.get('u1')).toMatchObject({
      name: 'Ines Ferreira',
      favourite: post.id,
      avatar: { name: 'face.png' },
    });
    const bytes = await getBytes(service, post.cover.url);
    expect(Buffer.from(bytes.bytes)).toEqual(png);
  });

  test('files that only some could read are private', async () => {
    const { papers } = (await byForeign('imported_posts')).get('p1');
    expect(papers.map(({ name }: { name: string }) => name)).toEqual(['one.txt']);
    expect((await getBytes(service, papers[0].url)).status).toBe(404);
  });

  test('accounts are members, and sign in with the passwords that they had', async () => {
    const { items } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
    const imported = items
      .filter(({ email }: { email: string }) => email.endsWith('@site.example'))
      .toSorted((one: { email: string }, other: { email: string }) => (one.email < other.email ? -1 : 1));
    expect(imported).toMatchObject([
      { email: 'ines@site.example', username: 'ines', role: 'member', verified: true, display_name: 'Ines Ferreira' },
      { email: 'tomas@site.example', username: 'tomas', role: 'member', verified: false },
    ]);
    const stored = () =>
      service.database.first<{ password_hash: string }>({
        sql: "select password_hash from recto_accounts where email = 'ines@site.example'",
        parameters: [],
      });
    expect((await stored())?.password_hash).toBe(hash);
    const login = (password: string) =>
      service.send('POST /api/v1/auth/login', { body: { email: 'ines@site.example', password } });
    expect((await login('wrong horse')).status).toBe(401);
    expect((await stored())?.password_hash).toBe(hash);
    // Two at once: neither takes the hash of the other for another password.
    expect((await Promise.all([login('correct horse'), login('correct horse')])).map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    expect((await stored())?.password_hash).toStartWith('quick:');
    expect((await login('correct horse')).status).toBe(200);
    expect((await login('wrong horse')).status).toBe(401);
    expect(
      (
        await service.send('POST /api/v1/auth/login', {
          body: { email: 'root@site.example', password: 'correct horse' },
        })
      ).status,
    ).toBe(401);
  });

  test('rules admit whom they admitted, and what has none stays closed', async () => {
    const session = await service.send('POST /api/v1/auth/login', {
      body: { email: 'tomas@site.example', password: 'correct horse' },
    });
    const headers = { Authorization: `Bearer ${session.json.access_token}` };
    const titles = async (sent: object) =>
      (await service.send('GET /api/v1/cms/imported_posts?sort=title:asc', sent)).json.items.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles({})).toEqual(['On paper']);
    expect(await titles({ headers })).toEqual(['Draft', 'On paper']);
    const posts = await byForeign('imported_posts');
    const put = (id: string, body: object) =>
      service.send(`PUT /api/v1/cms/imported_posts/${posts.get(id).id}`, { headers, body });
    expect((await put('p1', { title: 'Mine' })).status).toBe(403);
    expect((await put('p2', { title: 'Draft, mine' })).status).toBe(200);
    // Only superusers set hidden fields.
    expect((await put('p2', { secret: 'x' })).status).toBe(403);
    const { status, json } = await service.send(`GET /api/v1/cms/imported_posts/${posts.get('p1').id}`);
    expect([status, 'secret' in json, '__meta' in json]).toEqual([200, false, false]);
    // Its rule asks another collection.
    expect((await service.send(`DELETE /api/v1/cms/imported_posts/${posts.get('p2').id}`, { headers })).status).toBe(
      403,
    );
    expect(plan.leftOut.map(([place]) => place)).toContain('posts deleteRule');
    expect((await service.send('GET /api/v1/cms/user_profiles')).status).toBe(401);
    expect((await service.send('POST /api/v1/cms/staff', { body: { name: 'x' } })).status).toBe(401);
    // What PocketBase shows of accounts to some alone.
    const staff = await service.send('GET /api/v1/cms/staff');
    expect([staff.json.total, 'email' in staff.json.items[0]]).toEqual([1, false]);
  });

  test('what is left out is named with its reason', () => {
    const places = new Map(plan.leftOut);
    expect(places.get('latest')).toContain('SELECT id, title FROM posts');
    expect(places.get('_superusers')).toContain('no admins');
    expect(places.get('staff.password')).toContain('Only accounts have passwords');
    expect(places.get('posts')).toContain('"imported_post"');
  });

  test('what was deleted here since stays away, and what is new there is added', async () => {
    const posts = await byForeign('imported_posts');
    await service.send(`DELETE /api/v1/admin/cms/imported_posts/${posts.get('p2').id}`, { as: 'ada' });
    folder.add('posts', {
      ...{
        id: 'p3',
        title: 'Third',
        bodyText: '',
        state: 'public',
        kinds: '[]',
        views: 0,
        score: 0,
        featured: 0,
        day: '',
      },
      ...{
        link: '',
        contact: '',
        data: '{}',
        place: '{}',
        cover: '',
        papers: '[]',
        secret: '',
        owner: 'u2',
        tags: '["t1"]',
      },
      follows: 'p2',
    });
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(report)).toMatchObject({ imported_posts: [1, 1, 1, 0], tags: [0, 2, 0, 0] });
    const now = await byForeign('imported_posts');
    expect([...now.keys()].toSorted()).toEqual(['p1', 'p3']);
    expect(now.get('p3')).toMatchObject({ follows: null, owner: posts.get('p2').owner });
    expect(report.changed).toContainEqual({
      ...{ kind: 'imported_posts', text: 'references to posts that are not brought in: left out', count: 1 },
      examples: ['data.db posts:3'],
    });
  });
});

const posts = (
  rows: readonly Record<string, string | number | null>[],
  fields: readonly object[] = [],
): Record<string, TestCollection> => ({
  notes: { fields: [{ name: 'title', type: 'text', max: 10 }, ...fields] as never, rows },
});

async function run(collections: Record<string, TestCollection>, errors: 'refuse' | 'leave_out' = 'refuse') {
  using folder = new PocketbaseFolder(collections);
  const plan = await planOf(entry, folder.path);
  const service = await openPlanned(plan);
  await service.account('ada', 'admin');
  const outcome = await importInto(service, entry, folder.path, plan.map, { errors }).catch((error) => error);
  return { service, outcome };
}

const users = (
  rows: readonly Record<string, string | number | null>[],
  options: object = {},
): Record<string, TestCollection> => ({
  users: { type: 'auth', options: options as never, rows },
});

test('one record with an error refuses all, accounts and files included', async () => {
  const { service, outcome } = await run({
    ...users([{ id: 'u1', email: 'a@site.example', verified: 1, password: hash, tokenKey: '' }]),
    ...posts([
      { id: 'n1', title: 'fine' },
      { id: 'n2', title: 'longer than ten' },
    ]),
  });
  await using _ = service;
  expect(outcome).toBeInstanceOf(TransferRefused);
  expect(outcome.message).toContain('data.db notes:2: title:');
  expect((await service.send('GET /api/v1/admin/cms/notes', { as: 'ada' })).json.total).toBe(0);
  expect((await service.send('GET /api/v1/admin/users', { as: 'ada' })).json.total).toBe(1);
});

test('or is left out alone', async () => {
  const { service, outcome } = await run(
    {
      ...users([{ id: 'u1', email: 'a@site.example', verified: 1, password: hash, tokenKey: '' }]),
      ...posts(
        [
          { id: 'n1', title: 'fine', owner: 'u1' },
          { id: 'n2', title: 'longer than ten', owner: 'u1' },
          { id: 'n3', title: 'bad', data: 'no json' },
        ],
        [relation('owner', 'users'), { name: 'data', type: 'json' }],
      ),
    },
    'leave_out',
  );
  await using _ = service;
  expect(countsOf(outcome)).toMatchObject({ accounts: [1, 0, 0, 0], notes: [1, 0, 0, 2] });
  expect(outcome.failures.map(({ place }: { place: string }) => place).toSorted()).toEqual([
    'data.db notes:2',
    'data.db notes:3',
  ]);
});

describe('accounts', () => {
  const account = (row: object) => ({
    id: 'u1',
    email: 'ines@site.example',
    verified: 1,
    password: hash,
    tokenKey: '',
    ...row,
  });
  const login = async (service: TestService) =>
    (await service.send('POST /api/v1/auth/login', { body: { email: 'ines@site.example', password: 'correct horse' } }))
      .status;

  test.each([
    ['a second factor is asked for', { mfa: { enabled: true } }, {}],
    ['passwords are off', { passwordAuth: { enabled: false } }, {}],
    ['nobody may sign in', { authRule: null }, {}],
    ['only others may sign in', { authRule: 'role = "boss"' }, {}],
    ['only confirmed addresses may sign in', { authRule: 'verified = true' }, { verified: 0 }],
    ['the hash would take hours', {}, { password: hash.replace('$04$', '$31$') }],
    ['the hash is none', {}, { password: 'correct horse' }],
    ['the hash cannot be read', {}, { password: `${hash.slice(0, -1)}z` }],
  ])('who could not sign in there cannot here: %s', async (_, options, row) => {
    const { service, outcome } = await run(users([account(row)], options));
    await using __ = service;
    expect(countsOf(outcome)).toMatchObject({ accounts: [1, 0, 0, 0] });
    expect(outcome.changed).toHaveLength(1);
    expect(await login(service)).toBe(401);
  });

  test.each<[createRule: string | null, text: string]>([
    [null, 'RECTO_REGISTRATION=closed'],
    ['@request.body.email ~ "@site.example"', 'RECTO_REGISTRATION=closed'],
    ['', 'only admins make profiles'],
  ])('who could make accounts is said: %p', async (createRule, text) => {
    using folder = new PocketbaseFolder({
      users: { type: 'auth', rules: { createRule }, options: { manageRule: 'id = "u1"' }, rows: [account({})] },
    });
    const places = new Map((await planOf(entry, folder.path)).leftOut);
    expect(places.get('users createRule')).toContain(text);
    expect(places.get('users manageRule')).toContain('id = \\"u1\\"');
  });

  test('a collection that is not there is none to choose', async () => {
    using folder = new PocketbaseFolder(users([account({})]));
    const chosen = (options: Record<string, string>) => planOf(entry, folder.path, { options }).catch((error) => error);
    expect((await chosen({ accounts: 'user' })).message).toContain('there is no auth collection “user”');
    expect((await chosen({ account: 'users' })).message).toContain('There is no option account');
    expect((await chosen({ accounts: 'none' })).types).toHaveLength(1);
  });

  test('who is confirmed may, where only confirmed addresses may', async () => {
    const { service } = await run(users([account({})], { authRule: 'verified = true' }));
    await using _ = service;
    expect(await login(service)).toBe(200);
  });

  test('an account of the same address stays as it is, and is only that of a confirmed address', async () => {
    using folder = new PocketbaseFolder({
      ...users([
        account({
          email: 'ada@example.com',
          password: Bun.password.hashSync('hijacked!', { algorithm: 'bcrypt', cost: 4 }),
        }),
        account({ id: 'u2', email: 'bob@example.com', verified: 0 }),
      ]),
      notes: {
        fields: [{ name: 'title', type: 'text' }, relation('owner', 'users')] as never,
        rows: [
          { id: 'n1', title: 'of ada', owner: 'u1' },
          { id: 'n2', title: 'of bob', owner: 'u2' },
        ],
      },
    });
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    const ada = await service.account('ada', 'admin');
    await service.account('bob', 'editor');
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(report)).toMatchObject({ accounts: [0, 1, 1, 0], notes: [2, 0, 0, 0] });
    const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=title:asc', { as: 'ada' })).json;
    expect(items.map(({ owner }: { owner: string | null }) => owner)).toEqual([ada, null]);
    const sign = (password: string) =>
      service.send('POST /api/v1/auth/login', { body: { email: 'ada@example.com', password } });
    expect([(await sign('hijacked!')).status, (await sign('correct horse')).status]).toEqual([401, 200]);
  });
});

describe('hostile sources', () => {
  const refusal = async (path: string): Promise<string> => {
    const error = await planOf(entry, path).then(
      () => new Error('It was taken.'),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(TransferRefused);
    return error.message;
  };

  const folderWith = (bytes: string | Uint8Array) => {
    const path = mkdtempSync(join(tmpdir(), 'recto-hostile-'));
    writeFileSync(join(path, 'data.db'), bytes);
    return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
  };

  test('what is no database', async () => {
    using text = folderWith('hello');
    expect(await refusal(text.path)).toContain('is damaged, or no database');
    using nothing = folderWith('');
    expect(await refusal(nothing.path)).toContain('no collections of PocketBase');
    expect(await refusal(join(tmpdir(), 'recto-none'))).toContain('no data folder');
  });

  test('a database that is cut off', async () => {
    using folder = new PocketbaseFolder(
      posts(Array.from({ length: 500 }, (_, index) => ({ id: `n${index}`, title: 'x' }))),
    );
    const bytes = readFileSync(join(folder.path, 'data.db'));
    using cut = folderWith(bytes.subarray(0, bytes.length - 8192));
    expect(await refusal(cut.path)).toContain('damaged');
  });

  test('tables that are none', async () => {
    using folder = new PocketbaseFolder(posts([]));
    const change = (sql: string) => {
      using database = new Database(join(folder.path, 'data.db'));
      database.run(sql);
    };
    change('DROP TABLE notes');
    change('CREATE VIEW notes AS SELECT * FROM _collections');
    expect(await refusal(folder.path)).toContain('has no table');
    change('DROP VIEW notes');
    change('CREATE VIRTUAL TABLE notes USING fts5(title)');
    expect(await refusal(folder.path)).toContain('has no table');
    change('DROP TABLE notes');
    change('CREATE TABLE notes (id)');
    change("UPDATE _collections SET fields = '{no json'");
    expect(await refusal(folder.path)).toContain('hold no JSON');
    change('ALTER TABLE _collections RENAME TO others');
    change('CREATE VIRTUAL TABLE _collections USING fts5(id, name, created)');
    expect(await refusal(folder.path)).toContain('has no table');
  });

  test('a virtual table whose statement hides it', async () => {
    using folder = new PocketbaseFolder({});
    const file = join(folder.path, 'data.db');
    {
      using database = new Database(file);
      database.run('CREATE VIRTUAL TABLE notes    USING fts5(id, title)');
      database.run("INSERT INTO _collections (id, type, name, fields) VALUES ('notes_id', 'base', 'notes', '[]')");
    }
    const said = 'CREATE VIRTUAL TABLE notes    USING';
    const hidden = 'CREATE/**/VIRTUAL TABLE notes USING';
    const bytes = readFileSync(file);
    expect(hidden).toHaveLength(said.length);
    bytes.write(hidden, bytes.indexOf(said));
    writeFileSync(file, bytes);
    expect(await refusal(folder.path)).toContain('has no table');
  });

  test('columns that are computed as they are read', async () => {
    using folder = new PocketbaseFolder(posts([{ id: 'n1', title: 'x' }]));
    using database = new Database(join(folder.path, 'data.db'));
    database.run("ALTER TABLE notes ADD COLUMN big TEXT GENERATED ALWAYS AS (printf('%.*c', 900000000, 'x')) VIRTUAL");
    expect(await refusal(folder.path)).toContain('computed columns');
  });

  test('a folder of files that is a link', async () => {
    using folder = new PocketbaseFolder(posts([]), { 'notes_id/n1/secret.txt': 'secret' });
    renameSync(join(folder.path, 'storage'), join(folder.path, 'elsewhere'));
    symlinkSync(join(folder.path, 'elsewhere'), join(folder.path, 'storage'));
    expect(await refusal(folder.path)).toContain('is a link. Name the folder that it leads to: --media');
  });

  test('a pipe in place of a file', async () => {
    using folder = new PocketbaseFolder(
      posts([{ id: 'n1', title: 'x', paper: 'pipe.txt' }], [{ name: 'paper', type: 'file', maxSelect: 1 }]),
      { 'notes_id/n1/fine.txt': 'x' },
    );
    const pipe = (path: string) => expect(Bun.spawnSync(['mkfifo', join(folder.path, path)]).exitCode).toBe(0);
    pipe('storage/notes_id/n1/pipe.txt');
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(report)).toMatchObject({ files: [0, 0, 1, 0], notes: [1, 0, 0, 0] });
    rmSync(join(folder.path, 'data.db'));
    pipe('data.db');
    expect(await refusal(folder.path)).toContain('no data folder');
  });

  test('times beyond those that ids have', async () => {
    const created = '+275760-09-12 00:00:00.000Z';
    using folder = new PocketbaseFolder({
      users: { type: 'auth', rows: [{ id: 'u1', email: 'a@site.example', verified: 1, password: hash, created }] },
      notes: {
        fields: [{ name: 'title', type: 'text' }],
        rows: [
          { id: 'n1', title: 'Far', created },
          { id: 'n2', title: 'Near' },
        ],
      },
    });
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    const report = await importInto(service, entry, folder.path, plan.map, { errors: 'leave_out' });
    expect(countsOf(report)).toMatchObject({ notes: [1, 0, 0, 1] });
  });

  test('JSON that is nested without end', async () => {
    const { service, outcome } = await run(
      posts(
        [
          { id: 'n1', title: 'x', data: `${'['.repeat(200_000)}${']'.repeat(200_000)}` },
          { id: 'n2', title: 'y', data: '[[1]]' },
        ],
        [{ name: 'data', type: 'json' }],
      ),
      'leave_out',
    );
    await using _ = service;
    expect(countsOf(outcome)).toMatchObject({ notes: [1, 0, 0, 1] });
  });

  test('patterns and indexes that take forever', async () => {
    using folder = new PocketbaseFolder({
      notes: {
        fields: [{ name: 'title', type: 'text', pattern: '^(a+)+$' }],
        indexes: [`CREATE INDEX i ON notes (${' on x ('.repeat(50_000)}${')'.repeat(50_000)} x`],
      },
    });
    const plan = await planOf(entry, folder.path);
    expect(new Map(plan.leftOut).get('notes.title')).toContain('could take very long');
    expect(JSON.stringify(plan.definitions)).not.toContain('(a+)+');
  });

  test('the copy of the database has no name while it is read, nor after it was refused', async () => {
    using folder = new PocketbaseFolder(posts([{ id: 'n1', title: 'x' }]));
    using database = new Database(join(folder.path, 'data.db'));
    database.run('PRAGMA journal_mode = WAL');
    database.run("INSERT INTO notes (id, title) VALUES ('n2', 'y')");
    const importer = await entry.load();
    const workFolder = mkdtempSync(join(tmpdir(), 'recto-copy-'));
    try {
      using source = await importer.read(folder.path, { workFolder });
      expect(readdirSync(workFolder)).toEqual([]);
      const [type] = importer.map(source, {}).types;
      expect(await Array.fromAsync(type?.records() ?? [])).toHaveLength(2);
      using none = folderWith('hello');
      expect(await importer.read(none.path, { workFolder }).catch((error) => error)).toBeInstanceOf(TransferRefused);
      expect(readdirSync(workFolder)).toEqual([]);
    } finally {
      rmSync(workFolder, { recursive: true });
    }
  });

  test('a name that another one would get', async () => {
    using folder = new PocketbaseFolder({ posts: {}, imported_posts: {}, imported_post: {} });
    const { definitions } = await planOf(entry, folder.path);
    const names = definitions.map((definition) => (definition as { plural: string }).plural);
    expect(new Set(names).size).toBe(3);
  });

  test('names that would end what they stand in', async () => {
    const name = 'x"]\nformat = "other"\n# \u2028y';
    using folder = new PocketbaseFolder({
      [name]: {
        fields: [{ name: 'a"b\nc', type: 'text', help: 'x\ny = 1' }] as never,
        rules: { listRule: 'a = "\n\'"' },
      },
    });
    const { map, definitions } = await planOf(entry, folder.path);
    expect(map.format).toBe('pocketbase');
    expect(Object.keys(map.types)).toEqual([name]);
    expect(definitions).toHaveLength(1);
  });

  test('files elsewhere', async () => {
    const escapes = ['../../../secret.txt', '..', '/etc/passwd', 'link.txt', 'a/b.txt', 'x\u0000.txt'];
    using folder = new PocketbaseFolder(
      posts(
        [
          { id: 'n1', title: 'x', papers: JSON.stringify(escapes) },
          { id: '../..', title: 'y', papers: '["secret.txt"]' },
        ],
        [{ name: 'papers', type: 'file', maxSelect: 9 }],
      ),
      { 'notes_id/n1/fine.txt': 'x' },
    );
    folder.write('secret.txt', 'secret');
    symlinkSync(join(folder.path, 'secret.txt'), join(folder.path, 'storage/notes_id/n1/link.txt'));
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(report)).toMatchObject({ notes: [2, 0, 0, 0], files: [0, 0, 7, 0] });
    expect(await service.storedKeys()).toEqual([]);
  });

  test('files that are too large', async () => {
    using folder = new PocketbaseFolder(
      posts([{ id: 'n1', title: 'x', paper: 'big.txt' }], [{ name: 'paper', type: 'file', maxSelect: 1 }]),
      {
        'notes_id/n1/big.txt': 'x'.repeat(2_000),
      },
    );
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    for (const dryRun of [true, false]) {
      const report = await importInto(service, entry, folder.path, plan.map, { mediaMaxFile: 1_000, dryRun });
      expect(countsOf(report)).toMatchObject({ files: [0, 0, 1, 0], notes: [1, 0, 0, 0] });
    }
    expect(await service.storedKeys()).toEqual([]);
  });

  test('a plan that does not fit', async () => {
    using folder = new PocketbaseFolder(posts([]));
    const plan = await planOf(entry, folder.path);
    await using service = await openPlanned(plan);
    const types = { notes: { to: 'nothing', fields: { title: 'title' } }, others: { to: 'note', fields: {} } };
    const error = await importInto(service, entry, folder.path, { ...plan.map, types }).catch((thrown) => thrown);
    expect(error.message).toContain('types.notes.to: there is no content type “nothing”.');
    expect(error.message).toContain('types.others: the source has no such type.');
    const fields = { notes: { to: 'note', fields: { title: 'id', gone: 'title', created: 'none' } } };
    const second = await importInto(service, entry, folder.path, { ...plan.map, types: fields }).catch(
      (thrown) => thrown,
    );
    expect(second.message).toContain('ids are given by the import');
    expect(second.message).toContain('types.notes.fields.gone: the source has no such field.');
    expect(second.message).toContain('note has no field “none”');
  });
});
