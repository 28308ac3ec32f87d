// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';
import { plantedId } from '../rules/planted.ts';

// Records that are assigned to people, with a time by which the work is due.

const title = { name: 'title', field_type: 'text' };
const open = { create: { access: 'public' }, update: { access: 'public' } };
const definitions = [
  { singular: 'story', plural: 'stories', protocols: ['assignable', 'ownable'], fields: [title], api: open },
  {
    singular: 'essay',
    plural: 'essays',
    protocols: ['assignable', 'statusable', { name: 'versionable', drafts: true }],
    fields: [title],
  },
  { singular: 'memo', plural: 'memos', protocols: ['assignable', 'tenantable'], fields: [title] },
  { singular: 'front', plural: 'fronts', kind: 'single', protocols: ['assignable'], fields: [title] },
];
const whole = { create: true, get: true, list: true, update: true };
const roles = [
  {
    name: 'writer',
    types: {
      story: {
        ...whole,
        get: 'assignee = @request.auth.id',
        list: 'assignee = @request.auth.id',
        read: { only: ['title', 'assignee'] },
      },
    },
  },
  {
    name: 'reader',
    types: { story: { get: true, list: true }, essay: { get: true, list: true } },
  },
  { name: 'outsider', types: { essay: { ...whole, read: { only: ['title', 'status', '__draft'] } } } },
  { name: 'blind', types: { story: { ...whole, read: { only: ['title'] }, write: { only: ['title'] } } } },
];

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await TestService.open(definitions, { roles });
  for (const [name, role] of [
    ['ada', 'admin'],
    ['eve', 'editor'],
    ['wim', 'writer'],
    ['rob', 'reader'],
    ['otto', 'outsider'],
    ['bo', 'blind'],
    ['mia', 'member'],
    ['gone', 'editor'],
    ['off', 'editor'],
  ] as const)
    ids[name] = await service.account(name, role);
  for (const tenant of ['acme', 'globex']) ids[tenant] = await service.account(tenant, 'editor', tenant);
  await ok(service.send(`PUT /api/v1/admin/users/${ids.off}`, { as: 'ada', body: { disabled: true } }));
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const errors = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? [json]).map(({ field, code }: Record<string, string>) => `${field ?? ''} ${code}`.trim()),
];
const admin = (plural: string) => `/api/v1/admin/cms/${plural}`;
const create = (plural: string, body: object, as = 'eve') => service.send(`POST ${admin(plural)}`, { as, body });
const update = (plural: string, id: string, body: object, as = 'eve') =>
  service.send(`PUT ${admin(plural)}/${id}`, { as, body });

