// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

const title = { name: 'title', field_type: 'text' };
const definitions = [
  { singular: 'note', plural: 'notes', fields: [title] },
  { singular: 'doc', plural: 'docs', protocols: ['versionable'], fields: [title] },
  { singular: 'room', plural: 'rooms', protocols: ['tenantable'], fields: [title] },
];

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await TestService.open(definitions);
  ids.ada = await service.account('ada', 'admin');
  ids.eddie = await service.account('eddie', 'editor');
  ids.nora = await service.account('nora', 'editor', 'north');
  await service.account('uma', 'member');
  const send = async (line: string, as: string, body?: object, headers: Record<string, string> = {}) => {
    const { status, json } = await service.send(line, { as, headers, ...(body && { body }) });
    expect(status).toBeLessThan(300);
    return json;
  };
  ids.note = (await send('POST /api/v1/admin/cms/notes', 'ada', { title: 'One' }, { 'X-Request-Id': 'first' })).id;
  await send(`PUT /api/v1/admin/cms/notes/${ids.note}`, 'eddie', { title: 'Two' });
  ids.doc = (await send('POST /api/v1/admin/cms/docs', 'eddie', { title: 'One' })).id;
  await send(`PUT /api/v1/admin/cms/docs/${ids.doc}`, 'ada', { title: 'Two' });
  ids.north = (await send('POST /api/v1/admin/cms/rooms', 'nora', { title: 'N' })).id;
  ids.south = (await send('POST /api/v1/admin/cms/rooms', 'ada', { title: 'S' }, { 'Recto-Tenant': 'south' })).id;
  await send(`PUT /api/v1/admin/users/${service.idOf('uma')}`, 'ada', { role: 'editor' });
  await send('POST /api/v1/admin/content-types', 'ada', { singular: 'extra', plural: 'extras', fields: [title] });
});
afterAll(() => service[Symbol.asyncDispose]());

const list = async (query: string, as = 'ada', headers: Record<string, string> = {}) =>
  service.send(`GET /api/v1/admin/events${query}`, { as, headers });

