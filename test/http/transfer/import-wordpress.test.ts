// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Progress } from '../../../packages/recto/src/transfer/progress.ts';
import { fileAt } from '../../../packages/recto/src/transfer/transfer-file.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import type { TransferReport } from '../../../packages/recto/src/transfer/transfer-report.ts';
import { importWordpress } from '../../../packages/recto/src/transfer/wordpress/import-wordpress.ts';
import { onPostgres } from '../../support/database/database.ts';
import { projectRoot } from '../../support/documents.ts';
import { TestService } from '../../support/service.ts';
import { writeWordpressFile, wxr, wxrAuthor, wxrCategory, wxrComment, wxrItem } from '../../support/wordpress-file.ts';

const sample = join(import.meta.dir, '../../fixtures/wordpress-site.xml');

interface Options {
  readonly dryRun?: boolean;
  readonly progress?: Progress;
}

const importFile = (service: TestService, file: string, { dryRun = false, progress = () => {} }: Options = {}) =>
  importWordpress({
    ...{ file: fileAt(file), dryRun, progress },
    database: service.database,
    types: service.types,
    passwords: { hash: async (password) => `unusable:${password}` },
    workFolder: dirname(service.database.path),
  });

/** Imports a text as a file of its own. */
async function importText(service: TestService, text: string, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'recto-import-'));
  try {
    writeFileSync(join(folder, 'site.xml'), text);
    return await importFile(service, join(folder, 'site.xml'), options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const openService = (definitions: readonly unknown[] = []) => TestService.open(definitions, { builtIn: true });

/** A service with an editor and the sample imported. */
async function withSample(): Promise<{ service: TestService; report: TransferReport }> {
  const service = await openService();
  await service.account('editor', 'editor');
  const report = await importFile(service, sample);
  return { service, report };
}

const countsOf = ({ counts }: TransferReport) =>
  Object.fromEntries(counts.map(({ kind, taken, before, skipped }) => [kind, [taken, before, skipped]]));

/** How many rows there are of everything that an import could add. */
async function rowsOf({ database }: TestService): Promise<readonly number[]> {
  const tables = ['cms_page', 'cms_post', 'cms_comment', 'recto_accounts', 'cms_category', 'cms_post$categories'];
  const rows = tables.map((table) =>
    database.first<{ n: number }>({ sql: `select count(*) as n from "${table}"`, parameters: [] }),
  );
  return (await Promise.all(rows)).map((row) => row?.n ?? 0);
}

describe('the sample site', () => {
  test('what was taken, skipped and changed', async () => {
    const { service, report } = await withSample();
    await using _ = service;
    expect(countsOf(report)).toEqual({
      accounts: [1, 0, 1],
      categories: [1, 0, 0],
      pages: [2, 0, 0],
      posts: [8, 0, 2],
      comments: [5, 0, 3],
      attachment: [0, 0, 1],
      nav_menu_item: [0, 0, 1],
      contact_form: [0, 0, 1],
    });
    expect(report.skipped.map(({ kind, examples }) => [kind, examples])).toContainEqual(['comments', ['505']]);
    expect(report.changed.map(({ kind, text }) => `${kind} ${text}`)).toContain(
      'posts protected by a password, which there is not here: drafts',
    );
  });

  test('a post as everyone reads it', async () => {
    const { service } = await withSample();
    await using _ = service;
    const { json } = await service.send('GET /api/v1/posts/storm');
    expect(json).toMatchObject({
      title: 'Storm over the harbour – again & again',
      content: '<p>Waves of <b>nine</b> metres.</p><pre>if (a[b[0]]&gt; 1) {}</pre>',
      excerpt: 'Waves of nine metres',
      status: 'Published',
      tags: ['Wind & waves', 'News'],
      comments_open: true,
      cover_image: 'https://gazette.example/wp-content/uploads/storm.jpg',
      published_at: '2020-02-10T19:15:00.000Z',
      created_at: '2020-02-10T19:15:00.000Z',
    });
    expect(Object.keys(json)).not.toContain('__meta');
  });

  test('its metadata is for the admin routes, and found by them', async () => {
    const { service } = await withSample();
    await using _ = service;
    const listed = await service.send('GET /api/v1/admin/posts?__meta.witness=Nils', { as: 'editor' });
    expect(listed.status).toBe(200);
    const found = await service.send('GET /api/v1/admin/posts?__meta._wordpress.id=20', { as: 'editor' });
    expect(found.json.items.map(({ __meta }: { __meta: unknown }) => __meta)).toEqual([
      {
        wind_force: '11',
        witness: ['Nils', 'Ada'],
        _wordpress: {
          id: '20',
          link: 'https://gazette.example/2020/02/storm/',
          title: 'Storm <em>over</em> the harbour &#8211; again &amp; again',
          format: 'Gallery',
          sticky: true,
        },
      },
    ]);
    expect((await service.send('GET /api/v1/posts?__meta._wordpress.id=20')).status).toBe(400);
  });

  test('what was not public there is not public here', async () => {
    const { service } = await withSample();
    await using _ = service;
    const listed = await service.send('GET /api/v1/posts');
    expect(listed.json.items.map(({ slug }: { slug: string }) => slug)).toEqual([
      expect.stringMatching(/^n-/),
      'storm',
    ]);
    for (const slug of ['half-written', 'to-be-read', 'for-us-alone', 'next-regatta', 'thrown-out', 'members-only']) {
      expect((await service.send(`GET /api/v1/posts/${slug}`)).status).toBe(404);
      const found = await service.send(`GET /api/v1/admin/posts?slug=${slug}`, { as: 'editor' });
      expect(found.json.total).toBe(1);
      expect(found.json.items[0].status).toBe(slug === 'thrown-out' ? 'Archived' : 'Draft');
    }
    for (const word of ['secretdraftword', 'secretpasswordword']) {
      expect((await service.send(`GET /api/v1/posts?search=${word}`)).json.total).toBe(0);
      expect((await service.send(`GET /api/v1/admin/posts?search=${word}`, { as: 'editor' })).json.total).toBe(1);
    }
  });

  test('search finds it, tags list it', async () => {
    const { service } = await withSample();
    await using _ = service;
    for (const query of ['search=metres', 'search=harbour%20again', 'tag=Wind%20%26%20waves']) {
      const { json } = await service.send(`GET /api/v1/posts?${query}`);
      expect(json.items.map(({ slug }: { slug: string }) => slug)).toEqual(['storm']);
    }
    expect((await service.send('GET /api/v1/posts?search=Καλημέρα')).json.total).toBe(1);
  });

  test('pages keep their places in the tree', async () => {
    const { service } = await withSample();
    await using _ = service;
    const about = (await service.send('GET /api/v1/pages/about')).json;
    const hours = (await service.send('GET /api/v1/pages/hours')).json;
    expect(about).toMatchObject({ title: 'About & contact', parent_id: null, sort_order: 1 });
    expect(hours).toMatchObject({ parent_id: about.id, sort_order: 3, template: 'templates/wide.php' });
    expect(hours).toMatchObject({ created_at: '2019-03-02T09:00:00.000Z', updated_at: '2020-01-01T08:30:00.000Z' });
    const below = await service.send(`GET /api/v1/pages?parent_id=${about.id}`);
    expect(below.json.items.map(({ slug }: { slug: string }) => slug)).toEqual(['hours']);
  });

  test('comments stand in their threads; only approved ones are returned, and no address', async () => {
    const { service } = await withSample();
    await using _ = service;
    const { json, text } = await service.send('GET /api/v1/posts/storm/comments');
    expect(json.total).toBe(3);
    expect(json.items).toMatchObject([
      {
        nickname: 'Nils & crew',
        content: 'We saw it. See our log (https://boat.example/log).',
        created_at: '2020-02-11T07:00:00.000Z',
        replies: [{ nickname: 'Mira', content: 'Thank you, Nils!', replies: [] }],
      },
      { nickname: 'Reply to the pingback', replies: [] },
    ]);
    expect(text).not.toContain('boat.example"');
    expect(text).not.toContain('192.0.2.7');
    const all = await service.send('GET /api/v1/admin/comments', { as: 'editor' });
    const comments = all.json.items.map(({ status, email }: Record<string, string>) => `${status} ${email}`);
    expect(comments.toSorted()).toEqual([
      'Approved mira@gazette.example',
      'Approved nils@boat.example',
      'Approved null',
      'Pending null',
      'Spam null',
    ]);
  });

  test('its author is a member who cannot sign in until an admin sets a password', async () => {
    const { service } = await withSample();
    await using _ = service;
    await service.account('boss', 'admin');
    const { json } = await service.send('GET /api/v1/admin/users?search=mira', { as: 'boss' });
    expect(json.items).toMatchObject([
      { email: 'mira@gazette.example', username: 'mira', role: 'member', disabled: false },
    ]);
    const [{ id }] = json.items;
    expect((await service.send('GET /api/v1/posts/storm')).json.author_id).toBe(id);
    const comments = await service.send('GET /api/v1/posts/storm/comments');
    expect(comments.json.items[0].replies[0].author_id).toBe(id);
    expect(comments.json.items[0].author_id).toBeNull();
    const login = (password: string) =>
      service.send('POST /api/v1/auth/login', { body: { email: 'mira@gazette.example', password } });
    for (const password of ['', 'unusable:', 'mira'])
      expect((await login(password)).status).toBeGreaterThanOrEqual(400);
    await service.send(`PUT /api/v1/admin/users/${id}`, { as: 'boss', body: { password: 'a new password' } });
    expect((await login('a new password')).status).toBe(200);
  });

  test('what caches held before is not served after', async () => {
    await using service = await openService();
    expect((await service.send('GET /api/v1/posts')).json.total).toBe(0);
    await importFile(service, sample);
    expect((await service.send('GET /api/v1/posts')).json.total).toBe(2);
  });
});

describe('a file that describes no authors', () => {
  const text = wxr(
    wxrItem({ id: 1, creator: 'mira', status: 'publish' }),
    wxrItem({
      id: 2,
      creator: 'old ben',
      status: 'publish',
      comments: [wxrComment({ id: 7, userId: 5, email: '' })],
    }),
    wxrItem({ id: 3, creator: 'mira', status: 'publish' }),
    wxrItem({ id: 4, creator: 'mi\u3164ra', status: 'publish' }),
    wxrItem({ id: 5, creator: '', status: 'publish' }),
    wxrItem({ id: 6, creator: 'nobody', type: 'attachment' }),
  );
  const authorOf = async (service: TestService, item: number) =>
    (await service.send(`GET /api/v1/posts/item-${item}`)).json.author_id;

  test('gives each login of its posts an account that nobody can sign in to', async () => {
    await using service = await openService();
    await service.account('boss', 'admin');
    const report = await importText(service, text);
    expect(countsOf(report)).toMatchObject({ accounts: [3, 0, 0], posts: [5, 0, 0] });
    expect(report.changed).toContainEqual({
      kind: 'accounts',
      text: 'known by their login alone: their addresses end in @imported.invalid',
      count: 3,
      examples: ['mira', 'mi\u3164ra', 'old ben'],
    });
    const { items } = (await service.send('GET /api/v1/admin/users?search=imported.invalid', { as: 'boss' })).json;
    const known = items.map(({ email, username, role }: Record<string, string>) => [
      email?.replace(/-[0-9a-f]{12}@/, '-…@'),
      username,
      role,
    ]);
    expect(known).toEqual([
      ['mira-…@imported.invalid', 'mira', 'member'],
      // What nobody sees is in no username.
      ['mi-ra-…@imported.invalid', null, 'member'],
      ['old-ben-…@imported.invalid', null, 'member'],
    ]);
    const ids = items.map(({ id }: { id: string }) => id);
    const authors = await Promise.all([1, 2, 3, 4, 5].map((item) => authorOf(service, item)));
    expect(authors).toEqual([ids[0], ids[2], ids[0], ids[1], null]);
    // A comment of someone whom the file does not describe is nobody's.
    expect((await service.send('GET /api/v1/posts/item-2/comments')).json.items).toMatchObject([{ author_id: null }]);
  });

  test('again, they are the same', async () => {
    await using service = await openService();
    await importText(service, text);
    const before = await rowsOf(service);
    expect(countsOf(await importText(service, text))).toMatchObject({ accounts: [0, 3, 0], posts: [0, 5, 0] });
    expect(await rowsOf(service)).toEqual(before);
  });

  test('an account that happens to have the username is not taken for the author', async () => {
    await using service = await openService();
    const body = { email: 'x@example.com', password: 'correct horse', username: 'mira' };
    const { id } = (await service.send('POST /api/v1/auth/register', { body })).json.user;
    await importText(service, text);
    expect(await authorOf(service, 1)).not.toBe(id);
    expect(await authorOf(service, 1)).not.toBeNull();
  });
});

describe('again', () => {
  test('a second run adds nothing, and changes nothing that was changed here', async () => {
    const { service } = await withSample();
    await using _ = service;
    const before = await rowsOf(service);
    const { id } = (await service.send('GET /api/v1/posts/storm')).json;
    await service.send(`PUT /api/v1/admin/posts/${id}`, { as: 'editor', body: { title: 'Edited here' } });
    expect(countsOf(await importFile(service, sample))).toMatchObject({
      accounts: [0, 1, 1],
      pages: [0, 2, 0],
      posts: [0, 8, 2],
      comments: [0, 5, 3],
    });
    expect(await rowsOf(service)).toEqual(before);
    expect((await service.send('GET /api/v1/posts/storm')).json.title).toBe('Edited here');
  });

  test('what was deleted here stays deleted, and new comments on it are skipped', async () => {
    const { service } = await withSample();
    await using _ = service;
    const { id } = (await service.send('GET /api/v1/posts/storm')).json;
    expect((await service.send(`DELETE /api/v1/admin/posts/${id}`, { as: 'editor' })).status).toBe(204);
    const newer = readFileSync(sample, 'utf8').replace('<wp:comment_id>502<', '<wp:comment_id>599<');
    const report = await importText(service, newer);
    expect(countsOf(report)).toMatchObject({ posts: [0, 8, 2], comments: [0, 4, 4] });
    expect(report.skipped).toContainEqual({
      kind: 'comments',
      text: 'on a post that has been deleted since its import',
      count: 1,
      examples: ['599'],
    });
  });

  test('a later export of the site adds what is new, below what is there', async () => {
    await using service = await openService();
    await importText(
      service,
      wxr(wxrItem({ id: 1, type: 'page' }), wxrItem({ id: 2, comments: [wxrComment({ id: 5 })] })),
    );
    const report = await importText(
      service,
      wxr(
        wxrItem({ id: 3, type: 'page', parent: 1 }),
        wxrItem({ id: 2, comments: [wxrComment({ id: 5 }), wxrComment({ id: 6, parent: 5 })] }),
      ),
    );
    expect(countsOf(report)).toMatchObject({ pages: [1, 0, 0], posts: [0, 1, 0], comments: [1, 1, 0] });
    const parent = (await service.send('GET /api/v1/pages/item-1')).json.id;
    expect((await service.send('GET /api/v1/pages/item-3')).json.parent_id).toBe(parent);
    const { json } = await service.send('GET /api/v1/posts/item-2/comments');
    expect(json.items).toMatchObject([{ content: 'Comment 5', replies: [{ content: 'Comment 6' }] }]);
  });

  test('another site has numbers of its own', async () => {
    await using service = await openService();
    await importText(service, wxr(wxrItem({ id: 1 })));
    const other = wxr(wxrItem({ id: 1, title: 'Elsewhere' })).replaceAll(
      'https://site.example',
      'https://other.example',
    );
    expect(countsOf(await importText(service, other))).toMatchObject({ posts: [1, 0, 0] });
    expect((await service.send('GET /api/v1/posts/item-1-2')).json.title).toBe('Elsewhere');
  });

  test('an interrupted run and another one give what one run gives', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-interrupted-'));
    const file = join(folder, 'site.xml');
    const written = writeWordpressFile(file, onPostgres ? 3_000_000 : 8_000_000);
    await using whole = await openService();
    await using broken = await openService();
    await importFile(whole, file);
    const interrupted = importFile(broken, file, {
      progress: (phase, done, total) => {
        if (phase === 'Importing' && done > total / 2) throw new Error('the power went out');
      },
    });
    // Awaited before it is looked at: `expect(…).rejects` holds up the whole process until the promise has settled.
    const failure = await interrupted.catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: expect.stringContaining('the power went out') });
    const { posts, pages, comments } = written;
    const [someOfThem = 0] = [(await rowsOf(broken)).slice(0, 3).reduce((sum, count) => sum + count, 0)];
    expect(someOfThem).toBeGreaterThan(0);
    expect(someOfThem).toBeLessThan(posts + pages + comments);
    const report = await importFile(broken, file);
    rmSync(folder, { recursive: true });
    expect(report.counts.reduce((sum, { taken, before }) => sum + taken + before, 0)).toBe(
      posts + pages + comments + 1,
    );
    expect(await contentOf(broken)).toEqual(await contentOf(whole));
  }, 600_000);
});

