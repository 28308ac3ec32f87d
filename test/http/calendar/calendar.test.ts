// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// What the calendar shows of which days, and to whom.

const root = '/api/v1/admin/calendar';
const statusable = { name: 'statusable', values: ['draft', 'published'], schedule: 'published' };
const title = { name: 'title', field_type: 'text', required: true, max_length: 100 };
const definitions = [
  { singular: 'story', plural: 'stories', protocols: ['lockable', statusable, 'assignable'], fields: [title] },
  {
    ...{ singular: 'essay', plural: 'essays', protocols: [{ ...statusable, by_language: true }] },
    fields: [
      { ...title, localized: true },
      { name: 'text', field_type: 'text', localized: true },
    ],
  },
  { singular: 'offer', plural: 'offers', protocols: ['tenantable', statusable], fields: [title] },
  {
    singular: 'front',
    plural: 'fronts',
    kind: 'single',
    protocols: [statusable],
    fields: [{ ...title, required: false }],
  },
  // Without a time, it has no place here.
  { singular: 'topic', plural: 'topics', fields: [title] },
];
const no = { list: false, get: false, create: false, update: false, delete: false };
const roles = [
  {
    name: 'writer',
    base: 'editor',
    may: { releases: false },
    types: {
      offer: no,
      front: no,
      topic: no,
      story: { list: 'title != "Secret"', get: true, create: false, read: { except: ['title'] } },
      essay: { ...no, get: true },
    },
  },
  {
    name: 'timeless',
    base: 'editor',
    may: { releases: false },
    types: {
      offer: no,
      front: no,
      essay: no,
      story: { list: true, get: true, read: { except: ['scheduled_at', 'due_at'] } },
    },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { languages: 'en,de', roles });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('tea', 'editor', 'acme');
  await service.account('mia');
  for (const { name } of roles) await service.account(name, name);
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (
  line: string,
  body?: object,
  as = 'eve',
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> => service.send(line, { as, headers, ...(body === undefined ? {} : { body }) });
async function must(status: number, line: string, body?: object, as = 'eve'): Promise<Reply['json']> {
  const reply = await send(line, body, as);
  expect([line, reply.status, reply.status === status ? undefined : reply.json]).toEqual([line, status, undefined]);
  return reply.json;
}
const make = async (plural: string, body: object, as = 'eve'): Promise<string> =>
  (await must(201, `POST /api/v1/admin/cms/${plural}`, body, as)).id;
const calendar = (query: string, as = 'eve') => must(200, `GET ${root}?${query}`, undefined, as);
const shown = async (query: string, as = 'eve') =>
  (await calendar(query, as)).items.map(({ title: name, at }: Record<string, string>) => [name, at]);

describe('what is on it', () => {
  test('scheduled records with their titles, by their time, and nothing before or after', async () => {
    for (const [name, at] of [
      ['Second', '2101-03-02T08:00:00.000Z'],
      ['First', '2101-03-02T07:00:00.000Z'],
      ['Before', '2101-02-28T23:59:59.999Z'],
      ['After', '2101-03-03T00:00:00.000Z'],
    ])
      await make('stories', { title: name, scheduled_at: at });
    const found = await calendar('from=2101-03-01&to=2101-03-03');
    expect(found).toMatchObject({ time_zone: 'UTC', total: 2, left_out: 0 });
    expect(found.days).toEqual([
      { date: '2101-03-01', from: '2101-03-01T00:00:00.000Z', to: '2101-03-02T00:00:00.000Z', total: 0, left_out: 0 },
      { date: '2101-03-02', from: '2101-03-02T00:00:00.000Z', to: '2101-03-03T00:00:00.000Z', total: 2, left_out: 0 },
    ]);
    expect(found.items).toEqual([
      expect.objectContaining({ kind: 'status', type: 'story', title: 'First', status: 'draft', becomes: 'published' }),
      expect.objectContaining({ title: 'Second', at: '2101-03-02T08:00:00.000Z', language: null }),
    ]);
  });

  test('each language with a time of its own, by its name in that language or else in the default one', async () => {
    const id = await make('essays', { title: 'Paper', scheduled_at: '2102-01-01T10:00:00Z' });
    const bare = await make('essays', { title: 'Ink' });
    const path = (of: string) => `PUT /api/v1/admin/cms/essays/${of}?language=de`;
    await must(200, path(id), { title: 'Papier', scheduled_at: '2102-01-01T11:00:00Z' });
    await must(200, path(bare), { text: 'Tinte', scheduled_at: '2102-01-01T12:00:00Z' });
    const { items } = await calendar('from=2102-01-01&to=2102-01-02');
    expect(items.map((one: Record<string, unknown>) => [one.title, one.language, one.id])).toEqual([
      ['Paper', null, id],
      ['Papier', 'de', id],
      ['Ink', 'de', bare],
    ]);
  });

  test('releases with a time, until they are published', async () => {
    const release = async (name: string, at: string) =>
      (await must(201, 'POST /api/v1/admin/releases', { name, scheduled_at: at })).id;
    const [planned, scheduled] = [
      await release('Planned', '2103-01-01T10:00:00Z'),
      await release('Scheduled', '2103-01-01T11:00:00Z'),
    ];
    await must(200, `POST /api/v1/admin/releases/${scheduled}/schedule`, {});
    const done = await release('Done', '2103-01-01T12:00:00Z');
    const id = await make('topics', { title: 'A topic' });
    await must(200, `PUT /api/v1/admin/releases/${done}/items/topic/${id}`, { action: 'delete' });
    await must(200, `POST /api/v1/admin/releases/${done}/publish`);
    expect((await calendar('from=2103-01-01&to=2103-01-02')).items).toEqual([
      expect.objectContaining({
        kind: 'release',
        type: null,
        id: planned,
        title: 'Planned',
        status: 'open',
        becomes: null,
      }),
      expect.objectContaining({ kind: 'release', id: scheduled, status: 'scheduled', becomes: 'done' }),
    ]);
  });

  test('the dates by which records are due', async () => {
    const due = { title: 'Due', due_at: '2103-02-01T10:00:00Z', scheduled_at: '2103-02-01T12:00:00Z' };
    const id = await make('stories', due);
    const about = { type: 'story', id, title: 'Due', language: null };
    expect((await calendar('from=2103-02-01&to=2103-02-02')).items).toEqual([
      { kind: 'due', at: '2103-02-01T10:00:00.000Z', ...about, status: null, becomes: null },
      { kind: 'status', at: '2103-02-01T12:00:00.000Z', ...about, status: 'draft', becomes: 'published' },
    ]);
    expect(await shown('from=2103-02-01&to=2103-02-02&kind=due')).toEqual([['Due', '2103-02-01T10:00:00.000Z']]);
  });

  test('the days of a time zone, also where its clocks change', async () => {
    for (const [name, at] of [
      ['Last of Saturday', '2104-03-29T22:59:00.000Z'],
      ['First of Sunday', '2104-03-29T23:00:00.000Z'],
      ['Last of Sunday', '2104-03-30T21:59:00.000Z'],
      ['First of Monday', '2104-03-30T22:00:00.000Z'],
    ])
      await make('stories', { title: name, scheduled_at: at });
    // In 2104, the last Sunday of March is the 30th.
    const { days, items } = await calendar('from=2104-03-29&to=2104-04-01&time_zone=Europe/Berlin');
    expect(days.map(({ date, total }: Record<string, unknown>) => [date, total])).toEqual([
      ['2104-03-29', 1],
      ['2104-03-30', 2],
      ['2104-03-31', 1],
    ]);
    expect(items).toHaveLength(4);
    expect(Date.parse(days[1].to) - Date.parse(days[1].from)).toBe(23 * 3_600_000);
  });

  test('only one type or one kind, where that is asked for', async () => {
    const day = 'from=2105-01-01&to=2105-01-02';
    await make('stories', { title: 'A story', scheduled_at: '2105-01-01T10:00:00Z' });
    await make('essays', { title: 'An essay', scheduled_at: '2105-01-01T11:00:00Z' });
    await must(201, 'POST /api/v1/admin/releases', { name: 'A release', scheduled_at: '2105-01-01T12:00:00Z' });
    const names = async (query: string) => (await shown(`${day}&${query}`)).map(([name]: readonly string[]) => name);
    expect(await names('type=stories')).toEqual(['A story']);
    expect(await names('type=essay')).toEqual(['An essay']);
    expect(await names('kind=release')).toEqual(['A release']);
    expect(await names('kind=status')).toEqual(['A story', 'An essay']);
    expect(await names('kind=due')).toEqual([]);
  });

  test('a single type whose record nobody has asked for is left alone', async () => {
    const { seq } = (await must(200, 'GET /api/v1/admin/events?limit=1', undefined, 'ada')).items[0];
    expect((await calendar('from=2106-01-01&to=2106-01-02&type=front')).items).toEqual([]);
    expect((await must(200, 'GET /api/v1/admin/events?limit=1', undefined, 'ada')).items[0].seq).toBe(seq);
    const [{ id }] = (await must(200, 'GET /api/v1/admin/cms/fronts')).items;
    await must(200, `PUT /api/v1/admin/cms/fronts/${id}`, { title: 'Home', scheduled_at: '2106-01-01T09:00:00Z' });
    expect(await shown('from=2106-01-01&to=2106-01-02&type=front')).toEqual([['Home', '2106-01-01T09:00:00.000Z']]);
  });
});

test('begins today, as the clocks of the zone have it, and has 31 days, unless the question says otherwise', async () => {
  const late = Date.parse('2031-05-31T23:30:00Z');
  await using other = await TestService.open(definitions.slice(0, 1), { now: () => late });
  await other.account('eve', 'editor');
  const ends = async (query: string) => {
    const { days } = (await other.send(`GET ${root}?${query}`, { as: 'eve' })).json;
    return [days[0].date, days.at(-1).date];
  };
  expect(await ends('')).toEqual(['2031-05-31', '2031-06-30']);
  expect(await ends('time_zone=Europe/Berlin')).toEqual(['2031-06-01', '2031-07-01']);
  expect(await ends('from=2031-02-01')).toEqual(['2031-02-01', '2031-03-03']);
});

describe('how much of it', () => {
  test('each day has its first entries, and says how many it leaves out', async () => {
    for (let index = 0; index < 7; index += 1)
      await make('stories', { title: `Early ${index}`, scheduled_at: `2110-01-01T0${index}:00:00Z` });
    await make('essays', { title: 'Late', scheduled_at: '2110-01-01T02:30:00Z' });
    await make('stories', { title: 'Next', scheduled_at: '2110-01-02T10:00:00Z' });
    const { total, left_out, days, items } = await calendar('from=2110-01-01&to=2110-01-03&per_day=4');
    expect([total, left_out]).toEqual([9, 4]);
    expect(days.map((day: Record<string, unknown>) => [day.total, day.left_out])).toEqual([
      [8, 4],
      [1, 0],
    ]);
    expect(items.map(({ title: name }: Record<string, unknown>) => name)).toEqual([
      ...['Early 0', 'Early 1', 'Early 2', 'Late', 'Next'],
    ]);
  });

  test('a crowded day hides no other day', async () => {
    const crowded = await TestService.open(definitions.slice(0, 1), { maxPageSize: 5 });
    await using _ = crowded;
    await crowded.account('eve', 'editor');
    for (let index = 0; index < 9; index += 1)
      await crowded.send('POST /api/v1/admin/cms/stories', {
        as: 'eve',
        body: { title: `S${index}`, scheduled_at: `2110-01-0${index < 8 ? 1 : 3}T0${index}:00:00Z` },
      });
    const { json } = await crowded.send(`GET ${root}?from=2110-01-01&to=2110-01-05`, { as: 'eve' });
    expect(json.days.map((day: Record<string, unknown>) => day.total)).toEqual([8, 0, 1, 0]);
    expect(json.items.map((each: Record<string, unknown>) => each.title)).toEqual(['S0', 'S1', 'S2', 'S3', 'S4', 'S8']);
    expect([json.total, json.left_out]).toEqual([9, 3]);
  });

  test.each([
    'from=2101-02-30&to=2101-03-03',
    'from=2101-03-03&to=2101-03-03',
    'from=2101-03-03&to=2101-03-01',
    'from=2101-01-01&to=2101-12-31',
    'from=0999-01-01&to=0999-01-02',
    'to=2999-01-01',
    'from=2101-03-01&to=2101-03-02&time_zone=Mars/Base',
    'from=2101-03-01&to=2101-03-02&per_day=0',
    'from=2101-03-01&to=2101-03-02&per_day=101',
    'from=2101-03-01&to=2101-03-02&kind=other',
    'from=2101-03-01&to=2101-03-02&type=nothing',
    'from=2101-03-01&to=2101-03-02&type=topics',
    'from=2101-03-01&to=2101-03-02&strange=1',
  ])('%p is no question', async (query) => {
    expect((await send(`GET ${root}?${query}`)).status).toBe(400);
  });
});

describe('to whom', () => {
  const day = 'from=2120-01-01&to=2120-01-02';
  beforeAll(async () => {
    await make('stories', { title: 'Open', scheduled_at: '2120-01-01T10:00:00Z' });
    await make('stories', { title: 'Secret', scheduled_at: '2120-01-01T11:00:00Z' });
    await make('essays', { title: 'An essay', scheduled_at: '2120-01-01T12:00:00Z' });
    await make('offers', { title: 'Of acme', scheduled_at: '2120-01-01T13:00:00Z' }, 'tea');
    await must(201, 'POST /api/v1/admin/releases', { name: 'Of all', scheduled_at: '2120-01-01T14:00:00Z' });
    await must(201, 'POST /api/v1/admin/releases', { name: 'Of tea', scheduled_at: '2120-01-01T15:00:00Z' }, 'tea');
  });
  const names = async (as: string, query = day) =>
    (await shown(query, as)).map(([name]: readonly (string | null)[]) => name);

  test('a role sees records of lists that it gets, without what it does not read, and no releases without the right', async () => {
    expect(await names('writer')).toEqual([null]);
    const { total, days } = await calendar(day, 'writer');
    expect([total, days[0].total]).toEqual([1, 1]);
    expect((await send(`GET ${root}?${day}&type=essays`, undefined, 'writer')).status).toBe(400);
  });

  test('a role that does not read the time sees nothing of it', async () => {
    expect(await calendar(day, 'timeless')).toMatchObject({ items: [], total: 0 });
    expect((await send(`GET ${root}?${day}&type=stories`, undefined, 'timeless')).status).toBe(400);
  });

  test('tenants are apart', async () => {
    expect(await names('tea')).toContain('Of acme');
    expect(await names('tea')).toContain('Of tea');
    expect(await names('tea')).not.toContain('Of all');
    expect(await names('eve', `${day}&kind=release`)).toEqual(['Of all']);
  });

  test('members and strangers have none', async () => {
    expect((await send(`GET ${root}?${day}`, undefined, 'mia')).status).toBe(403);
    expect((await service.send(`GET ${root}?${day}`)).status).toBe(401);
  });

  test('the scopes of a token narrow it', async () => {
    const token = async (scopes: readonly string[]) =>
      (await must(201, 'POST /api/v1/admin/api-tokens', { name: scopes.join(), role: 'editor', scopes }, 'ada')).token;
    const kinds = async (bearer: string) => {
      const { json } = await service.send(`GET ${root}?${day}`, { headers: { Authorization: `Bearer ${bearer}` } });
      return [...new Set(json.items.map((each: Record<string, unknown>) => each.type ?? each.kind))].toSorted();
    };
    expect(await kinds(await token(['stories:read']))).toEqual(['story']);
    expect(await kinds(await token(['releases:read']))).toEqual(['release']);
  });
});

describe('moving what is on it', () => {
  test('a record whose time somebody has changed meanwhile keeps theirs', async () => {
    const id = await make('stories', { title: 'Moved', scheduled_at: '2130-01-01T10:00:00Z' });
    const path = `/api/v1/admin/cms/stories/${id}`;
    const { headers } = await send(`GET ${path}`);
    const tag = headers.get('etag') ?? '';
    await must(200, `PUT ${path}`, { scheduled_at: '2130-01-02T10:00:00Z' }, 'ada');
    const late = await send(`PUT ${path}`, { scheduled_at: '2130-01-03T10:00:00Z' }, 'eve', { 'If-Match': tag });
    expect(late.status).toBe(409);
    expect(await shown('from=2130-01-01&to=2130-01-05')).toEqual([['Moved', '2130-01-02T10:00:00.000Z']]);
  });

  test('a scheduled release is moved by who knows its time, and stays scheduled', async () => {
    const root = '/api/v1/admin/releases';
    const { id } = await must(201, `POST ${root}`, { name: 'Moved', scheduled_at: '2131-01-01T10:00:00Z' });
    const schedule = (body: object, as = 'eve') => send(`POST ${root}/${id}/schedule`, body, as);
    expect((await schedule({})).json.status).toBe('scheduled');
    const move = { scheduled_at: '2131-01-02T10:00:00Z', known_at: '2131-01-01T10:00:00.000Z' };
    expect((await schedule(move, 'ada')).json).toMatchObject({
      status: 'scheduled',
      scheduled_at: '2131-01-02T10:00:00.000Z',
    });
    const late = await schedule({ ...move, scheduled_at: '2131-01-03T10:00:00Z' });
    expect([late.status, late.json.code]).toEqual([409, 'release_changed']);
    expect((await schedule({ scheduled_at: '2131-01-03T10:00:00Z' })).json.code).toBe('release_scheduled');
    const past = await schedule({ scheduled_at: '2001-01-01T00:00:00Z', known_at: '2131-01-02T10:00:00Z' });
    expect(past.status).toBe(422);
  });

  test('so is one that is only planned', async () => {
    const root = '/api/v1/admin/releases';
    const { id } = await must(201, `POST ${root}`, { name: 'Planned', scheduled_at: '2132-01-01T10:00:00Z' });
    const put = (body: object) => send(`PUT ${root}/${id}`, body);
    const move = { scheduled_at: '2132-01-02T10:00:00Z', known_at: '2132-01-01T10:00:00Z' };
    expect((await put(move)).json).toMatchObject({ status: 'open', scheduled_at: '2132-01-02T10:00:00.000Z' });
    const late = await put({ ...move, scheduled_at: '2132-01-03T10:00:00Z' });
    expect([late.status, late.json.code]).toEqual([409, 'release_changed']);
  });
});
