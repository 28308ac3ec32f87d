// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { migrateSchema } from '../../../packages/recto/src/migrations/migrate-schema.ts';
import { withBuiltIns } from '../../support/definitions.ts';
import { TestService } from '../../support/service.ts';

const root = '/api/v1/admin/content-types';

const ticket = {
  name: 'Ticket',
  singular: 'ticket',
  plural: 'tickets',
  protocols: ['timestampable'],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 50 },
    { name: 'weight', field_type: 'integer' },
  ],
  api: { list: { cache: true }, create: { access: 'public' } },
};

const page = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] };

async function open(...files: readonly unknown[]): Promise<TestService> {
  const service = await TestService.open(files, { builtIn: true });
  await service.account('ada', 'admin');
  return service;
}

const admin = { as: 'ada' } as const;
const codes = (json: { errors: { field: string; code: string }[] }) =>
  json.errors.map(({ field, code }) => `${field} ${code}`);

describe('a type made through the API', () => {
  test('is served with the reply, and returned as it was sent', async () => {
    await using service = await open();
    expect((await service.send('GET /api/v1/cms/tickets')).status).toBe(404);
    const made = await service.send(`POST ${root}`, { ...admin, body: ticket });
    expect([made.status, made.headers.get('location')]).toEqual([201, `${root}/ticket`]);
    expect(made.json).toEqual({
      ...{ singular: 'ticket', plural: 'tickets', name: 'Ticket', kind: 'collection' },
      ...{ source: 'api', file: null, revision: 1, handed_over: false, definition: ticket },
      ...{ fields: expect.any(Array), may: { create: true, update: true, delete: true, define: true } },
      ...{ created_at: expect.any(String), updated_at: expect.any(String), updated_by: service.idOf('ada') },
    });
    const read = await service.send(`GET ${root}/ticket`, admin);
    expect(read.text).toBe(made.text);
    expect(read.headers.get('etag')).toBe(made.headers.get('etag') ?? 'none');
    const created = await service.send('POST /api/v1/cms/tickets', { body: { title: 'Leak' } });
    expect(created.status).toBe(201);
    expect((await service.send('GET /api/v1/cms/tickets?search=lea')).json.total).toBe(1);
    const document = await service.send('GET /api/v1/openapi.json');
    expect(document.json.paths).toHaveProperty('/api/v1/cms/tickets/{id}');
  });

  test('is replaced as a whole; values of what is no longer defined come back with it', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const record = await service.seed('tickets', { title: 'Leak', weight: 7 });
    const path = `/api/v1/cms/tickets/${record.id}`;
    const before = (await service.send('GET /api/v1/openapi.json')).headers.get('etag');
    // Remembered by the cache of answers.
    expect((await service.send('GET /api/v1/cms/tickets')).json.items[0].weight).toBe(7);
    const fields = [ticket.fields[0], { name: 'urgent', field_type: 'boolean', default: false }];
    const replaced = await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, fields } });
    expect([replaced.status, replaced.json.revision]).toEqual([200, 2]);
    const [item] = (await service.send('GET /api/v1/cms/tickets')).json.items;
    expect([item.urgent, 'weight' in item]).toEqual([false, false]);
    expect((await service.send('GET /api/v1/openapi.json')).headers.get('etag')).not.toBe(before);
    await service.send(`PUT ${root}/ticket`, { ...admin, body: ticket });
    expect((await service.send(`GET ${path}`)).json.weight).toBe(7);
  });

  test('is deleted with its routes; its records are there again when it is created again', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const record = await service.seed('tickets', { title: 'Leak' });
    expect((await service.send(`DELETE ${root}/ticket`, admin)).status).toBe(204);
    expect((await service.send(`GET ${root}/ticket`, admin)).status).toBe(404);
    expect((await service.send(`GET /api/v1/cms/tickets/${record.id}`)).json.code).toBe('route_not_found');
    const again = await service.send(`POST ${root}`, { ...admin, body: ticket });
    expect(again.json.revision).toBe(3);
    expect((await service.send(`GET /api/v1/cms/tickets/${record.id}`)).json.title).toBe('Leak');
  });

  test('keeps what it was, after its removal too', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, name: 'Case' } });
    await service.send(`DELETE ${root}/ticket`, admin);
    const { json } = await service.send(`GET ${root}/ticket/revisions?page_size=2`, admin);
    expect([json.total, json.items.map(({ action }: { action: string }) => action)]).toEqual([
      3,
      ['deleted', 'replaced'],
    ]);
    expect([json.items[1].definition.name, json.items[1].author]).toEqual(['Case', service.idOf('ada')]);
    expect((await service.send(`GET ${root}/nothing/revisions`, admin)).status).toBe(404);
    await service.send(`POST ${root}`, { ...admin, body: { ...ticket, name: 'v0' } });
    for (let version = 1; version <= 60; version++) {
      await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, name: `v${version}` } });
    }
    const kept = await service.send(`GET ${root}/ticket/revisions`, admin);
    expect([kept.json.total, kept.json.items[0].revision]).toEqual([50, 64]);
  });

  test('may be written in the layout of older installations, and is returned in the flat one', async () => {
    await using service = await open();
    const { fields, protocols, api: _, ...head } = ticket;
    const body = { content_type: { ...head, implements: { protocols } }, fields };
    const made = await service.send(`POST ${root}`, { ...admin, body });
    expect(made.json.definition).toEqual({ ...head, protocols, fields });
  });

  test('of one record, too', async () => {
    await using service = await open();
    const body = {
      singular: 'motto',
      kind: 'single',
      fields: [{ name: 'text', field_type: 'text', default: 'Read.' }],
    };
    expect((await service.send(`POST ${root}`, { ...admin, body })).status).toBe(201);
    expect((await service.send('GET /api/v1/cms/motto')).json.text).toBe('Read.');
  });
});

