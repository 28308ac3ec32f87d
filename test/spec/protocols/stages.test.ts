// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { checkDefinitions } from '../../../packages/recto/src/definition/check-definitions.ts';
import { ScheduledUpdates } from '../../../packages/recto/src/records/batch/scheduled-updates.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Moves between statuses that the definition leaves to some roles: in every way in which a status changes.

const stages = {
  name: 'statusable',
  values: ['draft', 'review', 'published', 'archived'],
  default: 'draft',
  schedule: 'published',
  transitions: {
    draft: ['review'],
    review: [{ to: 'published', roles: ['editor', 'chief'] }, 'draft'],
    published: [
      { to: 'archived', roles: ['chief'] },
      { to: 'draft', roles: ['chief'] },
    ],
  },
};
const open = { access: 'member' };
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [{ name: 'versionable', drafts: true }, stages, 'soft_deletable'],
  fields: [{ name: 'title', field_type: 'text' }],
  api: { create: open, update: open },
};
const verse = {
  singular: 'verse',
  plural: 'verses',
  protocols: [{ ...stages, by_language: true }],
  fields: [{ name: 'title', field_type: 'text', localized: true }],
};
const writer = { name: 'writer', base: 'editor' };
const chief = { name: 'chief', base: 'editor' };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story, verse], {
    roles: [writer, chief],
    languages: 'en,de',
    settings: { mcp: 'publish' },
  });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('will', 'writer');
  await service.account('cleo', 'chief');
  await service.account('mia');
});
afterAll(() => service[Symbol.asyncDispose]());

const admin = '/api/v1/admin/cms/stories';
const send = (line: string, as: string, body?: unknown): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const result = ({ status, json }: Reply) => [status, json?.code ?? json?.status];
const refused = [403, 'insufficient_role'];
const made = async (status = 'draft', plural = 'stories'): Promise<string> => {
  const reply = await send(`POST /api/v1/admin/cms/${plural}`, 'ada', { title: 'A story', status });
  expect(result(reply)).toEqual([201, status]);
  return reply.json.id;
};
const statusOf = async (id: string): Promise<string> => (await send(`GET ${admin}/${id}`, 'ada')).json.status;

describe('a move that names roles', () => {
  test('is made by these alone, and by admins', async () => {
    const id = await made();
    expect(result(await send(`PUT ${admin}/${id}`, 'will', { status: 'review' }))).toEqual([200, 'review']);
    const reply = await send(`PUT ${admin}/${id}`, 'will', { status: 'published' });
    expect(result(reply)).toEqual(refused);
    expect(reply.json.detail).toBe('Only the role admin or editor or chief may set status to published.');
    expect(result(await send(`PUT ${admin}/${id}`, 'eve', { status: 'published' }))).toEqual([200, 'published']);
    expect(result(await send(`PUT ${admin}/${id}`, 'eve', { status: 'archived' }))).toEqual(refused);
    expect(result(await send(`PUT ${admin}/${id}`, 'ada', { status: 'archived' }))).toEqual([200, 'archived']);
  });

  test('leaves those that are for everyone, and those that there are not for anyone', async () => {
    const id = await made('review');
    expect(result(await send(`PUT ${admin}/${id}`, 'will', { status: 'draft' }))).toEqual([200, 'draft']);
    const reply = await send(`PUT ${admin}/${id}`, 'ada', { status: 'published' });
    expect(reply.json.errors).toEqual([
      {
        field: 'status',
        code: 'transition_not_allowed',
        message: 'The status is draft; it can become: review.',
      },
    ]);
  });

  test('holds for other changes in the same request, and for none besides', async () => {
    const id = await made('review');
    expect(result(await send(`PUT ${admin}/${id}`, 'will', { title: 'New', status: 'published' }))).toEqual(refused);
    expect((await send(`GET ${admin}/${id}`, 'ada')).json.title).toBe('A story');
    expect(result(await send(`PUT ${admin}/${id}`, 'will', { title: 'New', status: 'review' }))).toEqual([
      200,
      'review',
    ]);
  });
});

