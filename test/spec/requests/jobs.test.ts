import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Type from 'typebox';
import type { JobType } from '../../../packages/recto/src/jobs/job-kind.ts';
import { TestService } from '../../support/service.ts';

// Background work as people see it: `/api/v1/admin/jobs`.

const root = '/api/v1/admin/jobs';
const kind: JobType = { name: 'test.unknown', payload: Type.Object({}), attempts: 4 };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([]);
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('ned', 'editor');
  await service.account('mia');
  await service.account('tea', 'admin', 'acme');
});
afterAll(() => service[Symbol.asyncDispose]());

const enqueue = (as: string | null, options: object = {}): Promise<string> =>
  service.jobs.enqueue(kind, {}, { createdBy: as === null ? null : service.idOf(as), ...options });

test('a job is shown to admins and to its maker, without its payload', async () => {
  const id = await enqueue('eve');
  const job = {
    ...{ id, kind: 'test.unknown', state: 'queued', priority: 0, attempts: 0, max_attempts: 4, progress: null },
    ...{
      result: null,
      error: null,
      scheduled: false,
      created_by: service.idOf('eve'),
      started_at: null,
      finished_at: null,
    },
    ...{ run_at: expect.any(String), created_at: expect.any(String) },
  };
  for (const as of ['ada', 'eve']) {
    const reply = await service.send(`GET ${root}/${id}`, { as });
    expect([reply.status, reply.json]).toEqual([200, job]);
  }
  const others = await Promise.all(['ned', 'tea'].map((as) => service.send(`GET ${root}/${id}`, { as })));
  expect(others.map(({ status }) => status)).toEqual([404, 404]);
  expect((await service.send(`GET ${root}/${id}`, { as: 'mia' })).status).toBe(403);
  expect((await service.send(`GET ${root}/${id}`)).status).toBe(401);
});

test('a list has pages and filters, and for editors and tenants their own', async () => {
  const own = await enqueue('ned');
  const ofTenant = await enqueue('tea', { tenant: 'acme' });
  const list = async (query: string, as: string) => (await service.send(`GET ${root}?${query}`, { as })).json;
  expect(await list('', 'ned')).toMatchObject({ items: [{ id: own }], total: 1, page: 1, page_size: 20 });
  expect(await list('', 'tea')).toMatchObject({ items: [{ id: ofTenant }], total: 1 });
  const all = await list('kind=test.unknown&page_size=1', 'ada');
  expect(all).toMatchObject({ items: [{ id: ofTenant }], page_size: 1 });
  expect(all.total).toBeGreaterThanOrEqual(3);
  expect((await list('state=failed', 'ada')).total).toBe(0);
  expect((await service.send(`GET ${root}?state=lost`, { as: 'ada' })).status).toBe(400);
});

describe('a change', () => {
  test('cancels a job that waits, and queues it anew', async () => {
    const id = await enqueue('eve', { runAt: Date.now() + 3_600_000 });
    const cancelled = await service.send(`POST ${root}/${id}/cancel`, { as: 'eve' });
    expect([cancelled.status, cancelled.json.state]).toEqual([200, 'cancelled']);
    expect(cancelled.json.finished_at).not.toBeNull();
    const again = await service.send(`POST ${root}/${id}/cancel`, { as: 'eve' });
    expect([again.status, again.json.code]).toEqual([409, 'job_not_cancellable']);
    const retried = await service.send(`POST ${root}/${id}/retry`, { as: 'ada' });
    expect(retried.json).toMatchObject({ state: 'queued', finished_at: null });
    expect(Date.parse(retried.json.run_at)).toBeLessThanOrEqual(Date.now());
    expect((await service.send(`POST ${root}/${id}/retry`, { as: 'ned' })).status).toBe(404);
  });

  test('does not end what runs by a schedule', async () => {
    await service.runJobs();
    const { items } = (await service.send(`GET ${root}?page_size=100`, { as: 'ada' })).json;
    const { id } = items.find((job: { kind: string }) => job.kind === 'records.scheduled_updates');
    expect((await service.jobs.store.get(id))?.key).toStartWith('periodic:');
    const refused = await service.send(`POST ${root}/${id}/cancel`, { as: 'ada' });
    expect([refused.status, refused.json.code]).toEqual([409, 'job_not_cancellable']);
  });
});

test('what a service does by itself moves what is due, and removes what has expired', async () => {
  const type = { singular: 'story', plural: 'stories', protocols: [{ name: 'statusable', schedule: 'published' }] };
  let now = Date.now();
  await using moving = await TestService.open([type], { now: () => now });
  const { id } = await moving.seed('stories', { scheduled_at: new Date(now + 60_000).toISOString() });
  await moving.account('ada', 'admin');
  const status = async () => (await moving.send(`GET /api/v1/admin/cms/stories/${id}`, { as: 'ada' })).json.status;
  await moving.runJobs();
  expect(await status()).toBe('draft');
  now += 60_000;
  await moving.runJobs();
  expect(await status()).toBe('published');
  const headers = { 'Idempotency-Key': 'once' };
  expect((await moving.send('POST /api/v1/cms/stories', { as: 'ada', headers, body: {} })).status).toBe(201);
  const kept = () => moving.database.rows({ sql: 'SELECT id FROM recto_idempotency_keys', parameters: [] });
  expect(await kept()).toHaveLength(1);
  now += 26 * 3_600_000;
  await moving.runJobs();
  expect(await kept()).toHaveLength(0);
});