describe('the audit view', () => {
  test('has who did what, when, in which request', async () => {
    const { status, json } = await list(`?record=${ids.note}&after=0`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ total: 2, page: 1, page_size: 100 });
    const [made, changed] = json.items;
    expect(made).toEqual({
      seq: expect.any(Number),
      type: 'note',
      record: ids.note,
      action: 'create',
      changed: [],
      actor: { id: ids.ada, kind: 'account' },
      tenant: null,
      request_id: 'first',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      revision: null,
      language: null,
      via: null,
      release: null,
      client: null,
    });
    expect(changed).toMatchObject({ action: 'update', changed: ['title'], actor: { id: ids.eddie, kind: 'account' } });
    expect(changed.seq).toBeGreaterThan(made.seq);
  });

  test('is newest first without `after`, and goes on by `after`', async () => {
    const newest = (await list('?limit=2')).json;
    expect(newest.total).toBe(-1);
    const [last, before] = newest.items;
    expect(last.seq).toBeGreaterThan(before.seq);
    expect((await list(`?after=${before.seq}`)).json.items).toEqual([last]);
    expect((await list(`?after=${last.seq}`)).json).toMatchObject({ items: [], total: 0 });
  });

  test('filters by type, singular or plural, and by actor', async () => {
    for (const type of ['note', 'notes']) {
      const { items } = (await list(`?type=${type}&after=0`)).json;
      expect(items.map(({ record }: { record: string }) => record)).toEqual([ids.note, ids.note]);
    }
    const { items } = (await list(`?actor=${ids.eddie}&after=0`)).json;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(['update', 'create']);
  });

  test('goes back page by page with `before`', async () => {
    const all = (await list('?limit=1000')).json.items;
    const seen = [];
    for (let before = ''; ; ) {
      const { json } = await list(`?limit=3${before}`);
      seen.push(...json.items);
      if (json.total !== -1) break;
      before = `&before=${json.items.at(-1).seq}`;
    }
    expect(seen).toEqual(all);
    expect((await list(`?after=${all[3].seq}&before=${all[0].seq}`)).json.items).toEqual([all[2], all[1]]);
    const { text } = await list(`?format=ndjson&before=${all.at(-2).seq}`);
    expect(JSON.parse(text)).toEqual(all.at(-1));
  });

  test('filters by what was done, and by time', async () => {
    const all = (await list('?limit=1000')).json.items;
    const updates = (await list('?action=update')).json.items;
    expect(updates).toEqual(all.filter(({ action }: { action: string }) => action === 'update'));
    expect(updates.length).toBeGreaterThan(0);
    const from = all[2].at;
    const since = (await list(`?since=${from}`)).json.items;
    expect(since).toEqual(all.filter(({ at }: { at: string }) => at >= from));
    expect((await list(`?until=${from}&limit=1000`)).json.items).toEqual(
      all.filter(({ at }: { at: string }) => at < from),
    );
    const offset = `${new Date(Date.parse(from) + 3_600_000).toISOString().slice(0, -1)}%2B01:00`;
    expect((await list(`?since=${offset}`)).json.items).toEqual(since);
    for (const wrong of ['since=yesterday', 'until=2026-02-30T00:00:00Z', 'action=approve', 'before=-1']) {
      expect(await list(`?${wrong}`)).toMatchObject({ status: 400, json: { code: 'invalid_parameter' } });
    }
  });

  test('names the revision of a change', async () => {
    const { items } = (await list(`?record=${ids.doc}&after=0`)).json;
    expect(items.map(({ revision }: { revision: number }) => revision)).toEqual([1, 2]);
    const diff = await service.send(`GET /api/v1/admin/cms/docs/${ids.doc}/revisions/1/diff/2`, { as: 'ada' });
    expect(diff.text).toContain('"Two"');
  });

  test('shows changes of accounts and content types to admins alone', async () => {
    const types = async (as: string) =>
      new Set((await list('?after=0&limit=1000', as)).json.items.map(({ type }: { type: string }) => type));
    expect([...(await types('ada'))]).toEqual(expect.arrayContaining(['note', 'recto:account', 'recto:content_type']));
    expect([...(await types('eddie'))].toSorted()).toEqual(['doc', 'note', 'room']);
    const { items } = (await list(`?type=account&record=${service.idOf('uma')}&after=0`)).json;
    expect(items).toMatchObject([
      { action: 'create', actor: null },
      { action: 'update', changed: ['role'], actor: { id: ids.ada } },
    ]);
    expect((await list('?type=account&after=0', 'eddie')).json.items).toEqual([]);
  });

  test('shows to admins which API tokens are created and revoked, never a token', async () => {
    const made = await service.send('POST /api/v1/admin/api-tokens', { as: 'ada', body: { name: 'site' } });
    await service.send(`DELETE /api/v1/admin/api-tokens/${made.json.id}`, { as: 'ada' });
    const { json, text } = await service.send('GET /api/v1/admin/events?type=api-tokens', { as: 'ada' });
    expect(json.items.map(({ action, record, actor }: Reply['json']) => [action, record, actor])).toEqual([
      ['delete', made.json.id, { id: service.idOf('ada'), kind: 'account' }],
      ['create', made.json.id, { id: service.idOf('ada'), kind: 'account' }],
    ]);
    expect(text).not.toContain(made.json.token);
    expect((await service.send('GET /api/v1/admin/events?type=recto:api_token', { as: 'eddie' })).json.items).toEqual(
      [],
    );
  });

  test('shows who belongs to a tenant the events of that one alone', async () => {
    const { items } = (await list('?after=0', 'nora')).json;
    expect(items).toMatchObject([{ type: 'room', record: ids.north, tenant: 'north' }]);
    expect((await list(`?after=0&record=${ids.south}`, 'nora')).json.items).toEqual([]);
    const south = (await list('?after=0', 'ada', { 'Recto-Tenant': 'south' })).json.items;
    expect(south).toMatchObject([{ record: ids.south }]);
  });

  test('is for admins and editors', async () => {
    expect((await service.send('GET /api/v1/admin/events')).status).toBe(401);
    await service.account('mia', 'member');
    expect((await list('', 'mia')).status).toBe(403);
  });

  test('refuses what it does not know', async () => {
    for (const query of ['?after=x', '?limit=0', '?limit=1001', '?sort=at', '?format=xml', '?after=-1']) {
      expect((await list(query)).status).toBe(400);
    }
  });
});

describe('the export', () => {
  test.each([
    ['by Accept', '', { Accept: 'application/x-ndjson' }],
    ['by parameter', '?format=ndjson', {}],
  ])('has all events, one a line, %s', async (_, query, headers) => {
    const { text, headers: received } = await list(query, 'eddie', headers as Record<string, string>);
    expect(received.get('content-type')).toBe('application/x-ndjson');
    const lines = text.trimEnd().split('\n');
    const { items } = (await list('?after=0&limit=1000', 'eddie')).json;
    expect(lines.map((line) => JSON.parse(line))).toEqual(items);
  });
});
