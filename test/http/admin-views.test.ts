// databases: sqlite, postgres:rest
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { newTestLocation } from '../support/database/database.ts';
import { type Reply, TestService } from '../support/service.ts';

// Saved views of lists, and preferences, as the admin keeps them.

const note = { singular: 'note', plural: 'notes', fields: [{ name: 'title', field_type: 'text' }] };
const memo = { singular: 'memo', plural: 'memos', fields: [{ name: 'title', field_type: 'text' }] };
const [views, preferences] = ['/api/v1/admin/views', '/api/v1/admin/preferences'];

let now: number;
let service: TestService;
beforeEach(async () => {
  now = Date.now();
  service = await TestService.open([note, memo], { now: () => now });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('uma', 'editor');
  await service.account('mia', 'member');
  await service.account('tea', 'admin', 'acme');
  await service.account('tom', 'editor', 'acme');
});
afterEach(() => service[Symbol.asyncDispose]());

const send = (line: string, as: string, body?: object): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const save = async (as: string, body: object = {}): Promise<Reply['json']> => {
  const made = await send(`POST ${views}`, as, { type: 'notes', name: 'Mine', ...body });
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  return made.json;
};
const names = async (as: string, search = ''): Promise<readonly string[]> =>
  (await send(`GET ${views}${search}`, as)).json.items.map(({ name }: { name: string }) => name);
const statusOf = async (reply: Promise<Reply>): Promise<readonly unknown[]> => {
  const { status, json } = await reply;
  return [status, json?.code];
};

