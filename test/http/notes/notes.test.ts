// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { onPostgres, query } from '../../support/database/database.ts';
import { type Reply, TestService } from '../../support/service.ts';

// What people write beside records: threads on records, fields and passages, for those alone who read these.

const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['soft_deletable'],
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'body', field_type: 'richtext' },
    { name: 'fee', field_type: 'integer' },
    {
      name: 'parts',
      field_type: 'list',
      fields: [
        { name: 'words', field_type: 'text' },
        { name: 'source', field_type: 'text', private: true },
      ],
    },
  ],
  api: { list: { access: 'public' }, get: { access: 'public' } },
};
const local = { ...story, singular: 'local', plural: 'locals', protocols: ['tenantable'] };
const reader = {
  name: 'reader',
  types: { story: { list: true, get: 'title != "Secret"', read: { except: ['fee'] } } },
};

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story, local], { roles: [reader], builtIn: true, languages: 'en,de' });
  for (const [name, role, tenant] of [
    ['ada', 'admin', null],
    ['eve', 'editor', null],
    ['ian', 'editor', null],
    ['rob', 'reader', null],
    ['mia', 'member', null],
    ['nora', 'editor', 'north'],
    ['sam', 'editor', 'south'],
  ] as const)
    await service.account(name, role, tenant);
});
afterAll(() => service[Symbol.asyncDispose]());

const root = '/api/v1/admin';
const send = (line: string, as?: string, body?: unknown): Promise<Reply> => {
  const [method, path] = line.split(' ');
  return service.send(`${method} ${root}/${path}`, {
    ...(as === undefined ? {} : { as }),
    ...(body === undefined ? {} : { body }),
  });
};
const made = async (values: object = { title: 'A story' }): Promise<string> =>
  (await send('POST cms/stories', 'ada', values)).json.id;
const write = (id: string, as: string, body: object) => send(`POST cms/stories/${id}/notes`, as, body);
const written = async (id: string, as: string, body: object): Promise<Reply['json']> => {
  const { status, json, text } = await write(id, as, body);
  expect({ status, text }).toMatchObject({ status: 201 });
  return json;
};
const texts = async (id: string, as: string, query = ''): Promise<readonly string[]> =>
  (await send(`GET cms/stories/${id}/notes${query}`, as)).json.items.map(({ text }: Reply['json']) => text);
const faults = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? []).map(({ field, code }: Reply['json']) => `${field} ${code}`),
];

