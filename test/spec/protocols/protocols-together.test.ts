// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBeside } from '../../support/run-beside.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Where protocols meet: drafts, versions, plans, marks, places and tenants of the same record.

const published = { filter: 'status = "published"', cache: true };
const topicField = {
  name: 'topic',
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target: 'topics' },
};
const story = {
  singular: 'story',
  plural: 'stories',
  protocols: [
    'tenantable',
    { name: 'versionable', drafts: true },
    { name: 'statusable', schedule: 'published' },
    'soft_deletable',
    'nestable',
    'lockable',
    'timestampable',
    'ownable',
    'metaable',
    'expirable',
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'slug', field_type: 'uid', target_field: 'title' },
    { name: 'code', field_type: 'text', unique: true },
    { name: 'note', field_type: 'text', private: true },
    topicField,
  ],
  api: { list: published, get: published },
};
const topic = {
  singular: 'topic',
  plural: 'topics',
  protocols: ['tenantable'],
  fields: [{ name: 'name', field_type: 'text' }],
};
const strict = {
  singular: 'strict',
  plural: 'stricts',
  protocols: [{ name: 'lockable', required: true }, { name: 'versionable', drafts: true }, 'statusable'],
  fields: [{ name: 'title', field_type: 'text' }],
};
const item = {
  singular: 'item',
  plural: 'items',
  protocols: ['sortable', { name: 'versionable', drafts: true }, 'statusable'],
  fields: [{ name: 'title', field_type: 'text' }],
};

const admin = '/api/v1/admin/cms';
const open = '/api/v1/cms';
const later = '2999-01-01T00:00:00.000Z';

/** How far the clock of the service is ahead, in milliseconds. */
let ahead = 0;
let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story, topic, strict, item], {
    ...{ builtIn: true, now: () => Date.now() + ahead },
  });
  for (const tenant of ['acme', 'bolt']) await service.account(tenant, 'admin', tenant);
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (line: string, as?: string, body?: object, status = 200): Promise<Reply['json']> => {
  const sent = { ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) };
  const { status: actual, text, json } = await service.send(line, sent);
  expect({ line, status: actual, text }).toEqual({ line, status, text });
  return json;
};
const faults = async (line: string, as: string, body?: object): Promise<unknown[]> => {
  const { status, json } = await service.send(line, { as, ...(body === undefined ? {} : { body }) });
  const reported = (json.errors ?? []).map(({ field, code }: Reply['json']) => `${field} ${code}`);
  return reported.length === 0 ? [status, json.code] : [status, ...reported];
};
let count = 0;
const make = (as = 'acme', more: object = {}, type = 'stories') =>
  ok(`POST ${admin}/${type}`, as, { title: `story ${++count}`, status: 'published', ...more }, 201);

