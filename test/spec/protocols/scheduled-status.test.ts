// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AnswerCache } from '../../../packages/recto/src/records/answers/answer-cache.ts';
import { CursorSealer } from '../../../packages/recto/src/records/answers/cursor-sealer.ts';
import { type FailedUpdate, ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { Records } from '../../../packages/recto/src/records/records.ts';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// A status that moves by itself at a time that editors set. The clock is the one that the work is given.

const title = { name: 'title', field_type: 'text' };
const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const scheduled = {
  name: 'statusable',
  values: ['draft', 'review', 'live', 'gone'],
  transitions: { draft: ['review', 'live'], review: ['draft', 'live'], live: ['gone', 'draft'] },
  schedule: 'live',
};
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: ['timestampable', 'ownable', 'lockable', scheduled],
  fields: [title],
  api: { ...open, list: { cache: true, filter: 'status = "live"' }, get: { cache: true, filter: 'status = "live"' } },
};
const memo = {
  singular: 'memo',
  plural: 'memos',
  protocols: ['soft_deletable', scheduled],
  fields: [title],
  api: open,
};
const site = { singular: 'site', kind: 'single', protocols: [scheduled], fields: [title] };

const cursors = new CursorSealer('a secret of the tests, long enough');

const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const [soon, later] = [at(24), at(48)];

let service: TestService;
let failures: FailedUpdate[];
let updates: ScheduledUpdates;
beforeAll(async () => {
  service = await TestService.open([story, memo, site], { builtIn: true });
  await service.account('mia');
  await service.account('eve', 'editor');
  failures = [];
  updates = new ScheduledUpdates(service.records, (failure) => failures.push(failure));
});
afterAll(() => service[Symbol.asyncDispose]());

const send = async (line: string, body?: object, as = 'eve'): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const make = async (body: object, plural = 'stories'): Promise<Reply['json']> =>
  (await send(`POST /api/v1/admin/cms/${plural}`, body)).json;
const stored = async (id: string, plural = 'stories'): Promise<Reply['json']> =>
  (await send(`GET /api/v1/admin/cms/${plural}/${id}`)).json;
const put = (id: string, body: object, plural = 'stories'): Promise<Reply> =>
  send(`PUT /api/v1/admin/cms/${plural}/${id}`, body);
const faultsOf = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? []).map((fault: Record<string, string>) => `${fault.field} ${fault.code}`),
];

test('a record is moved when its time has come, and not before', async () => {
  const made = await make({ title: 'a', scheduled_at: soon });
  expect([made.status, made.scheduled_at]).toEqual(['draft', soon]);
  expect((await send(`GET /api/v1/cms/stories/${made.id}`)).status).toBe(404);
  expect((await send('GET /api/v1/cms/stories')).json.total).toBe(0);
  expect((await send('GET /api/v1/cms/stories')).headers.get('cache-status')).toContain('hit');

  expect(await updates.run(at(23))).toBe(soon);
  expect((await stored(made.id)).status).toBe('draft');
  expect(await updates.run(at(25))).toBeNull();
  expect(await stored(made.id)).toMatchObject({
    status: 'live',
    scheduled_at: null,
    lock_version: 2,
    updated_by: null,
    created_by: made.created_by,
  });
  expect((await stored(made.id)).updated_at > made.updated_at).toBe(true);
  expect((await send('GET /api/v1/cms/stories')).json.total).toBe(1);
  expect(failures).toEqual([]);
});

test('a time that is past means at once, in the write itself', async () => {
  const made = await make({ title: 'a', scheduled_at: at(-1) });
  expect([made.status, made.scheduled_at]).toEqual(['live', null]);
  const { id } = await make({ title: 'b' });
  expect((await put(id, { scheduled_at: at(-1) })).json).toMatchObject({ status: 'live', scheduled_at: null });
  expect((await put(id, { scheduled_at: at(-1) })).json).toMatchObject({ status: 'live', lock_version: 3 });
});