describe('a note', () => {
  test('is on a record, a field or a passage, and says who has written it', async () => {
    const id = await made();
    const quote = { exact: 'white', prefix: 'the ', suffix: ' around' };
    const note = await written(id, 'eve', {
      ...{ text: 'Is this right?', field: 'body', language: 'de', quote },
      mentions: [service.idOf('ian')],
    });
    expect(note).toEqual({
      ...{ id: expect.any(String), type: 'story', record: id, field: 'body', language: 'de', quote },
      ...{ text: 'Is this right?', mentions: [service.idOf('ian')], parent_id: null, author: service.idOf('eve') },
      ...{ created_at: expect.any(String), updated_at: null, resolved_at: null, resolved_by: null },
    });
    await written(id, 'ian', { text: 'On all of it' });
    await written(id, 'ian', { text: 'Deep', field: 'parts[2].words' });
    expect(await texts(id, 'eve')).toEqual(['Is this right?', 'On all of it', 'Deep']);
  });

  test.each([
    [{}, '422 text required'],
    [{ text: ' \n' }, '422 text '],
    [{ text: 'x'.repeat(5_001) }, '422 text '],
    [{ text: 'a\u0000b' }, '422 text invalid_text'],
    [{ text: 'a', field: 'nothing' }, '422 field unknown_field'],
    [{ text: 'a', field: 'body]' }, '422 field '],
    [{ text: 'a', language: 'fr' }, '422 language not_allowed'],
    [{ text: 'a', quote: { exact: 'b' } }, '422 field required'],
    [{ text: 'a', mentions: ['nobody'] }, '422 mentions[0] unknown_record'],
    [{ text: 'a', parent_id: 'nothing' }, '422 parent_id unknown_record'],
    [{ text: 'a', other: 1 }, '422 other unknown_field'],
  ])('%j is refused', async (body, expected) => {
    const id = await made();
    expect(faults(await write(id, 'eve', body)).join(' ')).toStartWith(expected);
    expect(await texts(id, 'eve')).toEqual([]);
  });

  test('is written once, however often the request is sent', async () => {
    const id = await made();
    const headers = { 'Idempotency-Key': 'one-note' };
    const path = `POST ${root}/cms/stories/${id}/notes`;
    const first = await service.send(path, { as: 'eve', headers, body: { text: 'Once' } });
    const second = await service.send(path, { as: 'eve', headers, body: { text: 'Once' } });
    expect(second.json).toEqual(first.json);
    expect(await texts(id, 'eve')).toEqual(['Once']);
  });

  test('is changed and deleted by who has written it', async () => {
    const id = await made();
    const note = await written(id, 'eve', { text: 'Frist' });
    expect((await send(`PUT notes/${note.id}`, 'ian', { text: 'Mine' })).json.code).toBe('not_the_owner');
    expect((await send(`DELETE notes/${note.id}`, 'ian')).json.code).toBe('not_the_owner');
    const sent = { ...note, text: 'First' };
    expect((await send(`PUT notes/${note.id}`, 'eve', sent)).json).toEqual({ ...sent, updated_at: expect.any(String) });
    expect(faults(await send(`PUT notes/${note.id}`, 'eve', { text: '' }))[0]).toBe(422);
    expect((await send(`DELETE notes/${note.id}`, 'eve')).status).toBe(204);
    expect((await send(`PUT notes/${note.id}`, 'eve', { text: 'Gone' })).status).toBe(404);
    expect(await texts(id, 'eve')).toEqual([]);
  });
});

describe('a thread', () => {
  test('has replies, is closed and opened again by whoever sees it', async () => {
    const id = await made();
    const first = await written(id, 'eve', { text: 'Why?', field: 'title' });
    const reply = await written(id, 'ian', { text: 'Because', parent_id: first.id });
    expect(reply).toMatchObject({ parent_id: first.id, field: 'title', quote: null });
    expect(faults(await write(id, 'ian', { text: 'x', parent_id: reply.id }))).toEqual([
      422,
      'parent_id unknown_record',
    ]);
    expect(faults(await write(id, 'ian', { text: 'x', parent_id: first.id, field: 'body' }))).toEqual([
      422,
      'field not_allowed',
    ]);
    const other = await made();
    expect((await write(other, 'ian', { text: 'x', parent_id: first.id })).status).toBe(422);
    const closed = await send(`POST notes/${reply.id}/resolve`, 'ian', {});
    expect(closed.json).toMatchObject({ id: first.id, resolved_by: service.idOf('ian') });
    expect(await texts(id, 'eve', '?resolved=false')).toEqual([]);
    expect(await texts(id, 'eve', '?resolved=true')).toEqual(['Why?', 'Because']);
    const opened = await send(`POST notes/${first.id}/resolve`, 'eve', { resolved: false });
    expect(opened.json).toMatchObject({ resolved_at: null, resolved_by: null });
    expect(await texts(id, 'eve', '?resolved=false')).toEqual(['Why?', 'Because']);
  });

  test('goes with its first note: one’s own without replies by others, or as an admin any', async () => {
    const id = await made();
    const first = await written(id, 'eve', { text: 'Why?' });
    await written(id, 'ian', { text: 'Because', parent_id: first.id });
    expect((await send(`DELETE notes/${first.id}`, 'eve')).json.code).toBe('has_replies');
    expect((await send(`DELETE notes/${first.id}`, 'ada')).status).toBe(204);
    expect(await texts(id, 'eve')).toEqual([]);
  });
});

