// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { faultsOf } from '../../support/check-files.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { plantedId } from '../rules/planted.ts';

// Relations to accounts: `target = "users"`.

const users = (name: string, relation_type: string, rest: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target: 'users' },
  ...rest,
});
const title = { name: 'title', field_type: 'text' };
const own = { filter_auth: 'author = @request.auth.id' };
const definitions = [
  {
    singular: 'article',
    plural: 'articles',
    protocols: [{ name: 'versionable' }],
    fields: [
      title,
      users('author', 'many_to_one'),
      users('team', 'many_to_many'),
      users('secret', 'many_to_one', { private: true }),
    ],
  },
  {
    singular: 'diary',
    plural: 'diaries',
    fields: [title, users('author', 'many_to_one')],
    api: { list: own, get: own },
  },
  {
    singular: 'desk',
    plural: 'desks',
    fields: [users('holder', 'one_to_one'), users('keeper', 'many_to_one', { required: true })],
  },
  { singular: 'group', plural: 'groups', fields: [users('members', 'many_to_many', { required: true })] },
  { singular: 'task', plural: 'tasks', protocols: ['tenantable'], fields: [users('who', 'many_to_one')] },
];

let service: TestService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await TestService.open(definitions);
  ids.root = await service.account('root', 'admin');
  ids.eve = await service.account('eve', 'editor');
  for (const name of ['ada', 'bob', 'cid', 'dan', 'fay']) ids[name] = await service.account(name);
  for (const tenant of ['acme', 'globex']) ids[tenant] = await service.account(tenant, 'member', tenant);
  await service.send('PUT /api/v1/auth/me', { as: 'ada', body: { display_name: 'Ada' } });
});
afterAll(() => service[Symbol.asyncDispose]());

const ok = async (reply: Promise<Reply>, status = 200): Promise<Reply['json']> => {
  const { status: actual, text, json } = await reply;
  expect({ status: actual, text }).toEqual({ status, text });
  return json;
};
const create = (plural: string, body: object, as = 'eve') => service.send(`POST /api/v1/cms/${plural}`, { as, body });
const get = (path: string, as?: string) => ok(service.send(`GET /api/v1/cms/${path}`, as === undefined ? {} : { as }));
const profileOf = (name: string, display_name: string | null = null) => ({
  id: ids[name],
  display_name,
  avatar: null,
  bio: null,
  website: null,
});
const remove = (name: string) => service.send(`DELETE /api/v1/admin/users/${ids[name]}`, { as: 'root' });