describe('a draft', () => {
  test('waits while its record is deleted by a mark', async () => {
    const { id } = await make();
    const path = `${admin}/stories/${id}`;
    await ok(`PUT ${path}?draft=true`, 'acme', { title: 'next' });
    await ok(`DELETE ${path}`, 'acme', undefined, 204);
    for (const line of [`GET ${path}?draft=true`, `POST ${path}/publish`, `DELETE ${path}/draft`]) {
      await ok(line, 'acme', undefined, 404);
    }
    await ok(`PUT ${path}?draft=true`, 'acme', { title: 'other' }, 404);
    expect((await ok(`POST ${path}/restore`, 'acme')).__draft.changes).toEqual({ title: 'next' });
    expect((await ok(`POST ${path}/publish`, 'acme')).title).toBe('next');
  });

  test('leaves what is changed in the record meanwhile: its place, its plan, its time', async () => {
    const [parent, { id }] = [await make(), await make()];
    const path = `${admin}/stories/${id}`;
    await ok(`PUT ${path}?draft=true`, 'acme', { title: 'moved' });
    await ok(`POST ${path}/move`, 'acme', { parent_id: parent.id, position: 70 });
    await ok(`PUT ${path}`, 'acme', { expires_at: later });
    expect(await ok(`POST ${path}/publish`, 'acme')).toMatchObject({
      title: 'moved',
      parent_id: parent.id,
      depth: 1,
      position: 70,
      expires_at: later,
    });
  });

  test('of a record that editors put elsewhere keeps its new place', async () => {
    const { id } = await make('ada', {}, 'items');
    await ok(`PUT ${admin}/items/${id}?draft=true`, 'ada', { title: 'next' });
    await ok(`PUT ${admin}/items/reorder`, 'ada', { items: [{ id, position: 70 }] });
    expect(await ok(`POST ${admin}/items/${id}/publish`, 'ada')).toMatchObject({ title: 'next', position: 70 });
  });

  test('makes no circle, neither when it is written nor when it is published', async () => {
    const parent = await make();
    const child = await make('acme', { parent_id: parent.id });
    const path = `${admin}/stories/${parent.id}`;
    expect(await faults(`PUT ${path}?draft=true`, 'acme', { parent_id: child.id })).toEqual([
      422,
      'parent_id circular',
    ]);
    const other = await make();
    await ok(`PUT ${path}?draft=true`, 'acme', { parent_id: other.id });
    await ok(`POST ${admin}/stories/${other.id}/move`, 'acme', { parent_id: child.id });
    expect(await faults(`POST ${path}/publish`, 'acme')).toEqual([422, 'parent_id circular']);
    expect((await ok(`GET ${path}`, 'acme')).__draft.changes).toEqual({ parent_id: other.id });
  });

  test('of two with the same slug, the second to be published is rejected and stays', async () => {
    const [first, second] = [await make(), await make()];
    const path = (one: Reply['json']) => `${admin}/stories/${one.id}`;
    for (const one of [first, second]) await ok(`PUT ${path(one)}?draft=true`, 'acme', { slug: 'same' });
    expect((await ok(`POST ${path(first)}/publish`, 'acme')).slug).toBe('same');
    expect(await faults(`POST ${path(second)}/publish`, 'acme')).toEqual([422, 'slug taken']);
    expect((await ok(`GET ${path(second)}`, 'acme')).__draft.changes).toEqual({ slug: 'same' });
    // Another tenant's is another lot.
    const theirs = await make('bolt');
    await ok(`PUT ${path(theirs)}?draft=true`, 'bolt', { slug: 'same' });
    expect((await ok(`POST ${path(theirs)}/publish`, 'bolt')).slug).toBe('same');
  });

  test('is held to the version that its writer has seen', async () => {
    const { id } = await make('ada', {}, 'stricts');
    const path = `${admin}/stricts/${id}`;
    expect(await faults(`PUT ${path}?draft=true`, 'ada', { title: 'a' })).toEqual([422, 'lock_version required']);
    await ok(`PUT ${path}?draft=true`, 'ada', { title: 'a', lock_version: 1 });
    await ok(`PUT ${path}`, 'eve', { status: 'published', lock_version: 1 });
    expect(await faults(`PUT ${path}?draft=true`, 'ada', { title: 'b', lock_version: 1 })).toEqual([
      409,
      'lock_version_mismatch',
    ]);
    expect(await ok(`POST ${path}/publish`, 'ada')).toMatchObject({ title: 'a', lock_version: 3 });
  });

  test('is returned by no public route, list, search, filter or cursor', async () => {
    const { id } = await make('ada');
    await ok(`PUT ${admin}/stories/${id}?draft=true`, 'ada', { title: 'zanzibar', note: 'zanzibar' });
    for (const line of ['?search=zanzibar', '?title=zanzibar', '']) {
      const { text } = await service.send(`GET ${open}/stories${line}`);
      expect(text).not.toContain('__draft');
      expect(text).not.toContain('"zanzibar"');
    }
    for (const line of ['?sort=__draft', '?__draft=x', '?has_draft=true'])
      await ok(`GET ${open}/stories${line}`, undefined, undefined, 400);
    expect((await ok(`GET ${admin}/stories?search=zanzibar`, 'ada')).total).toBe(0);
  });
});

describe('a version', () => {
  test('that refers to what is gone by now is not brought back, and says which field', async () => {
    const { id: gone } = await ok(`POST ${admin}/topics`, 'acme', { name: 'x' }, 201);
    const { id } = await make('acme', { topic: gone, code: 'c1' });
    const path = `${admin}/stories/${id}`;
    await ok(`PUT ${path}`, 'acme', { topic: null, code: 'c2' });
    await ok(`DELETE ${admin}/topics/${gone}`, 'acme', undefined, 204);
    expect(await faults(`POST ${path}/revisions/1/restore`, 'acme')).toEqual([422, 'topic unknown_record']);
    // A code that another tenant has by now is free here.
    await ok(`PUT ${path}`, 'acme', { code: 'c3' });
    await make('bolt', { code: 'c2' });
    expect((await ok(`POST ${path}/revisions/2/restore`, 'acme')).code).toBe('c2');
  });

  test('is kept of what moved by itself, within the tenant', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await make('acme', { status: 'draft', scheduled_at: scheduledAt });
    ahead = 2 * 3_600_000;
    await service.runJobs();
    ahead = 0;
    const path = `${admin}/stories/${id}`;
    expect(await ok(`GET ${path}`, 'acme')).toMatchObject({
      status: 'published',
      scheduled_at: null,
      tenant_id: 'acme',
    });
    expect((await ok(`GET ${path}/revisions`, 'acme')).items[0]).toMatchObject({ action: 'schedule', author: null });
    await ok(`GET ${path}/revisions`, 'bolt', undefined, 404);
    await ok(`GET ${open}/stories/${id}`, undefined, undefined, 404);
  });
});

