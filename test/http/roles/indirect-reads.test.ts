// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// What a role does not read, asked for by ways around the record: what refers to it, where it stands, what a write is refused for.

const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
const toOne = (name: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target },
  ...more,
});

const toMany = (name: string, target: string) => ({
  name,
  field_type: 'relation',
  relation: { relation_type: 'many_to_many', target },
});

const definitions = [
  {
    singular: 'place',
    plural: 'places',
    protocols: ['nestable'],
    fields: [text('name'), text('secret')],
  },
  { singular: 'person', plural: 'persons', fields: [text('name'), text('nick')] },
  {
    singular: 'notice',
    plural: 'notices',
    protocols: [
      'versionable',
      'ownable',
      { name: 'statusable', values: ['draft', 'published'], default: 'draft', published: 'published' },
    ],
    fields: [
      text('title'),
      toOne('desk', 'persons'),
      toMany('people', 'persons'),
      { name: 'size', field_type: 'bigint' },
    ],
  },
  {
    singular: 'offer',
    plural: 'offers',
    unique: [['customer', 'product']],
    fields: [
      text('product', { max_length: 100 }),
      text('customer', { max_length: 100 }),
      text('note', { required: true }),
      toOne('seller', 'persons', { required: true }),
      toOne('keeper', 'persons'),
      {
        name: 'details',
        field_type: 'group',
        fields: [text('shown'), toOne('insider', 'persons', { private: true, required: true })],
      },
      { name: 'picture', field_type: 'media' },
      { name: 'gallery', field_type: 'group', fields: [{ name: 'face', field_type: 'media' }] },
    ],
  },
];

const whole = { list: true, get: true, create: true, update: true, delete: true };
const roles = [
  // Reads neither where places stand, nor what they stand below.
  { name: 'flat', types: { place: { ...whole, read: { except: ['position'] } } } },
  { name: 'rootless', types: { place: { ...whole, read: { except: ['parent_id'] } } } },
  // Removes people, and sees nothing of offers, or not who sells them.
  { name: 'cleaner', types: { person: whole } },
  {
    name: 'blind',
    types: { person: whole, offer: { ...whole, create: false, read: { except: ['seller', 'keeper'] } } },
  },
  // Does not see customers, and sets products.
  {
    name: 'stock',
    types: { person: whole, offer: { ...whole, create: false, read: { except: ['customer', 'note'] } } },
  },
  { name: 'few', types: { place: { ...whole, get: 'secret = null', list: 'secret = null' } } },
  { name: 'crier', types: { notice: { ...whole, get: 'status = "published"', read: { except: ['updated_by'] } } } },
  {
    name: 'deskmate',
    types: { notice: { ...whole, get: 'desk.name = "news" && people.name ?= "Ann" && size > 9007199254740992' } },
  },
  {
    name: 'auditor',
    types: { person: { list: true, get: true, read: { except: ['nick'] } } },
    may: { events: true },
  },
  { name: 'uploader', types: { offer: { list: false, get: false } }, may: { media: 'own' } },
  { name: 'librarian', types: {}, may: { media: 'all' } },
  { name: 'wordless', types: { person: { ...whole, read: { only: [] } } } },
];

let service: TestService;
const id = new Map<string, string>();
const idOf = (name: string): string => id.get(name) ?? 'none';