describe('lost updates', () => {
  test('a stale If-Match is rejected, and a current one taken', async () => {
    await using service = await open();
    const made = await service.send(`POST ${root}`, { ...admin, body: ticket });
    const headers = { 'If-Match': made.headers.get('etag') ?? '' };
    const first = await service.send(`PUT ${root}/ticket`, { ...admin, headers, body: { ...ticket, name: 'One' } });
    expect(first.status).toBe(200);
    const second = await service.send(`PUT ${root}/ticket`, { ...admin, headers, body: { ...ticket, name: 'Two' } });
    expect([second.status, second.json.code]).toEqual([409, 'stale']);
    const removal = await service.send(`DELETE ${root}/ticket`, { ...admin, headers });
    expect([removal.status, removal.json.code]).toEqual([409, 'stale']);
    const current = { 'If-Match': first.headers.get('etag') ?? '' };
    expect((await service.send(`DELETE ${root}/ticket`, { ...admin, headers: current })).status).toBe(204);
  });

  test('of changes made at the same moment, those of different types all hold, and one of the same', async () => {
    await using service = await open();
    const made = await service.send(`POST ${root}`, { ...admin, body: ticket });
    const headers = { 'If-Match': made.headers.get('etag') ?? '' };
    const named = (singular: string) => ({ ...page, singular, plural: `${singular}s` });
    const several = ['a', 'b', 'c', 'd'].map((name) => service.send(`POST ${root}`, { ...admin, body: named(name) }));
    const twins = ['x', 'y'].map((name) =>
      service.send(`PUT ${root}/ticket`, { ...admin, headers, body: { ...ticket, name } }),
    );
    const same = [1, 2].map(() => service.send(`POST ${root}`, { ...admin, body: named('e') }));
    expect((await Promise.all(several)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect((await Promise.all(twins)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await Promise.all(same)).map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const { json } = await service.send(`GET ${root}?source=api`, admin);
    expect(json.items.map(({ singular }: { singular: string }) => singular)).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
      'ticket',
    ]);
  });

  test('a relation and the removal of what it leads to, at the same moment: one of them is rejected', async () => {
    for (const order of [0, 1]) {
      await using service = await open();
      await service.send(`POST ${root}`, { ...admin, body: ticket });
      const relation = { relation_type: 'many_to_one', target: 'tickets' };
      const body = { ...page, fields: [{ name: 'ticket', field_type: 'relation', relation }] };
      const make = () => service.send(`POST ${root}`, { ...admin, body });
      const remove = () => service.send(`DELETE ${root}/ticket`, admin);
      const both = await Promise.all(order === 0 ? [make(), remove()] : [remove(), make()]);
      expect(both.filter(({ status }) => status < 300)).toHaveLength(1);
      expect((await service.send('GET /api/v1/readyz')).status).toBe(200);
    }
  });
});

describe('what is rejected', () => {
  test('all errors of a definition, each at its place', async () => {
    await using service = await open(page);
    const body = {
      singular: 'Ticket',
      plural: 'notes',
      colour: 'red',
      fields: [
        { name: 'id', field_type: 'text' },
        { name: 'title', field_type: 'txt' },
        { name: 'body', field_type: 'text', max_length: 'long', pattern: '(' },
        { name: 'of', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'nobody' } },
      ],
      api: { list: { filter: 'nothing = 1', fields: ['gone'] } },
      protocols: ['fast'],
    };
    const reply = await service.send(`POST ${root}`, { ...admin, body });
    expect([reply.status, reply.json.code]).toEqual([422, 'validation_failed']);
    expect(codes(reply.json).toSorted()).toEqual([
      'api.list.fields[0] invalid',
      'api.list.filter bad_rule',
      'colour unknown_field',
      'fields[0].name taken',
      'fields[1].field_type not_allowed',
      'fields[2].max_length wrong_type',
      'fields[2].pattern invalid',
      'fields[3].relation.target unknown_type',
      'plural taken',
      'protocols[0] invalid',
      'singular bad_format',
    ]);
    for (const { message } of reply.json.errors) expect(message).toMatch(/^[A-Z"].*[.?!]$/s);
    expect((await service.send(`GET ${root}?source=api`, admin)).json.total).toBe(0);
  });

  test('what a change would break in other definitions', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const relation = { relation_type: 'many_to_one', target: 'tickets' };
    const fields = [{ name: 'ticket', field_type: 'relation', relation }];
    const body = { ...page, fields, api: { list: { filter: 'ticket.weight > 3' } } };
    expect((await service.send(`POST ${root}`, { ...admin, body })).status).toBe(201);
    const [title] = ticket.fields;
    const reply = await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, fields: [title] } });
    expect([reply.status, codes(reply.json)]).toEqual([422, [' breaks_other_type']]);
    expect(reply.json.errors[0].message).toContain('note (created through the API), api.list.filter');
    const removal = await service.send(`DELETE ${root}/ticket`, admin);
    expect([removal.status, removal.json.code]).toEqual([409, 'content_type_in_use']);
    expect(removal.json.detail).toContain('"note"');
  });

  test('what is stored and does not fit', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    for (const weight of [1, 1]) await service.seed('tickets', { title: 'Leak', weight });
    const [title, weight] = ticket.fields;
    for (const changed of [
      { name: 'weight', field_type: 'text' },
      { ...weight, unique: true },
    ]) {
      const body = { ...ticket, fields: [title, changed] };
      const reply = await service.send(`PUT ${root}/ticket`, { ...admin, body });
      expect([reply.status, reply.json.code]).toEqual([409, 'stored_data']);
      expect(reply.json.errors[0].message).toStartWith('Content type "ticket": field "weight"');
      const rehearsed = await service.send(`PUT ${root}/ticket?dry_run=true`, { ...admin, body });
      expect(rehearsed.json.errors).toEqual(reply.json.errors);
    }
    expect((await service.send(`GET ${root}/ticket`, admin)).json.revision).toBe(1);
  });

  test('types of files and of the product belong to the deployment', async () => {
    await using service = await open(page);
    for (const [singular, body] of [
      ['note', page],
      ['page', { singular: 'page', plural: 'pages' }],
    ] as const) {
      for (const method of ['PUT', 'DELETE']) {
        const reply = await service.send(`${method} ${root}/${singular}`, {
          ...admin,
          ...(method === 'PUT' ? { body } : {}),
        });
        expect([reply.status, reply.json.code]).toEqual([409, 'belongs_to_deployment']);
      }
      const taken = await service.send(`POST ${root}`, { ...admin, body });
      expect([taken.status, codes(taken.json)[0]]).toEqual([422, 'singular taken']);
    }
    const extension = { extends: 'page', fields: page.fields };
    expect(codes((await service.send(`POST ${root}`, { ...admin, body: extension })).json)).toEqual([
      'extends unknown_field',
    ]);
  });

  test('another singular than the path names, and PATCH', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const renamed = await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, singular: 'case' } });
    expect(codes(renamed.json)).toEqual(['singular immutable']);
    expect((await service.send(`PATCH ${root}/ticket`, { ...admin, body: ticket })).status).toBe(405);
    expect((await service.send(`PUT ${root}/nobody`, { ...admin, body: ticket })).status).toBe(404);
  });

  test('anyone but admins', async () => {
    await using service = await open();
    await service.account('eve', 'editor');
    expect((await service.send(`GET ${root}`)).status).toBe(401);
    for (const line of [`POST ${root}`, `PUT ${root}/note`, `DELETE ${root}/note`]) {
      expect((await service.send(line)).status).toBe(401);
      expect((await service.send(line, { as: 'eve' })).status).toBe(403);
    }
  });

  test.each([
    [
      'too many fields',
      { fields: Array.from({ length: 201 }, (_, at) => ({ name: `f${at}`, field_type: 'text' })) },
      'fields too_long',
    ],
    ['too many bytes', { description: 'x'.repeat(140_000) }, ' too_long'],
    [
      'a long pattern',
      { fields: [{ name: 'a', field_type: 'text', pattern: 'x'.repeat(501) }] },
      'fields[0].pattern too_long',
    ],
    ['a long rule', { api: { list: { filter: 'id = "x" || '.repeat(2000) } } }, 'api.list.filter bad_rule'],
    [
      'a deep rule',
      { api: { list: { filter: `${'('.repeat(500)}id = "x"${')'.repeat(500)}` } } },
      'api.list.filter bad_rule',
    ],
    [
      'a deep default',
      { fields: [{ name: 'a', field_type: 'json', default: JSON.parse(`${'['.repeat(62)}${']'.repeat(62)}`) }] },
      '',
    ],
    ['an object’s own names', { fields: [{ name: 'constructor', field_type: 'text' }] }, 'fields[0].name taken'],
    ['a list parameter', { fields: [{ name: 'page_size', field_type: 'text' }] }, 'fields[0].name taken'],
    [
      'a protocol’s column',
      { protocols: ['lockable'], fields: [{ name: 'lock_version', field_type: 'integer' }] },
      'fields[0].name taken',
    ],
    ['a name that breaks out', { plural: 'notes"; drop table x; --' }, 'plural bad_format'],
    ['a path', { plural: '../pages' }, 'plural bad_format'],
  ])('%s', async (_, part, expected) => {
    await using service = await open();
    const reply = await service.send(`POST ${root}`, { ...admin, body: { ...page, ...part } });
    if (expected === '') expect([400, 422]).toContain(reply.status);
    else expect(codes(reply.json)).toEqual([expected]);
  });

  test.each([
    '{"singular":"note","plural":"notes","__proto__":{"plural":"pages"}}',
    '{"singular":"note","plural":"notes","fields":[{"name":"a","field_type":"text","__proto__":{"private":true}}]}',
    '{"singular":"note","plural":"notes","api":{"__proto__":{"list":{"access":"none"}}}}',
    '{"singular":"note","plural":"notes","api":{"list":{"__proto__":{"access":"none"}}}}',
    '{"singular":"note","plural":"notes","protocols":[{"name":"lockable","__proto__":{"x":1}}]}',
    '{"singular":"__proto__","plural":"notes"}',
  ])('prototypes are no way in: %s', async (body) => {
    await using service = await open();
    const reply = await service.send(`POST ${root}`, { ...admin, body });
    expect(reply.status).toBe(422);
  });

  test('the names of objects’ own members are names like any other', async () => {
    await using service = await open();
    const body = { singular: 'constructor', plural: 'valueof', fields: [{ name: 'tostring', field_type: 'text' }] };
    expect((await service.send(`POST ${root}`, { ...admin, body })).status).toBe(201);
    const { id } = await service.seed('valueof', { tostring: 'x' });
    expect((await service.send(`GET /api/v1/cms/valueof/${id}`)).json.tostring).toBe('x');
    expect((await service.send('GET /api/v1/openapi.json')).status).toBe(200);
    expect((await service.send(`GET ${root}/constructor`, admin)).status).toBe(200);
  });
});