describe('a request that is sent again', () => {
  test.each(['restore', 'publish'])('does a %s once', async (action) => {
    const { id } = await make();
    const path = `${admin}/stories/${id}`;
    await ok(`PUT ${path}`, 'acme', { note: 'n' });
    await ok(`PUT ${path}?draft=true`, 'acme', { title: 'drafted' });
    const line = `POST ${path}/${action === 'restore' ? 'revisions/1/restore' : 'publish'}`;
    const headers = { 'Idempotency-Key': crypto.randomUUID() };
    const replies = [];
    for (const _ of [1, 2]) replies.push(await service.send(line, { as: 'acme', headers }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[1]?.text).toBe(replies[0]?.text ?? '');
    expect((await ok(`GET ${path}/revisions`, 'acme')).total).toBe(3);
    // The key is its sender's: another's request is done for itself, and rejected.
    expect((await service.send(line, { as: 'bolt', headers })).status).toBe(404);
  });
});

test('a cursor leads through the records of a tenant, and through those that are deleted', async () => {
  await using lists = await TestService.open([story, topic]);
  for (const tenant of ['acme', 'bolt']) await lists.account(tenant, 'admin', tenant);
  const ids: Record<string, string[]> = { acme: [], bolt: [] };
  for (let index = 0; index < 10; index++) {
    for (const as of ['acme', 'bolt']) {
      const { json } = await lists.send(`POST ${admin}/stories`, { as, body: { title: 'x', code: `${index}` } });
      ids[as]?.push(json.id);
    }
  }
  for (const as of ['acme', 'bolt']) {
    for (const id of ids[as]?.slice(0, 5) ?? []) await lists.send(`DELETE ${admin}/stories/${id}`, { as });
  }
  const pages = async (query: string, as: string) => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { status, json } = await lists.send(`GET ${admin}/stories?page_size=2&sort=code:asc${query}${cursor}`, {
        as,
      });
      expect(status).toBe(200);
      found.push(...json.items.map(({ id }: { id: string }) => id));
      if (json.next_cursor === undefined) return found;
      cursor = `&cursor=${json.next_cursor}`;
    }
  };
  for (const as of ['acme', 'bolt']) {
    const own = ids[as] ?? [];
    expect(await pages('', as)).toEqual(own.slice(5));
    expect(await pages('&deleted=only', as)).toEqual(own.slice(0, 5));
    expect(await pages('&deleted=with', as)).toEqual(own);
  }
  const { json } = await lists.send(`GET ${admin}/stories?page_size=2&sort=code:asc`, { as: 'acme' });
  const stolen = await lists.send(`GET ${admin}/stories?page_size=2&sort=code:asc&cursor=${json.next_cursor}`, {
    as: 'bolt',
  });
  for (const id of ids.acme ?? []) expect(stolen.text).not.toContain(id);
});

test('the types themselves are not for the admin of a tenant', async () => {
  const path = '/api/v1/admin/content-types';
  const body = { singular: 'x', plural: 'xs', fields: [{ name: 'a', field_type: 'text' }] };
  for (const [line, sent] of [
    [`POST ${path}`, body],
    [`PUT ${path}/story`, body],
    [`DELETE ${path}/story`],
    [`GET ${path}/story/revisions`],
  ] as const) {
    await ok(line, 'acme', sent, 403);
    expect((await service.send(line, { as: 'ada', ...(sent === undefined ? {} : { body: sent }) })).status).not.toBe(
      403,
    );
  }
});

