// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

const title = { name: 'title', field_type: 'text' };
const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const definitions = [
  { singular: 'note', plural: 'notes', protocols: ['timestampable'], fields: [title] },
  {
    singular: 'article',
    plural: 'articles',
    protocols: ['timestampable', 'statusable', 'versionable'],
    fields: [title, relation('note', 'many_to_one', 'notes'), relation('notes', 'many_to_many', 'notes')],
  },
  { singular: 'bin', plural: 'bins', protocols: ['soft_deletable'], fields: [title] },
  { singular: 'room', plural: 'rooms', protocols: ['tenantable'], fields: [title] },
  { singular: 'motto', kind: 'single', fields: [{ ...title, default: 'None' }] },
];

let service: TestService;
let ada: string;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  ada = await service.account('ada', 'admin');
  await service.account('uma', 'member');
});
afterAll(() => service[Symbol.asyncDispose]());

interface Event {
  readonly type: string;
  readonly action: string;
  readonly changed: readonly string[];
  readonly record: string;
  readonly actor: { readonly id: string | null; readonly kind: string } | null;
  readonly tenant: string | null;
  readonly revision: number | null;
}

/** The events of records that `work` leads to. */
async function logged(work: () => Promise<unknown>): Promise<readonly Event[]> {
  const after = await service.lastEvent('ada');
  await work();
  const { json } = await service.send(`GET /api/v1/admin/events?after=${after}&limit=1000`, { as: 'ada' });
  return json.items.filter(({ type }: Event) => !type.startsWith('recto:'));
}

const send = (line: string, body?: object, headers: Record<string, string> = {}) =>
  service.send(line, { as: 'ada', headers, ...(body && { body }) });

/** What each event is about. */
const about = (events: readonly Event[]) => events.map(({ type, action, changed }) => [type, action, changed]);

describe('each change is one event', () => {
  test('of a record that is created, updated and deleted', async () => {
    let id = '';
    const events = await logged(async () => {
      const headers = { 'X-Request-Id': 'one-request' };
      ({ id } = (await send('POST /api/v1/admin/cms/notes', { title: 'One' }, headers)).json);
      await send(`PUT /api/v1/admin/cms/notes/${id}`, { title: 'Two' });
      await send(`DELETE /api/v1/admin/cms/notes/${id}`);
    });
    expect(about(events)).toEqual([
      ['note', 'create', []],
      ['note', 'update', ['title']],
      ['note', 'delete', []],
    ]);
    expect(events.map(({ record }) => record)).toEqual([id, id, id]);
    expect(events[0]).toMatchObject({ actor: { id: ada, kind: 'account' }, tenant: null, request_id: 'one-request' });
    const rows = await service.database.rows<{ before: string | null }>(
      query('SELECT "before" FROM recto_events WHERE record = ? ORDER BY seq', id),
    );
    expect(rows.map(({ before }) => before && JSON.parse(before).values.title)).toEqual([null, 'One', 'Two']);
  });

  test('of several in one request or at the same moment', async () => {
    const events = await logged(() =>
      Promise.all(
        Array.from({ length: 50 }, (_, index) => send('POST /api/v1/admin/cms/notes', { title: `${index}` })),
      ),
    );
    expect(events.length).toBe(50);
    expect(new Set(events.map(({ record }) => record)).size).toBe(50);
  });

  test('of a publication, with the revision that it makes', async () => {
    const events = await logged(async () => {
      const { id } = (await send('POST /api/v1/admin/cms/articles', { title: 'One' })).json;
      await send(`PUT /api/v1/admin/cms/articles/${id}`, { status: 'published' });
      await send(`PUT /api/v1/admin/cms/articles/${id}`, { title: 'Two' });
      await send(`PUT /api/v1/admin/cms/articles/${id}`, { status: 'draft' });
      await send(`POST /api/v1/admin/cms/articles/${id}/revisions/1/restore`);
    });
    expect(events.map(({ action, revision }) => [action, revision])).toEqual([
      ['create', 1],
      ['publish', 2],
      ['update', 3],
      ['unpublish', 4],
      ['restore', 5],
    ]);
  });

  test('of a record that is marked as deleted, brought back and removed for good', async () => {
    const events = await logged(async () => {
      const { id } = (await send('POST /api/v1/admin/cms/bins', { title: 'One' })).json;
      await send(`DELETE /api/v1/admin/cms/bins/${id}`);
      expect((await send(`POST /api/v1/admin/cms/bins/${id}/restore`)).status).toBe(200);
      await send(`DELETE /api/v1/admin/cms/bins/${id}`);
      expect((await send(`DELETE /api/v1/admin/cms/bins/${id}/purge`)).status).toBe(204);
    });
    expect(events.map(({ action }) => action)).toEqual(['create', 'delete', 'restore', 'delete', 'delete']);
  });

  test('of records whose references a removal clears', async () => {
    const note = (await send('POST /api/v1/admin/cms/notes', { title: 'One' })).json.id;
    const { id } = (await send('POST /api/v1/admin/cms/articles', { title: 'A', note, notes: [note] })).json;
    const events = await logged(() => send(`DELETE /api/v1/admin/cms/notes/${note}`));
    expect(about(events)).toEqual([
      ['note', 'delete', []],
      ['article', 'update', ['note']],
      ['article', 'update', ['notes']],
    ]);
    expect(events.map(({ record }) => record)).toEqual([note, id, id]);
  });

  test('of comments that go with their post', async () => {
    const post = await service.seed('posts', { title: 'A post', content: 'Words.', status: 'Published' });
    const comment = (body: object) => send(`POST /api/v1/posts/${post.slug}/comments/authed`, body);
    const first = (await comment({ content: 'First' })).json;
    const reply = (await comment({ content: 'Reply', parent_id: first.id })).json;
    const events = await logged(() => send(`DELETE /api/v1/admin/posts/${post.id}`));
    expect(new Set(events.map(({ record }) => record))).toEqual(new Set([post.id, first.id, reply.id]));
    expect(events.every(({ action, actor }) => action === 'delete' && actor?.id === ada)).toBe(true);
  });

  test('of a record that the service creates by itself', async () => {
    const events = await logged(() => send('GET /api/v1/cms/motto'));
    expect(about(events)).toEqual([['motto', 'create', []]]);
    expect(events[0]?.actor).toEqual({ id: null, kind: 'system' });
  });

  test('with the tenant', async () => {
    const events = await logged(() =>
      send('POST /api/v1/admin/cms/rooms', { title: 'A' }, { 'Recto-Tenant': 'north' }),
    );
    expect(events[0]?.tenant).toBe('north');
  });
});

describe('what is not a change is no event', () => {
  test('a rejected request', async () => {
    const events = await logged(async () => {
      expect((await send('POST /api/v1/admin/cms/notes', { title: 7 })).status).toBe(422);
      expect((await send('POST /api/v1/cms/notes?dry_run=true', { nothing: 7 })).status).toBeGreaterThanOrEqual(400);
    });
    expect(events).toEqual([]);
  });

  test('an update without an effect', async () => {
    const { id } = (await send('POST /api/v1/admin/cms/bins', { title: 'One' })).json;
    expect(await logged(() => send(`PUT /api/v1/admin/cms/bins/${id}`, { title: 'One' }))).toEqual([]);
  });
});