describe('a dry run', () => {
  test('reports what would happen, and changes nothing', async () => {
    await using service = await open();
    const send = async (line: string, body?: unknown) =>
      (await service.send(line, { ...admin, ...(body === undefined ? {} : { body }) })).json;
    expect(await send(`POST ${root}?dry_run=true`, ticket)).toEqual({
      singular: 'ticket',
      effects: ['The type "ticket" is created, with a table of its own.'],
    });
    expect((await service.send('GET /api/v1/cms/tickets')).status).toBe(404);
    await send(`POST ${root}`, ticket);
    await service.seed('tickets', { title: 'Leak' });
    const fields = [
      { ...ticket.fields[0], max_length: 60 },
      { name: 'urgent', field_type: 'boolean', default: false },
    ];
    const body = { ...ticket, fields, plural: 'cases', protocols: [], api: {} };
    expect((await send(`PUT ${root}/ticket?dry_run=true`, body)).effects).toEqual([
      'The routes of "tickets" are gone; there are those of "cases".',
      'The field "urgent" is added, and existing records get its default.',
      'The field "weight" is no longer served; its values stay stored.',
      'The field "created_at" is no longer served; its values stay stored.',
      'The field "updated_at" is no longer served; its values stay stored.',
      'The field "title" changes.',
      'The protocols or their options change.',
      'Access, rules or caching of the endpoints change.',
    ]);
    expect((await send(`PUT ${root}/ticket?dry_run=true`, ticket)).effects).toEqual([
      'Nothing changes in what is stored or served.',
    ]);
    expect((await send(`DELETE ${root}/ticket?dry_run=true`)).singular).toBe('ticket');
    expect((await send(`GET ${root}/ticket`)).revision).toBe(1);
    expect((await service.send('GET /api/v1/cms/tickets')).json.total).toBe(1);
  });
});