describe('what may be planned', () => {
  test('a move that is not allowed is rejected when it is planned', async () => {
    const { id } = await make({ title: 'a', status: 'gone' });
    expect(faultsOf(await put(id, { scheduled_at: soon }))).toEqual([422, 'scheduled_at transition_not_allowed']);
    expect(faultsOf(await put(id, { scheduled_at: at(-1) }))).toEqual([422, 'scheduled_at transition_not_allowed']);
    expect((await stored(id)).status).toBe('gone');
  });

  test('there is nothing to plan for a record that is there already', async () => {
    const { id } = await make({ title: 'a', status: 'live' });
    expect(faultsOf(await put(id, { scheduled_at: soon }))).toEqual([422, 'scheduled_at transition_not_allowed']);
    const both = await send('POST /api/v1/admin/cms/stories', { status: 'live', scheduled_at: soon });
    expect(faultsOf(both)).toEqual([422, 'scheduled_at transition_not_allowed']);
    // Away and back again, in one update.
    const again = await put(id, { status: 'draft', scheduled_at: soon });
    expect(again.json).toMatchObject({ status: 'draft', scheduled_at: soon });
  });

  test('only editors and admins plan, by any route', async () => {
    const { id } = await make({ title: 'a' });
    const body = { scheduled_at: soon };
    for (const [line, as] of [
      [`PUT /api/v1/cms/stories/${id}`, 'mia'],
      ['POST /api/v1/cms/stories', 'mia'],
    ] as const) {
      const { status, json } = await send(line, body, as);
      expect([status, json.code]).toEqual([403, 'insufficient_role']);
    }
    expect((await service.send('POST /api/v1/cms/stories', { body })).status).toBe(403);
    expect((await send('POST /api/v1/cms/stories', body)).status).toBe(201);
    // What changes nothing is no plan.
    expect((await send('POST /api/v1/cms/stories', { scheduled_at: null }, 'mia')).status).toBe(201);
  });

  test('whether it is planned, and when, cannot be found out by sending it', async () => {
    const planned = await make({ title: 'a', scheduled_at: soon });
    const other = await make({ title: 'a' });
    for (const { id } of [planned, other]) {
      for (const scheduled_at of [null, soon, later]) {
        const { status, json } = await send(`PUT /api/v1/cms/stories/${id}`, { scheduled_at }, 'mia');
        expect([status, json.code]).toEqual([403, 'insufficient_role']);
      }
    }
    expect((await stored(planned.id)).scheduled_at).toBe(soon);
  });

  test('public routes do not show it', async () => {
    const { id } = await make({ status: 'live' });
    expect((await send(`GET /api/v1/cms/stories/${id}`)).json).not.toHaveProperty('scheduled_at');
    expect((await send('GET /api/v1/cms/stories?sort=scheduled_at:asc')).status).toBe(400);
    expect((await send('GET /api/v1/admin/cms/stories?sort=scheduled_at:desc')).status).toBe(200);
  });

  test('without the option there is no column', async () => {
    const type = definitionsOf({ ...story, api: open, protocols: ['statusable'] }).get('story');
    expect(type.field.has('scheduled_at')).toBe(false);
    expect(() => definitionsOf({ ...story, protocols: [{ name: 'statusable', schedule: 'lve' }] })).toThrow(
      '"lve" is not one of the values',
    );
  });
});

describe('what a person does before', () => {
  test.each([
    ['a move to the state', 'live', 'live'],
    ['a move to another', 'review', 'review'],
  ])('%s ends the plan', async (_, status, expected) => {
    const { id } = await make({ scheduled_at: soon });
    expect((await put(id, { status })).json).toMatchObject({ status: expected, scheduled_at: null });
    await updates.run(later);
    expect((await stored(id)).status).toBe(expected);
  });

  test('other changes leave it, and a fetched record can be put back', async () => {
    const { id } = await make({ scheduled_at: soon });
    const changed = await put(id, { title: 'b' });
    expect(changed.json.scheduled_at).toBe(soon);
    expect((await put(id, changed.json)).json).toMatchObject({ status: 'draft', scheduled_at: soon });
    expect((await put(id, { ...changed.json, lock_version: 3, status: 'live' })).json).toMatchObject({
      status: 'live',
      scheduled_at: null,
    });
  });

  test('it can be put off, brought forward and given up', async () => {
    const { id } = await make({ scheduled_at: soon });
    await put(id, { scheduled_at: later });
    await updates.run(at(25));
    expect((await stored(id)).status).toBe('draft');
    await put(id, { scheduled_at: null });
    await updates.run(at(72));
    expect((await stored(id)).status).toBe('draft');
  });

  test('what is deleted is not moved; restored, it is', async () => {
    const { id } = await make({ scheduled_at: soon }, 'memos');
    await send(`DELETE /api/v1/admin/cms/memos/${id}`);
    await updates.run(later);
    expect((await send(`GET /api/v1/admin/cms/memos/${id}?deleted=only`)).json.status).toBe('draft');
    await send(`POST /api/v1/admin/cms/memos/${id}/restore`);
    await updates.run(later);
    expect((await stored(id, 'memos')).status).toBe('live');
  });
});