describe('an assignee', () => {
  test('is an account that can get the record', async () => {
    for (const name of ['ada', 'eve', 'rob']) {
      const made = await ok(create('stories', { title: 'A', assignee: ids[name] }), 201);
      expect(made).toMatchObject({ assignee: ids[name], due_at: null });
    }
    for (const name of ['mia', 'otto', 'off'])
      expect([name, ...errors(await create('stories', { title: 'A', assignee: ids[name] }))]).toEqual([
        name,
        422,
        'assignee not_allowed',
      ]);
    expect(errors(await create('stories', { assignee: plantedId(1) }))).toEqual([422, 'assignee unknown_record']);
    expect((await ok(service.send(`GET ${admin('stories')}`, { as: 'eve' }))).total).toBe(3);
  });

  test('by the record as it is then: a role that gets what it is assigned', async () => {
    const made = await ok(create('stories', { title: 'Mine' }), 201);
    await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'wim' }), 404);
    await ok(update('stories', made.id, { assignee: ids.wim }));
    expect(await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'wim' }))).toMatchObject({
      title: 'Mine',
    });
    // Who may write the field hands it on, and does not find the record any more.
    await update('stories', made.id, { assignee: ids.eve }, 'wim');
    await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'wim' }), 404);
  });

  test('may not be set by an update either, which changes nothing then', async () => {
    const made = await ok(create('stories', { title: 'B', assignee: ids.eve }), 201);
    expect(errors(await update('stories', made.id, { title: 'C', assignee: ids.mia }))).toEqual([
      422,
      'assignee not_allowed',
    ]);
    expect(await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'eve' }))).toMatchObject({
      title: 'B',
      assignee: ids.eve,
    });
  });

  test('who has lost the right stays, and other changes are made', async () => {
    const made = await ok(create('stories', { title: 'D', assignee: ids.rob }), 201);
    await ok(service.send(`PUT /api/v1/admin/users/${ids.rob}`, { as: 'ada', body: { role: 'member' } }));
    const sent = { ...made, title: 'E' };
    expect(await ok(update('stories', made.id, sent))).toMatchObject({ title: 'E', assignee: ids.rob });
    expect(errors(await create('stories', { title: 'F', assignee: ids.rob }))).toEqual([422, 'assignee not_allowed']);
    await ok(service.send(`PUT /api/v1/admin/users/${ids.rob}`, { as: 'ada', body: { role: 'reader' } }));
  });

  test('is cleared when the account is deleted', async () => {
    const made = await ok(create('stories', { title: 'G', assignee: ids.gone, due_at: '2999-01-01T00:00:00Z' }), 201);
    await ok(service.send(`DELETE /api/v1/admin/users/${ids.gone}`, { as: 'ada' }), 204);
    expect(await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'eve' }))).toMatchObject({
      assignee: null,
      due_at: '2999-01-01T00:00:00.000Z',
    });
  });

  test('belongs to the tenant, or to none', async () => {
    const made = await ok(create('memos', { title: 'T', assignee: ids.acme }, 'acme'), 201);
    expect(errors(await update('memos', made.id, { assignee: ids.globex }, 'acme'))).toEqual([
      422,
      'assignee unknown_record',
    ]);
    expect(await ok(update('memos', made.id, { assignee: ids.ada }, 'acme'))).toMatchObject({ assignee: ids.ada });
    // On records that tenants share, an account of another tenant is unknown as well.
    const shared = await ok(create('stories', { title: 'S' }), 201);
    expect(errors(await update('stories', shared.id, { assignee: ids.globex }, 'acme'))).toEqual([
      422,
      'assignee unknown_record',
    ]);
    await ok(update('stories', shared.id, { assignee: ids.acme }, 'acme'));
    // A record of no tenant is not there for one of a tenant.
    const own = await ok(create('memos', { title: 'U' }, 'ada'), 201);
    expect(errors(await update('memos', own.id, { assignee: ids.acme }, 'ada'))[0]).toBe(422);
  });

  test('can be one of a single type', async () => {
    const { id } = await ok(service.send('GET /api/v1/cms/front'));
    expect(await ok(update('fronts', id, { assignee: ids.eve }))).toMatchObject({ assignee: ids.eve });
    expect(errors(await update('fronts', id, { assignee: ids.wim }))).toEqual([422, 'assignee not_allowed']);
  });
});

