// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { EventSource } from '../../support/event-source.ts';
import { TestService } from '../../support/service.ts';

const title = { name: 'title', field_type: 'text' };
const open = { list: { access: 'public' }, get: { access: 'public' } };
const definitions = [
  {
    singular: 'note',
    plural: 'notes',
    fields: [title, { name: 'views', field_type: 'integer' }, { name: 'secret', field_type: 'text', private: true }],
    api: open,
  },
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['statusable'],
    fields: [title],
    api: { get: { access: 'public', filter: 'status = "published"' } },
  },
  {
    singular: 'paper',
    plural: 'papers',
    protocols: ['ownable'],
    fields: [title],
    api: { get: { access: 'member', filter_auth: 'created_by = @request.auth.id' } },
  },
  { singular: 'bin', plural: 'bins', protocols: ['soft_deletable'], fields: [title], api: open },
  { singular: 'room', plural: 'rooms', protocols: ['tenantable'], fields: [title], api: open },
  { singular: 'closed', plural: 'closeds', fields: [title], api: { get: { access: 'none' } } },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
  await service.account('mia');
  await service.account('max');
});
afterAll(() => service[Symbol.asyncDispose]());

const listen = (query: string, as?: string, headers: Record<string, string> = {}) =>
  EventSource.open(service.app, `/api/v1/events${query}`, {
    ...(as === undefined ? {} : { Authorization: `Bearer ${service.tokenOf(as)}` }),
    ...headers,
  });

const send = async (line: string, body?: object, as = 'ada', headers: Record<string, string> = {}) => {
  const { status, json, text } = await service.send(line, { as, headers, ...(body && { body }) });
  expect(status, text).toBeLessThan(300);
  return json;
};
const create = (plural: string, body: object) => send(`POST /api/v1/admin/cms/${plural}`, body);
const update = (plural: string, id: string, body: object) => send(`PUT /api/v1/admin/cms/${plural}/${id}`, body);
const remove = (plural: string, id: string) => send(`DELETE /api/v1/admin/cms/${plural}/${id}`);

/** A change that everyone sees: behind it, all that came before has arrived. */
async function marked(source: EventSource): Promise<readonly string[]> {
  const { id } = await create('notes', { title: 'Mark' });
  marks.add(id);
  await source.until((events) => events.some(({ data }) => data.id === id));
  return source.events.flatMap(({ event, data }) => (marks.has(data.id) ? [] : [`${event} ${data.id}`]));
}
const marks = new Set<string>();

