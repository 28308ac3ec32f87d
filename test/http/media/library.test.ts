// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onPostgres, query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { quarters, uploadRaw } from './media-calls.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['draft', 'live'], published: 'live' },
  ],
  fields: [
    { name: 'cover', field_type: 'media', external: true },
    { name: 'gallery', field_type: 'media', multiple: true },
    { name: 'hero', field_type: 'group', fields: [{ name: 'picture', field_type: 'media' }] },
  ],
};

let service: TestService;
const files: Record<string, string> = {};
beforeAll(async () => {
  service = await TestService.open([article], { builtIn: true });
  await service.account('ada', 'admin');
  await service.account('mia', 'member');
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, more: object = {}): Promise<void> => {
    const made = await uploadRaw(service, bytes, { as: 'ada', name, fields: { folder: 'travel' } });
    expect(made.status).toBe(201);
    files[name] = made.json.id;
    const set = await send(`PUT /api/v1/admin/media/${made.json.id}`, more);
    expect(set.status).toBe(200);
  };
  const image = await quarters(20, 20);
  await upload('column', image, { tags: ['Sea', 'harbour'] });
  await upload('several', image, { tags: ['sea'] });
  await upload('inside', image, { folder: 'travel/lisbon', tags: ['Sea'] });
  await upload('drafted', image, { folder: null });
  await upload('unused', new TextEncoder().encode('a text'), { folder: null });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, body?: unknown): Promise<Reply> =>
  service.send(line, body === undefined ? { as: 'ada' } : { as: 'ada', body });
const namesOf = async (search: string): Promise<readonly string[]> => {
  const reply = await send(`GET /api/v1/admin/media?${search}`);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.total).toBe(reply.json.items.length);
  return reply.json.items.map(({ name }: Reply['json']) => name).toSorted();
};

describe('used and unused files', () => {
  test('follow each write of what shows them', async () => {
    const none = ['column', 'drafted', 'inside', 'several', 'unused'];
    expect(await namesOf('used=false')).toEqual(none);
    expect(await namesOf('used=true')).toEqual([]);
    const body = { cover: files.column, gallery: [files.several], hero: { picture: files.inside }, status: 'live' };
    const made = await send('POST /api/v1/admin/cms/articles', body);
    expect(made.status, made.text).toBe(201);
    expect(await namesOf('used=true')).toEqual(['column', 'inside', 'several']);
    expect(await namesOf('used=false')).toEqual(['drafted', 'unused']);
    expect(await namesOf(`used=false&filter=${encodeURIComponent('mime_type ~ "image/%"')}`)).toEqual(['drafted']);
    expect(await namesOf('used=true&search=insi')).toEqual(['inside']);
    const count = await send('GET /api/v1/admin/media/aggregate?count=true&used=false');
    expect(count.json.items).toEqual([{ count: 2 }]);
    await send(`PUT /api/v1/admin/cms/articles/${made.json.id}`, { gallery: [], cover: 'https://example.com/a.png' });
    expect(await namesOf('used=true')).toEqual(['inside']);
    await send(`DELETE /api/v1/admin/cms/articles/${made.json.id}`);
    expect(await namesOf('used=false')).toEqual(none);
  });

  test('are asked for in admin lists of files alone', async () => {
    for (const path of ['admin/media?used=maybe', 'media?used=true', 'admin/cms/articles?used=true']) {
      expect([path, (await send(`GET /api/v1/${path}`)).status]).toEqual([path, 400]);
    }
  });

  test('lists the drafts that show a file', async () => {
    const made = await send('POST /api/v1/admin/cms/articles', { status: 'live' });
    const drafted = await send(`PUT /api/v1/admin/cms/articles/${made.json.id}?draft=true`, {
      cover: files.drafted,
      hero: { picture: files.drafted },
    });
    expect(drafted.status, drafted.text).toBe(200);
    const uses = await send(`GET /api/v1/admin/media/${files.drafted}/uses`);
    expect(uses.json).toMatchObject({
      items: [],
      total: 0,
      drafts: [{ type: 'article', id: made.json.id, fields: ['cover', 'hero'] }],
    });
    expect((await send(`GET /api/v1/admin/media/${files.unused}/uses`)).json.drafts).toEqual([]);
    expect((await send(`GET /api/v1/admin/media/${made.json.id}/uses`)).status).toBe(404);
    await send(`DELETE /api/v1/admin/cms/articles/${made.json.id}`);
  });
});