/** All that was imported, by WordPress's numbers, which are the same in every database. */
async function contentOf({ database }: TestService): Promise<readonly unknown[]> {
  const numbers = `with n as (select record_id as id, kind || ' ' || external_id as name from recto_imports)`;
  const queries = [
    `select n.name, p.title, p.slug, p.content, p.status, p.tags, p.created_at, p.updated_at, a.name as author
      from cms_post p join n on n.id = p.id left join n a on a.id = p.author_id order by 1`,
    `select n.name, p.title, p.slug, p.sort_order, above.name as parent
      from cms_page p join n on n.id = p.id left join n above on above.id = p.parent_id order by 1`,
    `select n.name, c.content, c.status, post.name as post, above.name as parent
      from cms_comment c join n on n.id = c.id join n post on post.id = c.post_id left join n above on above.id = c.parent_id order by 1`,
  ];
  const rows = await Promise.all(queries.map((query) => database.rows({ sql: `${numbers} ${query}`, parameters: [] })));
  return rows.flat();
}

describe('a dry run', () => {
  test('reports what a run would do, and does nothing', async () => {
    await using service = await openService();
    const dry = await importFile(service, sample, { dryRun: true });
    expect(await rowsOf(service)).toEqual([0, 0, 0, 0, 0, 0]);
    const real = await importFile(service, sample);
    expect({ ...dry, dry_run: false }).toEqual(real);
    const again = await importFile(service, sample, { dryRun: true });
    expect(countsOf(again)).toMatchObject({
      accounts: [0, 1, 1],
      pages: [0, 2, 0],
      posts: [0, 8, 2],
      comments: [0, 5, 3],
    });
  });
});