beforeAll(async () => {
  service = await TestService.open(definitions, { roles, builtIn: true, cacheSeconds: 60 });
  await service.account('ada', 'admin');
  for (const { name } of roles) await service.account(name, name);
  await service.account('uploader2', 'uploader');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, as: string, body?: unknown): Promise<Reply> =>
  service.send(line, { as, ...(body === undefined ? {} : { body }) });

async function made(plural: string, name: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const record = await service.seed(plural, body);
  id.set(name, record.id);
  return record.id;
}

const people = '/api/v1/admin/cms/persons';
const places = '/api/v1/admin/cms/places';
const offers = '/api/v1/admin/cms/offers';

/** Another file each time. */
async function upload(as: string, name: string): Promise<string> {
  const reply = await service.send(`POST /api/v1/admin/media?name=${name}.txt`, {
    as,
    body: new TextEncoder().encode(`the file ${name}`),
    headers: { 'Content-Type': 'text/plain' },
  });
  expect(reply.status).toBe(201);
  return reply.json.id;
}

describe('a tree', () => {
  beforeAll(async () => {
    const root = await made('places', 'root', { name: 'root' });
    for (const name of ['one', 'two', 'three']) await made('places', name, { name, parent_id: root });
    const items = ['two', 'three', 'one'].map((name, position) => ({ id: idOf(name), position }));
    expect((await send(`PUT ${places}/reorder`, 'ada', { items })).status).toBe(200);
  });

  test('comes in the order of its records, where the role does not read their places', async () => {
    const { json } = await send(`GET ${places}/${idOf('root')}/subtree`, 'flat');
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(['root', 'one', 'two', 'three']);
    const whole = await send(`GET ${places}/${idOf('root')}/subtree`, 'ada');
    expect(whole.json.items.map(({ name }: { name: string }) => name)).toEqual(['root', 'two', 'three', 'one']);
  });

  test('is none for a role that does not read what records stand below', async () => {
    for (const way of ['subtree', 'ancestors'])
      expect(await send(`GET ${places}/${idOf('one')}/${way}`, 'rootless')).toMatchObject({
        status: 403,
        json: { code: 'insufficient_role' },
      });
  });

  test('says nothing of a place that the role does not find', async () => {
    await made('places', 'hidden', { name: 'hidden', secret: 'yes', parent_id: idOf('one') });
    // Below itself, and below nothing.
    const refused = async (parent: string) =>
      (await send(`PUT ${places}/${idOf('one')}`, 'few', { parent_id: parent })).json.errors;
    expect(await refused(idOf('hidden'))).toEqual(await refused('01900000-0000-7000-8000-000000000001'));
  });
});

describe('records that need another', () => {
  test('are not named to a role that does not see them, or not by which field', async () => {
    const seller = await made('persons', 'seller', { name: 'seller' });
    const insider = await made('persons', 'insider', { name: 'insider' });
    const details = { shown: 'x', insider };
    const offer = await made('offers', 'offer', { product: 'a', note: 'n', seller, details });
    for (const as of ['cleaner', 'blind']) {
      for (const person of [seller, insider]) {
        const { status, text: body } = await send(`DELETE ${people}/${person}`, as);
        expect({ as, status }).toEqual({ as, status: 409 });
        expect(body).not.toContain('seller');
        expect(body).not.toContain('insider');
        expect(body).not.toContain(offer);
        if (as === 'cleaner') expect(body).not.toContain('offer');
      }
    }
    expect((await send(`DELETE ${people}/${insider}`, 'ada')).json.detail).toContain(offer);
    expect((await send(`DELETE ${people}/${seller}`, 'ada')).json.detail).toContain('seller');
  });

  test('are no use by a private field inside one that the role reads', async () => {
    const used = await send(`GET ${people}/${idOf('insider')}/usage`, 'blind');
    expect(used.json).toMatchObject({ total: 0, items: [] });
    const all = await send(`GET ${people}/${idOf('insider')}/usage`, 'ada');
    expect(all.json).toMatchObject({ total: 1, items: [{ field: 'details', places: ['details.insider'] }] });
  });
});

describe('versions of a record', () => {
  const notices = '/api/v1/admin/cms/notices';

  test('are those that the role could have read', async () => {
    const notice = await made('notices', 'notice', { title: 'secret plan' });
    for (const change of [{ title: 'leaked', status: 'published' }, { status: 'draft' }, { title: 'hidden again' }])
      await send(`PUT ${notices}/${notice}`, 'ada', change);
    expect((await send(`GET ${notices}/${notice}/revisions`, 'crier')).status).toBe(404);
    await send(`PUT ${notices}/${notice}`, 'ada', { title: 'open', status: 'published' });
    const { json } = await send(`GET ${notices}/${notice}/revisions`, 'crier');
    expect(json.items.map(({ revision, author }: { revision: number; author: null }) => [revision, author])).toEqual([
      [5, null],
      [2, null],
    ]);
    expect(json.total).toBe(2);
    for (const line of [
      `GET ${notices}/${notice}/revisions/1`,
      `GET ${notices}/${notice}/revisions/4/diff/5`,
      `POST ${notices}/${notice}/revisions/3/restore`,
    ])
      expect({ line, status: (await send(line, 'crier')).status }).toEqual({ line, status: 404 });
    const named = await send(`PUT ${notices}/${notice}/revisions/1`, 'crier', { name: 'x' });
    expect(named.status).toBe(404);
    const all = await send(`GET ${notices}/${notice}/revisions`, 'ada');
    expect(all.json).toMatchObject({ total: 5, items: [{ author: service.idOf('ada') }, {}, {}, {}, {}] });
  });

  test('are judged by what they led to, and by what they held', async () => {
    const [news, sports] = [await made('persons', 'news', { name: 'news' }), await made('persons', 'sports', {})];
    const [ann, bob] = [await made('persons', 'ann', { name: 'Ann' }), await made('persons', 'bob', { name: 'Bob' })];
    const large = '9007199254740993';
    const shown = { desk: news, people: [bob, ann], size: large };
    const notice = await made('notices', 'judged', { title: '1', ...shown });
    for (const [index, change] of [{ desk: sports }, shown, { people: [bob] }, shown, { size: '1' }, shown].entries())
      await send(`PUT ${notices}/${notice}`, 'ada', { title: `${index + 2}`, ...change });
    const { json } = await send(`GET ${notices}/${notice}/revisions`, 'deskmate');
    expect(json.items.map(({ revision }: { revision: number }) => revision)).toEqual([7, 5, 3, 1]);
  });
});

describe('unique values together', () => {
  test('name those fields alone that the role reads', async () => {
    await made('offers', 'first', {
      product: 'lamp',
      customer: 'Aalto',
      note: 'n',
      seller: idOf('seller'),
      details: { insider: idOf('insider') },
    });
    await made('offers', 'second', {
      product: 'bowl',
      customer: 'Aalto',
      note: 'n',
      seller: idOf('seller'),
      details: { insider: idOf('insider') },
    });
    const { status, json, text: body } = await send(`PUT ${offers}/${idOf('second')}`, 'stock', { product: 'lamp' });
    expect({ status, fields: json.errors.map(({ field }: { field: string }) => field) }).toEqual({
      status: 422,
      fields: ['product'],
    });
    expect(body).not.toContain('customer');
  });
});

describe('files', () => {
  test('have the tags of one account alone, for a role that sees its own', async () => {
    const [mine, theirs] = [await upload('uploader', 'mine'), await upload('uploader2', 'theirs')];
    await send(`PUT /api/v1/admin/media/${mine}`, 'uploader', { tags: ['red'] });
    await send(`PUT /api/v1/admin/media/${theirs}`, 'uploader2', { tags: ['blue', 'green'] });
    const tagsOf = async (as: string) =>
      (await send('GET /api/v1/admin/media/tags', as)).json.items.map(({ name }: { name: string }) => name);
    expect(await tagsOf('uploader')).toEqual(['red']);
    expect(await tagsOf('uploader2')).toEqual(['blue', 'green']);
    expect(await tagsOf('librarian')).toEqual(['blue', 'green', 'red']);
    expect(await tagsOf('uploader')).toEqual(['red']);
    id.set('mine', mine);
  });

  test('are unused where nothing that the role reads shows them', async () => {
    const own = await upload('uploader', 'own');
    const face = await upload('uploader', 'face');
    const details = { insider: idOf('insider') };
    const seller = idOf('seller');
    await made('offers', 'picture', { product: 'p', note: 'n', seller, details, picture: own, gallery: { face } });
    const found = async (as: string, used: boolean) =>
      (await send(`GET /api/v1/admin/media?used=${used}`, as)).json.items
        .map((item: { id: string }) => item.id)
        .filter((one: string) => one === own || one === face);
    expect(await found('uploader', true)).toEqual([]);
    expect(await found('uploader', false)).toHaveLength(2);
    expect(await found('librarian', true)).toEqual([]);
    expect(await found('ada', true)).toHaveLength(2);
    // It cannot be removed all the same.
    const refused = await send(`DELETE /api/v1/admin/media/${own}`, 'uploader');
    expect(refused).toMatchObject({ status: 409, json: { code: 'record_in_use', places: [] } });
  });
});

describe('the log of changes', () => {
  test('has pages of what the role is shown, however many other changes there are', async () => {
    const person = await made('persons', 'logged', { name: 'logged' });
    for (const nick of Array.from({ length: 25 }, (_, index) => `nick ${index}`))
      expect((await send(`PUT ${people}/${person}`, 'ada', { nick })).status).toBe(200);
    await send(`PUT ${people}/${person}`, 'ada', { name: 'seen' });
    for (const query of [`record=${person}&limit=5`, `record=${person}&limit=5&after=0`]) {
      const { json } = await send(`GET /api/v1/admin/events?${query}`, 'auditor');
      expect(json.items.map(({ action }: { action: string }) => action).toSorted()).toEqual(['create', 'update']);
      expect(json.total).toBe(2);
    }
    const { json } = await send(`GET /api/v1/admin/events?record=${person}&limit=1`, 'auditor');
    expect(json).toMatchObject({ total: -1, items: [{ action: 'update' }] });
    const next = await send(`GET /api/v1/admin/events?record=${person}&limit=1&before=${json.items[0].seq}`, 'auditor');
    expect(next.json.items).toMatchObject([{ action: 'create' }]);
  });
});

test('a batch searches what the role reads', async () => {
  const body = { action: 'update', filter: 'id != null', search: 'seller', set: {} };
  const refused = await send(`POST ${people}/batch`, 'wordless', body);
  expect(refused).toMatchObject({ status: 422, json: { errors: [{ field: 'search', code: 'not_searchable' }] } });
});
