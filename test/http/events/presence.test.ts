import { afterAll, beforeAll, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Who else has a record open in the admin.

const definitions = [
  { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] },
  { singular: 'story', plural: 'stories', protocols: ['tenantable'], fields: [{ name: 'title', field_type: 'text' }] },
];

let service: TestService;
let now = Date.parse('2026-11-21T10:00:00Z');
beforeAll(async () => {
  service = await TestService.open(definitions, { now: () => now });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('mia');
  await service.account('tea', 'editor', 'acme');
  await service.account('bob', 'editor', 'bolt');
  for (const as of ['eve', 'tea']) {
    const named = await service.send('PUT /api/v1/auth/me', { as, body: { display_name: `${as} <b>` } });
    expect(named.status).toBe(200);
  }
});
afterAll(() => service[Symbol.asyncDispose]());

const made = async (plural: string, body: object): Promise<string> =>
  (await service.send(`POST /api/v1/admin/cms/${plural}`, { as: 'ada', body })).json.id;
const say = (as: string, path: string) => service.send(`PUT /api/v1/admin/presence/${path}`, { as });

test('those who have the same record open see each other by name, until they leave', async () => {
  const path = `note/${await made('notes', { text: 'x' })}`;
  expect((await say('ada', path)).json).toEqual({ items: [] });
  // Without a display name or a username, what stands before the `@`.
  const other = { id: service.idOf('ada'), name: 'ada', since: '2026-11-21T10:00:00.000Z' };
  expect((await say('eve', path)).json).toEqual({ items: [other] });
  now += 30_000;
  const eve = { id: service.idOf('eve'), name: 'eve <b>', since: '2026-11-21T10:00:00.000Z' };
  expect((await say('ada', path)).json).toEqual({ items: [eve] });
  const elsewhere = `note/${await made('notes', { text: 'y' })}`;
  expect((await say('ada', elsewhere)).json).toEqual({ items: [] });
  expect((await service.send(`DELETE /api/v1/admin/presence/${path}`, { as: 'eve' })).status).toBe(204);
  expect((await say('ada', path)).json).toEqual({ items: [] });
  await say('eve', path);
  now += 76_000;
  expect((await say('ada', path)).json).toEqual({ items: [] });
  await service.runJobs();
});

test('nobody learns of a record, or of a name, that they may not see', async () => {
  const story = `story/${await made('stories', { title: 'x', tenant_id: 'acme' })}`;
  expect((await say('tea', story)).json).toEqual({ items: [] });
  expect((await say('ada', story)).json.items).toMatchObject([{ name: 'tea <b>' }]);
  expect((await say('tea', story)).json.items).toMatchObject([{ id: service.idOf('ada'), name: null }]);
  for (const [as, status] of [
    ['bob', 404],
    ['mia', 403],
  ] as const) {
    expect((await say(as, story)).status).toBe(status);
    expect((await service.send(`DELETE /api/v1/admin/presence/${story}`, { as })).status).toBe(status);
  }
  expect((await service.send(`PUT /api/v1/admin/presence/${story}`)).status).toBe(401);
  expect((await say('ada', 'none/01900000-0000-7000-8000-000000000001')).status).toBe(404);
  expect((await say('ada', 'note/01900000-0000-7000-8000-000000000001')).status).toBe(404);
});