describe('who reads notes', () => {
  test('nobody but those who get the record in the admin', async () => {
    const id = await made();
    const { id: note } = await written(id, 'eve', { text: 'Between us' });
    for (const as of ['mia', undefined])
      for (const line of [`GET cms/stories/${id}/notes`, `POST cms/stories/${id}/notes`, `PUT notes/${note}`])
        expect((await send(line, as, line.startsWith('GET') ? undefined : { text: 'x' })).status).toBe(
          as === undefined ? 401 : 403,
        );
    const shown = await service.send(`GET /api/v1/cms/stories/${id}`);
    expect(shown.text).not.toContain('Between us');
    expect((await send(`GET cms/stories/${id}`, 'eve')).text).not.toContain('Between us');
  });

  test('a role does not learn of notes on records that its rule hides', async () => {
    const id = await made({ title: 'Secret' });
    const { id: note } = await written(id, 'eve', { text: 'Hidden' });
    expect((await send(`GET cms/stories/${id}/notes`, 'rob')).status).toBe(404);
    expect((await write(id, 'rob', { text: 'x' })).status).toBe(404);
    expect((await send(`POST notes/${note}/resolve`, 'rob', {})).status).toBe(404);
  });

  test('nor of those on fields that it does not read, their threads included', async () => {
    const id = await made();
    const hidden = [
      await written(id, 'eve', { text: 'Too much', field: 'fee' }),
      await written(id, 'eve', { text: 'Who said so', field: 'parts[0].source' }),
    ];
    for (const { id: parent } of hidden) await written(id, 'eve', { text: 'Reply', parent_id: parent });
    const own = await written(id, 'rob', { text: 'Nice', field: 'title' });
    expect(await texts(id, 'rob')).toEqual(['Nice']);
    expect(await texts(id, 'eve')).toHaveLength(5);
    for (const { id: note } of hidden) {
      expect((await send(`POST notes/${note}/resolve`, 'rob', {})).status).toBe(404);
      expect(faults(await write(id, 'rob', { text: 'x', parent_id: note }))).toEqual([422, 'parent_id unknown_record']);
    }
    for (const field of ['fee', 'parts[0].source', 'nothing'])
      expect(faults(await write(id, 'rob', { text: 'x', field }))).toEqual([422, 'field unknown_field']);
    expect((await send(`DELETE notes/${own.id}`, 'rob')).status).toBe(204);
  });

  test('each tenant has notes of its own, on shared records as well', async () => {
    const id = await made();
    await written(id, 'nora', { text: 'North' });
    await written(id, 'eve', { text: 'Everyone' });
    expect([await texts(id, 'nora'), await texts(id, 'sam'), await texts(id, 'eve')]).toEqual([
      ['North'],
      [],
      ['Everyone'],
    ]);
    const ours = (await send('POST cms/locals', 'nora', { title: 'Ours' })).json.id;
    const note = await send(`POST cms/locals/${ours}/notes`, 'nora', { text: 'Here' });
    expect((await send(`GET cms/locals/${ours}/notes`, 'sam')).status).toBe(404);
    expect((await send(`GET cms/locals/${ours}/notes`, 'eve')).json.items).toEqual([note.json]);
    const stranger = { text: 'x', mentions: [service.idOf('sam')] };
    expect(faults(await send(`POST cms/locals/${ours}/notes`, 'nora', stranger))).toEqual([
      422,
      'mentions[0] unknown_record',
    ]);
  });

  test('the notes of one tenant take no room from those of another', async () => {
    const id = await made();
    await written(id, 'nora', { text: 'North' });
    const [first] = await service.database.rows<Readonly<Record<string, string>>>(
      query('select * from recto_notes where record = ?', id),
    );
    const names = Object.keys(first ?? {});
    const copy = names.map((name) => (name === 'id' ? "'0' || n" : `"${name}"`)).join(', ');
    const some = onPostgres
      ? 'select n::text as n from generate_series(1001, 1999) as n'
      : 'with recursive counted(n) as (select 1001 union all select n + 1 from counted where n < 1999) select n from counted';
    await service.database.transaction(async (transaction) => {
      const columns = names.map((name) => `"${name}"`).join(', ');
      const rows = `insert into recto_notes (${columns}) select ${copy} from recto_notes, (${some}) as numbered where record = ?`;
      await transaction.run(query(rows, id));
    });
    expect((await write(id, 'nora', { text: 'x' })).json.code).toBe('too_many_notes');
    await written(id, 'sam', { text: 'South' });
    expect(await texts(id, 'sam')).toEqual(['South']);
  });

  test('API tokens within their scopes', async () => {
    const id = await made();
    const token = async (scopes: readonly string[]) =>
      (await send('POST api-tokens', 'ada', { name: 'a program', role: 'editor', scopes })).json.token;
    const as = async (bearer: string, line: string, body?: object) =>
      service.send(line, {
        headers: { Authorization: `Bearer ${bearer}` },
        ...(body === undefined ? {} : { body }),
      });
    const path = `${root}/cms/stories/${id}/notes`;
    const [reading, writing] = [await token(['stories:read']), await token(['stories:write'])];
    expect((await as(reading, `POST ${path}`, { text: 'x' })).json.code).toBe('insufficient_scope');
    const note = (await as(writing, `POST ${path}`, { text: 'Checked' })).json;
    expect((await as(reading, `GET ${path}`)).json.items).toEqual([note]);
    expect((await as(reading, `POST ${root}/notes/${note.id}/resolve`, {})).json.code).toBe('insufficient_scope');
    expect((await as(await token(['locals:write']), `DELETE ${root}/notes/${note.id}`)).status).toBe(404);
  });
});

