// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// A state of a few, and what may follow what.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const title = { name: 'title', field_type: 'text' };
const moves = {
  name: 'statusable',
  values: ['draft', 'review', 'live', 'gone'],
  default: 'draft',
  transitions: { draft: ['review', 'live'], review: ['draft', 'live'], live: ['gone'] },
};
const definitions = [
  { singular: 'plain', plural: 'plains', protocols: ['statusable'], fields: [title], api: open },
  {
    singular: 'story',
    plural: 'stories',
    protocols: [moves],
    fields: [title],
    api: { ...open, list: { filter: 'status = "live"', filter_auth: '@request.auth.role = "admin"' } },
  },
  {
    singular: 'site',
    plural: 'sites',
    kind: 'single',
    protocols: [moves],
    fields: [title],
    api: { update: open.update },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('mia');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const faultsOf = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? []).map((fault: Record<string, string>) => `${fault.field} ${fault.code}`),
];
const put = (path: string, body: object, as?: string): Promise<Reply> =>
  service.send(`PUT ${path}`, { body, ...(as === undefined ? {} : { as }) });

test('without options: draft, published, archived, and any may follow any other', async () => {
  const { json } = await service.send('POST /api/v1/cms/plains', { body: {} });
  expect(json.status).toBe('draft');
  for (const status of ['archived', 'published', 'draft', 'published']) {
    expect((await put(`/api/v1/cms/plains/${json.id}`, { status })).json.status).toBe(status);
  }
});

test.each([
  ['live', 201],
  ['gone', 201],
  [undefined, 201],
])('a new record may begin as %p', async (status, expected) => {
  const made = await service.send('POST /api/v1/cms/stories', { body: { status } });
  expect([made.status, made.json.status]).toEqual([expected, status ?? 'draft']);
});

test.each([
  ['nonsense', 'not_allowed'],
  ['Draft', 'not_allowed'],
  ['', 'not_allowed'],
  [1, 'wrong_type'],
  [null, 'required'],
])('the status %p is 422', async (status, code) => {
  const { id } = await service.seed('stories', {});
  for (const reply of [
    await service.send('POST /api/v1/cms/stories', { body: { status } }),
    await put(`/api/v1/cms/stories/${id}`, { status }),
  ]) {
    expect(reply.status).toBe(422);
    expect(reply.json.errors.map(({ field }: { field: string }) => field)).toEqual(['status']);
    if (code !== 'not_allowed') expect(reply.json.errors[0].code).toBe(code);
  }
});

describe.each([
  ['collection', 'public'],
  ['collection', 'admin'],
  ['single type', 'public'],
])('transitions of a record of a %s, by %s routes', (kind, routes) => {
  const all = moves.values.flatMap((from) => moves.values.map((to) => [from, to] as const));
  test.each(all)('from %s to %s', async (from, to) => {
    let path = '/api/v1/cms/site';
    const as = routes === 'admin' ? 'ada' : undefined;
    if (kind === 'collection') {
      const { id } = await service.seed('stories', { status: from });
      path = `/api/v1/${routes === 'admin' ? 'admin/' : ''}cms/stories/${id}`;
    } else {
      const { items } = (await service.send('GET /api/v1/admin/cms/sites', { as: 'ada' })).json;
      await service.send(`DELETE /api/v1/admin/cms/sites/${items[0].id}`, { as: 'ada' });
      await service.send('POST /api/v1/admin/cms/sites', { as: 'ada', body: { status: from } });
    }
    const next: Readonly<Record<string, readonly string[]>> = moves.transitions;
    const allowed = from === to || (next[from] ?? []).includes(to);
    const reply = await put(path, { status: to, title: 'moved' }, as);
    expect(faultsOf(reply)).toEqual(allowed ? [200] : [422, 'status transition_not_allowed']);
    const { json } = await service.send(`GET ${path}`, as === undefined ? {} : { as });
    expect([json.status, json.title]).toEqual(allowed ? [to, 'moved'] : [from, null]);
  });
});

test('an update that does not name it leaves it, and a rejected move is reported with all other errors', async () => {
  const { id } = await service.seed('stories', { status: 'gone' });
  const path = `/api/v1/cms/stories/${id}`;
  expect((await put(path, { title: 'x' })).json.status).toBe('gone');
  const faults = faultsOf(await put(path, { status: 'draft', bogus: 1 }));
  expect(faults.slice(1).sort()).toEqual(['bogus unknown_field', 'status transition_not_allowed']);
});

test('rules and parameters read it', async () => {
  const { id } = await service.seed('stories', { status: 'live', title: 'seen' });
  await service.seed('stories', { status: 'draft', title: 'seen' });
  const ids = async (query: string, as?: string) =>
    (await service.send(`GET /api/v1/cms/stories?${query}`, as === undefined ? {} : { as })).json.items.map(
      (item: { id: string }) => item.id,
    );
  for (const as of [undefined, 'mia']) expect(await ids('title=seen', as)).toEqual([id]);
  expect(await ids('title=seen', 'ada')).toHaveLength(2);
  expect(await ids('title=seen&status=live', 'ada')).toEqual([id]);
});

test.each([
  [{ values: [] }, /one value or more/],
  [{ values: ['a', 'a'] }, /twice/],
  [{ values: ['a', ''] }, /empty/],
  [{ values: 'a' }, /array/],
  [{ values: ['a', 1] }, /string|text/],
  [{ values: ['a'], default: 'b' }, /"b" is not one of the values/],
  [{ default: 'live' }, /"live" is not one of the values/],
  [{ transitions: { draft: ['live'] } }, /"live" is not one of the values/],
  [{ transitions: { live: ['draft'] } }, /"live" is not one of the values/],
  [{ transitions: { draft: 'published' } }, /array/],
  [{ transitions: ['draft'] }, /object/],
  [{ moves: {} }, /no such option/],
])('the options %j are refused', (options, message) => {
  const definition = { singular: 'a', plural: 'as', protocols: [{ name: 'statusable', ...options }], fields: [] };
  expect(() => definitionsOf(definition)).toThrow(message);
});

test('a field of the name is rejected', () => {
  const fields = [{ name: 'status', field_type: 'text' }];
  expect(() => definitionsOf({ singular: 'a', plural: 'as', protocols: ['statusable'], fields })).toThrow(
    /the name "status" is taken/,
  );
});