describe('each way to a status', () => {
  test('public routes', async () => {
    const id = await made('review');
    expect(result(await send(`PUT /api/v1/cms/stories/${id}`, 'mia', { status: 'published' }))).toEqual(refused);
    expect(result(await send('POST /api/v1/cms/stories', 'mia', { status: 'published' }))).toEqual(refused);
  });

  test('a new record begins where its author could bring it', async () => {
    for (const [as, status, answer] of [
      ['will', 'review', [201, 'review']],
      ['will', 'published', refused],
      ['eve', 'published', [201, 'published']],
      ['eve', 'archived', refused],
      ['cleo', 'archived', [201, 'archived']],
    ] as const)
      expect(result(await send(`POST ${admin}`, as, { status }))).toEqual([...answer]);
  });

  test('the route that publishes, and the draft of what is published', async () => {
    const id = await made('review');
    expect(result(await send(`POST ${admin}/${id}/publish`, 'will'))).toEqual(refused);
    expect(result(await send(`POST ${admin}/${id}/publish`, 'eve'))).toEqual([200, 'published']);
    await send(`PUT ${admin}/${id}?draft=true`, 'will', { title: 'Drafted' });
    // What is published stays published: no status changes.
    expect(result(await send(`POST ${admin}/${id}/publish`, 'will'))).toEqual([200, 'published']);
  });

  test('batches: an update, an action, and all that match', async () => {
    const ids = [await made('review'), await made('review')];
    const batch = (body: object, as = 'will') => send(`POST ${admin}/batch`, as, body);
    const requests = [
      { action: 'update', ids, set: { status: 'published' } },
      { action: 'publish', ids },
    ];
    for (const body of requests) expect((await batch(body)).status).toBe(403);
    const filter = ids.map((id) => `id = "${id}"`).join(' || ');
    expect((await batch({ action: 'publish', filter })).status).toBe(403);
    for (const id of ids) expect(await statusOf(id)).toBe('review');
    expect((await batch({ action: 'publish', ids }, 'eve')).status).toBe(200);
  });

  test('schedules: set by a role that may make the move, and carried out by the service', async () => {
    const id = await made('review');
    const soon = { scheduled_at: '2999-01-01T00:00:00Z' };
    expect(result(await send(`PUT ${admin}/${id}`, 'will', soon))).toEqual(refused);
    expect(result(await send(`PUT ${admin}/${id}`, 'will', { scheduled_at: '2001-01-01T00:00:00Z' }))).toEqual(refused);
    expect(result(await send(`POST ${admin}`, 'will', { ...soon, status: 'review' }))).toEqual(refused);
    expect(result(await send(`POST ${admin}`, 'will', { scheduled_at: '2001-01-01T00:00:00Z' }))).toEqual(refused);
    expect(result(await send(`PUT ${admin}/${id}`, 'eve', soon))).toEqual([200, 'review']);
    const failures: unknown[] = [];
    await new ScheduledUpdates(service.records, (failure) => failures.push(failure)).run('2999-01-01T00:00:01.000Z');
    expect({ status: await statusOf(id), failures }).toEqual({ status: 'published', failures: [] });
  });

  test('releases, by the role of whoever publishes them', async () => {
    const id = await made('review');
    const release = (await send('POST /api/v1/admin/releases', 'will', { name: 'An issue' })).json.id;
    const path = `/api/v1/admin/releases/${release}`;
    expect((await send(`PUT ${path}/items/stories/${id}`, 'will', { action: 'publish' })).status).toBe(200);
    const check = await send(`GET ${path}/check`, 'will');
    expect(check.json.problems.map(({ code }: { code: string }) => code)).toEqual(['insufficient_role']);
    expect((await send(`POST ${path}/publish`, 'will')).status).toBe(422);
    expect(await statusOf(id)).toBe('review');
    expect((await send(`POST ${path}/publish`, 'eve')).status).toBe(200);
    expect(await statusOf(id)).toBe('published');
  });

  test('revisions that are restored', async () => {
    const id = await made('review');
    await send(`PUT ${admin}/${id}`, 'eve', { status: 'published' });
    await send(`PUT ${admin}/${id}`, 'cleo', { status: 'draft' });
    await send(`PUT ${admin}/${id}`, 'cleo', { status: 'review' });
    expect(result(await send(`POST ${admin}/${id}/revisions/2/restore`, 'will'))).toEqual(refused);
    expect(await statusOf(id)).toBe('review');
    expect((await send(`POST ${admin}/${id}/revisions/2/restore`, 'eve')).status).toBe(200);
    expect(await statusOf(id)).toBe('published');
  });

  test('records that were deleted come back as they were', async () => {
    const id = await made('published');
    await send(`DELETE ${admin}/${id}`, 'will');
    expect(result(await send(`POST ${admin}/${id}/restore`, 'will'))).toEqual([200, 'published']);
  });

  test('agents', async () => {
    const id = await made('review');
    const { etag } = Object.fromEntries((await send(`GET ${admin}/${id}`, 'ada')).headers);
    const publishAs = async (role: string): Promise<string> => {
      const asked = { name: 'an agent', role, scopes: ['mcp', 'stories:write'] };
      const { token } = (await send('POST /api/v1/admin/api-tokens', 'ada', asked)).json;
      const call = { name: 'publish', arguments: { type: 'story', id, if_match: etag } };
      const answer = await service.app.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
        }),
      );
      return answer.text();
    };
    expect(await publishAs('writer')).toContain('insufficient_role');
    expect(await statusOf(id)).toBe('review');
    await publishAs('editor');
    expect(await statusOf(id)).toBe('published');
  });

  test('each language, also one that nobody has written yet', async () => {
    const id = await made('draft', 'verses');
    const path = `/api/v1/admin/cms/verses/${id}?language=de`;
    const first = await send(`PUT ${path}`, 'eve', { title: 'Vers', status: 'published' });
    expect(first.json.errors?.map(({ code }: { code: string }) => code)).toEqual(['transition_not_allowed']);
    expect(result(await send(`PUT ${path}`, 'will', { title: 'Vers', status: 'review' }))).toEqual([200, 'review']);
    expect(result(await send(`PUT ${path}`, 'will', { status: 'published' }))).toEqual(refused);
    const publish = `/api/v1/admin/cms/verses/${id}/publish?language=de`;
    expect(result(await send(`POST ${publish}`, 'will'))).toEqual(refused);
    expect(result(await send(`POST ${publish}`, 'eve'))).toEqual([200, 'published']);
  });
});

