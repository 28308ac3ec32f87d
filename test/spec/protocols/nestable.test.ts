// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { definitionsOf } from '../../support/definitions.ts';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';

// Records below one another: depths that are kept, no circles, and what is above and below one.

const open = { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } };
const title = { name: 'title', field_type: 'text' };
const definitions = [
  {
    singular: 'section',
    plural: 'sections',
    protocols: ['nestable'],
    fields: [title],
    api: { ...open, list: { cache: true } },
  },
  {
    singular: 'both',
    plural: 'boths',
    protocols: ['sortable', 'nestable', 'soft_deletable'],
    fields: [title],
    api: open,
  },
  {
    singular: 'ruled',
    plural: 'ruleds',
    protocols: ['nestable'],
    fields: [
      title,
      { name: 'open', field_type: 'boolean', default: true },
      { name: 'word', field_type: 'text', private: true },
    ],
    api: { ...open, get: { filter: 'open = true', filter_auth: '@request.query.all = "yes"' } },
  },
  {
    singular: 'quiet',
    plural: 'quiets',
    protocols: ['nestable'],
    fields: [title],
    api: { get: { fields: ['title'] } },
  },
  { singular: 'inner', plural: 'inners', protocols: ['nestable'], fields: [title], api: { get: { access: 'member' } } },
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('mia');
  await service.account('eve', 'editor');
  await service.account('ada', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

type JsonObject = Readonly<Record<string, unknown>>;
const send = (line: string, body?: object, as?: string): Promise<Reply> =>
  service.send(line, { ...(body === undefined ? {} : { body }), ...(as === undefined ? {} : { as }) });
const make = async (plural: string, name: string, parent: string | null = null, more: object = {}): Promise<string> =>
  (await service.seed(plural, { title: name, parent_id: parent, ...more })).id;
const titlesOf = ({ json }: Reply): unknown => json.items?.map((item: JsonObject) => item.title);
const walk = (plural: string, id: string, way: string, as?: string) =>
  send(`GET /api/v1/cms/${plural}/${id}/${way}`, undefined, as);
const depthOf = async (id: string) => (await send(`GET /api/v1/cms/sections/${id}`)).json.depth;
const faultsOf = ({ status, json }: Reply) => [
  status,
  ...(json.errors ?? []).map((fault: JsonObject) => `${fault.field} ${fault.code}`),
];

/** a over b over c over d; e beside b. */
async function family(plural: string) {
  const a = await make(plural, 'a');
  const b = await make(plural, 'b', a);
  const c = await make(plural, 'c', b);
  const d = await make(plural, 'd', c);
  const e = await make(plural, 'e', a);
  return { a, b, c, d, e };
}

test('depths, ancestors and subtrees', async () => {
  const { a, c, d, e } = await family('sections');
  expect(await Promise.all([a, c, d, e].map(depthOf))).toEqual([0, 2, 3, 1]);
  expect(titlesOf(await walk('sections', d, 'ancestors'))).toEqual(['a', 'b', 'c']);
  expect((await walk('sections', a, 'ancestors')).json).toEqual({ items: [], total: 0 });
  const below = await walk('sections', a, 'subtree');
  expect([titlesOf(below), below.json.total]).toEqual([['a', 'b', 'e', 'c', 'd'], 5]);
  expect(below.json.items[0]).toEqual((await send(`GET /api/v1/cms/sections/${a}`)).json);
  expect(titlesOf(await walk('sections', d, 'subtree'))).toEqual(['d']);
  const admin = await send(`GET /api/v1/admin/cms/sections/${c}/ancestors`, undefined, 'eve');
  expect(titlesOf(admin)).toEqual(['a', 'b']);
  const etag = below.headers.get('etag') ?? '';
  const again = await service.send(`GET /api/v1/cms/sections/${a}/subtree`, { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  expect(titlesOf(await send(`GET /api/v1/cms/sections?parent_id=${a}`))).toEqual(['b', 'e']);
  expect((await send(`GET /api/v1/cms/sections/${c}?include=parent_id`)).json.parent_id.title).toBe('b');
});

test('a record moves with all that is below it', async () => {
  const { a, b, c, d, e } = await family('sections');
  const move = (id: string, body: object) => send(`POST /api/v1/admin/cms/sections/${id}/move`, body, 'eve');
  const moved = await move(b, { parent_id: e });
  expect(moved.json).toMatchObject({ parent_id: e, depth: 2 });
  expect(await Promise.all([a, b, c, d, e].map(depthOf))).toEqual([0, 2, 3, 4, 1]);
  expect((await move(c, { parent_id: null, position: 77 })).json).toMatchObject({
    depth: 0,
    position: 77,
    parent_id: null,
  });
  expect(await Promise.all([b, c, d].map(depthOf))).toEqual([2, 0, 1]);
  // An update moves as well, and one that leaves the parent out does not.
  expect((await send(`PUT /api/v1/cms/sections/${c}`, { parent_id: a, depth: 9 })).json).toMatchObject({
    depth: 1,
    position: 77,
  });
  expect((await send(`PUT /api/v1/cms/sections/${c}`, { title: 'x' })).json).toMatchObject({ depth: 1, parent_id: a });
  expect(await depthOf(d)).toBe(2);
});

test('siblings come in the order that editors set', async () => {
  const { a, b, e } = await family('sections');
  const f = await make('sections', 'f', a);
  const items = [
    { id: e, position: -9 },
    { id: b, position: -7 },
  ];
  expect((await send('PUT /api/v1/admin/cms/sections/reorder', { items }, 'eve')).json).toEqual({ affected: 2 });
  await send(`POST /api/v1/admin/cms/sections/${f}/move`, { parent_id: a, position: -8 }, 'eve');
  expect(titlesOf(await walk('sections', a, 'subtree'))).toEqual(['a', 'e', 'f', 'b', 'c', 'd']);
});

describe('what is rejected', () => {
  test.each([
    ['itself', 'a', 'a'],
    ['a child', 'a', 'b'],
    ['one far below', 'a', 'd'],
  ] as const)('standing below %s', async (_, who, where) => {
    const all = await family('sections');
    for (const reply of [
      await send(`PUT /api/v1/cms/sections/${all[who]}`, { parent_id: all[where], title: 'no' }),
      await send(`POST /api/v1/admin/cms/sections/${all[who]}/move`, { parent_id: all[where] }, 'ada'),
    ]) {
      expect(faultsOf(reply)).toEqual([422, 'parent_id circular']);
    }
    expect((await send(`GET /api/v1/cms/sections/${all[who]}`)).json).toMatchObject({
      title: 'a',
      parent_id: null,
      depth: 0,
    });
  });
  test.each([
    ['01990000-0000-7000-8000-000000000001', 'parent_id unknown_record'],
    ['nonsense', 'parent_id bad_format'],
  ])('the parent %s', async (parent_id, fault) => {
    const id = await make('sections', 'x');
    expect(faultsOf(await send('POST /api/v1/cms/sections', { parent_id }))).toEqual([422, fault]);
    expect(faultsOf(await send(`PUT /api/v1/cms/sections/${id}`, { parent_id }))).toEqual([422, fault]);
    expect(faultsOf(await send(`POST /api/v1/admin/cms/sections/${id}/move`, { parent_id }, 'ada'))).toEqual([
      422,
      fault,
    ]);
  });
  test('a move without a parent, or by those who may not', async () => {
    const id = await make('sections', 'x');
    const path = `POST /api/v1/admin/cms/sections/${id}/move`;
    expect((await send(path, {}, 'ada')).status).toBe(422);
    expect((await send(path, { parent_id: null, position: 0.5 }, 'ada')).status).toBe(422);
    expect((await send(path, { parent_id: null })).status).toBe(401);
    expect((await send(path, { parent_id: null }, 'mia')).status).toBe(403);
  });
  test('more than 100 levels, also of what moves along', async () => {
    const chain = [await make('boths', '0')];
    for (let level = 1; level <= 100; level += 1) chain.push(await make('boths', String(level), chain.at(-1)));
    const refused = await send('POST /api/v1/cms/boths', { parent_id: chain.at(-1) });
    expect(faultsOf(refused)).toEqual([422, 'parent_id too_deep']);
    const [top, below] = [await make('boths', 'top'), chain[99]];
    await make('boths', 'child', top);
    expect(faultsOf(await send(`PUT /api/v1/cms/boths/${top}`, { parent_id: below }))).toEqual([
      422,
      'parent_id too_deep',
    ]);
    expect((await send(`PUT /api/v1/cms/boths/${top}`, { parent_id: chain[98] })).json.depth).toBe(99);
    expect((await walk('boths', chain[0] ?? '', 'subtree')).json.total).toBe(103);
  });
  test.each(['ancestors', 'subtree'])('%s of what is not there, or with a parameter', async (way) => {
    for (const id of ['nonsense', '01990000-0000-7000-8000-000000000001']) {
      expect((await walk('sections', id, way)).status).toBe(404);
    }
    const id = await make('sections', 'x');
    expect((await send(`GET /api/v1/cms/sections/${id}/${way}?include=parent_id`)).status).toBe(400);
  });
});

test('what stands below a deleted record becomes a root, and takes along what is below', async () => {
  const { a, b, c, d } = await family('sections');
  expect((await send(`DELETE /api/v1/cms/sections/${b}`)).status).toBe(204);
  expect((await send(`GET /api/v1/cms/sections/${c}`)).json).toMatchObject({ parent_id: null, depth: 0 });
  expect(await depthOf(d)).toBe(1);
  expect(titlesOf(await walk('sections', a, 'subtree'))).toEqual(['a', 'e']);
});

test('a marked record keeps its place, and walks end before it', async () => {
  const { a, b, c, d } = await family('boths');
  await send(`DELETE /api/v1/cms/boths/${b}`);
  for (const as of [undefined, 'ada']) {
    expect(titlesOf(await walk('boths', d, 'ancestors', as))).toEqual(['c']);
    expect(titlesOf(await walk('boths', a, 'subtree', as))).toEqual(['a', 'e']);
    expect((await walk('boths', b, 'subtree', as)).status).toBe(404);
  }
  expect((await send(`GET /api/v1/cms/boths/${c}`)).json).toMatchObject({ parent_id: b, depth: 2 });
  await send(`POST /api/v1/admin/cms/boths/${b}/restore`, undefined, 'ada');
  expect(titlesOf(await walk('boths', a, 'subtree'))).toEqual(['a', 'b', 'e', 'c', 'd']);
  await send(`DELETE /api/v1/cms/boths/${b}`);
  expect((await send(`DELETE /api/v1/admin/cms/boths/${b}/purge`, undefined, 'ada')).status).toBe(204);
  expect((await send(`GET /api/v1/cms/boths/${d}`)).json.depth).toBe(1);
});

test('walks go through what the caller may get alone, and return no private field', async () => {
  const { a, b, c, d } = await family('ruleds');
  await send(`PUT /api/v1/admin/cms/ruleds/${b}`, { open: false, word: 'hush' }, 'ada');
  expect(titlesOf(await walk('ruleds', d, 'ancestors'))).toEqual(['c']);
  expect(titlesOf(await walk('ruleds', a, 'subtree'))).toEqual(['a', 'e']);
  expect((await walk('ruleds', b, 'subtree')).status).toBe(404);
  const seen = await send(`GET /api/v1/cms/ruleds/${d}/ancestors?all=yes`, undefined, 'mia');
  expect(titlesOf(seen)).toEqual(['a', 'b', 'c']);
  expect(seen.text).not.toContain('hush');
  expect(titlesOf(await walk('ruleds', d, 'ancestors', 'mia'))).toEqual(['c']);
  const admin = await send(`GET /api/v1/admin/cms/ruleds/${c}/ancestors`, undefined, 'eve');
  expect(admin.text).toContain('hush');
});

test('walks are for those who may get the record', async () => {
  const id = await make('inners', 'x');
  expect((await walk('inners', id, 'subtree')).status).toBe(401);
  expect(titlesOf(await walk('inners', id, 'subtree', 'mia'))).toEqual(['x']);
  const quiet = await make('quiets', 'x');
  expect((await walk('quiets', quiet, 'ancestors', 'mia')).status).toBe(404);
  const admin = `GET /api/v1/admin/cms/quiets/${quiet}/ancestors`;
  expect((await send(admin)).status).toBe(401);
  expect((await send(admin, undefined, 'mia')).status).toBe(403);
  expect((await send(admin, undefined, 'ada')).status).toBe(200);
});

test('whatever moves, there are no circles and every depth is that of the tree', async () => {
  await using own = await TestService.open(definitions);
  const ids: string[] = [];
  for (let count = 0; count < 8; count += 1) ids.push((await own.seed('sections', { title: String(count) })).id);
  const place = fc.integer({ min: 0, max: 7 });
  const moves = fc.array(fc.tuple(place, fc.option(place, { freq: 5 })), { minLength: 10, maxLength: 40 });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      const parents = new Map<string, string | null>();
      const rows = async () => (await own.send('GET /api/v1/cms/sections')).json.items as readonly JsonObject[];
      for (const { id, parent_id } of await rows())
        parents.set(String(id), parent_id === null ? null : String(parent_id));
      const isAbove = (above: string, id: string | null | undefined): boolean =>
        id !== null && id !== undefined && (id === above || isAbove(above, parents.get(id)));
      const depth = (id: string): number => {
        const parent = parents.get(id) ?? null;
        return parent === null ? 0 : depth(parent) + 1;
      };
      for (const [who, where] of all) {
        const id = ids[who] ?? '';
        const parent_id = where === null ? null : (ids[where] ?? null);
        const circular = isAbove(id, parent_id);
        const { status } = await own.send(`PUT /api/v1/cms/sections/${id}`, { body: { parent_id } });
        expect(status).toBe(circular ? 422 : 200);
        if (circular) refused += 1;
        else parents.set(id, parent_id);
      }
      for (const row of await rows()) {
        expect([row.parent_id, row.depth]).toEqual([parents.get(String(row.id)) ?? null, depth(String(row.id))]);
      }
    }),
    { numRuns: randomCases(15) },
  );
  expect(refused).toBeGreaterThan(10);
});

test.each([
  [{ kind: 'single' }, /for a type that is a collection/],
  [{ protocols: [{ name: 'nestable', depth: 3 }] }, /takes no options/],
  [{ fields: [{ name: 'parent_id', field_type: 'text' }] }, /the name "parent_id" is taken/],
])('a definition with %j is refused', (more, message) => {
  const definition = { singular: 'a', plural: 'as', protocols: ['nestable'], fields: [], ...more };
  expect(() => definitionsOf(definition)).toThrow(message);
});