test('folders and tags are counted', async () => {
  const folders = await send('GET /api/v1/admin/media/aggregate?group=folder');
  expect(folders.json.items).toEqual(
    expect.arrayContaining([
      { folder: 'travel', count: 2 },
      { folder: 'travel/lisbon', count: 1 },
      { folder: null, count: 2 },
    ]),
  );
  const tags = await send('GET /api/v1/admin/media/tags');
  expect(tags.json.items).toEqual([
    { name: 'Sea', slug: 'sea', count: 3 },
    { name: 'harbour', slug: 'harbour', count: 1 },
  ]);
  expect(await namesOf('tags=sea')).toEqual(['column', 'inside', 'several']);
  for (const path of ['tags', 'aggregate?group=folder'])
    expect((await service.send(`GET /api/v1/admin/media/${path}`, { as: 'mia' })).status).toBe(403);
});

test('many are changed and deleted at once, and none where one of them is shown', async () => {
  const ids = [files.unused, files.several];
  const moved = await send('POST /api/v1/admin/media/batch', { action: 'update', ids, set: { folder: 'attic' } });
  expect(moved.json).toEqual({ action: 'update', affected: 2 });
  expect(await namesOf('folder=attic')).toEqual(['several', 'unused']);
  const article = await send('POST /api/v1/admin/cms/articles', { gallery: [files.several] });
  const refused = await send('POST /api/v1/admin/media/batch', { action: 'delete', ids });
  expect([refused.status, refused.json.code]).toEqual([409, 'record_in_use']);
  expect(await namesOf('folder=attic')).toEqual(['several', 'unused']);
  await send(`DELETE /api/v1/admin/cms/articles/${article.json.id}`);
  expect((await send('POST /api/v1/admin/media/batch', { action: 'delete', ids })).json.affected).toBe(2);
  expect(await namesOf('folder=attic')).toEqual([]);
});

test('a column of files from before it had an index gets one', async () => {
  const { database } = service;
  await database.transaction(async (transaction) => {
    const run = (statement: string) => transaction.run({ sql: statement, parameters: [] });
    await run('drop index "cms_article$cover$index"');
    await run(`update recto_schema set snapshot = replace(snapshot, '"files":true,', '') where type = 'article'`);
  });
  await service.anotherApp();
  const { rows } = await database.transaction(async (transaction) => ({
    rows: await transaction.rows({
      sql: onPostgres
        ? `select indexname from pg_indexes where schemaname = current_schema() and indexname = 'cms_article$cover$index'`
        : `select name from sqlite_schema where name = 'cms_article$cover$index'`,
      parameters: [],
    }),
  }));
  expect(rows.length).toBe(1);
});

test('what shows a file is found by an index, though the column holds addresses as well', async () => {
  const { database } = service;
  const prefix = onPostgres ? 'explain' : 'explain query plan';
  const found = `${prefix} select id from cms_article as t where (t.cover = ? and length(t.cover) = 36)`;
  const rows = await database.transaction(async (transaction) => {
    // Of a small table, all rows would be read.
    if (onPostgres) await transaction.run(query('set local enable_seqscan = off'));
    return transaction.rows(query(found, files.column ?? null));
  });
  expect(JSON.stringify(rows)).toContain('cms_article$cover$index');
  // An address may be longer than an index can hold.
  const cover = `https://example.com/${Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7919) % 20000))).join('')}`;
  const made = await send('POST /api/v1/admin/cms/articles', { cover });
  expect(made.status, made.text).toBe(201);
});
