// databases: sqlite, postgres
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';

// What is saved while somebody writes: one revision for each sitting, and those that are kept.

const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [{ name: 'versionable', keep: 3, drafts: true }, 'statusable', 'timestampable'],
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'body', field_type: 'text' },
      { name: 'note', field_type: 'text', private: true },
    ],
  },
  { singular: 'plain', plural: 'plains', fields: [{ name: 'title', field_type: 'text' }] },
];

const admin = '/api/v1/admin/cms/stories';
const minute = 60_000;
let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  for (const name of ['eve', 'edith'] as const) await service.account(name, 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const made = async (): Promise<string> =>
  (await ok(service.send(`POST ${admin}`, { as: 'eve', body: { title: 'One', body: '' } }), 201)).id;
const write = (id: string, body: object, query: string, as = 'eve') =>
  ok(service.send(`PUT ${admin}/${id}${query}`, { as, body }));
const autosave = (id: string, body: object, as?: string) => write(id, body, '?autosave=true', as);
const save = (id: string, body: object = {}, as?: string) => write(id, body, '?autosave=false', as);
const listed = async (id: string, as = 'ada'): Promise<Reply['json'][]> =>
  (await ok(service.send(`GET ${admin}/${id}/revisions`, { as }))).items;
const heads = async (id: string, as?: string) =>
  (await listed(id, as)).map(({ revision, action, changed }) => [revision, action, changed]);
const recordOf = async (id: string, revision: number) =>
  (await ok(service.send(`GET ${admin}/${id}/revisions/${revision}`, { as: 'ada' }))).record;
/** As if so many minutes had gone by since all that was written. */
const rest = async (id: string, minutes: number): Promise<void> => {
  const rows = await service.database.rows<{ revision: number | bigint; at: string }>(
    query('SELECT revision, at FROM recto_revisions WHERE record = ?', id),
  );
  await service.database.transaction(async (transaction) => {
    for (const { revision, at } of rows) {
      const earlier = new Date(Date.parse(at) - minutes * minute).toISOString();
      await transaction.run(
        query('UPDATE recto_revisions SET at = ? WHERE record = ? AND revision = ?', earlier, id, Number(revision)),
      );
    }
  });
};
const first = [1, 'create', []];

test('the autosaves of a sitting make one revision, which holds the last of them', async () => {
  const id = await made();
  for (const body of ['O', 'On', 'Once']) await autosave(id, { body });
  await autosave(id, { title: 'Two' });
  expect(await heads(id)).toEqual([[2, 'autosave', ['title', 'body']], first]);
  expect(await recordOf(id, 2)).toMatchObject({ title: 'Two', body: 'Once' });
});

test('it moves on by the time of each, and ends with a pause', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  await rest(id, 29);
  const [{ at: rested }] = await listed(id);
  await autosave(id, { body: 'b' });
  expect((await listed(id))[0].at > rested).toBe(true);
  await rest(id, 29);
  await autosave(id, { body: 'c' });
  await rest(id, 31);
  await autosave(id, { body: 'd' });
  expect(await heads(id)).toEqual([[3, 'autosave', ['body']], [2, 'autosave', ['body']], first]);
  expect((await recordOf(id, 2)).body).toBe('c');
});

test('what the person saves is kept, with or without a change, and the next autosave begins another', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  await save(id, { body: 'ab' });
  await autosave(id, { body: 'abc' });
  await save(id);
  await autosave(id, { body: 'abcd' });
  const all = [[4, 'autosave', ['body']], [3, 'update', ['body']], [2, 'update', ['body']], first];
  expect(await heads(id)).toEqual(all);
  // Nothing has changed, and there is nothing of one's own to keep.
  await save(id, {}, 'edith');
  expect(await heads(id)).toEqual(all);
});

test('what is not of a sitting is a revision of its own, as is a publication', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  await write(id, { body: 'b' }, '');
  await autosave(id, { body: 'c' });
  await save(id, { status: 'published' });
  expect(await heads(id)).toEqual([
    [5, 'publish', ['status']],
    [4, 'autosave', ['body']],
    [3, 'update', ['body']],
    [2, 'autosave', ['body']],
    first,
  ]);
});

test('what is taken back leaves no revision', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  await autosave(id, { body: '' });
  expect(await heads(id)).toEqual([first]);
  await autosave(id, { body: 'b' });
  await save(id, { body: '' });
  expect(await heads(id)).toEqual([first]);
});