describe('both fields', () => {
  test('are found by filters and orders of admin lists, and by their own id', async () => {
    const made = await ok(create('stories', { title: 'Due', assignee: ids.ada, due_at: '2001-01-01T00:00:00Z' }), 201);
    const list = async (query: string, as: string) =>
      (await ok(service.send(`GET ${admin('stories')}?${query}`, { as }))).items.map(({ id }: { id: string }) => id);
    const mine = encodeURIComponent('assignee = @request.auth.id && due_at < @now');
    expect(await list(`filter=${mine}`, 'ada')).toEqual([made.id]);
    expect(await list(`filter=${mine}`, 'eve')).toEqual([]);
    expect((await list('filter=due_at%20!%3D%20null&sort=due_at:asc', 'eve'))[0]).toBe(made.id);
  });

  test('are in no public answer, filter or write', async () => {
    const made = await ok(create('stories', { title: 'P', assignee: ids.eve, due_at: '2999-01-01T00:00:00Z' }), 201);
    const path = `/api/v1/cms/stories/${made.id}`;
    const shown = await ok(service.send(`GET ${path}`, { as: 'ada' }));
    expect(['assignee' in shown, 'due_at' in shown]).toEqual([false, false]);
    for (const query of ['filter=due_at%20!%3D%20null', `assignee=${ids.eve}`, 'sort=due_at:asc', 'include=assignee'])
      expect((await service.send(`GET /api/v1/cms/stories?${query}`)).status).toBe(400);
    for (const body of [{ assignee: ids.eve }, { due_at: null }]) {
      expect(errors(await service.send(`PUT ${path}`, { as: 'mia', body }))).toEqual([403, 'insufficient_role']);
      expect(errors(await service.send(`PUT ${path}`, { body }))).toEqual([403, 'insufficient_role']);
    }
    // No profile shows because of an assignment.
    expect((await service.send(`GET /api/v1/users/${ids.eve}`)).status).toBe(404);
  });

  test('are for roles that may write them', async () => {
    const made = await ok(create('stories', { title: 'R', assignee: ids.eve }), 201);
    expect(
      (await service.send(`PUT ${admin('stories')}/${made.id}`, { as: 'rob', body: { assignee: null } })).status,
    ).toBe(403);
    expect(errors(await update('stories', made.id, { assignee: null }, 'bo'))).toEqual([422, 'assignee unknown_field']);
    const seen = await ok(service.send(`GET ${admin('stories')}/${made.id}`, { as: 'bo' }));
    expect('assignee' in seen).toBe(false);
  });

  test('change at once where a record has a draft, and stay when a revision is restored', async () => {
    const made = await ok(create('essays', { title: 'one', status: 'published', assignee: ids.eve }), 201);
    const path = `${admin('essays')}/${made.id}`;
    expect(errors(await service.send(`PUT ${path}?draft=true`, { as: 'eve', body: { assignee: null } }))).toEqual([
      422,
      'assignee not_in_draft',
    ]);
    expect(
      errors(await service.send(`PUT ${path}?draft=true`, { as: 'eve', body: { due_at: '2999-01-01T00:00:00Z' } })),
    ).toEqual([422, 'due_at not_in_draft']);
    await ok(service.send(`PUT ${path}?draft=true`, { as: 'eve', body: { title: 'two' } }));
    // A role that reads neither reads drafts: they are in none.
    const draft = await ok(service.send(`GET ${path}?draft=true`, { as: 'otto' }));
    expect([draft.title, 'assignee' in draft]).toEqual(['two', false]);
    await ok(update('essays', made.id, { assignee: ids.otto, due_at: '2999-01-01T00:00:00Z' }));
    await ok(service.send(`POST ${path}/publish`, { as: 'eve' }));
    const restored = await ok(service.send(`POST ${path}/revisions/1/restore`, { as: 'eve' }));
    expect(restored).toMatchObject({ title: 'one', assignee: ids.otto, due_at: '2999-01-01T00:00:00.000Z' });
  });

  test('of several records are set at once, or none is', async () => {
    const some = await Promise.all(['X', 'Y'].map(async (name) => ok(create('stories', { title: name }), 201)));
    const batch = (assignee: string | undefined) =>
      service.send(`POST ${admin('stories')}/batch`, {
        as: 'eve',
        body: { action: 'update', ids: some.map(({ id }) => id), set: { assignee } },
      });
    const refused = await batch(ids.mia);
    expect(errors(refused)).toEqual([422, 'ids[0].assignee not_allowed', 'ids[1].assignee not_allowed']);
    expect((await batch(ids.eve)).status).toBeLessThan(300);
    for (const { id } of some)
      expect(await ok(service.send(`GET ${admin('stories')}/${id}`, { as: 'eve' }))).toMatchObject({
        assignee: ids.eve,
      });
  });

  test('are named by the log', async () => {
    const made = await ok(create('stories', { title: 'L' }), 201);
    await ok(update('stories', made.id, { assignee: ids.eve, due_at: '2999-01-01T00:00:00Z' }));
    const { items } = await ok(service.send(`GET /api/v1/admin/events?record=${made.id}`, { as: 'ada' }));
    expect(items.map(({ changed }: { changed: string[] }) => changed.toSorted())).toContainEqual([
      'assignee',
      'due_at',
    ]);
  });
});
