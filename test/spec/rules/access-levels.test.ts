// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { query } from '../../support/database/database.ts';
import { TestService } from '../../support/service.ts';

// Service specification, section 5.2: access levels, their defaults, and the fields that are returned.

const callers = ['visitor', 'member', 'editor', 'admin', 'member token', 'editor token', 'admin token'] as const;
const accessLevels = ['none', 'public', 'member', 'admin'] as const;
const endpointNames = ['list', 'get', 'create', 'update', 'delete'] as const;
const roles = ['admin', 'editor', 'member'] as const;
type Caller = (typeof callers)[number];
type EndpointName = (typeof endpointNames)[number];
type Outcome = 'passes' | 401 | 403;

/** Who passes: the table of access levels, with 401 for who would have to sign in and 403 for who may not. */
const everyone = (outcome: Outcome) => Object.fromEntries(callers.map((caller) => [caller, outcome]));
const levels: Readonly<Record<(typeof accessLevels)[number] | 'admin route', Readonly<Record<string, Outcome>>>> = {
  none: everyone(403),
  public: everyone('passes'),
  member: { ...everyone('passes'), visitor: 401 },
  admin: { ...everyone(403), visitor: 401, admin: 'passes', 'admin token': 'passes' },
  'admin route': { ...everyone('passes'), visitor: 401, member: 403, 'member token': 403 },
};

const defaults: Readonly<Record<EndpointName, 'public' | 'member' | 'admin'>> = {
  list: 'public',
  get: 'public',
  create: 'member',
  update: 'member',
  delete: 'admin',
};

const title = { name: 'title', field_type: 'text' };
const atLevel = (singular: string, access: string, more: object = {}) => ({
  singular,
  plural: `${singular}s`,
  fields: [title],
  api: Object.fromEntries(endpointNames.map((endpoint) => [endpoint, { access }])),
  ...more,
});
const single = (singular: string, access: string) => ({
  ...atLevel(singular, access),
  kind: 'single',
  api: { get: { access }, update: { access } },
});
const definitions = [
  { singular: 'plain', plural: 'plains', fields: [title] },
  { singular: 'only', plural: 'onlys', kind: 'single', fields: [title] },
  ...accessLevels.flatMap((access) => [
    atLevel(`${access}-thing`, access),
    atLevel(`${access}-simple`, access, { api_restful: false }),
    single(`${access}-single`, access),
  ]),
];

/** A request to an endpoint of a type, as each mode has it, and the status of its success. */
const requests: Readonly<Record<'thing' | 'simple', Readonly<Record<EndpointName, readonly [string, number]>>>> = {
  thing: {
    list: ['GET {base}', 200],
    get: ['GET {base}/{id}', 200],
    create: ['POST {base}', 201],
    update: ['PUT {base}/{id}', 200],
    delete: ['DELETE {base}/{id}', 204],
  },
  simple: {
    list: ['GET {base}', 200],
    get: ['GET {base}/{id}', 200],
    create: ['POST {base}/create', 201],
    update: ['POST {base}/{id}/update', 200],
    delete: ['POST {base}/{id}/delete', 204],
  },
};

let service: TestService;
const tokens = new Map<Caller, string>();

beforeAll(async () => {
  service = await TestService.open(definitions);
  for (const role of roles) {
    await service.account(role, role);
    tokens.set(role, service.tokenOf(role));
    const made = { name: role, role, createdBy: null, expiresAt: null };
    const { secret } = await service.auth.apiTokens.create(service.database, made, Date.now());
    tokens.set(`${role} token`, secret);
  }
});
afterAll(() => service[Symbol.asyncDispose]());

async function send(line: string, caller: Caller, body?: object) {
  const token = tokens.get(caller);
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return service.send(line, { headers, ...(body === undefined ? {} : { body }) });
}

