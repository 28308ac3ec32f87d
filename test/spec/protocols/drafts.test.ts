// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../support/definitions.ts';
import { type Reply, TestService } from '../../support/service.ts';

// The next version of a published record: written beside it, seen by editors alone, and published in one step.

const published = { filter: 'status = "live"', cache: true };
const relation = (name: string, relation_type: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target },
});
const definitions = [
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      { name: 'versionable', drafts: true },
      {
        name: 'statusable',
        values: ['new', 'live', 'old'],
        published: 'live',
        schedule: 'live',
        transitions: { new: ['live'], live: ['old'], old: [] },
      },
      'timestampable',
      'lockable',
      'soft_deletable',
    ],
    fields: [
      { name: 'title', field_type: 'text', required: true },
      { name: 'text', field_type: 'richtext' },
      { name: 'code', field_type: 'text', unique: true },
      { name: 'price', field_type: 'decimal' },
      { name: 'big', field_type: 'bigint' },
      { name: 'born', field_type: 'integer', immutable: true },
      { name: 'note', field_type: 'text', private: true },
      { name: 'key', field_type: 'password' },
      relation('writer', 'many_to_one', 'writers'),
      relation('writers', 'many_to_many', 'writers'),
    ],
    api: { list: published, get: published },
  },
  { singular: 'writer', plural: 'writers', fields: [{ name: 'name', field_type: 'text' }] },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions, { builtIn: true });
  await service.account('mia');
  await service.account('eve', 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const admin = '/api/v1/admin/cms/stories';
const open = '/api/v1/cms/stories';
let count = 0;
const made = (more: object = {}) => service.seed('stories', { title: `word${++count}`, status: 'live', ...more });
const draft = (id: string, body: object, status = 200, as = 'eve') =>
  ok(service.send(`PUT ${admin}/${id}?draft=true`, { as, body }), status);
const preview = (id: string) => ok(service.send(`GET ${admin}/${id}?draft=true`, { as: 'eve' }));
const live = (id: string) => ok(service.send(`GET ${admin}/${id}`, { as: 'ada' }));
const publish = (id: string, status = 200) => ok(service.send(`POST ${admin}/${id}/publish`, { as: 'eve' }), status);
const faults = ({ errors }: Reply['json']) => errors.map(({ field, code }: Reply['json']) => [field, code]);

describe('a draft', () => {
  test('adds up, and leaves the record as it is served', async () => {
    const story = await made({ text: 'old text', price: '1.5' });
    const paths = [`${open}/${story.id}`, `${open}?search=${story.title}`, `${open}?page_size=100`];
    const before = await Promise.all(paths.map((path) => service.send(`GET ${path}`)));
    expect(await draft(story.id, { title: 'zebra' })).toMatchObject({ title: 'zebra', text: 'old text' });
    await draft(story.id, { text: 'zebra text', big: '9007199254740993' });
    expect(await preview(story.id)).toMatchObject({
      title: 'zebra',
      text: 'zebra text',
      price: '1.5',
      big: '9007199254740993',
      lock_version: 1,
      updated_at: story.updated_at,
    });
    for (const [index, path] of paths.entries()) {
      const after = await service.send(`GET ${path}`);
      expect([after.text, after.headers.get('etag')]).toEqual([
        String(before[index]?.text),
        String(before[index]?.headers.get('etag')),
      ]);
      expect(after.headers.get('cache-status')).toContain('hit');
      expect(after.text).not.toContain('__draft');
    }
    expect((await ok(service.send(`GET ${open}?search=zebra`))).total).toBe(0);
    const { json } = await service.send(`GET ${admin}/${story.id}/revisions`, { as: 'ada' });
    expect(json.total).toBe(1);
  });

  test('is shown to editors with its author, its time, and what it was made of', async () => {
    const story = await made({ note: 'secret' });
    await draft(story.id, { title: 'next', note: 'other' });
    expect((await live(story.id)).__draft).toEqual({
      author: service.idOf('eve'),
      author_kind: 'account',
      at: expect.stringMatching(/Z$/),
      changes: { title: 'next', note: 'other' },
      base: { title: story.title, note: 'secret' },
    });
    const listed = async (choice: string) =>
      (await ok(service.send(`GET ${admin}?has_draft=${choice}&page_size=100`, { as: 'eve' }))).items.map(
        ({ id }: Reply['json']) => id,
      );
    expect([(await listed('true')).includes(story.id), (await listed('false')).includes(story.id)]).toEqual([
      true,
      false,
    ]);
    const { total } = await ok(service.send(`GET ${admin}?has_draft=true`, { as: 'eve' }));
    await ok(service.send(`DELETE ${admin}/${story.id}/draft`, { as: 'eve' }), 204);
    expect((await ok(service.send(`GET ${admin}?has_draft=true`, { as: 'eve' }))).total).toBe(total - 1);
    expect([(await listed('true')).includes(story.id), (await listed('false')).includes(story.id)]).toEqual([
      false,
      true,
    ]);
    expect(await preview(story.id)).toEqual(await live(story.id));
    await ok(service.send(`DELETE ${admin}/${story.id}/draft`, { as: 'eve' }), 404);
  });

  test('is no more when all is as the record has it', async () => {
    const story = await made({ price: '2', writers: [] });
    await draft(story.id, { title: 'x', price: '3' });
    await draft(story.id, { title: story.title, price: '2.0' });
    expect((await live(story.id)).__draft).toBeNull();
    // A fetched record can be put back whole.
    await draft(story.id, await preview(story.id));
    expect((await live(story.id)).__draft).toBeNull();
  });

  test('is checked as an update is, with all errors at once', async () => {
    const [story, other] = [await made({ born: 1 }), await made({ code: 'taken' })];
    const body = {
      title: null,
      price: 'much',
      code: other.code,
      born: 2,
      status: 'old',
      scheduled_at: '2999-01-01T00:00:00.000Z',
      key: 'a new password',
      writers: ['01900000-0000-7000-8000-000000000000'],
      nothing: 1,
    };
    expect(faults(await draft(story.id, body, 422)).toSorted()).toEqual(
      [
        ['born', 'immutable'],
        ['code', 'taken'],
        ['key', 'not_in_draft'],
        ['nothing', 'unknown_field'],
        ['price', 'bad_format'],
        ['scheduled_at', 'not_in_draft'],
        ['status', 'not_in_draft'],
        ['title', 'required'],
        ['writers[0]', 'unknown_record'],
      ].toSorted(),
    );
    await draft(story.id, { title: 'x', lock_version: 9 }, 409);
    expect((await live(story.id)).__draft).toBeNull();
  });

  test('is of a published record alone, which is there and not deleted', async () => {
    const story = await made({ status: 'new' });
    expect((await draft(story.id, { title: 'x' }, 409)).code).toBe('not_published');
    await draft(story.id.replace(/.{4}$/, '0000'), { title: 'x' }, 404);
    const other = await made();
    await ok(service.send(`DELETE ${admin}/${other.id}`, { as: 'ada' }), 204);
    await draft(other.id, { title: 'x' }, 404);
  });

  test('takes If-Match of what it would make', async () => {
    const story = await made();
    const first = await service.send(`GET ${admin}/${story.id}?draft=true`, { as: 'eve' });
    const send = (etag: string | null) =>
      service.send(`PUT ${admin}/${story.id}?draft=true`, {
        as: 'eve',
        body: { title: 'a' },
        headers: { 'If-Match': etag ?? '' },
      });
    const second = await send(first.headers.get('etag'));
    expect(second.status).toBe(200);
    expect((await send(first.headers.get('etag'))).json.code).toBe('stale');
    expect((await send(second.headers.get('etag'))).status).toBe(200);
  });

  test('is for editors and admins, by the admin routes', async () => {
    const { id } = await made();
    const lines = [`PUT ${admin}/${id}?draft=true`, `POST ${admin}/${id}/publish`, `DELETE ${admin}/${id}/draft`];
    for (const line of lines) {
      const body = line.startsWith('PUT') ? { body: { title: 'x' } } : {};
      expect([
        (await service.send(line, body)).status,
        (await service.send(line, { as: 'mia', ...body })).status,
      ]).toEqual([401, 403]);
    }
    for (const query of ['draft=true', 'draft=false', 'has_draft=true']) {
      expect((await service.send(`GET ${open}/${id}?${query}`, { as: 'ada' })).json.code).toBe('unknown_parameter');
      expect((await service.send(`GET ${open}?${query}`, { as: 'ada' })).json.code).toBe('unknown_parameter');
    }
    expect((await service.send(`GET ${open}?__draft=1`, { as: 'ada' })).status).toBe(400);
    for (const query of ['draft=maybe', 'draft=true&include=nobody', 'draft=true&x=1', 'draft=true&draft=true']) {
      expect((await service.send(`GET ${admin}/${id}?${query}`, { as: 'ada' })).status).toBe(400);
    }
    const put = { as: 'ada', body: { title: 'x' } };
    expect((await service.send(`PUT ${admin}/${id}?draft=true&x=1`, put)).status).toBe(400);
    expect((await service.send(`PUT ${admin}/${id}?draft=false`, put)).status).toBe(200);
    expect((await live(id)).title).toBe('x');
  });
});

describe('publishing', () => {
  test('applies a draft in one step, as a revision', async () => {
    const writer = await service.seed('writers', { name: 'w' });
    const story = await made({ text: 'old' });
    await draft(story.id, { title: 'yak', writers: [writer.id], writer: writer.id, price: '2.50' });
    // What the draft does not have goes on meanwhile.
    await ok(service.send(`PUT ${admin}/${story.id}`, { as: 'ada', body: { text: 'new', born: null } }));
    const after = await publish(story.id);
    expect(after).toMatchObject({
      title: 'yak',
      text: 'new',
      writers: [writer.id],
      writer: writer.id,
      price: '2.5',
      status: 'live',
      __draft: null,
      lock_version: 3,
    });
    expect(await ok(service.send(`GET ${open}/${story.id}`))).toMatchObject({ title: 'yak', price: '2.5' });
    expect((await ok(service.send(`GET ${open}?search=yak`))).total).toBe(1);
    const { items } = await ok(service.send(`GET ${admin}/${story.id}/revisions`, { as: 'ada' }));
    expect(items[0]).toMatchObject({
      revision: 3,
      action: 'publish',
      author: service.idOf('eve'),
      changed: ['title', 'price', 'writer', 'writers'],
    });
    const { record } = await ok(service.send(`GET ${admin}/${story.id}/revisions/3`, { as: 'ada' }));
    expect(record).not.toHaveProperty('__draft');
  });

  test('is rejected where a drafted field was changed in the record, until an editor says which holds', async () => {
    const story = await made({ text: 'one' });
    await draft(story.id, { title: 'drafted', text: 'two' });
    await ok(service.send(`PUT ${admin}/${story.id}`, { as: 'ada', body: { title: 'live', text: 'two' } }));
    const refused = await publish(story.id, 409);
    expect([refused.code, refused.detail]).toEqual(['draft_conflict', 'Changed since they were drafted: title.']);
    expect((await live(story.id)).title).toBe('live');
    await draft(story.id, { title: 'live' });
    await draft(story.id, { title: 'drafted' });
    expect((await publish(story.id)).title).toBe('drafted');
  });

  test('is rejected, with all errors, where what is stored stands against it, and keeps the draft', async () => {
    const writer = await service.seed('writers', { name: 'w' });
    const story = await made();
    await draft(story.id, { code: 'mine', writer: writer.id, title: 'x' });
    await made({ code: 'mine' });
    await ok(service.send(`DELETE /api/v1/admin/cms/writers/${writer.id}`, { as: 'ada' }), 204);
    expect(faults(await publish(story.id, 422))).toEqual([
      ['code', 'taken'],
      ['writer', 'unknown_record'],
    ]);
    expect((await live(story.id)).__draft.changes).toMatchObject({ code: 'mine', title: 'x' });
  });

  test('of a record that is not published publishes it, as its transitions allow', async () => {
    const story = await made({ status: 'new' });
    expect((await publish(story.id)).status).toBe('live');
    expect((await publish(story.id, 409)).code).toBe('no_draft');
    await draft(story.id, { title: 'late' });
    await ok(service.send(`PUT ${admin}/${story.id}`, { as: 'ada', body: { status: 'old' } }));
    expect(faults(await publish(story.id, 422))).toEqual([['status', 'transition_not_allowed']]);
    expect((await live(story.id)).__draft.changes).toEqual({ title: 'late' });
  });

  test('takes If-Match', async () => {
    const story = await made();
    const { headers } = await service.send(`GET ${admin}/${story.id}`, { as: 'eve' });
    const send = (etag: string | null) =>
      service.send(`POST ${admin}/${story.id}/publish`, { as: 'eve', headers: { 'If-Match': etag ?? '' } });
    await draft(story.id, { title: 'x' });
    expect((await send(headers.get('etag'))).status).toBe(409);
    const now = await service.send(`GET ${admin}/${story.id}`, { as: 'eve' });
    expect((await send(now.headers.get('etag'))).status).toBe(200);
  });
});

test.each(['posts', 'pages'])('%s have drafts', async (plural) => {
  const path = `/api/v1/admin/${plural}`;
  const post = await service.seed(plural, { title: 'Old', content: '<p>a</p>', status: 'Published' });
  await ok(service.send(`PUT ${path}/${post.id}?draft=true`, { as: 'eve', body: { title: 'New', slug: 'walrus' } }));
  expect(await ok(service.send(`GET ${path}/${post.id}?draft=true`, { as: 'eve' }))).toMatchObject({ title: 'New' });
  expect(await ok(service.send(`GET /api/v1/${plural}/${post.slug}`))).toMatchObject({ title: 'Old' });
  await ok(service.send(`GET /api/v1/${plural}/walrus`), 404);
  const refused = service.send(`PUT ${path}/${post.id}?draft=true`, { as: 'eve', body: { status: 'draft' } });
  expect(faults(await ok(refused, 422))).toEqual([['status', 'not_in_draft']]);
  await ok(service.send(`POST ${path}/${post.id}/publish`, { as: 'eve' }));
  expect(await ok(service.send(`GET /api/v1/${plural}/walrus`))).toMatchObject({ title: 'New', content: '<p>a</p>' });
});

test.each([
  [[{ name: 'versionable', drafts: true }], /no state of this type is that of published ones/],
  [
    [
      { name: 'versionable', drafts: true },
      { name: 'statusable', values: ['a', 'b'] },
    ],
    /no state of this type/,
  ],
  [[{ name: 'versionable', drafts: 'yes' }], /drafts/],
  [[{ name: 'statusable', published: 'out' }], /"out" is not one of the values/],
])('a definition with %j is refused', (protocols, message) => {
  expect(() => definitionsOf({ singular: 'a', plural: 'as', protocols, fields: [] })).toThrow(message);
});

test('a definition that says which state is the published one is taken', () => {
  const statusable = { name: 'statusable', values: ['a', 'b'], published: 'b' };
  const protocols = [{ name: 'versionable', drafts: true }, statusable];
  expect(definitionsOf({ singular: 'a', plural: 'as', protocols, fields: [] }).get('a').field.has('__draft')).toBe(
    true,
  );
});