describe('nothing is imported of', () => {
  const good = readFileSync(sample, 'utf8');
  const refused: readonly [name: string, text: string, says: string][] = [
    ['a file that is cut off', good.slice(0, good.indexOf('What is no content here')), 'is damaged'],
    ['a file with a broken last item', good.replace('</item>\n</channel>', '</channel>'), 'is damaged'],
    ['a feed', '<rss version="2.0"><channel><item><title>x</title></item></channel></rss>', 'is no WordPress export'],
    [
      'a file with a document type',
      good.replace('<rss', '<!DOCTYPE rss [<!ENTITY a "b">]>\n<rss'),
      'is no WordPress export',
    ],
  ];
  test.each(refused)('%s', async (_name, text, says) => {
    await using service = await openService();
    const refusal = await importText(service, text).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TransferRefused);
    expect(String(refusal)).toContain(says);
    expect(await rowsOf(service)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

test('an existing account of the address is the author, and keeps its role and password', async () => {
  await using service = await openService();
  const id = await service.account('ada', 'editor');
  const report = await importText(service, wxr(wxrAuthor(1, 'ada', 'ADA@example.com'), wxrItem({ id: 1 })));
  expect(countsOf(report)).toMatchObject({ accounts: [0, 1, 0] });
  expect((await service.send('GET /api/v1/posts/item-1')).json.author_id).toBe(id);
  expect((await service.send('GET /api/v1/auth/me', { as: 'ada' })).json).toMatchObject({ id, role: 'editor' });
  const signedIn = await service.send('POST /api/v1/auth/login', {
    body: { email: 'ada@example.com', password: 'correct horse' },
  });
  expect(signedIn.status).toBe(200);
});

test('fields that a definition adds are filled by custom fields, and required ones are asked for', async () => {
  const extension = {
    extends: 'post',
    fields: [
      { name: 'place', field_type: 'text', required: true },
      { name: 'rating', field_type: 'integer', default: 3 },
    ],
  };
  await using service = await openService([extension]);
  const report = await importText(
    service,
    wxr(
      wxrItem({ id: 1, meta: [['place', 'Pier']], comments: [wxrComment({ id: 5 })] }),
      wxrItem({ id: 2, comments: [wxrComment({ id: 6 })] }),
    ),
  );
  expect((await service.send('GET /api/v1/posts/item-1')).json).toMatchObject({ place: 'Pier', rating: 3 });
  expect(report.skipped).toMatchObject([
    { kind: 'posts', text: expect.stringContaining('place: place is required.'), examples: ['2 “Item 2”'] },
    { kind: 'comments', text: 'on a post that was not imported', examples: ['6'] },
  ]);
});

test('slugs stay apart, and away from routes', async () => {
  await using service = await openService();
  await importText(
    service,
    wxr(
      wxrItem({ id: 1, type: 'page', slug: 'hello', title: 'Page' }),
      wxrItem({ id: 2, slug: 'hello', title: 'Post' }),
      wxrItem({ id: 3, slug: 'hello', title: 'Second' }),
      wxrItem({ id: 4, slug: 'sitemap', title: 'Map' }),
      wxrItem({ id: 5, slug: '', title: 'Hello' }),
    ),
  );
  const titles = async (path: string) => (await service.send(`GET /api/v1/${path}`)).json.title;
  const paths = ['pages/hello', 'posts/hello', 'posts/hello-2', 'posts/hello-3', 'posts/sitemap-2'];
  expect(await Promise.all(paths.map(titles))).toEqual(['Page', 'Post', 'Second', 'Hello', 'Map']);
});

test('replies deeper than here is room for are kept, as deep as there is', async () => {
  await using service = await openService();
  const comments = Array.from({ length: 12 }, (_, place) => wxrComment({ id: place + 1, parent: place }));
  const report = await importText(service, wxr(wxrItem({ id: 1, comments: comments.toReversed() })));
  expect(countsOf(report)).toMatchObject({ comments: [12, 0, 0] });
  const { json } = await service.send('GET /api/v1/posts/item-1/comments');
  expect(json.total).toBe(12);
  let depth = 0;
  for (let [comment] = json.items; comment !== undefined; [comment] = comment.replies) depth += 1;
  expect(depth).toBe(6);
});

test('a work folder is left as it was', async () => {
  await using service = await openService();
  await importFile(service, sample);
  const folder = dirname(service.database.path);
  expect(
    [...new Bun.Glob('**').scanSync({ cwd: folder, dot: true, onlyFiles: false })].filter(
      (name) => !name.startsWith('recto.db'),
    ),
  ).toEqual([]);
});

test('categories keep their slugs, parents and descriptions, and authors their names', async () => {
  await using service = await openService();
  const text = wxr(
    wxrAuthor(1, 'ada', 'ada@site.example', ' Ada \u202eL. '),
    wxrAuthor(2, 'bob', 'bob@site.example'),
    // Below what stands after it, and in a circle.
    wxrCategory({ slug: 'gulls', parent: 'birds', name: 'Gulls' }),
    wxrCategory({ slug: 'birds', parent: 'animals', name: 'Birds &amp; co', description: 'With <b>wings</b>' }),
    wxrCategory({ slug: 'animals', name: 'Animals' }),
    wxrCategory({ slug: 'hen', parent: 'egg', name: 'Hen' }),
    wxrCategory({ slug: 'egg', parent: 'hen', name: 'Egg' }),
    wxrItem({
      id: 1,
      creator: 'ada',
      terms: [
        ['category', 'Gulls', 'gulls'],
        ['category', 'Undescribed', 'undescribed-2'],
        ['post_tag', 'Sea'],
      ],
    }),
  );
  const report = await importText(service, text);
  expect(countsOf(report)).toMatchObject({ accounts: [2, 0, 0], categories: [6, 0, 0], posts: [1, 0, 0] });
  const post = (await service.send('GET /api/v1/posts/item-1?include=author,categories.parent_id')).json;
  expect(post).toMatchObject({
    tags: ['Sea'],
    author: { display_name: 'Ada L.' },
    categories: [
      { slug: 'gulls', name: 'Gulls', depth: 2, parent_id: { slug: 'birds', depth: 1, description: 'With wings' } },
      { slug: 'undescribed-2', name: 'Undescribed', depth: 0, parent_id: null },
    ],
  });
  const { items } = (await service.send('GET /api/v1/cms/categories?include=parent_id')).json;
  type Category = { readonly slug: string; readonly parent_id: { readonly slug: string } | null };
  expect(items.map(({ slug, parent_id }: Category) => [slug, parent_id?.slug ?? null])).toEqual(
    expect.arrayContaining([
      ['animals', null],
      ['birds', 'animals'],
      ['hen', null],
      ['egg', null],
    ]),
  );
  const rows = await rowsOf(service);
  expect(countsOf(await importText(service, text))).toMatchObject({ categories: [0, 6, 0], posts: [0, 1, 0] });
  expect(await rowsOf(service)).toEqual(rows);
});

const themeTest = join(projectRoot, '../shared/data/wordpress-theme-unit-test.xml');
const isThere = existsSync(themeTest);

describe.skipIf(!isThere)(`WordPress's own theme test data${isThere ? '' : ' (skipped: the file is not here)'}`, () => {
  test('counts, and a dozen odd entries', async () => {
    await using service = await openService();
    await service.account('editor', 'editor');
    expect(countsOf(await importFile(service, themeTest))).toEqual({
      accounts: [2, 0, 0],
      categories: [67, 0, 0],
      pages: [21, 0, 0],
      posts: [51, 0, 0],
      comments: [23, 0, 9],
      attachment: [0, 0, 38],
      nav_menu_item: [0, 0, 70],
    });
    const post = async (number: number) =>
      (await service.send(`GET /api/v1/admin/posts?__meta._wordpress.id=${number}`, { as: 'editor' })).json.items[0];
    const odd: readonly [number: number, expected: object][] = [
      [1169, { title: 'This post has no title, but it still must link to the…', slug: 'edge-case-no-title' }],
      [1170, { title: 'Edge Case: No Content', content: null, status: 'Published' }],
      [1173, { title: 'Markup: Title With Markup', slug: 'markup-title-with-markup' }],
      [1174, { title: 'Markup: Title With Special Characters ~`!@#$%^&*()-_=+{}[]/\\;:\'"?,.>' }],
      [1175, { title: 'Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu' }],
      [1168, { status: 'Draft', published_at: '2012-01-04T16:38:05.000Z' }],
      [
        1153,
        { status: 'Draft', published_at: null, __meta: { _wordpress: { scheduled_for: '2030-01-01T19:00:18.000Z' } } },
      ],
      [1164, { status: 'Draft', slug: 'draft', created_at: '2013-04-09T18:20:39.000Z' }],
      [1011, { cover_image: 'https://wpthemetestdata.files.wordpress.com/2013/03/featured-image-horizontal.jpg' }],
      [1752, { cover_image: 'https://wpthemetestdata.files.wordpress.com/2008/06/img_8399.jpg', comments_open: true }],
      // The file has a stray “>” before its author's name.
      [1730, { author_id: null }],
    ];
    for (const [number, expected] of odd) expect(await post(number)).toMatchObject(expected);
    expect((await post(1151)).tags).toHaveLength(45);
    const category = async (slug: string) =>
      (await service.send(`GET /api/v1/cms/categories?slug=${slug}&include=parent_id`)).json.items[0];
    expect(await category('block')).toMatchObject({
      name: 'Block',
      description: 'Items in the block category have been created with the block editor.',
      parent_id: null,
    });
    expect(await category('child-category-01')).toMatchObject({ parent_id: { slug: 'parent-category' }, depth: 1 });
    const [author] = (await service.send('GET /api/v1/posts?include=author&page_size=1')).json.items;
    expect(author.author.display_name).toStartWith('Theme ');
    const greek = await service.send('GET /api/v1/pages/2-second-greek-level');
    expect(greek.json.title).toBe('Επίπεδο 2 -Second Greek level');
    const { json } = await service.send(`GET /api/v1/pages?parent_id=${greek.json.id}`);
    expect(json.items).toMatchObject([{ title: 'Επίπεδο 3', slug: expect.stringMatching(/^n-[0-9a-f]{10}-3$/) }]);
    const threads = await service.send('GET /api/v1/posts/template-comments/comments');
    expect(threads.json.total).toBe(19);
    const deep = threads.json.items.find(({ content }: { content: string }) => content === 'Comment Depth 01');
    const fifth = deep.replies[0].replies[0].replies[0].replies[0];
    expect(fifth.content).toStartWith('Comment Depth 05');
    expect(fifth.replies).toHaveLength(5);
    expect((await service.send('GET /api/v1/posts/template-pingbacks-an-trackbacks/comments')).json.total).toBe(1);
  });
});