test('two people who write in turns make one each', async () => {
  const id = await made();
  for (const letter of ['a', 'b', 'c', 'd']) {
    await autosave(id, { title: letter }, 'eve');
    await autosave(id, { body: letter }, 'edith');
  }
  const all = await listed(id);
  expect(all).toHaveLength(3);
  expect(all.slice(0, 2).map(({ author, action }) => [author, action])).toEqual([
    [service.idOf('edith'), 'autosave'],
    [service.idOf('eve'), 'autosave'],
  ]);
  expect(await recordOf(id, all[0].revision)).toMatchObject({ title: 'd', body: 'd' });
  // What has changed with one of them has changed with another.
  expect(new Set(all.flatMap(({ changed }) => changed))).toEqual(new Set(['title', 'body']));
});

test('a private field that was written with others does not show the others of it', async () => {
  const id = await made();
  await autosave(id, { note: 'hush' }, 'ada');
  expect(await heads(id, 'eve')).toEqual([first]);
  await autosave(id, { body: 'a' }, 'ada');
  expect(await heads(id, 'eve')).toEqual([[2, 'autosave', ['body']], first]);
  expect(await heads(id, 'ada')).toEqual([[2, 'autosave', ['body', 'note']], first]);
});

test('the limit counts kept ones, and those with a name stay', async () => {
  const id = await made();
  await ok(service.send(`PUT ${admin}/${id}/revisions/1`, { as: 'eve', body: { name: 'As it began' } }));
  for (const title of ['a', 'b', 'c', 'd', 'e']) {
    await autosave(id, { body: title }, 'edith');
    await write(id, { title }, '');
  }
  const kept = (await listed(id)).map(({ action, name }) => name ?? action);
  expect(kept).toEqual(['update', 'autosave', 'update', 'autosave', 'update', 'As it began']);
  // As many autosaves as kept ones, whatever their number.
  for (const body of ['f', 'g', 'h', 'i', 'j']) {
    await autosave(id, { body });
    await rest(id, 40);
  }
  const after = (await listed(id)).map(({ action, name }) => name ?? action);
  expect(after).toEqual(['autosave', 'autosave', 'autosave', 'update', 'update', 'update', 'As it began']);
});

test('a revision with a name is not moved', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  const path = `${admin}/${id}/revisions/2`;
  const named = await ok(service.send(`PUT ${path}`, { as: 'eve', body: { name: 'Before the cut' } }));
  expect(named).toMatchObject({ revision: 2, name: 'Before the cut', action: 'autosave' });
  await autosave(id, { body: 'b' });
  expect(await heads(id)).toEqual([[3, 'autosave', ['body']], [2, 'autosave', ['body']], first]);
  expect((await recordOf(id, 2)).body).toBe('a');
  expect(await ok(service.send(`GET ${path}`, { as: 'eve' }))).toMatchObject({ name: 'Before the cut' });
  expect(await ok(service.send(`PUT ${path}`, { as: 'eve', body: { name: null } }))).toMatchObject({ name: null });
});

test('names are for editors, of revisions they see', async () => {
  const id = await made();
  await autosave(id, { note: 'hush' }, 'ada');
  await service.account('mia', 'member');
  const name = (revision: number, body: object, as?: string) =>
    service.send(`PUT ${admin}/${id}/revisions/${revision}`, { ...(as && { as }), body });
  expect((await name(1, { name: 'x' })).status).toBe(401);
  expect((await name(1, { name: 'x' }, 'mia')).status).toBe(403);
  expect((await name(2, { name: 'x' }, 'eve')).status).toBe(404);
  expect((await name(9, { name: 'x' }, 'ada')).status).toBe(404);
  for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 1 }, { name: 'x', more: 1 }])
    expect((await name(1, wrong, 'ada')).status).toBe(422);
});

test('only updates by editors of types with revisions can be of a sitting', async () => {
  const id = await made();
  const status = async (line: string) => (await service.send(line, { as: 'ada', body: { title: 'x' } })).status;
  expect(await status(`PUT ${admin}/${id}?autosave=perhaps`)).toBe(400);
  expect(await status(`PUT ${admin}/${id}?autosave=true&autosave=true`)).toBe(400);
  expect(await status(`POST ${admin}?autosave=true`)).toBe(400);
  const { id: plain } = await service.seed('plains', { title: 'a' });
  expect(await status(`PUT /api/v1/admin/cms/plains/${plain}?autosave=true`)).toBe(400);
});

test('a revision that has moved is not restored by who has seen it before', async () => {
  const id = await made();
  await autosave(id, { body: 'a' });
  const seen = (await service.send(`GET ${admin}/${id}`, { as: 'edith' })).headers.get('etag') ?? '';
  await autosave(id, { body: 'b' });
  const headers = { 'If-Match': seen };
  expect((await service.send(`POST ${admin}/${id}/revisions/2/restore`, { as: 'edith', headers })).status).toBe(409);
});
