// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { TestService } from '../../support/service.ts';

// Saved views, as roles of one's own and tokens with scopes see them: nothing that they may not read is named to them.

const author = {
  singular: 'author',
  plural: 'authors',
  fields: [
    { name: 'name', field_type: 'text' },
    { name: 'fee', field_type: 'integer' },
  ],
};
const article = {
  singular: 'article',
  plural: 'articles',
  fields: [
    { name: 'title', field_type: 'text' },
    { name: 'desk', field_type: 'text', private: true },
    { name: 'author', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'authors' } },
  ],
};
const contract = { singular: 'contract', plural: 'contracts', fields: [{ name: 'title', field_type: 'text' }] };

const writer = {
  name: 'writer',
  types: {
    article: { list: true, get: true, create: true },
    author: { list: true, get: true, read: { except: ['fee'] } },
    // Reads single ones, and no list.
    contract: { get: true },
  },
};

const root = '/api/v1/admin/views';
let service: TestService;
beforeAll(async () => {
  service = await TestService.open([author, article, contract], { roles: [writer, { name: 'nothing' }] });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('wim', 'writer');
  await service.account('wes', 'writer');
  await service.account('nil', 'nothing');
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (line: string, as: string, body?: object) => service.send(line, { as, ...(body && { body }) });

async function save(as: string, body: object): Promise<string> {
  const { status, json } = await send(`POST ${root}`, as, { type: 'articles', name: 'A view', ...body });
  expect([status, json.errors]).toEqual([201, undefined]);
  return json.id;
}

const seenBy = async (as: string, search = ''): Promise<readonly string[]> =>
  (await send(`GET ${root}${search}`, as)).json.items.map(({ name }: { name: string }) => name);

/** What each shared view names, and whether a writer may know of all of it. */
const shared: readonly (readonly [name: string, view: object, isSeen: boolean])[] = [
  ['plain', {}, true],
  ['by title', { filter: 'title ~ "a%"', sort: 'title:desc', columns: ['title', 'author'] }, true],
  ['by an author', { filter: 'author.name = "Ines"', search: 'ink' }, true],
  ['by a private field', { filter: 'desk = "x"' }, false],
  ['by a private field as an object', { filter: '{"desk": "x"}' }, false],
  ['by a hidden field of a relation', { filter: 'author.fee > 5' }, false],
  ['in a private order', { sort: 'title:asc,desk:desc' }, false],
  ['with a private column', { columns: ['title', 'desk'] }, false],
  ['with a column of nothing', { columns: ['gone'] }, false],
  ['of authors', { type: 'authors', filter: 'name = "Ines"' }, true],
  ['of authors by fee', { type: 'authors', sort: 'fee:desc' }, false],
  ['of contracts', { type: 'contracts' }, false],
];

describe('a role of one’s own', () => {
  test('sees the shared views that name nothing hidden, in lists, totals and by id', async () => {
    const ids = new Map<string, string>();
    for (const [name, view] of shared) ids.set(name, await save('eve', { name, shared: true, ...view }));
    const mine = await save('eve', { name: 'for myself' });
    const visible = shared.flatMap(([name, , isSeen]) => (isSeen ? [name] : [])).toSorted();
    expect(await seenBy('wim')).toEqual(visible);
    expect((await send(`GET ${root}?page_size=2&page=2`, 'wim')).json).toMatchObject({
      ...{ total: visible.length, items: visible.slice(2, 4).map((name) => ({ name, may_change: false })) },
    });
    expect(await seenBy('wim', '?type=author')).toEqual(['of authors']);
    for (const [name, , isSeen] of shared) {
      const line = `${root}/${ids.get(name)}`;
      expect([name, (await send(`GET ${line}`, 'wim')).status]).toEqual([name, isSeen ? 200 : 404]);
      // What it sees, it does not change; what it does not see, is not there.
      for (const method of ['PUT', 'DELETE'])
        expect([name, (await send(`${method} ${line}`, 'wim', { name: 'x' })).status]).toEqual([
          name,
          isSeen ? 403 : 404,
        ]);
    }
    expect((await send(`GET ${root}/${mine}`, 'wim')).status).toBe(404);
    expect((await seenBy('eve')).length).toBe(shared.length + 1);
    for (const id of [...ids.values(), mine]) await send(`DELETE ${root}/${id}`, 'eve');
  });

  test('has views of its own, which others do not see until it shares them', async () => {
    const id = await save('wim', { name: 'Mine', filter: 'title = "a"', columns: ['title'] });
    expect([await seenBy('wim'), await seenBy('wes'), await seenBy('ada')]).toEqual([['Mine'], [], []]);
    const changed = await send(`PUT ${root}/${id}`, 'wim', { name: 'Ours', shared: true });
    expect(changed).toMatchObject({ status: 200, json: { name: 'Ours', shared: true, may_change: true } });
    expect([await seenBy('wes'), await seenBy('eve')]).toEqual([['Ours'], ['Ours']]);
    expect((await send(`DELETE ${root}/${id}`, 'wes')).status).toBe(403);
    expect((await send(`DELETE ${root}/${id}`, 'wim')).status).toBe(204);
  });

  test('is answered the same about what it may not read and what there is not', async () => {
    const answerTo = async (type: string, filter: string, hidden: string) => {
      const { status, json } = await send(`POST ${root}`, 'wim', { type, name: 'x', filter });
      const { errors } = json;
      return [status, JSON.stringify(errors).replaceAll(hidden, 'NAME')];
    };
    const typeOf = (type: string) => answerTo(type, '', type);
    expect(await typeOf('contracts')).toEqual(await typeOf('nothings'));
    expect((await typeOf('contracts'))[0]).toBe(422);
    const filterBy = (name: string) => answerTo('articles', `${name} = "x"`, name);
    expect(await filterBy('desk')).toEqual(await filterBy('dusk'));
    const asked = async (type: string) => {
      const { status, json } = await send(`GET ${root}?type=${type}`, 'wim');
      return [status, json.code, json.detail.replaceAll(type, 'NAME')];
    };
    expect(await asked('contracts')).toEqual(await asked('nothings'));
  });

  test('keeps its own views when it reads less, and can delete them', async () => {
    const types = { article: { list: true, get: true } };
    await send('POST /api/v1/admin/roles', 'ada', { name: 'helper', types: { ...types, contract: { list: true } } });
    await service.account('han', 'helper');
    const id = await save('han', { type: 'contracts', name: 'Contracts' });
    expect((await send(`GET ${root}/${id}`, 'han')).json.type).toBe('contracts');
    await send('PUT /api/v1/admin/roles/helper', 'ada', { types });
    // Nothing is learned of the type any more but what was written.
    expect((await send(`GET ${root}/${id}`, 'han')).json).toMatchObject({ name: 'Contracts', type: 'contract' });
    expect((await send(`DELETE ${root}/${id}`, 'han')).status).toBe(204);
  });

  test('without any right has none', async () => {
    expect((await send(`GET ${root}`, 'nil')).status).toBe(403);
    expect((await send(`POST ${root}`, 'nil', { type: 'articles', name: 'x' })).status).toBe(403);
  });
});

test('a token with scopes sees what these reach, and shares nothing', async () => {
  const body = { name: 'Shop', role: 'admin', scopes: ['articles:read'] };
  const { token } = (await send('POST /api/v1/admin/api-tokens', 'ada', body)).json;
  const headers = { Authorization: `Bearer ${token}` };
  const [seen, hidden] = [
    await save('eve', { name: 'Articles', shared: true, filter: 'desk = "x"' }),
    await save('eve', { name: 'Authors', type: 'authors', shared: true }),
  ];
  const through = await save('eve', { name: 'By author', shared: true, filter: 'author.name = "x"' });
  const { items } = (await service.send(`GET ${root}`, { headers })).json;
  expect(items.map(({ name, may_change }: { name: string; may_change: boolean }) => [name, may_change])).toEqual([
    ['Articles', false],
  ]);
  expect((await service.send(`DELETE ${root}/${seen}`, { headers })).status).toBe(403);
  expect((await service.send(`DELETE ${root}/${hidden}`, { headers })).status).toBe(404);
  const given = { type: 'articles', name: 'Shop' };
  expect((await service.send(`POST ${root}`, { headers, body: given })).status).toBe(201);
  expect(await service.send(`POST ${root}`, { headers, body: { ...given, shared: true } })).toMatchObject({
    ...{ status: 422, json: { errors: [{ field: 'shared', code: 'not_allowed' }] } },
  });
  for (const id of [seen, hidden, through]) await send(`DELETE ${root}/${id}`, 'eve');
});
