// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../support/service.ts';

// What must hold when many want the same at the same moment.

const times = 50;
const definitions = [
  {
    singular: 'page-view',
    plural: 'page-views',
    protocols: ['lockable'],
    fields: [
      { name: 'title', field_type: 'text', required: true },
      { name: 'slug', field_type: 'uid', target_field: 'title' },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'number', field_type: 'integer', unique: true },
      {
        name: 'partner',
        field_type: 'relation',
        relation: { relation_type: 'one_to_one', target: 'page-views' },
      },
    ],
    api: { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
});
afterAll(() => service.database.close());

const path = '/api/v1/cms/page-views';
const together = (work: (index: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)));
const create = (body: object) => service.send(`POST ${path}`, { body });

/** How many answers there were of each status, and of each fault. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const faults = (json?.errors ?? []).map((each: { field: string; code: string }) => ` ${each.field} ${each.code}`);
    const outcome = `${status}${faults.join('') || (status >= 400 ? ` ${json.code}` : '')}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

async function total(query: string): Promise<number> {
  return (await service.send(`GET ${path}?${query}`)).json.total;
}

describe(`${times} at once`, () => {
  test('create the same unique value: one does', async () => {
    const replies = await together(() => create({ title: 'unique', code: 'one' }));
    expect(tally(replies)).toEqual({ '201': 1, '422 code taken': times - 1 });
    expect(await total('code=one')).toBe(1);
  });

  test('create two unique values in common: one does, the other gets both errors', async () => {
    const replies = await together(() => create({ title: 'unique', code: 'two', number: 2 }));
    expect(tally(replies)).toEqual({ '201': 1, '422 code taken number taken': times - 1 });
  });

  test('update to the same unique value: one does', async () => {
    const made = await together((index) => create({ title: `update ${index}` }));
    const replies = await together((index) =>
      service.send(`PUT ${path}/${made[index]?.json.id}`, { body: { code: 'three' } }),
    );
    expect(tally(replies)).toEqual({ '200': 1, '422 code taken': times - 1 });
    expect(await total('code=three')).toBe(1);
  });

  test('take the same partner of one_to_one: one does', async () => {
    const { json } = await create({ title: 'partner' });
    const replies = await together(() => create({ title: 'with partner', partner: json.id }));
    expect(tally(replies)).toEqual({ '201': 1, '422 partner taken': times - 1 });
  });

  test('create the same title: all do, each with a slug of its own', async () => {
    const replies = await together(() => create({ title: 'The same title' }));
    expect(tally(replies)).toEqual({ '201': times });
    const slugs = new Set(replies.map(({ json }) => json.slug));
    const wanted = Array.from({ length: times - 1 }, (_, index) => `the-same-title-${index + 2}`);
    expect(slugs).toEqual(new Set(['the-same-title', ...wanted]));
  });

  test('update the same version: one does, the others get an error', async () => {
    const { json } = await create({ title: 'locked' });
    const replies = await together((index) =>
      service.send(`PUT ${path}/${json.id}`, { body: { title: `locked ${index}`, lock_version: 1 } }),
    );
    expect(tally(replies)).toEqual({ '200': 1, '409 lock_version_mismatch': times - 1 });
    const winner = replies.find(({ status }) => status === 200);
    expect((await service.send(`GET ${path}/${json.id}`)).json).toEqual(winner?.json);
  });

  test('update the same state by its tag: one does, the others get an error', async () => {
    const { json } = await create({ title: 'tagged' });
    const { headers } = await service.send(`GET ${path}/${json.id}`);
    const replies = await together((index) =>
      service.send(`PUT ${path}/${json.id}`, {
        body: { title: `tagged ${index}` },
        headers: { 'If-Match': headers.get('etag') ?? '' },
      }),
    );
    expect(tally(replies)).toEqual({ '200': 1, '409 stale': times - 1 });
  });

  test('update whatever it is: all do, one after another', async () => {
    const { json } = await create({ title: 'counted' });
    const replies = await together((index) =>
      service.send(`PUT ${path}/${json.id}`, { body: { title: `counted ${index}` } }),
    );
    const versions = replies.map((reply) => reply.json.lock_version).toSorted((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: times }, (_, index) => index + 2));
  });

  test('delete the same: one does, the others find nothing', async () => {
    const { json } = await create({ title: 'deleted' });
    const replies = await together(() => service.send(`DELETE ${path}/${json.id}`));
    expect(tally(replies)).toEqual({ '204': 1, '404 not_found': times - 1 });
  });

  test('update and delete the same: nobody brings it back', async () => {
    const { json } = await create({ title: 'contested' });
    const replies = await together((index) =>
      index === times / 2
        ? service.send(`DELETE ${path}/${json.id}`)
        : service.send(`PUT ${path}/${json.id}`, { body: { title: `contested ${index}` } }),
    );
    const { 200: updated = 0, 204: deleted = 0, '404 not_found': missed = 0 } = tally(replies);
    expect([deleted, updated + missed]).toEqual([1, times - 1]);
    expect((await service.send(`GET ${path}/${json.id}`)).status).toBe(404);
  });

  test('register the same address: one does', async () => {
    const body = { email: 'ada@example.com', password: 'correct horse' };
    const replies = await together(() => service.send('POST /api/v1/auth/register', { body }));
    expect(tally(replies)).toEqual({ '201': 1, '422 email taken': times - 1 });
  });

  test('use the same refresh token: one does, and the session ends', async () => {
    const body = { email: 'bea@example.com', password: 'correct horse' };
    const { json } = await service.send('POST /api/v1/auth/register', { body });
    const replies = await together(() =>
      service.send('POST /api/v1/auth/refresh', { body: { refresh_token: json.refresh_token } }),
    );
    const { 200: refreshed = 0, ...others } = tally(replies);
    expect(refreshed).toBe(1);
    expect(Object.keys(others).every((outcome) => outcome.startsWith('401'))).toBe(true);
  });
});