describe('a stream', () => {
  test('sends what is created, updated and deleted, as `get` shows it', async () => {
    await using source = await listen('?types=notes');
    const { id } = await create('notes', { title: 'One', secret: 'x' });
    await source.until(({ length }) => length === 1);
    await update('notes', id, { title: 'Two' });
    await source.until(({ length }) => length === 2);
    const shown = (await service.send(`GET /api/v1/cms/notes/${id}`)).json;
    await remove('notes', id);
    await source.until(({ length }) => length === 3);
    expect(source.events).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        event: 'create',
        data: { type: 'note', id, action: 'create', record: { ...shown, title: 'One' } },
      },
      {
        id: expect.stringMatching(/^\d+$/),
        event: 'update',
        data: { type: 'note', id, action: 'update', record: shown },
      },
      { id: expect.stringMatching(/^\d+$/), event: 'delete', data: { type: 'note', id, action: 'delete' } },
    ]);
    expect(shown.secret).toBeUndefined();
  });

  test('sends nothing of a record that was never visible, and a delete when one is no longer', async () => {
    await using source = await listen('?types=notes,articles');
    const draft = (await create('articles', { title: 'A' })).id;
    await update('articles', draft, { title: 'B' });
    await remove('articles', draft);
    expect(await marked(source)).toEqual([]);
    const { id } = await create('articles', { title: 'C' });
    expect(await marked(source)).toEqual([]);
    await update('articles', id, { status: 'published' });
    expect(await marked(source)).toEqual([`update ${id}`]);
    await update('articles', id, { status: 'draft' });
    await update('articles', id, { title: 'D' });
    await remove('articles', id);
    expect(await marked(source)).toEqual([`update ${id}`, `delete ${id}`]);
  });

  test('sends each caller their own', async () => {
    await using mia = await listen('?types=papers,notes', 'mia');
    await using max = await listen('?types=papers,notes', 'max');
    const { id } = await send('POST /api/v1/cms/papers', { title: 'Mine' }, 'mia');
    await remove('papers', id);
    expect(await marked(mia)).toContain(`delete ${id}`);
    expect(await marked(max)).toEqual(expect.not.arrayContaining([expect.stringContaining(id)]));
  });

  test('of what is marked as deleted, sends a delete; an update when it is back; nothing when it goes for good', async () => {
    await using source = await listen('?types=bins,notes');
    const { id } = await create('bins', { title: 'One' });
    await source.until(({ length }) => length === 1);
    await remove('bins', id);
    await source.until(({ length }) => length === 2);
    await send(`POST /api/v1/admin/cms/bins/${id}/restore`);
    await source.until(({ length }) => length === 3);
    await remove('bins', id);
    await send(`DELETE /api/v1/admin/cms/bins/${id}/purge`);
    expect(await marked(source)).toEqual([`create ${id}`, `delete ${id}`, `update ${id}`, `delete ${id}`]);
  });

  test('keeps tenants apart', async () => {
    await using north = await listen('?types=rooms,notes', undefined, { 'Recto-Tenant': 'north' });
    await using none = await listen('?types=rooms,notes');
    const { id } = await send('POST /api/v1/admin/cms/rooms', { title: 'N' }, 'ada', { 'Recto-Tenant': 'north' });
    await north.until(({ length }) => length === 1);
    await send(`DELETE /api/v1/admin/cms/rooms/${id}`);
    expect(await marked(north)).toEqual([`create ${id}`, `delete ${id}`]);
    expect((await marked(none)).filter((line) => line.includes(id))).toEqual([]);
  });

  test('sends what its filter holds for', async () => {
    await using source = await listen(`?types=notes&filter=${encodeURIComponent('views > 10 || title = "Mark"')}`);
    const { id } = await create('notes', { title: 'One', views: 5 });
    await update('notes', id, { title: 'Two' });
    expect(await marked(source)).toEqual([]);
    await update('notes', id, { views: 20 });
    expect(await marked(source)).toEqual([`update ${id}`]);
    await update('notes', id, { views: 1 });
    expect(await marked(source)).toEqual([`update ${id}`, `delete ${id}`]);
    await remove('notes', id);
    expect(await marked(source)).toEqual([`update ${id}`, `delete ${id}`]);
  });

  test.each([
    ['an unknown type', '?types=nothing', undefined, 400],
    ['a type that nobody may get', '?types=closeds', 'ada', 403],
    ['a type for members', '?types=papers', undefined, 401],
    ['a filter by a private field', `?types=notes&filter=${encodeURIComponent('secret = "x"')}`, 'ada', 400],
    ['a filter that is none', '?types=notes&filter=x', undefined, 400],
    [
      'a filter that one of the types lacks',
      `?types=notes,bins&filter=${encodeURIComponent('views = 1')}`,
      undefined,
      400,
    ],
    ['an unknown parameter', '?kinds=notes', undefined, 400],
  ])('refuses %s', async (_, query, as, status) => {
    await using source = await listen(query, as);
    expect(source.status).toBe(status);
  });
});

describe('a client that comes back', () => {
  test('gets what it missed, in order', async () => {
    const first = await listen('?types=notes');
    const { lastId } = first;
    await first[Symbol.asyncDispose]();
    const one = (await create('notes', { title: 'One' })).id;
    const two = (await create('notes', { title: 'Two' })).id;
    await remove('notes', one);
    await using source = await listen('?types=notes', undefined, { 'Last-Event-ID': lastId });
    await source.until(({ length }) => length === 2);
    // At this moment the first record is no longer there: it was visible before its removal.
    expect(source.heard).toEqual([`create ${two}`, `delete ${one}`]);
    const three = (await create('notes', { title: 'Three' })).id;
    await source.until(({ length }) => length === 3);
    expect(source.heard.at(-1)).toBe(`create ${three}`);
  });

  test('hears how far it has come where nothing was for it', async () => {
    const first = await listen('?types=notes');
    const { lastId } = first;
    await first[Symbol.asyncDispose]();
    for (let count = 0; count < 3; count += 1) await create('articles', { title: 'Draft' });
    const last = await service.lastEvent('ada');
    // A process without streams, which begins at the end of the log.
    const other = await service.anotherApp();
    await using source = await EventSource.open(other, '/api/v1/events?types=notes', { 'Last-Event-ID': lastId });
    await create('notes', { title: 'One' });
    await source.until(({ length }) => length === 1);
    expect(source.ids).toEqual([lastId, String(last), source.lastId]);
  });

  test.each([
    ['that the log has not reached', '999999999'],
    ['that is none', 'x'],
  ])('has to load everything again behind an event %s', async (_, lastId) => {
    await using source = await listen('?types=notes', undefined, { 'Last-Event-ID': lastId });
    await source.until(({ length }) => length === 1);
    expect(source.events[0]).toMatchObject({ event: 'reset', data: {} });
    const { id } = await create('notes', { title: 'One' });
    await source.until(({ length }) => length === 2);
    expect(source.heard.at(-1)).toBe(`create ${id}`);
  });

  test('has to when the log was pruned meanwhile', async () => {
    const first = await listen('?types=notes');
    const { lastId } = first;
    await first[Symbol.asyncDispose]();
    await create('notes', { title: 'One' });
    await create('notes', { title: 'Two' });
    await service.database.transaction(async (transaction) => {
      const all = 'DELETE FROM recto_events WHERE seq < (SELECT max(seq) FROM recto_events)';
      await transaction.run({ sql: all, parameters: [] });
    });
    await using source = await listen('?types=notes', undefined, { 'Last-Event-ID': lastId });
    await source.until(({ length }) => length === 1);
    expect(source.events[0]?.event).toBe('reset');
  });

  test('has to when it got other rights meanwhile', async () => {
    await service.account('eva');
    const first = await listen('?types=notes', 'eva');
    const { lastId } = first;
    await send(`PUT /api/v1/admin/users/${service.idOf('eva')}`, { role: 'editor' });
    await first.ended;
    await using source = await listen('?types=notes', 'eva', { 'Last-Event-ID': lastId });
    await source.until(({ length }) => length === 1);
    expect(source.events[0]?.event).toBe('reset');
  });
});

