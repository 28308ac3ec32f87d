import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import type { VisibleRecords } from '../../../packages/recto/src/records/read/visible-records.ts';
import { EventSource } from '../../support/event-source.ts';
import { TestService } from '../../support/service.ts';

// What somebody might try who wants to see more than they may, or to be sent somewhere else.

const paper = {
  singular: 'paper',
  plural: 'papers',
  fields: [{ name: 'title', field_type: 'text' }],
  api: { get: { access: 'member', filter_auth: '@request.auth.role = "editor"' } },
};

let service: TestService;
beforeEach(async () => {
  service = await TestService.open([paper]);
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
});
afterEach(() => service[Symbol.asyncDispose]());

const listen = (as: string, headers: Record<string, string> = {}) =>
  EventSource.open(service.app, '/api/v1/events', { Authorization: `Bearer ${service.tokenOf(as)}`, ...headers });

const write = async (line: string, body: object): Promise<string> => {
  const { status, json, text } = await service.send(line, { as: 'ada', body });
  expect(status, text).toBeLessThan(300);
  return json.id;
};

/** Runs something once, right before the next records are read for streams. */
function beforeReading(work: () => Promise<unknown>): void {
  const visible = service.records.visible as { read: VisibleRecords['read'] };
  const { read } = service.records.visible;
  visible.read = async (query, ids) => {
    visible.read = read;
    await work();
    return read.call(service.records.visible, query, ids);
  };
}

/** Takes the role away, and only then writes what nobody without it may see. */
const demoteAndWrite = async (id: string): Promise<void> => {
  await write(`PUT /api/v1/admin/users/${service.idOf('eve')}`, { role: 'member' });
  await write(`PUT /api/v1/admin/cms/papers/${id}`, { title: 'Secret' });
};

test('a role that is taken away while an event is being sent: nothing that was written behind it is sent', async () => {
  await using source = await listen('eve');
  const id = await write('POST /api/v1/admin/cms/papers', { title: 'One' });
  await source.until(({ length }) => length === 1);
  beforeReading(() => demoteAndWrite(id));
  await write(`PUT /api/v1/admin/cms/papers/${id}`, { title: 'Two' });
  await source.ended;
  expect(JSON.stringify(source.events)).not.toContain('Secret');
});

test('nor to a client that comes back', async () => {
  const first = await listen('eve');
  const { lastId } = first;
  await first[Symbol.asyncDispose]();
  const id = await write('POST /api/v1/admin/cms/papers', { title: 'One' });
  beforeReading(() => demoteAndWrite(id));
  await using source = await listen('eve', { 'Last-Event-ID': lastId });
  await source.ended;
  expect(JSON.stringify(source.events)).not.toContain('Secret');
});

test('a change of what a caller cannot read is no event', async () => {
  const list = { access: 'public' };
  await using open = await TestService.open([
    {
      singular: 'card',
      plural: 'cards',
      fields: [
        { name: 'title', field_type: 'text' },
        { name: 'notes', field_type: 'text', private: true },
        { name: 'rank', field_type: 'integer' },
        { name: 'level', field_type: 'integer', private: true },
      ],
      api: { list, get: { access: 'public', fields: ['id', 'title'], filter: 'level != 9' } },
    },
  ]);
  await open.account('ada', 'admin');
  await using source = await EventSource.open(open.app, '/api/v1/events');
  const change = async (line: string, body: object) => (await open.send(line, { as: 'ada', body })).json.id;
  const shown = await change('POST /api/v1/admin/cms/cards', { title: 'One', level: 1 });
  const hidden = await change('POST /api/v1/admin/cms/cards', { title: 'Hidden', level: 9 });
  // Behind the private field, and outside of the whitelist.
  for (const body of [{ notes: 'x' }, { rank: 2 }, { level: 2 }])
    await change(`PUT /api/v1/admin/cms/cards/${shown}`, body);
  // A hidden value that brings a record into sight does, and hides it again.
  await change(`PUT /api/v1/admin/cms/cards/${hidden}`, { level: 3 });
  await change(`PUT /api/v1/admin/cms/cards/${hidden}`, { level: 9 });
  await change(`PUT /api/v1/admin/cms/cards/${shown}`, { title: 'Two', notes: 'y' });
  await source.until((events) => events.some(({ data }) => data.record?.title === 'Two' && data.action === 'update'));
  expect(source.heard.filter((line) => line.endsWith(shown))).toEqual([`create ${shown}`, `update ${shown}`]);
  // It came into sight for a moment, and may have been gone by the time of sending.
  expect(source.heard.filter((line) => line.endsWith(hidden)).at(-1)).toBe(`delete ${hidden}`);
});