describe('a definition', () => {
  const faultsOf = (transitions: unknown) => {
    const protocol = { name: 'statusable', values: ['draft', 'published'], transitions };
    const source = { file: 'page', definition: { singular: 'note', plural: 'notes', protocols: [protocol] } };
    return (checkDefinitions([source]).faults ?? []).map(({ path, message, remedy }) => [path, message, remedy]);
  };

  test('names roles that there are', () => {
    expect(faultsOf({ draft: [{ to: 'published', roles: ['editor', 'edtior'] }] })).toEqual([
      ['protocols[0].transitions.draft[0].roles[1]', 'there is no role "edtior"', expect.stringContaining('"editor"')],
    ]);
  });

  test.each([
    [{ draft: [{ to: 'gone', roles: ['editor'] }] }, '"gone" is not one of the values'],
    [{ draft: ['published', { to: 'published', roles: ['editor'] }] }, '"published" follows "draft" twice'],
  ])('%j', (transitions, message) => {
    expect(faultsOf(transitions).map(([, text]) => text)).toEqual([message]);
  });

  test.each([
    [{ draft: [{ to: 'published', roles: [] }] }],
    [{ draft: [{ to: 'published' }] }],
    [{ draft: [{ roles: ['editor'] }] }],
    [{ draft: [{ to: 'published', roles: ['editor'], who: 'me' }] }],
    [{ draft: [1] }],
  ])('%j is an error', (transitions) => {
    expect(faultsOf(transitions)).toHaveLength(1);
  });
});