test('an export that is imported has tenants, marks, plans, drafts and places as they were', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recto-together-'));
  try {
    await using from = await TestService.open([story, topic], { builtIn: true });
    await using to = await TestService.open([story, topic], { builtIn: true });
    for (const each of [from, to]) {
      await each.account('ada', 'admin');
      await each.account('acme', 'editor', 'acme');
    }
    const root = await from.seed('stories', { title: 'same', tenant_id: 'acme', status: 'published' });
    await from.seed('stories', { title: 'same', tenant_id: 'bolt', status: 'draft', scheduled_at: later });
    await from.seed('stories', { title: 'same', tenant_id: 'acme', parent_id: root.id, slug: 'other' });
    const path = `${admin}/stories/${root.id}`;
    await from.send(`PUT ${path}?draft=true`, { as: 'ada', body: { title: 'next', note: 'hush' } });
    const gone = await from.seed('stories', { title: 'gone' });
    await from.send(`DELETE ${admin}/stories/${gone.id}`, { as: 'ada' });
    const out = join(folder, 'out');
    const definitions = [story, topic];
    expect(await runBeside(from, definitions, ['export', '--out', out])).toMatchObject({ exitCode: 0 });
    expect(await runBeside(to, definitions, ['import', 'json', out])).toMatchObject({ exitCode: 0 });
    const all = async (each: TestService, as: string) =>
      (await each.send(`GET ${admin}/stories?deleted=with`, { as })).json;
    expect((await all(from, 'ada')).total).toBe(4);
    for (const as of ['ada', 'acme']) expect(await all(to, as)).toEqual(await all(from, as));
    expect((await to.send(`POST ${path}/publish`, { as: 'ada' })).json).toMatchObject({ title: 'next', note: 'hush' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a type with all protocols and fields is changed through the API while it is written and read', async () => {
  const topics = { singular: 'topic', plural: 'topics', fields: [{ name: 'name', field_type: 'text' }] };
  // In threads, changes come between what a request knows of a type and what it reads.
  await using live = await TestService.open([topics], { database: { onlyThreads: true } });
  await live.account('ada', 'admin');
  const simple = [
    'text',
    'richtext',
    'email',
    'integer',
    'bigint',
    'float',
    'decimal',
    'boolean',
    'date',
    'datetime',
    'time',
    'json',
    'media',
  ];
  const body = {
    ...story,
    fields: [
      ...story.fields,
      ...simple.map((type) => ({ name: `a_${type}`, field_type: type })),
      { name: 'a_enum', field_type: 'enum', enum_values: ['x', 'y'] },
      { name: 'a_password', field_type: 'password' },
    ],
    protocols: [...story.protocols.filter((name) => name !== 'tenantable'), 'sortable'],
    api: { ...story.api, create: { access: 'public' } },
  };
  const types = '/api/v1/admin/content-types';
  expect((await live.send(`POST ${types}`, { as: 'ada', body })).status).toBe(201);
  const changes = Array.from({ length: 8 }, (_, index) => ({
    ...body,
    fields: [
      ...body.fields,
      { name: `more_${index}`, field_type: index % 2 === 0 ? 'text' : 'integer', default: index % 2 === 0 ? 'd' : 1 },
    ],
  }));
  let going = true;
  const statuses = new Set<string>();
  let made = 0;
  const busy = Array.from({ length: 4 }, async (_, lane) => {
    // Once more when all is quiet: on a busy machine a change may come between each time.
    for (let index = 0, isLast = false; !isLast; index++) {
      isLast = !going && index >= 5;
      const create = await live.send(`POST ${open}/stories`, {
        body: { title: `lane ${lane} ${index}`, a_text: 'word' },
      });
      if (create.status === 201) made += 1;
      statuses.add(`create ${create.status} ${create.json.code ?? ''}`);
      const list = await live.send(`GET ${admin}/stories?search=word&sort=title:asc`, { as: 'ada' });
      statuses.add(`list ${list.status} ${list.json.code ?? ''}`);
      const [first] = list.json.items ?? [];
      if (first === undefined) continue;
      const versions = await live.send(`GET ${admin}/stories/${first.id}/revisions`, { as: 'ada' });
      statuses.add(`versions ${versions.status} ${versions.json.code ?? ''}`);
    }
  });
  for (const change of changes) {
    const { status, text } = await live.send(`PUT ${types}/story`, { as: 'ada', body: change });
    expect({ status, text }).toEqual({ status: 200, text });
  }
  going = false;
  await Promise.all(busy);
  statuses.delete('create 503 definition_changed');
  expect([...statuses].sort()).toEqual(['create 201 ', 'list 200 ', 'versions 200 ']);
  expect((await live.send(`GET ${admin}/stories`, { as: 'ada' })).json.total).toBe(made);
});