/** What each caller gets from an endpoint, each on a record of their own. */
async function outcomes(line: string, plural: string, success: number, body?: object): Promise<object> {
  const entries = callers.map(async (caller) => {
    const id = line.includes('{id}') ? (await service.seed(plural, { title: 'x' })).id : '';
    const { status, headers } = await send(line.replace('{id}', id), caller, body);
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    return [caller, status === success ? 'passes' : status];
  });
  return Object.fromEntries(await Promise.all(entries));
}

const bodyOf = (endpoint: EndpointName) =>
  endpoint === 'create' || endpoint === 'update' ? { title: 'y' } : undefined;

describe.each([...accessLevels])('access = "%s"', (access) => {
  describe.each(['thing', 'simple'] as const)('%s', (mode) => {
    test.each([...endpointNames])('%s', async (endpoint) => {
      const [line, success] = requests[mode][endpoint];
      const plural = `${access}-${mode}s`;
      const at = line.replace('{base}', `/api/v1/cms/${plural}`);
      expect(await outcomes(at, plural, success, bodyOf(endpoint))).toEqual(levels[access]);
    });
  });
  test.each([
    ['get', 'GET'],
    ['update', 'PUT'],
  ] as const)('single type, %s', async (endpoint, method) => {
    const at = `${method} /api/v1/cms/${access}-single`;
    expect(await outcomes(at, '', 200, bodyOf(endpoint))).toEqual(levels[access]);
  });
  test.each([...endpointNames])('admin routes do not go by it: %s', async (endpoint) => {
    const [line, success] = requests.thing[endpoint];
    const plural = `${access}-things`;
    const at = line.replace('{base}', `/api/v1/admin/cms/${plural}`);
    expect(await outcomes(at, plural, success, bodyOf(endpoint))).toEqual(levels['admin route']);
  });
});

describe('defaults when access is not set', () => {
  test.each([...endpointNames])('%s', async (endpoint) => {
    const [line, success] = requests.thing[endpoint];
    const at = line.replace('{base}', '/api/v1/cms/plains');
    expect(await outcomes(at, 'plains', success, bodyOf(endpoint))).toEqual(levels[defaults[endpoint]]);
  });
  test('single type: get public, update member', async () => {
    expect(await outcomes('GET /api/v1/cms/only', '', 200)).toEqual(levels.public);
    expect(await outcomes('PUT /api/v1/cms/only', '', 200, { title: 'y' })).toEqual(levels.member);
  });
});

test('a refusal says why', async () => {
  const codeOf = async (line: string, caller: Caller) => (await send(line, caller)).json.code;
  expect(await codeOf('GET /api/v1/cms/none-things', 'admin')).toBe('access_denied');
  expect(await codeOf('GET /api/v1/cms/member-things', 'visitor')).toBe('authentication_required');
  expect(await codeOf('GET /api/v1/cms/admin-things', 'editor')).toBe('insufficient_role');
  expect(await codeOf('GET /api/v1/admin/cms/plains', 'member')).toBe('insufficient_role');
});

test('a refusal comes before anything about the request: parameters, body, record', async () => {
  for (const [line, status] of [
    ['GET /api/v1/cms/none-things?bogus=1', 403],
    ['GET /api/v1/cms/admin-things?page=x', 401],
    ['GET /api/v1/cms/admin-things/no-id', 401],
    ['PUT /api/v1/cms/admin-things/no-id', 401],
    ['DELETE /api/v1/cms/plains/no-id', 401],
  ] as const) {
    expect({ line, status: (await service.send(line)).status }).toEqual({ line, status });
  }
});