describe('a saved view', () => {
  test('has what was sent, and defaults for the rest', async () => {
    const made = await send(`POST ${views}`, 'eve', {
      ...{ type: 'note', name: 'Long titles', filter: 'title:length > 20', search: 'ink', sort: 'title:asc' },
      ...{ columns: ['title', 'id'], shared: true },
    });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${views}/${made.json.id}`);
    expect(made.json).toEqual({
      ...{ id: expect.any(String), type: 'notes', name: 'Long titles', shared: true, filter: 'title:length > 20' },
      ...{ search: 'ink', sort: 'title:asc', columns: ['title', 'id'], owner: service.idOf('eve'), may_change: true },
      ...{ created_at: expect.stringMatching(/Z$/), updated_at: expect.stringMatching(/Z$/) },
    });
    expect((await send(`GET ${views}/${made.json.id}`, 'eve')).json).toEqual(made.json);
    expect(await save('eve')).toMatchObject({ shared: false, filter: '', search: '', sort: '', columns: [] });
  });

  test('can be sent back as it was fetched, and members that are left out stay', async () => {
    const made = await save('eve', { filter: 'title = "a"', columns: ['title'] });
    const changed = await send(`PUT ${views}/${made.id}`, 'eve', { ...made, name: 'Other' });
    expect(changed.json).toEqual({ ...made, name: 'Other', updated_at: expect.any(String) });
    await send(`PUT ${views}/${made.id}`, 'eve', { filter: '' });
    expect((await send(`GET ${views}/${made.id}`, 'eve')).json).toMatchObject({ name: 'Other', filter: '' });
  });

  test('is listed by name, with its type or all', async () => {
    await save('eve', { name: 'b' });
    await save('eve', { name: 'C' });
    await save('eve', { name: 'a', type: 'memos' });
    expect(await names('eve')).toEqual(['a', 'b', 'C']);
    expect(await names('eve', '?type=notes')).toEqual(['b', 'C']);
    expect(await names('eve', '?type=note&page_size=1&page=2')).toEqual(['C']);
    expect(await statusOf(send(`GET ${views}?type=other`, 'eve'))).toEqual([400, 'unknown_type']);
  });

  test('names all its errors at once', async () => {
    const wrong = await send(`POST ${views}`, 'eve', { type: 'others', name: '', columns: 'title' });
    expect(wrong.status).toBe(422);
    expect(wrong.json.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      ...['columns', 'name', 'type'],
    ]);
    const filter = await send(`POST ${views}`, 'eve', { type: 'notes', name: 'x', filter: 'titel = "a"' });
    expect(filter.json.errors).toMatchObject([{ field: 'filter', code: 'invalid_filter' }]);
    const { id } = await save('eve');
    const changed = await send(`PUT ${views}/${id}`, 'eve', { filter: 'title = ' });
    expect([changed.status, changed.json.errors?.[0]?.field]).toEqual([422, 'filter']);
  });

  test('takes no text that not every database stores', async () => {
    for (const odd of ['a\0b', 'a\ud800b']) {
      const texts = { name: odd, filter: odd, search: odd, sort: odd, columns: [odd] };
      for (const [member, value] of Object.entries(texts)) {
        const made = await send(`POST ${views}`, 'eve', { type: 'notes', name: 'x', [member]: value });
        expect([member, made.status]).toEqual([member, 422]);
        expect(made.json.errors.map(({ field }: { field: string }) => field)[0]).toStartWith(member);
      }
    }
    const { id } = await save('eve');
    expect((await send(`PUT ${views}/${id}`, 'eve', { search: 'a\0b' })).status).toBe(422);
    // A preference is JSON, which has its own spelling for them.
    const value = { 'a\0b': ['a\ud800b', { ['__proto__']: 1 }] };
    expect((await send(`PUT ${preferences}/odd`, 'eve', { value })).status).toBe(200);
    const [kept] = (await send(`GET ${preferences}`, 'eve')).json.items;
    expect(JSON.stringify(kept.value)).toBe(JSON.stringify(value));
  });

  test('of a type that is no longer served stays, by its singular name, and comes back with it', async () => {
    await using place = await newTestLocation();
    const open = (...types: readonly unknown[]) => TestService.open(types, { database: { location: place.location } });
    {
      await using first = await open(note, memo);
      await first.account('eve', 'editor');
      const body = { type: 'notes', name: 'Mine', filter: 'title = "a"' };
      expect((await first.send(`POST ${views}`, { as: 'eve', body })).status).toBe(201);
    }
    const signIn = { body: { email: 'eve@example.com', password: 'correct horse' } };
    const found = async (of: TestService): Promise<Reply['json']> => {
      const { json } = await of.send('POST /api/v1/auth/login', signIn);
      const headers = { Authorization: `Bearer ${json.access_token}` };
      return (await of.send(`GET ${views}`, { headers })).json.items;
    };
    {
      await using without = await open(memo);
      expect(await found(without)).toMatchObject([{ type: 'note', filter: 'title = "a"' }]);
    }
    await using again = await open(note);
    expect(await found(again)).toMatchObject([{ type: 'notes' }]);
  });
});

describe('who sees and changes a view', () => {
  test('an own view is there for its owner alone', async () => {
    const { id } = await save('eve');
    for (const other of ['uma', 'ada', 'tea', 'tom']) {
      expect(await names(other)).toEqual([]);
      expect(await statusOf(send(`GET ${views}/${id}`, other))).toEqual([404, 'not_found']);
      expect(await statusOf(send(`PUT ${views}/${id}`, other, { name: 'x' }))).toEqual([404, 'not_found']);
      expect(await statusOf(send(`DELETE ${views}/${id}`, other))).toEqual([404, 'not_found']);
    }
    expect(await names('eve')).toEqual(['Mine']);
  });

  test('a shared view is read by all of the tenant, and changed by its owner and admins', async () => {
    const { id } = await save('eve', { shared: true });
    expect((await send(`GET ${views}/${id}`, 'uma')).json).toMatchObject({ name: 'Mine', may_change: false });
    expect((await send(`GET ${views}`, 'ada')).json.items).toMatchObject([{ id, may_change: true }]);
    expect(await statusOf(send(`PUT ${views}/${id}`, 'uma', { name: 'x' }))).toEqual([403, 'not_the_owner']);
    expect(await statusOf(send(`DELETE ${views}/${id}`, 'uma'))).toEqual([403, 'not_the_owner']);
    expect((await send(`PUT ${views}/${id}`, 'ada', { name: 'All' })).status).toBe(200);
    expect(await names('eve')).toEqual(['All']);
    for (const other of ['tea', 'tom']) expect(await names(other)).toEqual([]);
    expect((await send(`DELETE ${views}/${id}`, 'ada')).status).toBe(204);
    expect(await names('eve')).toEqual([]);
  });

  test('those of a tenant stay in it', async () => {
    const { id } = await save('tom', { shared: true });
    expect(await names('tea')).toEqual(['Mine']);
    expect(await names('ada')).toEqual([]);
    expect(await statusOf(send(`DELETE ${views}/${id}`, 'ada'))).toEqual([404, 'not_found']);
    expect((await send(`DELETE ${views}/${id}`, 'tea')).status).toBe(204);
  });

  test('two that somebody sees have no equal names', async () => {
    const { id } = await save('eve', { name: 'Long' });
    const again = await send(`POST ${views}`, 'eve', { type: 'notes', name: ' long ' });
    expect([again.status, again.json.errors]).toMatchObject([422, [{ field: 'name', code: 'taken' }]]);
    // Of another type, and of somebody who does not see it.
    await save('eve', { name: 'Long', type: 'memos' });
    await save('uma', { name: 'Long' });
    const { id: other } = await save('eve', { name: 'Short' });
    expect((await send(`PUT ${views}/${other}`, 'eve', { name: 'LONG' })).status).toBe(422);
    // What it is called already, it stays.
    expect((await send(`PUT ${views}/${id}`, 'eve', { name: 'Long', search: 'ink' })).status).toBe(200);
    await save('ada', { name: 'Everyone’s', shared: true });
    expect((await send(`POST ${views}`, 'eve', { type: 'notes', name: 'everyone’s' })).status).toBe(422);
  });

  test('members and visitors see none', async () => {
    for (const path of [views, preferences]) {
      expect((await send(`GET ${path}`, 'mia')).status).toBe(403);
      expect((await service.send(`GET ${path}`)).status).toBe(401);
    }
  });

  test('the log has what is done to shared views, and nothing of others', async () => {
    await save('eve');
    const { id } = await save('eve', { name: 'Of all', shared: true });
    await send(`PUT ${views}/${id}`, 'ada', { name: 'x' });
    await send(`DELETE ${views}/${id}`, 'eve');
    const { items } = (await send('GET /api/v1/admin/events?type=saved-views', 'ada')).json;
    expect(items.map(({ action, record }: { action: string; record: string }) => [action, record])).toEqual([
      ['delete', id],
      ['update', id],
      ['create', id],
    ]);
    expect((await send('GET /api/v1/admin/events?type=recto:saved_view', 'eve')).json.items).toEqual([]);
  });
});

describe('preferences', () => {
  const kept = async (as: string): Promise<unknown> =>
    (await send(`GET ${preferences}`, as)).json.items.map(({ name, value }: Reply['json']) => [name, value]);

  test('belong to one person, and the last value counts', async () => {
    expect(await kept('eve')).toEqual([]);
    const set = await send(`PUT ${preferences}/list:notes`, 'eve', { value: { columns: ['title'] } });
    expect(set.json).toMatchObject({ name: 'list:notes', value: { columns: ['title'] } });
    await send(`PUT ${preferences}/list:notes`, 'eve', { value: null });
    await send(`PUT ${preferences}/a`, 'eve', { value: 'b' });
    expect(await kept('eve')).toEqual([
      ['a', 'b'],
      ['list:notes', null],
    ]);
    expect(await kept('uma')).toEqual([]);
    for (const _ of [1, 2]) expect((await send(`DELETE ${preferences}/a`, 'eve')).status).toBe(204);
    expect(await kept('eve')).toEqual([['list:notes', null]]);
  });

  test('are small', async () => {
    const long = await send(`PUT ${preferences}/a`, 'eve', { value: 'é'.repeat(8_192) });
    expect([long.status, long.json.errors]).toMatchObject([422, [{ field: 'value', code: 'too_long' }]]);
    expect((await send(`PUT ${preferences}/a`, 'eve', { value: 'é'.repeat(8_191) })).status).toBe(200);
    expect((await send(`PUT ${preferences}/a`, 'eve', {})).status).toBe(422);
    expect((await send(`PUT ${preferences}/A`, 'eve', { value: 1 })).status).toBe(404);
  });
});

test('what belongs to an account that is gone is removed, and what it shared stays', async () => {
  await save('uma');
  await save('uma', { name: 'Shared', shared: true });
  await send(`PUT ${preferences}/a`, 'uma', { value: 1 });
  await save('eve');
  await send(`PUT ${preferences}/a`, 'eve', { value: 1 });
  const count = async (table: string): Promise<number> => {
    const rows = await service.database.rows<object>({ sql: `SELECT * FROM ${table}`, parameters: [] });
    return rows.length;
  };
  await send(`DELETE /api/v1/admin/users/${service.idOf('uma')}`, 'ada');
  await service.runJobs();
  now += 2 * 86_400_000;
  await service.runJobs();
  expect([await count('recto_saved_views'), await count('recto_preferences')]).toEqual([2, 1]);
  expect(await names('ada')).toEqual(['Shared']);
  expect(await names('eve')).toEqual(['Mine', 'Shared']);
});