test('a change of private members alone, inside fields that a caller can read, is no event', async () => {
  const score = { name: 'score', field_type: 'integer', private: true };
  const source = { name: 'source', field_type: 'relation', private: true };
  const members = [{ name: 'title', field_type: 'text' }, score];
  await using open = await TestService.open([
    { singular: 'origin', plural: 'origins', fields: [{ name: 'title', field_type: 'text' }] },
    {
      singular: 'page',
      plural: 'pages',
      fields: [
        { name: 'seo', field_type: 'group', fields: members },
        {
          name: 'parts',
          field_type: 'list',
          fields: [...members, { ...source, relation: { relation_type: 'many_to_one', target: 'origins' } }],
        },
        { name: 'body', field_type: 'blocks', blocks: [{ name: 'quote', fields: members }] },
        { name: 'outer', field_type: 'group', fields: [{ name: 'inner', field_type: 'group', fields: members }] },
      ],
      api: { list: { access: 'public' }, get: { access: 'public' } },
    },
  ]);
  await open.account('ada', 'admin');
  await using stream = await EventSource.open(open.app, '/api/v1/events?types=pages');
  const send = async (line: string, body?: object) => {
    const { status, json, text } = await open.send(line, { as: 'ada', ...(body && { body }) });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const origin = await send('POST /api/v1/admin/cms/origins', { title: 'One' });
  const seen = { title: 'One', score: 1 };
  const page = await send('POST /api/v1/admin/cms/pages', {
    seo: seen,
    parts: [{ ...seen, source: origin.id }],
    body: [{ block: 'quote', ...seen }],
    outer: { inner: seen },
  });
  const [quote] = page.body;
  // Each of them changes what nobody gets, the last one by the removal of what a hidden relation led to.
  for (const change of [
    { seo: { ...seen, score: 2 } },
    { parts: [{ ...seen, source: origin.id, score: 2 }] },
    { body: [{ ...quote, score: 2 }] },
    { outer: { inner: { ...seen, score: 2 } } },
    { seo: { ...seen, score: null }, body: [{ ...quote, score: 3 }] },
  ])
    await send(`PUT /api/v1/admin/cms/pages/${page.id}`, change);
  await send(`DELETE /api/v1/admin/cms/origins/${origin.id}`);
  await send(`PUT /api/v1/admin/cms/pages/${page.id}`, { seo: { title: 'Two', score: 4 } });
  await stream.until((events) =>
    events.some(({ event, data }) => event === 'update' && data.record.seo.title === 'Two'),
  );
  expect(stream.heard).toEqual([`create ${page.id}`, `update ${page.id}`]);
  const { items } = await send(`GET /api/v1/admin/events?record=${page.id}&after=0`);
  expect(items.map(({ changed }: { readonly changed: readonly string[] }) => changed)).toEqual([
    [],
    ['seo.score'],
    ['parts.score'],
    ['body.quote.score'],
    ['outer.inner.score'],
    ['seo.score', 'body.quote.score'],
    ['parts.source'],
    ['seo'],
  ]);
});

test('a stream shows every 15 seconds that it lives, whatever else is sent', async () => {
  const sweeps: (() => void)[] = [];
  const { setInterval } = globalThis;
  const spy = spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
    if (ms === 1_000) sweeps.push(work);
    return setInterval(work, ms);
    // Called as the streams call it.
  }) as typeof globalThis.setInterval);
  try {
    await using source = await listen('eve');
    const { lastId } = source;
    // Nothing for this client, which need not go through it when it comes back.
    await write('POST /api/v1/admin/users', { email: 'new@example.com', password: 'correct horse', role: 'member' });
    const last = await service.lastEvent('ada');
    expect(last).toBeGreaterThan(Number(lastId));
    for (let count = 0; count < 15; count++) for (const sweep of sweeps) sweep();
    await source.until(() => source.pings > 0);
    expect(source.lastId).toBe(String(last));
    expect(source.events).toEqual([]);
  } finally {
    spy.mockRestore();
  }
});