describe('fields', () => {
  const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });
  const password = { name: 'word', field_type: 'password' };
  const all = { a: '1', b: '2', c: '3', d: '4', hush: '5' };
  const withPassword = { ...all, word: 'correct horse' };
  const listed = {
    singular: 'listed',
    plural: 'listeds',
    protocols: ['lockable'],
    fields: [text('a'), text('b'), text('c'), text('d'), text('hush', { private: true }), password],
    api: {
      list: { fields: ['a'] },
      get: { fields: ['b', 'lock_version'] },
      create: { fields: ['c'], access: 'public' },
      update: { fields: [], access: 'public' },
    },
  };
  const { api: _, ...open } = listed;
  const unlisted = {
    ...open,
    singular: 'unlisted',
    plural: 'unlisteds',
    api: { create: { access: 'public' }, update: { access: 'public' } },
  };
  const keeper = {
    ...unlisted,
    singular: 'keeper',
    plural: 'keepers',
    kind: 'single',
    api: { get: { fields: ['d'] }, update: { fields: ['a'] } },
  };

  let kept: TestService;
  beforeAll(async () => {
    kept = await TestService.open([listed, unlisted, keeper]);
    await kept.account('ada', 'admin');
  });
  afterAll(() => kept[Symbol.asyncDispose]());

  const fieldsOf = (value: unknown) => Object.keys(value ?? {}).sort();
  const whole = ['a', 'b', 'c', 'd', 'id', 'lock_version'];
  const rows = [
    ['listeds', 'list', ['a', 'id']],
    ['listeds', 'get', ['b', 'id', 'lock_version']],
    ['listeds', 'create', ['c', 'id']],
    ['listeds', 'update', ['id']],
    ['unlisteds', 'list', whole],
    ['unlisteds', 'get', whole],
    ['unlisteds', 'create', whole],
    ['unlisteds', 'update', whole],
  ] as const;
  test.each(rows)('%s, %s returns %p, and never what is private, to no one', async (plural, endpoint, fields) => {
    for (const as of [{}, { as: 'ada' }]) {
      const { id } = await kept.seed(plural, all);
      const line = requests.thing[endpoint][0].replace('{base}', `/api/v1/cms/${plural}`).replace('{id}', id);
      const body = bodyOf(endpoint) === undefined ? {} : { body: all };
      const reply = await kept.send(endpoint === 'list' ? `${line}?page_size=1` : line, { ...as, ...body });
      expect(fieldsOf(endpoint === 'list' ? reply.json.items[0] : reply.json)).toEqual([...fields]);
    }
  });

  test('a single type returns what its get and update list', async () => {
    expect(fieldsOf((await kept.send('PUT /api/v1/cms/keeper', { as: 'ada', body: all })).json)).toEqual(['a', 'id']);
    expect((await kept.send('GET /api/v1/cms/keeper')).json).toMatchObject({ d: '4' });
    expect(fieldsOf((await kept.send('GET /api/v1/cms/keeper')).json)).toEqual(['d', 'id']);
  });

  test.each(['listeds', 'unlisteds', 'keepers'])(
    'admin routes of %s return all, private fields too, but passwords never',
    async (plural) => {
      const as = 'ada';
      const base = `/api/v1/admin/cms/${plural}`;
      const fields = [...whole, 'hush'].sort();
      if (plural !== 'keepers')
        expect(fieldsOf((await kept.send(`POST ${base}`, { as, body: all })).json)).toEqual(fields);
      const [item] = (await kept.send(`GET ${base}`, { as })).json.items;
      expect(fieldsOf(item)).toEqual(fields);
      expect(fieldsOf((await kept.send(`GET ${base}/${item.id}`, { as })).json)).toEqual(fields);
      const updated = await kept.send(`PUT ${base}/${item.id}`, { as, body: withPassword });
      expect(fieldsOf(updated.json)).toEqual(fields);
      expect(updated.json.hush).toBe('5');
    },
  );

  test('a password is stored as an argon2id hash', async () => {
    const { id } = await kept.seed('unlisteds', withPassword);
    const row = await kept.database.first<{ word: string }>(query('select word from cms_unlisted where id = ?', id));
    expect(row?.word).toStartWith('$argon2id$');
    expect(await Bun.password.verify('correct horse', row?.word ?? '')).toBe(true);
  });

  test('a field that is not returned can be written, and is', async () => {
    const { json } = await kept.send('POST /api/v1/cms/listeds', { body: withPassword });
    const stored = await kept.send(`GET /api/v1/admin/cms/listeds/${json.id}`, { as: 'ada' });
    expect(stored.json).toMatchObject({ a: '1', b: '2', c: '3', d: '4', hush: '5' });
  });
});