describe('a stream ends', () => {
  test('when the caller signs out', async () => {
    await service.account('sue');
    await using source = await listen('?types=notes', 'sue');
    await send('POST /api/v1/auth/logout', undefined, 'sue');
    await source.ended;
  });

  test('when the account is disabled or deleted', async () => {
    for (const change of [`PUT`, `DELETE`]) {
      const name = `x${change.toLowerCase()}`;
      await service.account(name);
      await using source = await listen('?types=notes', name);
      await send(
        `${change} /api/v1/admin/users/${service.idOf(name)}`,
        change === 'PUT' ? { disabled: true } : undefined,
      );
      await source.ended;
    }
  });

  test('when the API token is revoked', async () => {
    const { id, token } = await send('POST /api/v1/admin/api-tokens', {
      name: 'A reader',
      role: 'member',
      expires_at: null,
    });
    await using source = await EventSource.open(service.app, '/api/v1/events', { Authorization: `Bearer ${token}` });
    await send(`DELETE /api/v1/admin/api-tokens/${id}`);
    await source.ended;
  });

  test('when the API token expires', async () => {
    // Where the machine is too slow to open a stream before, the next token lives longer.
    for (let [status, lifeMs] = [0, 1_500]; status !== 200; lifeMs *= 4) {
      const guest = { name: 'A guest', role: 'member', expires_at: new Date(Date.now() + lifeMs).toISOString() };
      const { token } = await send('POST /api/v1/admin/api-tokens', guest);
      await using source = await EventSource.open(service.app, '/api/v1/events', { Authorization: `Bearer ${token}` });
      ({ status } = source);
      expect([200, 401]).toContain(status);
      if (status === 200) await source.ended;
    }
  });

  test('when its content types change, after a reset', async () => {
    await using source = await listen('?types=notes');
    await send('POST /api/v1/admin/content-types', { singular: 'extra', plural: 'extras', fields: [title] });
    await source.ended;
    expect(source.events.at(-1)?.event).toBe('reset');
    await using again = await listen('?types=extras,notes', undefined, { 'Last-Event-ID': source.lastId });
    expect(again.status).toBe(200);
  });
});

describe('a ticket', () => {
  const ticket = async (as: string): Promise<string> => {
    const { status, json } = await service.send('POST /api/v1/events/ticket', { as });
    expect(status).toBe(201);
    expect(json).toEqual({ ticket: expect.any(String), expires_in: 60 });
    return json.ticket;
  };

  test('opens one stream with the rights of its holder', async () => {
    const text = await ticket('mia');
    await using source = await listen(`?types=papers&ticket=${text}`);
    expect(source.status).toBe(200);
    const { id } = await send('POST /api/v1/cms/papers', { title: 'Mine' }, 'mia');
    await source.until(({ length }) => length === 1);
    expect(source.heard).toEqual([`create ${id}`]);
    await using second = await listen(`?types=papers&ticket=${text}`);
    expect(second.status).toBe(401);
  });

  test('is for those who have signed in', async () => {
    expect((await service.send('POST /api/v1/events/ticket')).status).toBe(401);
  });

  test('ends with the rights of its holder', async () => {
    await service.account('tom');
    const text = await ticket('tom');
    await using source = await listen(`?types=notes&ticket=${text}`);
    await send('POST /api/v1/auth/logout', undefined, 'tom');
    await source.ended;
  });

  test('that is forged or altered opens nothing', async () => {
    const text = await ticket('mia');
    for (const wrong of ['', 'x', `${text}x`, `A${text.slice(1)}`.replace(/^AA/, 'AB')]) {
      if (wrong === text) continue;
      await using source = await listen(`?ticket=${wrong}`);
      expect(source.status).toBe(401);
    }
  });
});

test('streams of another process hear of changes', async () => {
  const other = await service.anotherApp();
  await using source = await EventSource.open(other, '/api/v1/events?types=notes');
  const { id } = await create('notes', { title: 'Far' });
  await source.until(({ length }) => length === 1);
  expect(source.heard).toEqual([`create ${id}`]);
});
