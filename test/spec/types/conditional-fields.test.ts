// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { checkObjects } from '../../support/check-files.ts';
import { type Reply, TestService } from '../../support/service.ts';

// `show_if`: fields that are shown, and required, where a rule over the record holds.

const fields = [
  { name: 'title', field_type: 'text', required: true },
  { name: 'kind', field_type: 'enum', enum_values: ['note', 'event', 'offer'], default: 'note' },
  { name: 'day', field_type: 'date', required: true, show_if: 'kind = "event"' },
  { name: 'online', field_type: 'boolean', show_if: 'kind = "event"' },
  { name: 'link', field_type: 'text', required: true, show_if: 'online = true' },
  { name: 'price', field_type: 'decimal', required: true, show_if: 'kind in ["event", "offer"] && title ~ "Sale%"' },
  {
    name: 'topics',
    field_type: 'relation',
    relation: { relation_type: 'many_to_many', target: 'topics' },
    required: true,
    show_if: 'kind = "offer"',
  },
  { name: 'rank', field_type: 'integer', private: true },
  { name: 'reason', field_type: 'text', private: true, required: true, show_if: 'rank > 5' },
];
const definitions = [
  { singular: 'topic', plural: 'topics', fields: [{ name: 'name', field_type: 'text' }] },
  {
    singular: 'entry',
    plural: 'entries',
    protocols: [{ name: 'versionable', drafts: true }, 'statusable'],
    fields,
    api: { create: { access: 'public' }, update: { access: 'public', fields: ['title', 'day', 'link'] } },
  },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

type Json = Reply['json'];
const admin = '/api/v1/admin/cms/entries';
const send = (line: string, body?: unknown) =>
  service.send(line, { as: 'ada', ...(body === undefined ? {} : { body }) });
const make = async (body: object): Promise<Json> => {
  const { status, json } = await send(`POST ${admin}`, body);
  expect(status).toBe(201);
  return json;
};
/** The names of the fields that are missing. */
const missing = ({ status, json }: Reply): readonly string[] => {
  if (status < 300) return [];
  expect(status).toBe(422);
  expect(json.errors.every(({ code }: Json) => code === 'required')).toBe(true);
  return json.errors.map(({ field }: Json) => field).toSorted();
};

describe('a new record', () => {
  test.each<[object, readonly string[]]>([
    [{ title: 'A' }, []],
    [{ title: 'A', kind: 'note', link: 'kept' }, []],
    [{ title: 'A', kind: 'event' }, ['day']],
    [{ title: 'A', kind: 'event', day: null }, ['day']],
    [{ title: 'A', kind: 'event', day: '2026-11-21' }, []],
    [{ title: 'A', kind: 'event', day: '2026-11-21', online: true, link: '' }, ['link']],
    // What is not shown counts as empty.
    [{ title: 'A', kind: 'note', online: true }, []],
    [{ title: 'Sale today', kind: 'event' }, ['day', 'price']],
    [{ title: 'Sale today', kind: 'offer' }, ['price', 'topics']],
    [{ title: 'A', kind: 'offer', topics: [] }, ['topics']],
    [{ title: 'A', rank: 6 }, ['reason']],
    [{ title: 'A', rank: 5 }, []],
    [{ kind: 'event' }, ['day', 'title']],
  ])('%j lacks %j', async (body, fields) => {
    expect(missing(await send(`POST ${admin}`, body))).toEqual(fields);
  });

  test('is checked with all other errors, and not where what decides is wrong itself', async () => {
    const { json } = await send(`POST ${admin}`, { title: 'A', kind: 'event', unknown: 1 });
    expect(json.errors.map(({ field, code }: Json) => `${field} ${code}`)).toEqual([
      'unknown unknown_field',
      'day required',
    ]);
    const wrong = await send(`POST ${admin}`, { title: 'A', kind: 'party' });
    expect(wrong.json.errors.map(({ field }: Json) => field)).toEqual(['kind']);
  });
});

describe('an update', () => {
  test('needs what it shows, and keeps what it hides', async () => {
    const { id } = await make({ title: 'A', link: 'https://example.com' });
    expect(missing(await send(`PUT ${admin}/${id}`, { kind: 'event' }))).toEqual(['day']);
    expect(missing(await send(`PUT ${admin}/${id}`, { kind: 'event', day: '2026-11-21' }))).toEqual([]);
    expect(missing(await send(`PUT ${admin}/${id}`, { day: null }))).toEqual(['day']);
    expect(missing(await send(`PUT ${admin}/${id}`, { online: true }))).toEqual([]);
    expect(missing(await send(`PUT ${admin}/${id}`, { link: null }))).toEqual(['link']);
    const hidden = await send(`PUT ${admin}/${id}`, { kind: 'note' });
    expect(hidden.json).toMatchObject({ day: '2026-11-21', online: true, link: 'https://example.com' });
    expect(missing(await send(`PUT ${admin}/${id}`, { day: null, link: null }))).toEqual([]);
    expect(missing(await send(`PUT ${admin}/${id}`, { kind: 'event' }))).toEqual(['day', 'link']);
  });

  test('of another field is not stopped by what was missing before', async () => {
    const { id } = await make({
      title: 'A',
      kind: 'offer',
      topics: [(await service.seed('topics', { name: 'T' })).id],
    });
    expect(missing(await send(`PUT ${admin}/${id}`, { topics: [] }))).toEqual(['topics']);
    expect(missing(await send(`PUT ${admin}/${id}`, { title: 'B' }))).toEqual([]);
    await service.database.transaction(async (transaction) => {
      await transaction.run({ sql: `UPDATE cms_entry SET kind = 'event' WHERE id = '${id}'`, parameters: [] });
      transaction.touch('entry');
    });
    expect(missing(await send(`PUT ${admin}/${id}`, { title: 'C' }))).toEqual([]);
    expect(missing(await send(`PUT ${admin}/${id}`, { online: true }))).toEqual(['link']);
  });

  test('by a public route does not depend on what the caller may not read', async () => {
    const update = async (kind: string, body: object) => {
      const { id } = await make({
        title: 'A',
        kind,
        day: '2026-11-21',
        topics: [(await service.seed('topics', { name: 'T' })).id],
      });
      return service.send(`PUT /api/v1/cms/entries/${id}`, { body });
    };
    for (const body of [{ day: null }, { title: 'B' }, { title: 'Sale' }, { link: '' }]) {
      const answers = await Promise.all(['note', 'event', 'offer'].map((kind) => update(kind, body)));
      expect(new Set(answers.map(missing).map(String)).size).toBe(1);
    }
    expect(missing(await update('note', { day: null }))).toEqual(['day']);
    const { id } = await make({ title: 'A', rank: 9, reason: 'x' });
    const created = await service.send('POST /api/v1/cms/entries', { body: { title: 'A', kind: 'event' } });
    expect(missing(created)).toEqual(['day']);
    expect((await service.send(`PUT /api/v1/cms/entries/${id}`, { body: { title: 'B' } })).status).toBe(200);
  });

  test('is checked when a draft is published', async () => {
    const { id } = await make({ title: 'A', status: 'published' });
    expect((await send(`PUT ${admin}/${id}?draft=true`, { kind: 'event' })).status).toBe(200);
    expect(missing(await send(`POST ${admin}/${id}/publish`))).toEqual(['day']);
    expect((await send(`PUT ${admin}/${id}?draft=true`, { day: '2026-11-21' })).status).toBe(200);
    expect(missing(await send(`POST ${admin}/${id}/publish`))).toEqual([]);
  });
});

test('documents and forms know the condition', async () => {
  const { json: types } = await send('GET /api/v1/admin/content-types/entry');
  const of = (name: string) => types.fields.find((field: Json) => field.name === name);
  expect(of('title')).toMatchObject({ required: true, must_be_sent: true, show_if: null });
  expect(of('day')).toMatchObject({
    required: false,
    must_be_sent: false,
    show_if: {
      required: true,
      condition: { operator: '=', kind: 'text', left: { field: 'kind' }, right: { value: 'event' } },
    },
  });
  const { json: document } = await service.send('GET /api/v1/openapi.json');
  const { properties, required } = document.components.schemas.EntryCreate;
  expect(required).toEqual(['title']);
  expect(properties.day.description).toBe('Required if `kind = "event"`.');
});

test('a definition with a wrong condition is rejected', async () => {
  const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
  const wrong: readonly (readonly [readonly object[], RegExp])[] = [
    [[text('a', { show_if: 'b = "x"' })], /"b"/],
    [[text('a', { show_if: 'a = "x"' })], /it depends on itself: "a" → "a"/],
    [
      [text('a', { show_if: 'b = "x"' }), text('b', { show_if: 'c = "x"' }), text('c', { show_if: 'a = "x"' })],
      /it depends on itself: "a" → "b" → "c" → "a"/,
    ],
    [[text('a', { show_if: 'b = "x"' }), text('b', { private: true })], /would reveal the private field "b"/],
    [[text('a', { show_if: '@request.auth.role = "admin"' })], /depends on the record alone/],
    [[text('a', { show_if: 'b < @now' }), { name: 'b', field_type: 'datetime' }], /depends on the record alone/],
    [[text('a', { show_if: 'created_at > "2026-11-21T10:00:00Z"' })], /"created_at" is not set by people/],
    [[text('a', { show_if: 'b =' }), text('b')], /./],
    [
      [{ name: 'g', field_type: 'group', fields: [text('a', { show_if: 'b = "x"' }), text('b')] }],
      /only fields of the type itself/,
    ],
    [
      [
        text('a', { show_if: 'other:isset && others:length > 0' }),
        { name: 'other', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'type1s' } },
        { name: 'others', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'type1s' } },
      ],
      /not known in a form/,
    ],
    [
      [
        text('a', { show_if: 'g.b = "x"' }),
        { name: 'g', field_type: 'group', fields: [text('b', { private: true }), text('c')] },
      ],
      /./,
    ],
  ];
  const definitions = wrong.map(([own], index) => ({
    ...{ singular: `type${index + 1}`, plural: `type${index + 1}s`, protocols: ['timestampable'] },
    fields: own,
  }));
  const result = await checkObjects(...definitions);
  const faults = result.ok ? [] : (result.faults ?? []);
  for (const [index, [, message]] of wrong.entries()) {
    const own = faults.filter(({ file }) => file === `${index + 1}.json`);
    expect([index, own.map((fault) => fault.path)]).toEqual([index, [expect.stringContaining('show_if')]]);
    expect(own[0]?.message).toMatch(message);
  }
});