test('a single type moves too', async () => {
  const { id } = (await send('GET /api/v1/cms/site')).json;
  await put(id, { scheduled_at: soon }, 'site');
  await updates.run(later);
  expect((await send('GET /api/v1/cms/site')).json.status).toBe('live');
});

test.each(['posts', 'pages'])('%s are published at a time', async (plural) => {
  const body = { title: `Soon in ${plural}`, scheduled_at: soon };
  expect((await send(`POST /api/v1/${plural}`, body, 'mia')).status).toBe(403);
  const { headers } = await send(`POST /api/v1/${plural}`, body);
  const path = headers.get('location') ?? '';
  expect((await send(`GET ${path}`)).status).toBe(404);
  await updates.run(later);
  const { json } = await send(`GET ${path}`);
  expect(json).toMatchObject({ status: 'Published', published_at: json.updated_at });
  const past = await send(`POST /api/v1/${plural}`, { title: 'Now', scheduled_at: at(-1) });
  expect(past.json).toMatchObject({ status: 'Published', published_at: past.json.created_at });
});

describe('what cannot be done', () => {
  test('is reported once and left for a person; the others are moved all the same', async () => {
    // A definition that has come since knows no move that was planned under the earlier one.
    await using changed = await TestService.open([story]);
    await changed.account('eve', 'editor');
    const ids: string[] = [];
    for (const status of ['draft', 'review', 'draft']) {
      const sent = { as: 'eve', body: { status, scheduled_at: soon } };
      ids.push((await changed.send('POST /api/v1/admin/cms/stories', sent)).json.id);
    }
    const narrow = { ...scheduled, transitions: { review: ['live'] } };
    const { database } = changed;
    const types = definitionsOf({ ...story, protocols: ['timestampable', 'ownable', 'lockable', narrow] });
    const reported: FailedUpdate[] = [];
    const records = new Records({ limits: changed.records.limits, answers: changed.answers, cursors, database, types });
    const narrowed = new ScheduledUpdates(records, (failure) => reported.push(failure));
    await narrowed.run(later);
    await changed.seed('stories', { title: 'a write, so that all is looked through again' });
    await narrowed.run(later);
    const expected = [ids[0], ids[2]].map((id) => `story ${id} ${soon}`);
    expect(reported.map(({ type, id, at: due }) => `${type} ${id} ${due}`)).toEqual(expected);
    const { items } = (await changed.send('GET /api/v1/admin/cms/stories?status=live', { as: 'eve' })).json;
    expect(items).toMatchObject([{ id: ids[1] }]);
  });
});

test('several processes move each record once, whatever their clocks say', async () => {
  const made = await Promise.all(Array.from({ length: 230 }, () => make({ scheduled_at: soon })));
  const others = await Promise.all([1, 2, 3].map(() => service.database.again()));
  const { types, limits } = service.records;
  const workers = others.map((database) => {
    const answers = new AnswerCache(database.generations, { maxBytes: 0, ttlSeconds: 0 });
    return new ScheduledUpdates(new Records({ cursors, database, types, limits, answers }), (failure) =>
      failures.push(failure),
    );
  });
  // One is a minute ahead, one behind: it comes when the others are done, and again.
  const clocks = [24.1, 24.117, 24.2];
  await Promise.all(workers.map((worker, index) => worker.run(at(clocks[index] ?? 25))));
  for (const worker of workers) await worker.run(later);
  for (const { id } of made) expect(await stored(id)).toMatchObject({ status: 'live', lock_version: 2 });
  expect(failures).toEqual([]);
  await Promise.all(others.map((database) => database.close()));
});