test('notes stay with a record that is deleted for a while, and go with it for good', async () => {
  const id = await made();
  const { id: note } = await written(id, 'eve', { text: 'Keep' });
  await send(`DELETE cms/stories/${id}`, 'eve');
  expect((await send(`GET cms/stories/${id}/notes`, 'eve')).status).toBe(404);
  await send(`POST cms/stories/${id}/restore`, 'eve');
  expect(await texts(id, 'eve')).toEqual(['Keep']);
  await send(`DELETE cms/stories/${id}`, 'eve');
  expect((await send(`DELETE cms/stories/${id}/purge`, 'ada')).status).toBe(204);
  const rows = await service.database.rows(query('SELECT id FROM recto_notes WHERE id = ?', note));
  expect(rows).toEqual([]);
});

test('posts and pages have notes by their own address', async () => {
  const { id } = (await service.send('POST /api/v1/posts', { as: 'eve', body: { title: 'A post' } })).json;
  const note = await send(`POST posts/${id}/notes`, 'eve', { text: 'Hm', field: 'title' });
  expect([note.status, note.json.type]).toEqual([201, 'post']);
  expect((await send(`GET posts/${id}/notes`, 'ian')).json.items).toEqual([note.json]);
});

test('the log says that there was a note, and not what it says', async () => {
  const id = await made();
  const { id: note } = await written(id, 'eve', { text: 'Between us', mentions: [service.idOf('ian')] });
  await send(`PUT notes/${note}`, 'eve', { text: 'Still' });
  await send(`POST notes/${note}/resolve`, 'ian', {});
  await send(`DELETE notes/${note}`, 'eve');
  const { json, text } = await send(`GET events?type=note&record=${note}&after=0`, 'ada');
  expect(
    json.items.map(({ type, action, changed, actor }: Reply['json']) => [type, action, changed, actor.id]),
  ).toEqual([
    ['recto:note', 'create', ['text', 'mentions'], service.idOf('eve')],
    ['recto:note', 'update', ['text'], service.idOf('eve')],
    ['recto:note', 'update', ['resolved_at'], service.idOf('ian')],
    ['recto:note', 'delete', [], service.idOf('eve')],
  ]);
  expect(text).not.toContain('Between us');
  expect((await send(`GET events?type=note&record=${note}`, 'eve')).json.items).toEqual([]);
});

test('people who work in the admin are found by their names', async () => {
  await service.send('PUT /api/v1/auth/me', { as: 'ian', body: { display_name: 'Ian Çelik' } });
  const people = async (as: string, search = '') =>
    (await send(`GET people?search=${encodeURIComponent(search)}`, as)).json.items?.map(
      ({ name }: Reply['json']) => name,
    );
  expect(await people('eve')).toEqual(['ada', 'eve', 'Ian Çelik', 'nora', 'rob', 'sam']);
  expect(await people('rob', 'ÇEL')).toEqual(['Ian Çelik']);
  expect(await people('nora')).toEqual(['nora']);
  expect(await people('mia')).toBeUndefined();
});
