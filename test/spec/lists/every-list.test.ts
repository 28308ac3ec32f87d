// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// The parameters that lists share mean the same on every list of the service.

const note = {
  singular: 'note',
  plural: 'notes',
  protocols: ['versionable', 'statusable'],
  fields: [
    { name: 'text', field_type: 'text' },
    { name: 'above', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'notes' } },
    { name: 'beside', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'notes' } },
  ],
};

/** By path, `{note}` being a note's id: the parameters that mean nothing when they are empty. */
const lists: Readonly<Record<string, readonly string[]>> = {
  '/cms/notes': ['include', 'sort', 'search', 'fields', 'filter'],
  '/admin/cms/notes': ['include', 'sort', 'search', 'fields', 'filter'],
  '/posts': ['sort', 'search', 'include', 'fields', 'filter'],
  '/admin/posts': ['sort', 'search', 'include', 'fields', 'filter'],
  '/pages': ['sort', 'search', 'include', 'fields', 'filter'],
  '/admin/pages': ['sort', 'search', 'include', 'fields', 'filter'],
  '/comments': ['sort', 'search', 'include', 'fields', 'filter'],
  '/admin/comments': ['sort', 'search', 'include', 'fields', 'filter'],
  '/posts/a-post/comments': ['include', 'fields', 'filter'],
  '/cms/categories': ['sort', 'search', 'include', 'fields', 'filter'],
  '/admin/cms/categories': ['sort', 'search', 'include', 'fields', 'filter'],
  '/media': ['sort', 'search', 'fields', 'filter'],
  '/admin/media': ['sort', 'search', 'fields', 'filter'],
  '/admin/media/tags': [],
  '/tags': [],
  '/redirects': [],
  '/admin/users': ['search', 'fields', 'filter'],
  '/admin/jobs': [],
  '/admin/webhooks': [],
  '/admin/views': [],
  '/admin/exports': [],
  '/admin/imports': [],
  '/admin/api-tokens': [],
  '/admin/roles': [],
  '/admin/releases': [],
  '/admin/preview-links': [],
  '/admin/content-types': [],
  '/admin/content-types/memo/revisions': [],
  '/admin/cms/notes/{note}/revisions': [],
  '/admin/cms/notes/{note}/usage': [],
};
/** Lists of what belongs to one thing, as those above are of others. */
const alike = /\/(uses|deliveries)$|\/(posts|pages)\/\{id\}\/revisions$|\/cms\/(categories\/\{id\}\/usage$|memos\b)/;
const paths = Object.keys(lists);

let service: TestService;
let id: string;

beforeAll(async () => {
  service = await TestService.open([note], { builtIn: true, maxPageSize: 50 });
  await service.account('ada', 'admin');
  const made = { singular: 'memo', plural: 'memos', fields: [] };
  await service.send('POST /api/v1/admin/content-types', { as: 'ada', body: made });
  ({ id } = await service.seed('notes', { text: 'one' }));
  await service.seed('notes', { text: 'two', above: id, beside: [id] });
  await service.seed('posts', { title: 'A post', status: 'Published' });
  await service.seed('pages', { title: 'A page', status: 'Published' });
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (path: string, query: string) =>
  service.send(`GET /api/v1${path.replace('{note}', id)}?${query}`, { as: 'ada' });

describe.each(paths)('%s', (path) => {
  test.each(['51', '999999999999999', '99999999999999999999999', '9'.repeat(400), '1e400'])(
    'caps the page size %s',
    async (size) => {
      const { status, json } = await send(path, `page_size=${size}`);
      expect([status, json.page, json.page_size]).toEqual([200, 1, 50]);
    },
  );

  test.each(['page_size=0', 'page_size=-1', 'page_size=1.5', 'page_size=', 'page_size=1e2', 'page=0', 'page=1e400'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await send(path, query);
      expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    },
  );

  test('is empty beyond the last page, and rejects a page that cannot exist', async () => {
    const beyond = await send(path, 'page=9999999');
    expect([beyond.status, beyond.json.page, beyond.json.items]).toEqual([200, 9_999_999, []]);
    const { status, json } = await send(path, 'page=999999999999999&page_size=1e400');
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  });

  test('reads empty parameters as left out', async () => {
    const plain = await send(path, '');
    expect(plain.status).toBe(200);
    for (const name of lists[path] ?? []) expect((await send(path, `${name}=`)).json).toEqual(plain.json);
    const together = await send(path, (lists[path] ?? []).map((name) => `${name}=`).join('&'));
    expect(together.json).toEqual(plain.json);
  });

  test('names the parameter that contains a NUL', async () => {
    const { status, json } = await send(path, 'page=1&search=a%00b');
    expect([status, json.detail]).toEqual([400, 'The parameter "search" contains a NUL character.']);
    const named = await send(path, 'pa%00ge=1');
    expect([named.status, named.json.detail]).toEqual([400, 'The name of a parameter contains a NUL character.']);
  });
});

test('these are all lists that have pages', async () => {
  const { json } = await service.send('GET /api/v1/openapi.json', { as: 'ada' });
  const listed = Object.entries<{ readonly get?: unknown }>(json.paths).flatMap(([path, { get }]) =>
    JSON.stringify(get ?? null).includes('#/components/parameters/PageSize"') ? [path.replace('/api/v1', '')] : [],
  );
  const known = paths.map((path) =>
    path.replace('notes/{note}', 'notes/{id}').replace('a-post', '{slug}').replace('memo', '{singular}'),
  );
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.filter((path) => !known.includes(path) && !alike.test(path))).toEqual([]);
});

test('a NUL in a path is named too', async () => {
  const { status, json } = await service.send('GET /api/v1/posts/a%00b?search=x');
  expect([status, json.code, json.detail]).toEqual([400, 'malformed_encoding', 'The path contains a NUL character.']);
});

test('empty parameters are left out of reads of one record', async () => {
  for (const path of [`/cms/notes/${id}`, `/admin/cms/notes/${id}`, '/posts/a-post']) {
    const plain = await send(path, '');
    expect([plain.status, (await send(path, 'include=&fields=')).json]).toEqual([200, plain.json]);
  }
});

const impossible: readonly (readonly [path: string, query: string, wanted: string])[] = [
  ['/cms/notes', 'status=publised', 'one of draft, published, archived'],
  ['/admin/cms/notes', 'status=', 'one of draft, published, archived'],
  ['/cms/notes', 'id=x', 'an id'],
  ['/cms/notes', 'above=one', 'an id'],
  ['/admin/cms/notes', 'above=', 'an id'],
  ['/cms/notes', 'beside=one', 'an id'],
  ['/posts', 'status=publishd', 'one of Draft, Published, Archived'],
  ['/posts', 'author_id=ines', 'an id'],
  ['/admin/pages', 'parent_id=none', 'an id'],
  ['/comments', 'post_id=a-post', 'an id'],
  ['/comments', 'status=ok', 'one of Pending, Approved, Rejected, Spam'],
];
test.each(impossible)('%s?%s is rejected', async (path, query, wanted) => {
  const { status, json } = await send(path, query);
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.detail).toContain(`must be ${wanted}`);
});
