// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// What a role does not write, written by ways around the update of a field: routes that set fields by themselves, and values inside others.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });

const definitions = [
  { singular: 'place', plural: 'places', protocols: ['nestable', 'soft_deletable'], fields: [text('name')] },
  {
    singular: 'story',
    plural: 'stories',
    protocols: [
      {
        name: 'statusable',
        values: ['draft', 'review', 'published', 'archived'],
        default: 'draft',
        published: 'published',
      },
    ],
    fields: [
      text('title'),
      {
        name: 'facts',
        field_type: 'group',
        fields: [text('shown'), text('source', { private: true })],
      },
    ],
  },
];

const whole = { list: true, get: true, create: true, update: true, delete: true, publish: true };
const roles = [
  {
    name: 'gardener',
    types: {
      place: { ...whole, write: { except: ['parent_id'] } },
      page: { ...whole, write: { except: ['sort_order'] } },
    },
  },
  { name: 'blind', types: { place: { ...whole, read: { except: ['position'] } } } },
  { name: 'mover', types: { place: { ...whole, write: { only: ['parent_id'] } } } },
  {
    name: 'reporter',
    types: { story: { ...whole, publish: false, write: { except: ['status'] } } },
  },
  { name: 'fixed', types: { story: { ...whole, write: { except: ['facts'] } } } },
];

const places = '/api/v1/admin/cms/places';
const stories = '/api/v1/admin/cms/stories';

let service: TestService;
let root: string;
let leaf: string;
let story: string;
let page: string;
beforeAll(async () => {
  service = await TestService.open(definitions, { roles, builtIn: true });
  await service.account('ada', 'admin');
  for (const { name } of roles) await service.account(name, name);
  root = (await service.seed('places', { name: 'root' })).id;
  leaf = (await service.seed('places', { name: 'leaf' })).id;
  page = (await service.seed('pages', { title: 'Page' })).id;
  story = (await service.seed('stories', { title: 'One', facts: { shown: 'yes', source: 'Ada' } })).id;
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, as: string, body?: unknown): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });
const insufficient = { status: 403, json: { code: 'insufficient_role' } };

describe('a place in a tree', () => {
  test('is not changed by a role that may not write it', async () => {
    const before = (await send(`GET ${places}/${leaf}`, 'ada')).json;
    const items = [{ id: page, sort_order: 5 }];
    expect(await send('PUT /api/v1/admin/pages/reorder', 'gardener', { items })).toMatchObject(insufficient);
    expect(await send(`POST ${places}/${leaf}/move`, 'gardener', { parent_id: root })).toMatchObject(insufficient);
    expect(await send(`POST ${places}/${leaf}/move`, 'gardener', { parent_id: root, position: 5 })).toMatchObject(
      insufficient,
    );
    expect((await send(`GET ${places}/${leaf}`, 'ada')).json).toEqual(before);
  });

  test('is refused whatever it is, where the role does not read it', async () => {
    const { position } = (await send(`GET ${places}/${leaf}`, 'ada')).json;
    for (const guess of [position, position + 1]) {
      const items = [{ id: leaf, position: guess }];
      expect(await send(`PUT ${places}/reorder`, 'blind', { items })).toMatchObject(insufficient);
      const moved = await send(`POST ${places}/${leaf}/move`, 'blind', { parent_id: null, position: guess });
      expect(moved).toMatchObject(insufficient);
    }
    expect(await send(`POST ${places}/${leaf}/move`, 'blind', { parent_id: null })).toMatchObject({ status: 200 });
  });

  test('is changed by a role that may write it, and what comes back from the trash is not asked about it', async () => {
    const items = [{ id: leaf, position: 7 }];
    expect(await send(`PUT ${places}/reorder`, 'mover', { items })).toMatchObject({ status: 200 });
    expect(await send(`POST ${places}/${leaf}/move`, 'mover', { parent_id: root, position: 3 })).toMatchObject({
      status: 200,
      json: { parent_id: root, position: 3 },
    });
    expect(await send(`DELETE ${places}/${leaf}`, 'gardener')).toMatchObject({ status: 204 });
    expect(await send(`POST ${places}/${leaf}/restore`, 'gardener')).toMatchObject({ status: 200 });
  });
});

describe('a status', () => {
  test('that is not published is a field like others, in a new record too', async () => {
    for (const status of ['review', 'archived']) {
      const made = await send(`POST ${stories}`, 'reporter', { title: 'New', status });
      expect({ status, code: made.json.code }).toEqual({ status, code: 'insufficient_role' });
      const batch = await send(`POST ${stories}/batch`, 'reporter', { action: 'archive', ids: [story] });
      expect(batch).toMatchObject(insufficient);
    }
    const made = await send(`POST ${stories}`, 'reporter', { title: 'New', status: 'draft' });
    expect(made).toMatchObject({ status: 201, json: { status: 'draft' } });
  });
});

describe('a private field inside another', () => {
  test('is no field to a role that does not read it, whatever is sent for it', async () => {
    for (const as of ['reporter', 'fixed']) {
      for (const source of ['Ada', 'Bea', null]) {
        const { status, json } = await send(`PUT ${stories}/${story}`, as, { facts: { shown: 'yes', source } });
        expect({ as, source, status, errors: json.errors }).toEqual({
          ...{ as, source, status: 422 },
          errors: [{ field: 'facts.source', code: 'unknown_field', message: 'There is no such field.' }],
        });
      }
    }
    expect(await send(`PUT ${stories}/${story}`, 'reporter', { facts: { shown: 'no' } })).toMatchObject({
      status: 200,
      json: { facts: { shown: 'no' } },
    });
    expect((await send(`GET ${stories}/${story}`, 'ada')).json.facts).toEqual({ shown: 'no', source: 'Ada' });
  });
});
