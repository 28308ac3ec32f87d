// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ghostText } from '../../../packages/recto/src/transfer/ghost/ghost-html.ts';
import { ForeignFile } from '../../../packages/recto/src/transfer/importers/foreign-value.ts';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import { countsOf, importInto, openPlanned, planOf, type TestPlan } from '../../support/foreign-imports.ts';
import type { TestService } from '../../support/service.ts';

const ghost = importers.find(({ format }) => format === 'ghost');
if (ghost === undefined) throw new Error('There is no importer of Ghost.');
const entry = ghost;

/** Of "correct horse", at the least cost. */
const hash = Bun.password.hashSync('correct horse', { algorithm: 'bcrypt', cost: 4 });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

class ExportFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-ghost-'));

  constructor(text: string | Uint8Array, files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.write('site.ghost.2024-05-01.json', text);
    for (const [name, bytes] of Object.entries(files)) this.write(name, bytes);
  }

  write(name: string, bytes: string | Uint8Array): void {
    mkdirSync(dirname(join(this.path, name)), { recursive: true });
    writeFileSync(join(this.path, name), bytes);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const exported = (data: object, version = '5.82.0') =>
  JSON.stringify({ db: [{ meta: { exported_on: 1_714_550_400_000, version }, data }] });

const post = (id: string, more: object = {}) => ({
  ...{ id, uuid: `uuid-${id}`, title: `Post ${id}`, slug: `post-${id}`, html: '<p>Text.</p>', type: 'post' },
  ...{ status: 'published', visibility: 'public', created_at: '2024-05-01T10:00:00.000Z', featured: 0 },
  ...{ updated_at: '2024-05-02T10:00:00.000Z', published_at: '2024-05-01T12:00:00.000Z' },
  ...more,
});

const site = () => ({
  users: [
    {
      ...{
        id: 'u1',
        name: 'Ines Ferreira',
        slug: 'ines',
        email: 'ines@site.example',
        password: hash,
        status: 'active',
      },
      ...{ bio: 'Prints.', website: 'https://ines.example', created_at: '2024-01-01T00:00:00.000Z' },
    },
    { id: 'u2', name: 'Tomas', slug: 'tomas', email: 'tomas@site.example', password: hash, status: 'locked' },
  ],
  roles: [{ id: 'r1', name: 'Owner' }],
  roles_users: [{ id: 'ru1', role_id: 'r1', user_id: 'u1' }],
  tags: [
    {
      ...{ id: 't1', name: 'Paper', slug: 'paper', description: 'On paper.', visibility: 'public' },
      feature_image: '__GHOST_URL__/content/images/2024/05/cat.png',
    },
    { id: 't2', name: 'Type', slug: 'type', description: null, visibility: 'public' },
    { id: 't3', name: '#secret plan', slug: 'hash-secret-plan', visibility: 'internal' },
  ],
  posts: [
    post('p1', {
      title: 'On paper',
      slug: 'on-paper',
      html:
        '<p>Look: <img src="__GHOST_URL__/content/images/size/w600/2024/05/cat.png" srcset="__GHOST_URL__/content/images/size/w600/2024/05/cat.png 600w" onerror="x()"> and <a href="__GHOST_URL__/other/">other</a>.</p>' +
        '<script>x()</script><!--kg-gated-block:begin nonMember:false memberSegment:"status:free" --><p>Members only.</p><!--kg-gated-block:end-->' +
        '<p><a href="__GHOST_URL__/content/files/2024/05/gone.pdf">paper</a></p>',
      custom_excerpt: 'About paper.',
      feature_image: '__GHOST_URL__/content/images/2024/05/cat.png',
      featured: 1,
      codeinjection_head: '<script>track()</script>',
      canonical_url: '__GHOST_URL__/original/',
    }),
    post('p2', { visibility: 'members', html: '<p>Hidden.</p>' }),
    post('p3', { status: 'draft', published_at: null }),
    post('p4', { status: 'scheduled', published_at: '2999-01-01T00:00:00.000Z' }),
    post('p5', { status: 'scheduled', published_at: '2999-01-01T00:00:00.000Z', visibility: 'paid' }),
    post('p6', { status: 'sent' }),
    post('p7', { status: 'published' }),
    post('p8', {
      html: null,
      lexical: JSON.stringify({
        root: {
          type: 'root',
          children: [
            { type: 'extended-heading', tag: 'h2', children: [{ type: 'extended-text', text: 'A & B', format: 3 }] },
            {
              type: 'paragraph',
              children: [{ type: 'link', url: '__GHOST_URL__/x/', children: [{ type: 'text', text: 'x', format: 0 }] }],
            },
            { type: 'image', src: '__GHOST_URL__/content/images/2024/05/cat.png', alt: 'A cat', caption: 'Cat' },
            { type: 'html', html: '<p>All</p>' },
            {
              type: 'html',
              html: '<p>Some</p>',
              visibility: { web: { nonMember: false, memberSegment: 'status:free' } },
            },
            { type: 'signup', header: 'Sign up' },
          ],
        },
      }),
    }),
    post('p9', {
      html: '',
      mobiledoc: JSON.stringify({
        ...{
          version: '0.3.1',
          atoms: [['soft-return', '', {}]],
          cards: [
            ['hr', {}],
            ['image', { src: '/content/images/2024/05/cat.png' }],
          ],
        },
        ...{ markups: [['strong'], ['a', ['href', 'https://a.example/?b&c']]] },
        sections: [
          [
            1,
            'p',
            [
              [0, [0], 1, 'Bold'],
              [1, [], 0, 0],
              [0, [1], 1, 'link <b>'],
            ],
          ],
          [10, 0],
          [10, 1],
          [3, 'ul', [[[0, [], 0, 'one']]]],
        ],
      }),
    }),
    post('g1', { type: 'page', slug: 'about', title: 'About', custom_template: 'custom-wide', html: '<p>Us.</p>' }),
  ],
  posts_meta: [
    {
      id: 'm1',
      post_id: 'p1',
      meta_title: 'Paper!',
      og_title: 'OG',
      feature_image_alt: 'A cat on paper',
      feature_image_caption: '<em>Cat</em>',
    },
    { id: 'm2', post_id: 'p7', email_only: 1 },
  ],
  posts_tags: [
    { id: 'x1', post_id: 'p1', tag_id: 't1', sort_order: 1 },
    { id: 'x2', post_id: 'p1', tag_id: 't2', sort_order: 0 },
    { id: 'x3', post_id: 'p1', tag_id: 't3', sort_order: 2 },
    { id: 'x4', post_id: 'g1', tag_id: 't1', sort_order: 0 },
  ],
  posts_authors: [
    { id: 'a1', post_id: 'p1', author_id: 'u2', sort_order: 1 },
    { id: 'a2', post_id: 'p1', author_id: 'u1', sort_order: 0 },
    { id: 'a3', post_id: 'p2', author_id: 'u1', sort_order: 0 },
  ],
  settings: [
    { id: 's1', key: 'title', value: 'The site' },
    { id: 's2', key: 'codeinjection_head', value: '<script>all()</script>' },
  ],
  newsletters: [{ id: 'n1', name: 'Weekly' }],
});

const files = { 'content/images/2024/05/cat.png': png };

describe('a site', () => {
  let folder: ExportFolder;
  let plan: TestPlan;
  let service: TestService;
  beforeAll(async () => {
    folder = new ExportFolder(exported(site()), files);
    plan = await planOf(entry, folder.path, { options: { site: 'https://site.example/' } });
    service = await openPlanned(plan);
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    folder[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });

  const list = async (plural: string) => {
    const path = plural === 'categories' ? `cms/${plural}` : plural;
    return (await service.send(`GET /api/v1/admin/${path}?page_size=100`, { as: 'ada' })).json.items;
  };
  const byForeign = async (plural: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: records of every type.
    new Map<string, any>((await list(plural)).map((item: any) => [item.__meta?._ghost?.id ?? item.slug, item]));

  test('the plan adds to the types of the product, and names what is left out', () => {
    expect(plan.definitions.map((definition) => Object(definition).extends)).toEqual(['category', 'post', 'page']);
    const added = plan.definitions.map((definition) =>
      Object(definition).fields.map(({ name }: { name: string }) => name),
    );
    expect(added).toEqual([
      ['image'],
      ['featured', 'canonical_url', 'og_title', 'authors', 'internal_tags'],
      ['og_title', 'authors', 'internal_tags'],
    ]);
    const places = new Map(plan.leftOut);
    for (const place of [
      'posts.codeinjection_head',
      'settings codeinjection_head',
      'pages.tags',
      'newsletters',
      'roles_users',
    ])
      expect([place, places.has(place)]).toEqual([place, true]);
  });

  test('everything is brought in, and a second run adds nothing', async () => {
    const dry = await importInto(service, entry, folder.path, plan.map, { dryRun: true });
    expect(await list('posts')).toEqual([]);
    const report = await importInto(service, entry, folder.path, plan.map);
    expect(dry.counts).toEqual(report.counts);
    expect(countsOf(report)).toEqual({
      ...{ accounts: [2, 0, 0, 0], files: [1, 0, 1, 0], media: [1, 0, 0, 0] },
      ...{ categories: [2, 0, 0, 0], posts: [9, 0, 0, 0], pages: [1, 0, 0, 0] },
    });
    const remarks = report.changed.map(({ kind, text, count }) => [kind, text, count]);
    for (const remark of [
      ['posts', 'for members alone: drafts', 1],
      ['posts', 'scheduled, for paid alone: drafts', 1],
      ['posts', 'sent as an e-mail alone, and on no page: drafts', 1],
      ['posts', 'sent as an e-mail alone: drafts', 1],
      ['posts', 'scripts in texts: left out', 1],
      ['posts', 'parts that only some readers see: left out', 1],
      ['posts', 'with code for the head or the foot of their page: left out', 1],
      ['posts', 'parts of the kind “signup”, which have no HTML: left out', 1],
    ])
      expect(remarks).toContainEqual(remark);
    expect(report.changed.find(({ text }) => text.startsWith('for members'))?.examples).toEqual([
      'site.ghost.2024-05-01.json posts:2',
    ]);
    const before = await list('posts');
    const again = await importInto(service, entry, folder.path, plan.map);
    expect(countsOf(again)).toMatchObject({
      ...{ accounts: [0, 2, 0, 0], categories: [0, 2, 0, 0], posts: [0, 9, 0, 0], pages: [0, 1, 0, 0] },
    });
    expect(await list('posts')).toEqual(before);
  });

  test('a post has the values, times, relations and files that it had', async () => {
    const posts = await byForeign('posts');
    const categories = await byForeign('categories');
    const { items: accounts } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
    const account = (email: string) => accounts.find((each: { email: string }) => each.email === email);
    const found = (await service.send(`GET /api/v1/admin/posts/${posts.get('p1').id}`, { as: 'ada' })).json;
    expect(found).toMatchObject({
      ...{ title: 'On paper', slug: 'on-paper', status: 'Published', excerpt: 'About paper.', featured: true },
      ...{ published_at: '2024-05-01T12:00:00.000Z', created_at: '2024-05-01T10:00:00.000Z' },
      ...{ updated_at: '2024-05-02T10:00:00.000Z', meta_title: 'Paper!', og_title: 'OG' },
      canonical_url: 'https://site.example/original/',
      categories: [categories.get('type').id, categories.get('paper').id],
      author_id: account('ines@site.example').id,
      authors: [account('ines@site.example').id, account('tomas@site.example').id],
      internal_tags: ['#secret plan'],
      cover_image: { name: 'cat.png', alt: 'A cat on paper', mime_type: 'image/png' },
      __meta: { _ghost: { id: 'p1', uuid: 'uuid-p1' } },
    });
    expect(found.content).toContain(`src="${found.cover_image.url}"`);
    expect(found.content).toContain('<a href="/other/">');
    expect(found.content).toContain('https://site.example/content/files/2024/05/gone.pdf');
    for (const gone of ['script', 'onerror', 'Members only', 'GHOST_URL', 'srcset'])
      expect(found.content).not.toContain(gone);
    expect(categories.get('paper')).toMatchObject({ description: 'On paper.', image: { name: 'cat.png' } });
    expect(account('ines@site.example')).toMatchObject({
      role: 'member',
      verified: false,
      username: 'ines',
      bio: 'Prints.',
    });
  });

  test('only what was public is public', async () => {
    const { items } = (await service.send('GET /api/v1/posts?page_size=100')).json;
    expect(items.map(({ slug }: { slug: string }) => slug).toSorted()).toEqual(['on-paper', 'post-p8', 'post-p9']);
    expect(JSON.stringify(items)).not.toContain('secret plan');
    const posts = await byForeign('posts');
    expect(posts.get('p2')).toMatchObject({ status: 'Draft', __meta: { _ghost: { visibility: 'members' } } });
    expect(posts.get('p4')).toMatchObject({ status: 'Draft', scheduled_at: '2999-01-01T00:00:00.000Z' });
    expect(posts.get('p5')).toMatchObject({ status: 'Draft', scheduled_at: null });
    const pages = await byForeign('pages');
    expect(pages.get('g1')).toMatchObject({
      ...{ slug: 'about', template: 'custom-wide', content: '<p>Us.</p>', __meta: { _ghost: { tags: ['Paper'] } } },
    });
  });

  test('what the editor wrote becomes HTML where there is none yet', async () => {
    const posts = await byForeign('posts');
    const { content } = posts.get('p8');
    expect(content).toContain('<h2><strong><em>A &amp; B</em></strong></h2>');
    expect(content).toContain('<a href="/x/">x</a>');
    expect(content).toMatch(
      /<figure><img src="\/[^"]+cat\.png[^"]*" alt="A cat" \/><figcaption>Cat<\/figcaption><\/figure><p>All<\/p>/,
    );
    expect(content).not.toContain('Some');
    const old = posts.get('p9').content;
    expect(old).toContain(
      '<p><strong>Bold</strong><br /><a href="https://a.example/?b&amp;c">link &lt;b&gt;</a></p><hr />',
    );
    expect(old).toContain('<ul><li>one</li></ul>');
  });

  test('people of the staff sign in with the passwords that they had, unless Ghost would not let them', async () => {
    const login = (email: string) =>
      service.send('POST /api/v1/auth/login', { body: { email, password: 'correct horse' } });
    expect((await login('ines@site.example')).status).toBe(200);
    expect((await login('tomas@site.example')).status).toBe(401);
    const { items } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
    const states = items.map(({ email, disabled }: { email: string; disabled: boolean }) => [email, disabled]);
    expect(states).toContainEqual(['ines@site.example', false]);
    expect(states).toContainEqual(['tomas@site.example', true]);
  });
});

test('an export of Ghost 5 is what its rows say, and is imported once', async () => {
  const path = join(import.meta.dir, '../../fixtures/ghost');
  const { data } = (await Bun.file(join(path, 'margins.ghost.json')).json()).db[0];
  const plan = await planOf(entry, path);
  await using service = await openPlanned(plan);
  await service.account('ada', 'admin');
  const report = await importInto(service, entry, path, plan.map);
  expect(report.failures).toEqual([]);
  expect(countsOf(report)).toMatchObject({
    ...{ accounts: [1, 0, 0, 0], categories: [2, 0, 0, 0], posts: [4, 0, 0, 0], pages: [1, 0, 0, 0] },
    files: [1, 0, 0, 0],
  });
  const again = countsOf(await importInto(service, entry, path, plan.map));
  for (const [kind, counts] of Object.entries(again)) expect([kind, counts[0]]).toEqual([kind, 0]);
  const all = async (plural: string) =>
    (await service.send(`GET /api/v1/admin/${plural}?page_size=100`, { as: 'ada' })).json.items;
  const records = [...(await all('posts')), ...(await all('pages'))];
  const time = (text: string | null) => (text === null ? null : new Date(`${text.replace(' ', 'T')}Z`).toISOString());
  for (const row of data.posts) {
    const { __meta, ...record } = records.find((each) => each.__meta._ghost.id === row.id);
    const isPublic = row.status === 'published' && row.visibility === 'public';
    expect(record).toMatchObject({
      ...{ title: row.title, slug: row.slug, excerpt: row.custom_excerpt, status: isPublic ? 'Published' : 'Draft' },
      ...{ created_at: time(row.created_at), updated_at: time(row.updated_at) },
      published_at: row.status === 'published' ? time(row.published_at) : null,
      scheduled_at: row.status === 'scheduled' ? time(row.published_at) : null,
    });
    expect(record.author_id).not.toBe(null);
  }
  const paper = records.find(({ slug }) => slug === 'on-paper');
  expect(paper).toMatchObject({
    ...{ featured: true, meta_title: 'Paper!', og_title: 'OG', internal_tags: ['#secret'] },
    cover_image: { name: 'cat.png', alt: 'A cat on paper' },
  });
  expect(paper.categories).toHaveLength(1);
  for (const text of [
    '<h2 id="a-b">A &amp; B</h2>',
    'href="/about/"',
    `src="${paper.cover_image.url}"`,
    '<p>Raw</p>',
    'a &lt; b',
    'Inside',
  ])
    expect(paper.content).toContain(text);
  for (const text of ['script', 'Some', 'GHOST', 'svg']) expect(paper.content).not.toContain(text);
  expect((await service.send('GET /api/v1/posts')).json.items.map(({ slug }: { slug: string }) => slug)).toEqual([
    'on-paper',
  ]);
});

describe('single cases', () => {
  const run = async (data: object, options: Readonly<Record<string, string>> = {}) => {
    using folder = new ExportFolder(exported(data), files);
    const plan = await planOf(entry, folder.path, { options });
    const service = await openPlanned(plan);
    await service.account('ada', 'admin');
    return { service, plan, report: await importInto(service, entry, folder.path, plan.map) };
  };

  test('a private site stays closed', async () => {
    const { service, plan } = await run({
      posts: [post('p1')],
      settings: [{ id: 's1', key: 'is_private', value: 'true' }],
    });
    await using _ = service;
    expect((await service.send('GET /api/v1/posts')).json.items).toEqual([]);
    expect(plan.leftOut.map(([place]) => place)).toContain('settings is_private');
  });

  test('a part for members that does not end hides the rest', async () => {
    const html = '<p>A</p><!--kg-gated-block:begin memberSegment:"" --><p>B</p>';
    const { service } = await run({ posts: [post('p1', { html })] });
    await using _ = service;
    expect((await service.send('GET /api/v1/posts')).json.items[0].content).toBe('<p>A</p>');
  });

  test('exports of old versions, with numbers for ids and times', async () => {
    const { service, plan } = await run({
      users: [{ id: 1, name: 'Ines', slug: 'ines', email: 'ines@site.example', image: null }],
      tags: [{ id: 7, name: 'Paper', slug: 'paper' }],
      posts: [
        {
          ...{
            id: 1,
            title: 'Old',
            slug: 'old',
            markdown: '# Hi',
            html: '',
            page: 0,
            status: 'published',
            author_id: 1,
          },
          ...{
            image: '/content/images/2024/05/cat.png',
            created_at: 1_388_318_310_000,
            published_at: 1_388_318_310_782,
          },
          ...{ updated_at: 1_388_318_310_782, meta_title: 'Old!' },
        },
        { id: 2, title: 'Old page', slug: 'old-page', html: '<p>x</p>', page: 1, status: 'published', author_id: 1 },
      ],
      posts_tags: [{ id: 1, post_id: 1, tag_id: 7 }],
    });
    await using _ = service;
    expect(plan.definitions).toEqual([]);
    const { items } = (await service.send('GET /api/v1/posts?include=categories')).json;
    expect(items).toMatchObject([
      {
        ...{ title: 'Old', content: '<h1>Hi</h1>\n', published_at: '2013-12-29T11:58:30.782Z', meta_title: 'Old!' },
        ...{ cover_image: { name: 'cat.png' }, categories: [{ slug: 'paper' }] },
      },
    ]);
    expect((await service.send('GET /api/v1/pages')).json.items).toMatchObject([{ slug: 'old-page' }]);
  });

  test('an account here with the same address is taken for theirs only where the plan says so', async () => {
    const data = {
      users: [{ id: 'u1', name: 'Ada', slug: 'ada', email: 'ada@example.com', password: hash, status: 'active' }],
      posts: [post('p1')],
      posts_authors: [{ id: 'a1', post_id: 'p1', author_id: 'u1', sort_order: 0 }],
    };
    for (const [addresses, expected] of [
      ['unconfirmed', false],
      ['confirmed', true],
    ] as const) {
      const { service } = await run(data, { addresses });
      await using _ = service;
      const { items } = (await service.send('GET /api/v1/admin/posts', { as: 'ada' })).json;
      const { items: accounts } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
      expect(accounts).toHaveLength(1);
      expect(items[0].author_id === accounts[0].id).toBe(expected);
    }
  });

  test('a file that extends posts already keeps what it is', async () => {
    using folder = new ExportFolder(exported(site()), files);
    const plan = await planOf(entry, folder.path, {
      files: [{ extends: 'post', fields: [{ name: 'featured', field_type: 'boolean' }] }],
    });
    expect(plan.definitions.map((definition) => Object(definition).extends)).toEqual(['category', 'page']);
    expect(plan.map.types.posts?.fields).toMatchObject({ featured: 'featured' });
    expect(plan.map.types.posts?.fields).not.toHaveProperty('og_title');
    expect(new Map(plan.leftOut).get('posts: og_title')).toContain('A file extends post already');
  });
});

describe('hostile and damaged exports', () => {
  const refusal = async (text: string | Uint8Array): Promise<string> => {
    using folder = new ExportFolder(text);
    const path = join(folder.path, 'site.ghost.2024-05-01.json');
    const error = await planOf(entry, path).then(
      () => new Error('It was taken.'),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(TransferRefused);
    return error.message;
  };

  const whole = exported({ posts: [post('p1')] });

  test.each([
    ['', 'it is empty'],
    ['hello', 'this is no JSON object'],
    ['"db"', 'this is no JSON object'],
    ['{"db": []}', 'it has no posts'],
    ['[]', 'it has no posts'],
    [whole.slice(0, -10), 'the document has no end'],
    [whole.replace('"title":', '"title"'), 'this is no JSON'],
    [`${whole}}`, 'closes what was not opened'],
    ['{"db":[}', 'of another kind'],
    [`{"a":${'['.repeat(100_000)}`, 'nested too deep'],
    [`{"${'a'.repeat(5_000)}":1}`, 'this name is too long'],
    [exported({ posts: [post('p1', { html: 'x'.repeat(17 * 1024 * 1024) })] }), 'this record is too long'],
    [Buffer.from(whole.replace('Text.', 'T\u00e9xt.'), 'latin1'), 'bytes that are no UTF-8'],
    [Buffer.from(whole, 'utf16le'), 'it has no posts'],
    ['PK\u0003\u0004rest', 'is packed'],
  ])('%#: %.20p', async (text, expected) => {
    expect(await refusal(text)).toContain(expected);
  });

  test('files elsewhere', async () => {
    const paths = ['images/../../secret.png', 'images/%2e%2e/%2e%2e/secret.png', 'images/out.png', 'images/a%00.png'];
    using folder = new ExportFolder(
      exported({
        posts: paths.map((path, index) => post(`p${index}`, { feature_image: `__GHOST_URL__/content/${path}` })),
      }),
      { 'content/images/fine.png': png, 'secret.png': png },
    );
    const outside = mkdtempSync(join(tmpdir(), 'recto-outside-'));
    try {
      writeFileSync(join(outside, 'other.png'), png);
      symlinkSync(join(outside, 'other.png'), join(folder.path, 'content/images/out.png'));
      const plan = await planOf(entry, join(folder.path, 'site.ghost.2024-05-01.json'));
      await using service = await openPlanned(plan);
      const report = await importInto(service, entry, join(folder.path, 'site.ghost.2024-05-01.json'), plan.map);
      expect(countsOf(report)).toMatchObject({ posts: [4, 0, 0, 0] });
      const skipped = report.skipped.filter(({ kind }) => kind === 'files');
      expect(skipped.map(({ count }) => count).toSorted()).toEqual([1, 2]);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  const database = 'SQLite format 3';
  const withContent = {
    ...{ 'content/images/cat.png': png, 'content/images/.env': database, 'content/data/ghost.db': database },
    ...{ 'data/recto.db': database, '.env': database, 'images/cat.png': database },
  };
  const bare = { 'data/recto.db': database, '.env': database, 'images/cat.png': database, 'cat.png': database };
  const noImages = { 'content/data/ghost.db': database, 'content/cat.png': database };
  test.each<[string, Readonly<Record<string, string | Uint8Array>>, string | undefined, string, boolean]>([
    ['a folder content beside the export', withContent, undefined, 'images/cat.png', true],
    ['the database beside its images', withContent, undefined, 'images/data/ghost.db', false],
    ['a database beside the export', withContent, undefined, 'images/data/recto.db', false],
    ['a hidden file', withContent, undefined, 'images/.env', false],
    ['a folder content that was named', withContent, 'content', 'images/cat.png', true],
    ['the database in it', withContent, 'content', 'images/data/ghost.db', false],
    ['a folder of images that was named', withContent, 'content/images', 'images/cat.png', true],
    ['media, in a folder of images', withContent, 'content/images', 'media/cat.png', false],
    ['a hidden file in it', withContent, 'content/images', 'images/.env', false],
    ['an export alone', bare, undefined, 'images/cat.png', false],
    ['what is beside it', bare, undefined, 'images/data/recto.db', false],
    ['a hidden file beside it', bare, undefined, 'images/.env', false],
    ['a folder content without images that was named', noImages, 'content', 'images/data/ghost.db', false],
  ])('no file but those of the site: %s', async (_, beside, media, path, isThere) => {
    using folder = new ExportFolder(exported({ posts: [post('p1')] }), beside);
    const named = media === undefined ? {} : { media: join(folder.path, media) };
    const importer = await entry.load();
    using source = await importer.read(folder.path, { workFolder: tmpdir(), ...named });
    const content = importer.map(source, {});
    const opened = await content.open(new ForeignFile(`content/${path}`, 'cat.png'));
    expect('reason' in opened).toBe(!isThere);
  });

  test.each([
    ['a > in a mark', '<!--kg-gated-block:begin nonMember:false memberSegment:"created_at:>2020" -->', '<p>C</p>'],
    ['a mark in a comment', '<!-- x <!--kg-gated-block:begin nonMember:false -->', '<p>C</p>'],
    ['a mark without an end', '<!--kg-gated-block:begin nonMember:true ', ''],
    ['for all', '<!--kg-gated-block:begin nonMember:true memberSegment:"" -->', '<p>B</p><p>C</p>'],
  ])('a part for members: %s', (_, begin, rest) => {
    const end = rest === '' ? '' : '<!-- kg-gated-block:end -->';
    expect(ghostText({ html: `<p>A</p>${begin}<p>B</p>${end}<p>C</p>` }).html).toBe(`<p>A</p>${rest}`);
  });

  test('marks and frames without an end take no time', () => {
    const start = performance.now();
    for (const part of ['<!--kg-gated-block:begin ', '<!--kg-gated-block:end', '<!-- ', '<iframe ', '-->'])
      ghostText({ html: part.repeat(200_000) });
    // Each of them takes milliseconds; with a time that grows by the square, it would be many minutes.
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('a damaged text is named, and an older one in its place is taken', () => {
    const mobiledoc = JSON.stringify({ version: '0.3.1', sections: [[1, 'p', [[0, [], 0, 'Old']]]] });
    const remarks = ['a text that is damaged: left out'];
    expect(ghostText({ html: '', lexical: '{"root":', mobiledoc })).toEqual({ html: '<p>Old</p>', remarks });
    expect(ghostText({ html: '', lexical: '{}', mobiledoc: null })).toEqual({ html: '', remarks });
    expect(ghostText({ html: null, mobiledoc: '[]' })).toEqual({ html: '', remarks });
    expect(ghostText({ html: '<p>A</p>', lexical: '{' })).toEqual({ html: '<p>A</p>', remarks: [] });
  });

  test('memory does not grow with the export', async () => {
    const { jsonItems } = await import('../../../packages/recto/src/transfer/ghost/json-items.ts');
    const row = Buffer.from(`${JSON.stringify(post('p1', { html: 'x'.repeat(500) }))},`);
    const chunk = Buffer.concat(Array.from({ length: 100 }, () => row));
    async function* bytes() {
      yield Buffer.from('{"db":[{"meta":{"exported_on":1},"data":{"posts":[');
      for (let count = 0; count < 500; count += 1) yield chunk;
      yield Buffer.from('{}]}}]}');
    }
    let [items, most] = [0, 0];
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    for await (const _ of jsonItems(bytes(), 'x.json', (path) => path.at(-1) === 'posts')) {
      items += 1;
      if (items % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(items).toBe(50_001);
    expect(most).toBeLessThan(150 * 1024 * 1024);
  });
});
