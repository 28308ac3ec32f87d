// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    'ownable',
    { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
  ],
  fields: [{ name: 'title', field_type: 'text', required: true }],
};
const note = { singular: 'note', plural: 'notes', fields: [{ name: 'text', field_type: 'text' }] };

const own = 'created_by = @request.auth.id';
const drafted = `${own} && status = "draft"`;
const kept = '@request.body.title = title';
const roles = [
  { name: 'writer', types: { article: { list: true, get: own, create: true, update: drafted, publish: true } } },
  { name: 'keeper', types: { article: { get: 'status = "published"', update: kept, publish: true } } },
];

const right = (may: boolean | null, rule: string | null, holds: boolean | null = may) => ({ may, rule, holds });

describe('who may do what with a record', () => {
  let service: TestService;
  let [wes, hers, theirs, text] = ['', '', '', ''];
  beforeAll(async () => {
    service = await TestService.open([article, note], { roles });
    await service.account('ada', 'admin');
    await service.account('eve', 'editor');
    wes = await service.account('wes', 'writer');
    const make = async (as: string, path: string, body: object) =>
      (await service.send(`POST /api/v1/admin/cms/${path}`, { as, body })).json.id;
    hers = await make('wes', 'articles', { title: 'Own' });
    theirs = await make('ada', 'articles', { title: 'Other' });
    text = await make('ada', 'notes', { text: 'A' });
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  const ask = (id: string, search: string, as = 'ada') =>
    service.send(`GET /api/v1/admin/cms/articles/${id}/access${search}`, { as });

  test('is said for an account by the rules of its role, with what else each right takes', async () => {
    expect(await ask(hers, `?account=${wes}`)).toMatchObject({
      status: 200,
      json: {
        role: 'writer',
        account: wes,
        hidden: false,
        actions: {
          list: right(true, null),
          get: right(true, own),
          update: right(true, drafted),
          delete: right(false, null),
          publish: right(true, null),
        },
      },
    });
    expect((await ask(theirs, `?account=${wes}`)).json.actions).toEqual({
      list: right(true, null),
      get: right(false, own),
      update: right(false, drafted),
      delete: right(false, null),
      publish: right(false, null, true),
    });
  });

  test('depends on what is sent where a rule looks at that', async () => {
    const asked = (await ask(theirs, '?role=keeper')).json.actions;
    expect([asked.get.may, asked.update, asked.publish]).toEqual([
      false,
      right(false, kept, null),
      right(false, null, true),
    ]);
    const path = `PUT /api/v1/admin/cms/articles/${theirs}`;
    expect((await service.send(path, { as: 'ada', body: { status: 'published' } })).status).toBe(200);
    const { actions } = (await ask(theirs, '?role=keeper')).json;
    expect([actions.get.may, actions.update, actions.publish]).toEqual([
      true,
      right(null, kept),
      right(null, null, true),
    ]);
    await service.send(path, { as: 'ada', body: { status: 'draft' } });
  });

  test('is said for somebody as if they had another role', async () => {
    const { json } = await ask(hers, `?account=${wes}&role=keeper`);
    expect([json.role, json.account, json.actions.get.may]).toEqual(['keeper', wes, false]);
  });

  test('is said for a role as if the admin had it, and for the admin', async () => {
    const { json } = await ask(theirs, '?role=writer');
    expect([json.role, json.account, json.actions.get]).toEqual(['writer', null, right(true, own)]);
    const all = right(true, null);
    const everything = { list: all, get: all, update: all, delete: all, publish: all };
    expect((await ask(hers, '')).json).toEqual({ role: 'admin', account: null, hidden: false, actions: everything });
    expect((await ask(hers, '?role=editor')).json.actions).toEqual(everything);
    expect((await ask(hers, '?role=member')).json.actions.get).toEqual(right(false, null));
  });

  test('agrees with what the account then gets', async () => {
    for (const id of [hers, theirs]) {
      const { get, update } = (await ask(id, `?account=${wes}`)).json.actions;
      const path = `/api/v1/admin/cms/articles/${id}`;
      const read = await service.send(`GET ${path}`, { as: 'wes' });
      const change = await service.send(`PUT ${path}`, { as: 'wes', body: { title: 'Own' } });
      expect([read.status === 200, change.status === 200]).toEqual([get.may, update.may]);
    }
  });

  test('names no right to publish where nothing is published', async () => {
    const { json } = await service.send(`GET /api/v1/admin/cms/notes/${text}/access?role=writer`, { as: 'ada' });
    expect(Object.keys(json.actions)).toEqual(['list', 'get', 'update', 'delete']);
    expect(json.actions.get).toEqual(right(false, null));
  });

  test('is for admins, and about what there is', async () => {
    for (const as of ['eve', 'wes']) expect((await ask(hers, '?role=writer', as)).json.code).toBe('insufficient_role');
    expect((await ask(wes, '?role=writer')).status).toBe(404);
    expect((await ask(hers, `?account=${hers}`)).json.code).toBe('not_found');
    for (const search of ['?role=reader', '?account=wes']) {
      expect(await ask(hers, search)).toMatchObject({ status: 400, json: { code: 'invalid_parameter' } });
    }
  });
});