describe('a write that began before a change', () => {
  /** A create whose body ends when `finish` is called. */
  function slowCreate(service: TestService, body: unknown) {
    const gate = Promise.withResolvers<void>();
    const text = new TextEncoder().encode(JSON.stringify(body));
    const stream = new ReadableStream({
      async start(controller) {
        controller.enqueue(text.slice(0, 5));
        await gate.promise;
        controller.enqueue(text.slice(5));
        controller.close();
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request('http://x/api/v1/cms/tickets', { method: 'POST', headers, body: stream });
    const answer = service.app.fetch(request);
    return {
      async finish() {
        gate.resolve();
        const response = await answer;
        // An answer's JSON; a wrong path in it fails the test.
        return { status: response.status, json: (await response.json()) as Record<string, unknown> };
      },
    };
  }

  test('is finished on the definition it began with, where the table still takes it', async () => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const slow = slowCreate(service, { title: 'Leak', weight: 7 });
    const fields = [ticket.fields[0], { name: 'urgent', field_type: 'boolean' }];
    await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, fields } });
    const { status, json } = await slow.finish();
    expect([status, json.weight]).toEqual([201, 7]);
    expect((await service.send('GET /api/v1/cms/tickets')).json.items[0]).toMatchObject({
      title: 'Leak',
      urgent: null,
    });
  });

  test.each([
    ['a field of another type', [ticket.fields[0], { name: 'weight', field_type: 'text' }]],
    ['another search index', [...ticket.fields, { name: 'body', field_type: 'text' }]],
  ])('is refused, to be sent again, where the table does not: %s', async (_, fields) => {
    await using service = await open();
    await service.send(`POST ${root}`, { ...admin, body: ticket });
    const slow = slowCreate(service, { title: 'Leak', weight: 7 });
    const changed = await service.send(`PUT ${root}/ticket`, { ...admin, body: { ...ticket, fields } });
    expect(changed.status).toBe(200);
    const { status, json } = await slow.finish();
    expect([status, json.code]).toEqual([503, 'definition_changed']);
    expect((await service.send('POST /api/v1/cms/tickets', { body: { title: 'Leak' } })).status).toBe(201);
    expect((await service.send('GET /api/v1/cms/tickets')).json.total).toBe(1);
  });
});

