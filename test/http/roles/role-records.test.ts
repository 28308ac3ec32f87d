// databases: sqlite, postgres:rest
import { describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

const article = {
  singular: 'article',
  plural: 'articles',
  protocols: [
    'ownable',
    { name: 'statusable', values: ['draft', 'review', 'published'], default: 'draft', published: 'published' },
  ],
  fields: [
    { name: 'title', field_type: 'text', required: true },
    { name: 'desk', field_type: 'text', default: 'news' },
    { name: 'fee', field_type: 'integer', private: true },
    { name: 'desks', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'desks' } },
  ],
};

const desk = {
  singular: 'desk',
  plural: 'desks',
  fields: [
    { name: 'name', field_type: 'text' },
    { name: 'lead', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'articles' } },
  ],
};

const secret = { singular: 'secret', plural: 'secrets', fields: [{ name: 'text', field_type: 'text' }] };

const writer = {
  name: 'writer',
  types: {
    article: {
      list: 'created_by = @request.auth.id || status = "published"',
      get: 'created_by = @request.auth.id || status = "published"',
      create: true,
      update: 'created_by = @request.auth.id && status != "published"',
      delete: 'created_by = @request.auth.id && status = "draft"',
      write: { only: ['title', 'desks', 'status'] },
    },
    desk: { list: true, get: true },
  },
};

/** Publishes, and writes nothing else. */
const publisher = {
  name: 'publisher',
  types: {
    article: {
      list: true,
      get: true,
      update: true,
      publish: 'status = "review" || status = "published"',
      write: { only: [] },
    },
  },
};

async function open(roles: readonly unknown[] = [writer, publisher]) {
  const service = await TestService.open([article, desk, secret], { roles });
  await service.account('ada', 'admin');
  await service.account('wes', 'writer');
  await service.account('pia', 'publisher');
  const make = async (as: string, body: object) =>
    (await service.send('POST /api/v1/admin/cms/articles', { as, body })).json.id as string;
  return Object.assign(service, { make });
}

const base = '/api/v1/admin/cms/articles';

describe('the records of a role', () => {
  test('are those for which its rules hold, in lists, totals, aggregates and reads', async () => {
    await using service = await open();
    const own = await service.make('wes', { title: 'Own' });
    const hidden = await service.make('ada', { title: 'Hidden', fee: 7 });
    const shown = await service.make('ada', { title: 'Shown', status: 'published' });
    const list = await service.send(`GET ${base}?sort=title:asc`, { as: 'wes' });
    expect(list).toMatchObject({ status: 200, json: { total: 2, items: [{ id: own }, { id: shown }] } });
    expect(list.json.items[0]).not.toHaveProperty('fee');
    const groups = await service.send(`GET ${base}/aggregate?group=status`, { as: 'wes' });
    expect(groups.json.items).toEqual([
      { status: 'draft', count: 1 },
      { status: 'published', count: 1 },
    ]);
    expect(await service.send(`GET ${base}/${hidden}`, { as: 'wes' })).toMatchObject({ status: 404 });
    expect(await service.send(`GET ${base}/${shown}`, { as: 'wes' })).toMatchObject({ status: 200 });
    for (const query of ['fee=7', 'filter=fee = 7', 'sort=fee:asc', 'fields=fee']) {
      expect((await service.send(`GET ${base}?${encodeURI(query)}`, { as: 'wes' })).status).toBe(400);
    }
    // The editor's and the admin's lists are as they were.
    expect((await service.send(`GET ${base}`, { as: 'ada' })).json).toMatchObject({ total: 3 });
  });

  test('are not found through those of other types', async () => {
    await using service = await open();
    const hidden = await service.make('ada', { title: 'Hidden' });
    const made = await service.send('POST /api/v1/admin/cms/desks', { as: 'ada', body: { name: 'One', lead: hidden } });
    const one = `/api/v1/admin/cms/desks/${made.json.id}`;
    expect((await service.send(`GET ${one}?include=lead`, { as: 'wes' })).json.lead).toBeNull();
    expect((await service.send(`GET ${one}?include=lead`, { as: 'ada' })).json.lead).toMatchObject({ title: 'Hidden' });
    const filter = encodeURIComponent('lead.title = "Hidden"');
    expect((await service.send(`GET /api/v1/admin/cms/desks?filter=${filter}`, { as: 'wes' })).json.total).toBe(0);
    expect((await service.send(`GET /api/v1/admin/cms/desks?filter=${filter}`, { as: 'ada' })).json.total).toBe(1);
  });

  test('cannot be asked for where the role has no right to the type', async () => {
    await using service = await open();
    for (const line of [
      'GET /api/v1/admin/cms/secrets',
      'GET /api/v1/admin/cms/secrets/aggregate',
      'POST /api/v1/admin/cms/secrets',
      'POST /api/v1/admin/cms/desks',
    ]) {
      const refused = await service.send(line, { as: 'wes', ...(line.startsWith('POST') ? { body: {} } : {}) });
      expect([line, refused.status, refused.json.code]).toEqual([line, 403, 'insufficient_role']);
    }
  });
});