describe('a relation to accounts', () => {
  test('reads as ids, and with include as public profiles', async () => {
    const made = await ok(
      create('articles', { title: 'A', author: ids.ada, team: [ids.bob, ids.ada], secret: ids.cid }),
      201,
    );
    expect(made).toMatchObject({ author: ids.ada, team: [ids.bob, ids.ada] });
    const path = `articles/${made.id}`;
    expect(await get(path)).toMatchObject({ author: ids.ada, team: [ids.bob, ids.ada] });
    const included = await get(`${path}?include=author,team`);
    expect(included).toMatchObject({
      author: profileOf('ada', 'Ada'),
      team: [profileOf('bob'), profileOf('ada', 'Ada')],
    });
    expect(Object.keys(included.author).toSorted()).toEqual(['avatar', 'bio', 'display_name', 'id', 'website']);
    const { items } = await get('articles?include=author');
    expect(items.find((item: { id: string }) => item.id === made.id).author).toEqual(profileOf('ada', 'Ada'));
    const admin = await ok(service.send(`GET /api/v1/admin/cms/${path}?include=secret`, { as: 'eve' }));
    expect(admin.secret).toEqual(profileOf('cid'));
  });

  test('shows a profile to whoever sees a record that names the account, and to nobody else', async () => {
    expect((await service.send(`GET /api/v1/users/${ids.ada}`)).status).toBe(200);
    expect((await service.send(`GET /api/v1/users/${ids.bob}`)).status).toBe(200);
    // Named by a private field alone.
    expect((await service.send(`GET /api/v1/users/${ids.cid}`)).status).toBe(404);
    await ok(create('diaries', { title: 'Mine', author: ids.dan }, 'dan'), 201);
    expect((await service.send(`GET /api/v1/users/${ids.dan}`)).status).toBe(404);
    expect((await service.send(`GET /api/v1/users/${ids.dan}`, { as: 'dan' })).status).toBe(200);
  });

  test('is written with accounts that exist', async () => {
    const refused = await create('articles', { author: plantedId(1), team: [ids.ada, plantedId(2)] });
    expect([
      refused.status,
      refused.json.errors.map(({ field, code, message }: Record<string, string>) => `${field} ${code} ${message}`),
    ]).toEqual([
      422,
      ['author unknown_record There is no such account.', 'team[1] unknown_record There is no such account.'],
    ]);
    expect((await create('articles', { author: 'ada' })).status).toBe(422);
    const { id } = await ok(create('articles', { author: ids.ada }), 201);
    expect(
      await ok(service.send(`PUT /api/v1/cms/articles/${id}`, { as: 'eve', body: { author: null, team: [ids.bob] } })),
    ).toMatchObject({ author: null, team: [ids.bob] });
  });

  test('names accounts of its tenant, or of none', async () => {
    expect((await create('tasks', { who: ids.acme }, 'acme')).status).toBe(201);
    expect((await create('tasks', { who: ids.ada }, 'acme')).status).toBe(201);
    expect((await create('tasks', { who: ids.globex }, 'acme')).status).toBe(422);
  });

  test('filters by the id, and through the profile as include shows it', async () => {
    const { id } = await ok(create('articles', { title: 'Filtered', author: ids.ada, secret: ids.ada }), 201);
    const found = async (query: string) =>
      (await get(`articles?${query}&filter_title=`.replace('&filter_title=', ''))).items.map(
        (item: { id: string }) => item.id,
      );
    expect(await found(`author=${ids.ada}`)).toContain(id);
    expect(await found(`author=${ids.dan}`)).toEqual([]);
    expect(await found(`filter=${encodeURIComponent(`author = "${ids.ada}" && title = "Filtered"`)}`)).toEqual([id]);
    expect(await found(`filter=${encodeURIComponent('author.display_name = "Ada" && title = "Filtered"')}`)).toEqual([
      id,
    ]);
    expect(
      (await service.send(`GET /api/v1/cms/articles?filter=${encodeURIComponent('author.email != null')}`)).status,
    ).toBe(400);
    expect((await service.send(`GET /api/v1/cms/articles?filter=${encodeURIComponent('secret != null')}`)).status).toBe(
      400,
    );
  });

  test('stands in rules', async () => {
    await ok(create('diaries', { title: 'Of Fay', author: ids.fay }, 'fay'), 201);
    expect((await get('diaries', 'fay')).items).toMatchObject([{ title: 'Of Fay', author: ids.fay }]);
    expect((await get('diaries', 'bob')).items).toEqual([]);
    expect((await get('diaries')).items).toEqual([]);
  });

  test('to one is unique', async () => {
    const desk = { holder: ids.bob, keeper: ids.ada };
    await ok(create('desks', desk), 201);
    const refused = await create('desks', desk);
    expect([refused.status, refused.json.errors[0]]).toMatchObject([422, { field: 'holder', code: 'taken' }]);
  });
});

describe('an account that is deleted', () => {
  test('leaves references that may be empty', async () => {
    const { id } = await ok(create('articles', { author: ids.dan, team: [ids.dan, ids.bob] }), 201);
    expect((await get(`articles/${id}`)).author).toBe(ids.dan);
    expect((await remove('dan')).status).toBe(204);
    expect(await get(`articles/${id}`)).toMatchObject({ author: null, team: [ids.bob] });
    const { items } = await ok(
      service.send('GET /api/v1/admin/events?type=articles&after=0&limit=1000', { as: 'root' }),
    );
    expect(items.filter((event: { record: string }) => event.record === id)).toMatchObject([
      { action: 'create' },
      { action: 'update', changed: ['author'], actor: { id: ids.root } },
      { action: 'update', changed: ['team'], actor: { id: ids.root } },
    ]);
  });

  test('stays where a record needs it', async () => {
    const refused = await remove('ada');
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      409,
      'record_in_use',
      'A desk needs this account as its keeper.',
    ]);
    expect((await service.send('GET /api/v1/auth/me', { as: 'ada' })).status).toBe(200);
    await ok(create('groups', { members: [ids.fay] }), 201);
    expect((await remove('fay')).json.detail).toBe('A group needs this account as its members.');
    await ok(create('groups', { members: [ids.cid, ids.bob] }), 201);
    expect((await remove('cid')).status).toBe(204);
  });
});

describe('a definition', () => {
  test('cannot ask accounts to point back', async () => {
    expect(await faultsOf({ singular: 'a', plural: 'as', fields: [users('b', 'one_to_many')] })).toEqual([
      expect.stringMatching(/^fields\[0\]\.relation\.relation_type: accounts have no fields that point back — /),
    ]);
  });

  test('may have a type of that name, which then is meant', async () => {
    await using own = await TestService.open([
      { singular: 'user', plural: 'users', fields: [title] },
      { singular: 'a', plural: 'as', fields: [users('b', 'many_to_one')] },
    ]);
    const account = await own.account('ada', 'admin');
    const user = await own.seed('users', { title: 'a record' });
    expect(await own.seed('as', { b: user.id })).toMatchObject({ b: user.id });
    const refused = await own.send('POST /api/v1/admin/cms/as', { as: 'ada', body: { b: account } });
    expect([refused.status, refused.json.errors[0].code]).toEqual([422, 'unknown_record']);
  });
});