test('what another deployment has made of the tables of a file is not written to by its older definition', async () => {
  const parcel = (weight: object) => ({
    singular: 'parcel',
    plural: 'parcels',
    fields: [
      { name: 'title', field_type: 'text' },
      { name: 'weight', field_type: 'text', ...weight },
    ],
    api: { create: { access: 'public' } },
  });
  await using service = await open(parcel({}));
  const write = async () => {
    const { status, json } = await service.send('POST /api/v1/cms/parcels', {
      body: { title: 'Books', weight: 'heavy' },
    });
    return [status, json.code];
  };
  const other = await service.database.again();
  await migrateSchema(other, withBuiltIns(parcel({ field_type: 'integer' })));
  await other.close();
  expect(await write()).toEqual([503, 'definition_changed']);
  // Everything derived from the definitions is rebuilt.
  expect((await service.send(`POST ${root}`, { ...admin, body: ticket })).status).toBe(201);
  expect(await write()).toEqual([503, 'definition_changed']);
});

test('the list shows every type and where it comes from', async () => {
  await using service = await TestService.open(
    [page, { extends: 'page', fields: [{ name: 'mood', field_type: 'text' }] }],
    {
      builtIn: true,
    },
  );
  await service.account('ada', 'admin');
  await service.send(`POST ${root}`, { ...admin, body: ticket });
  const { json } = await service.send(`GET ${root}?page_size=4`, admin);
  const sources = (items: { singular: string; source: string; file: string | null }[]) =>
    items.map(({ singular, source, file }) => [singular, source, file]);
  expect([json.total, json.page_size, sources(json.items)]).toEqual([
    7,
    4,
    [
      ['category', 'built_in', null],
      ['comment', 'built_in', null],
      ['media', 'built_in', null],
      ['note', 'file', 'definition-1'],
    ],
  ]);
  expect(sources((await service.send(`GET ${root}?page_size=4&page=2`, admin)).json.items)).toEqual([
    ['page', 'built_in', 'definition-2'],
    ['post', 'built_in', null],
    ['ticket', 'api', null],
  ]);
  expect((await service.send(`GET ${root}/note`, admin)).json.definition).toEqual(page);
  const fields = (await service.send(`GET ${root}/page`, admin)).json.definition.fields;
  expect(fields.at(-1)).toEqual({ name: 'mood', field_type: 'text' });
});