describe('the writes of a role', () => {
  test('go by its rules: 404 for what it does not find, 403 for what it finds', async () => {
    await using service = await open();
    const own = await service.make('wes', { title: 'Own' });
    const hidden = await service.make('ada', { title: 'Hidden' });
    const shown = await service.make('ada', { title: 'Shown', status: 'published' });
    const change = (id: string) => service.send(`PUT ${base}/${id}`, { as: 'wes', body: { title: 'New' } });
    expect(await change(own)).toMatchObject({ status: 200, json: { title: 'New' } });
    expect(await change(hidden)).toMatchObject({ status: 404 });
    expect(await change(shown)).toMatchObject({ status: 403, json: { code: 'rule_refused' } });
    const remove = (id: string) => service.send(`DELETE ${base}/${id}`, { as: 'wes' });
    expect(await remove(hidden)).toMatchObject({ status: 404 });
    expect(await remove(shown)).toMatchObject({ status: 403, json: { code: 'rule_refused' } });
    expect(await remove(own)).toMatchObject({ status: 204 });
  });

  test('change the fields that it may write; of the others, what is sent as it is stored is no change', async () => {
    await using service = await open();
    const own = await service.make('wes', { title: 'Own' });
    const put = (body: object) => service.send(`PUT ${base}/${own}`, { as: 'wes', body });
    expect(await put({ title: 'A', desk: 'news' })).toMatchObject({ status: 200 });
    const refused = await put({ title: 'B', desk: 'sports' });
    expect(refused).toMatchObject({ status: 403, json: { code: 'insufficient_role' } });
    expect(refused.json.detail).toContain('desk');
    // A field that the role does not read is no field, whatever its value.
    for (const fee of [null, 7]) {
      expect(await put({ fee })).toMatchObject({
        status: 422,
        json: { errors: [{ field: 'fee', code: 'unknown_field' }] },
      });
    }
    const created = await service.send(`POST ${base}`, { as: 'wes', body: { title: 'C', desk: 'sports' } });
    expect(created).toMatchObject({ status: 403, json: { code: 'insufficient_role' } });
    expect(await service.send(`POST ${base}`, { as: 'wes', body: { title: 'C' } })).toMatchObject({
      status: 201,
      json: { desk: 'news' },
    });
  });

  test('do not publish without the right to', async () => {
    await using service = await open();
    const own = await service.make('wes', { title: 'Own' });
    const published = { title: 'Own', status: 'published' };
    expect(await service.send(`PUT ${base}/${own}`, { as: 'wes', body: published })).toMatchObject({
      status: 403,
      json: { code: 'insufficient_role' },
    });
    expect(await service.send(`POST ${base}`, { as: 'wes', body: published })).toMatchObject({ status: 403 });
    expect(
      await service.send(`POST ${base}/batch`, { as: 'wes', body: { action: 'publish', ids: [own] } }),
    ).toMatchObject({ status: 403 });
    // Any other state is a field like others.
    expect(await service.send(`PUT ${base}/${own}`, { as: 'wes', body: { status: 'review' } })).toMatchObject({
      status: 200,
    });
    expect((await service.send(`GET ${base}/${own}`, { as: 'ada' })).json.status).toBe('review');
  });

  test('publish where the rule of that right holds, without any other right to write', async () => {
    await using service = await open();
    const early = await service.make('ada', { title: 'Early' });
    const ready = await service.make('ada', { title: 'Ready', status: 'review' });
    const put = (id: string, body: object) => service.send(`PUT ${base}/${id}`, { as: 'pia', body });
    expect(await put(early, { status: 'published' })).toMatchObject({ status: 403, json: { code: 'rule_refused' } });
    expect(await put(ready, { status: 'published' })).toMatchObject({ status: 200 });
    expect(await put(ready, { title: 'Other' })).toMatchObject({ status: 403, json: { code: 'insufficient_role' } });
    expect(await put(ready, { status: 'draft' })).toMatchObject({ status: 200, json: { status: 'draft' } });
    expect(await put(ready, { status: 'review' })).toMatchObject({ status: 403, json: { code: 'insufficient_role' } });
  });

  test('by a batch are those that each record allows, or none', async () => {
    await using service = await open();
    const [one, two] = [await service.make('wes', { title: 'One' }), await service.make('wes', { title: 'Two' })];
    const other = await service.make('ada', { title: 'Other' });
    const batch = (body: object) => service.send(`POST ${base}/batch`, { as: 'wes', body });
    expect(await batch({ action: 'update', ids: [one, other], set: { title: 'X' } })).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'ids[1]', code: 'unknown_record' }] },
    });
    expect(await batch({ action: 'update', filter: 'title != "Z"', set: { title: 'X' } })).toMatchObject({
      status: 200,
      json: { affected: 2 },
    });
    expect(await batch({ action: 'update', ids: [one], set: { desk: 'sports' } })).toMatchObject({ status: 403 });
    expect(await batch({ action: 'delete', ids: [one, two] })).toMatchObject({ status: 200 });
    expect((await service.send(`GET ${base}/${other}`, { as: 'ada' })).json.title).toBe('Other');
  });
});

describe('may=true', () => {
  const mine = { may: 'true', sort: 'title:asc' };
  const query = `?${new URLSearchParams(mine)}`;

  test('adds what the caller may do with each record, by the rules that decide on it', async () => {
    await using service = await open();
    const own = await service.make('wes', { title: 'A' });
    const ready = await service.make('wes', { title: 'B', status: 'review' });
    const shown = await service.make('ada', { title: 'C', status: 'published' });
    const mayOf = async (as: string) => {
      const { items } = (await service.send(`GET ${base}${query}`, { as })).json;
      return items.map((item: { id: string; __may: readonly string[] }) => [item.id, item.__may]);
    };
    expect(await mayOf('wes')).toEqual([
      [own, ['update', 'delete']],
      [ready, ['update']],
      [shown, []],
    ]);
    expect(await mayOf('pia')).toEqual([
      [own, ['update']],
      [ready, ['update', 'publish']],
      [shown, ['update', 'publish']],
    ]);
    const all = ['update', 'delete', 'publish'];
    expect(await mayOf('ada')).toEqual([own, ready, shown].map((id) => [id, all]));
    const one = await service.send(`GET ${base}/${ready}?may=true&fields=title`, { as: 'wes' });
    expect(one).toMatchObject({ status: 200, json: { id: ready, title: 'B', __may: ['update'] } });
    expect((await service.send(`GET ${base}/${ready}?may=false`, { as: 'wes' })).json).not.toHaveProperty('__may');
  });

  test('is no parameter of public routes', async () => {
    await using service = await open();
    await service.make('ada', { title: 'A' });
    expect((await service.send('GET /api/v1/cms/articles?may=true')).status).toBe(400);
    expect((await service.send(`GET ${base}?may=1`, { as: 'ada' })).status).toBe(400);
  });
});

test('a role with nothing but a name is a member', async () => {
  await using service = await open([{ name: 'writer' }, { name: 'publisher', base: 'editor', types: { secret: {} } }]);
  const made = await service.make('ada', { title: 'One' });
  expect((await service.send(`GET ${base}`, { as: 'wes' })).status).toBe(403);
  expect((await service.send(`GET ${base}/${made}`, { as: 'wes' })).status).toBe(403);
  // What is based on an editor's rights, and takes nothing away, has them.
  expect((await service.send(`GET ${base}/${made}`, { as: 'pia' })).json).toMatchObject({ fee: null });
  expect((await service.send(`PUT ${base}/${made}`, { as: 'pia', body: { status: 'published' } })).status).toBe(200);
});
