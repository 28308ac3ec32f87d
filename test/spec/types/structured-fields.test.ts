// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Reply, TestService } from '../../support/service.ts';

// Groups, lists and blocks (decisions on structured fields, section 11).

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const toOne = (target: string) => ({ field_type: 'relation', relation: { relation_type: 'many_to_one', target } });
const related = (name: string, target: string, more: object = {}) => ({ name, ...toOne(target), ...more });

const definitions = [
  {
    singular: 'author',
    plural: 'authors',
    fields: [field('name', 'text'), field('mail', 'email', { private: true }), related('team', 'teams')],
  },
  { singular: 'team', plural: 'teams', fields: [field('name', 'text')], api: { get: { access: 'member' } } },
  {
    singular: 'ledger',
    plural: 'ledgers',
    protocols: ['versionable'],
    fields: [
      field('title', 'text'),
      field('sum', 'group', {
        fields: [field('shown', 'text'), field('hidden', 'integer', { private: true, required: true, default: 7 })],
      }),
      field('rows', 'list', { fields: [field('text', 'text'), field('cost', 'decimal', { private: true })] }),
      field('parts', 'blocks', {
        blocks: [
          {
            name: 'line',
            fields: [
              field('text', 'text'),
              field('owner', 'text', { private: true, required: true }),
              field('deep', 'group', { fields: [field('open', 'text'), field('shut', 'text', { private: true })] }),
              field('sealed', 'list', { item: { field_type: 'text' }, private: true }),
            ],
          },
        ],
      }),
    ],
    api: { create: { access: 'public' }, update: { access: 'public' } },
  },
  {
    singular: 'grid',
    plural: 'grids',
    fields: [
      field('prices', 'list', { item: { field_type: 'decimal' } }),
      field('rows', 'list', {
        item: {
          field_type: 'list',
          fields: [field('cell', 'text'), field('cost', 'text', { private: true })],
        },
      }),
    ],
  },
  {
    singular: 'story',
    plural: 'stories',
    fields: [
      field('title', 'text'),
      field('seo', 'group', {
        fields: [
          field('title', 'text', { required: true, max_length: 20 }),
          field('robots', 'enum', { enum_values: ['index', 'noindex'], default: 'index' }),
          field('score', 'integer', { private: true }),
          field('price', 'decimal'),
          field('count', 'bigint'),
          field('slug', 'uid', { target_field: 'title' }),
          related('image_of', 'authors'),
        ],
      }),
      field('tags', 'list', { item: { field_type: 'text', max_length: 10 }, max_items: 3 }),
      field('editors', 'list', { item: toOne('authors'), min_items: 1 }),
      field('facts', 'list', { fields: [field('label', 'text', { required: true }), field('day', 'date')] }),
      field('body', 'blocks', {
        blocks: [
          {
            name: 'quote',
            label: 'Quotation',
            fields: [
              field('text', 'richtext', { required: true }),
              related('author', 'authors'),
              related('source', 'authors', { required: true }),
              field('note', 'text', { private: true }),
            ],
          },
          {
            name: 'sections',
            fields: [
              field('items', 'list', {
                fields: [related('author', 'authors'), field('inner', 'blocks', { blocks: [{ name: 'line' }] })],
              }),
            ],
          },
        ],
      }),
    ],
    api: { create: { access: 'public' }, update: { access: 'public' }, delete: { access: 'public' } },
  },
];

let service: TestService;
let ines: string;
let max: string;

beforeAll(async () => {
  service = await TestService.open(definitions);
  await service.account('ed', 'editor');
  await service.account('root', 'admin');
  const team = (await admin('POST teams', { name: 'North' })).json.id;
  ines = (await admin('POST authors', { name: 'Ines', mail: 'ines@example.org', team })).json.id;
  max = (await admin('POST authors', { name: 'Max' })).json.id;
}, 600_000);
afterAll(() => service[Symbol.asyncDispose]());

const at = (line: string, base: string): string => line.replace(/^(\S+) /, `$1 ${base}/`);
const admin = (line: string, body?: object): Promise<Reply> =>
  service.send(at(line, '/api/v1/admin/cms'), { as: 'ed', ...(body === undefined ? {} : { body }) });
const open = (line: string, body?: object): Promise<Reply> =>
  service.send(at(line, '/api/v1/cms'), body === undefined ? {} : { body });
const errorsOf = ({ json }: Reply): object =>
  Object.fromEntries(json.errors.map((error: { field: string; code: string }) => [error.field, error.code]));
const links = () =>
  service.database.rows<object>({ sql: 'SELECT field, path FROM recto_links ORDER BY 1, 2, target', parameters: [] });
const quote = (more: object = {}) => ({ block: 'quote', text: 'words', source: max, ...more });

describe('values', () => {
  test('are stored in canonical form, with defaults, slugs and ids', async () => {
    const kept = Bun.randomUUIDv7();
    const made = await admin('POST stories', {
      seo: { title: 'A Title', price: '1.50', count: 7 },
      tags: ['a', 'b'],
      facts: [{ day: '2026-11-21', label: 'x' }],
      body: [quote({ id: kept }), quote()],
    });
    expect(made.status).toBe(201);
    const { seo, tags, facts, body, editors } = made.json;
    expect(seo).toEqual({
      title: 'A Title',
      robots: 'index',
      score: null,
      price: '1.5',
      count: '7',
      slug: 'a-title',
      image_of: null,
    });
    expect({ tags, facts, editors }).toEqual({
      tags: ['a', 'b'],
      facts: [{ label: 'x', day: '2026-11-21' }],
      editors: null,
    });
    expect(body[0]).toEqual({ block: 'quote', id: kept, text: 'words', author: null, source: max, note: null });
    expect(body[1].id).toMatch(/^[0-9a-f-]{36}$/);
    expect(body[1].id).not.toBe(kept);
  });

  test('every error is listed with its path', async () => {
    const sent = {
      seo: { robots: 'never', odd: 1, price: 1.5 },
      tags: ['a', null, 'far too long a tag'],
      facts: [{}, 'x'],
      editors: [],
      body: [
        quote({ author: 'x' }),
        { block: 'photo' },
        {},
        { block: 'quote', id: 'x' },
        { block: 'sections', items: 1 },
      ],
    };
    const rejected = await open('POST stories', sent);
    expect(rejected.status).toBe(422);
    expect(errorsOf(rejected)).toEqual({
      'seo.odd': 'unknown_field',
      'seo.robots': 'not_allowed',
      'seo.price': 'wrong_type',
      'seo.title': 'required',
      'tags[1]': 'required',
      'tags[2]': 'too_long',
      'facts[0].label': 'required',
      'facts[1]': 'wrong_type',
      editors: 'too_few_items',
      'body[0].author': 'bad_format',
      'body[1].block': 'not_allowed',
      'body[2].block': 'required',
      'body[3].id': 'bad_format',
      'body[3].text': 'required',
      'body[3].source': 'required',
      'body[4].items': 'wrong_type',
    });
    const unknown = await open('POST stories', {
      body: [quote({ source: Bun.randomUUIDv7() })],
      seo: { title: 'a', image_of: Bun.randomUUIDv7() },
    });
    expect(errorsOf(unknown)).toEqual({ 'body[0].source': 'unknown_record', 'seo.image_of': 'unknown_record' });
    expect(errorsOf(await open('POST stories', { tags: ['a', 'b', 'c', 'd'] }))).toEqual({ tags: 'too_many_items' });
    const many = { facts: Array.from({ length: 10_000 }, () => ({})) };
    expect(errorsOf(await open('POST stories', many))).toEqual({ facts: 'too_many_items' });
  });

  test('a private member is shown to admins alone', async () => {
    const { id } = (await admin('POST stories', { seo: { title: 'a', score: 4 }, body: [quote({ note: 'hush' })] }))
      .json;
    const shown = await open(`GET stories/${id}`);
    expect(Object.keys(shown.json.seo)).toEqual(['title', 'robots', 'price', 'count', 'slug', 'image_of']);
    expect(Object.keys(shown.json.body[0])).toEqual(['block', 'id', 'text', 'author', 'source']);
    expect((await admin(`GET stories/${id}`)).json).toMatchObject({ seo: { score: 4 }, body: [{ note: 'hush' }] });
    expect((await open('GET stories?search=hush')).json.total).toBe(0);
    expect((await open('GET stories?filter=seo.score=4')).json.code).toBe('invalid_filter');
    expect((await admin('GET stories?filter=seo.score=4')).json.total).toBe(1);
  });
});

describe('relations inside', () => {
  test('are included as the target shows them', async () => {
    const sections = { block: 'sections', items: [{ author: ines }, { author: null }] };
    const sent = {
      editors: [max, ines],
      seo: { title: 'a', image_of: ines },
      body: [quote({ author: ines }), sections],
    };
    const { id } = (await admin('POST stories', sent)).json;
    const get = async (include: string) => (await open(`GET stories/${id}?include=${include}`)).json;
    const shown = { id: ines, name: 'Ines', team: expect.any(String) };
    expect((await get('body.author')).body).toMatchObject([
      { author: shown, source: max },
      { items: [{ author: ines }, {}] },
    ]);
    expect((await get('body.author')).body[0].author).not.toHaveProperty('mail');
    expect((await get('body.items.author')).body).toMatchObject([
      { author: ines },
      { items: [{ author: shown }, { author: null }] },
    ]);
    // The team is for members: to anyone else it is hidden.
    expect((await get('body.author.team,editors')).body[0].author).toEqual({ ...shown, team: null });
    expect((await get('editors,seo.image_of')).editors.map(({ name }: { name: string }) => name)).toEqual([
      'Max',
      'Ines',
    ]);
    expect((await get('seo.image_of')).seo.image_of).toMatchObject(shown);
    const listed = await service.send('GET /api/v1/cms/stories?include=body.author.team', { as: 'ed' });
    expect(listed.json.items.at(-1).body[0].author.team).toMatchObject({ name: 'North' });
    expect((await admin(`GET stories/${id}?include=body.author`)).json.body[0].author.mail).toBe('ines@example.org');
    expect((await get('body')).code).toBe('invalid_parameter');
    expect((await get('body.text')).code).toBe('invalid_parameter');
    expect((await get('body.author.name')).code).toBe('invalid_parameter');
  });

  test('keep what they need, and are emptied where they can be', async () => {
    const lost = (await admin('POST authors', { name: 'Lost' })).json.id;
    const twice = { block: 'sections', items: [{ author: lost }, { author: lost }] };
    const made = await admin('POST stories', {
      editors: [lost, ines],
      body: [quote({ author: lost, source: ines }), twice],
    });
    const { id } = made.json;
    expect(await admin(`DELETE authors/${lost}`)).toMatchObject({ status: 204 });
    const { editors, body } = (await open(`GET stories/${id}`)).json;
    expect(editors).toEqual([ines]);
    expect(body).toMatchObject([{ author: null, source: ines }, { items: [{ author: null }, { author: null }] }]);

    const only = (await admin('POST authors', { name: 'Only' })).json.id;
    const needing = (await admin('POST stories', { editors: [only], body: [quote(), quote({ source: only })] })).json
      .id;
    const refused = await admin(`DELETE authors/${only}`);
    expect(refused).toMatchObject({ status: 409, json: { code: 'record_in_use' } });
    expect(refused.json.detail).toContain(`story ${needing}: `);
    expect((await open(`GET stories/${needing}`)).json.editors).toEqual([only]);
    await admin(`PUT stories/${needing}`, { editors: [max], body: [] });
    expect(await admin(`DELETE authors/${only}`)).toMatchObject({ status: 204 });
  });

  test('links follow the values', async () => {
    await service.database.transaction(async (transaction) => {
      await transaction.run({ sql: 'DELETE FROM recto_links', parameters: [] });
    });
    const { id } = (await admin('POST stories', { editors: [max, ines], body: [quote(), quote()] })).json;
    const own = [
      { field: 'body', path: 'quote.source' },
      { field: 'editors', path: '' },
      { field: 'editors', path: '' },
    ];
    expect((await links()).map((row) => ({ ...row }))).toEqual(own);
    await open(`PUT stories/${id}`, { editors: [max] });
    expect((await links()).map((row) => ({ ...row }))).toEqual(own.slice(0, 2));
    await open(`PUT stories/${id}`, { title: 'other' });
    expect(await links()).toHaveLength(2);
    await admin(`DELETE stories/${id}`);
    expect(await links()).toHaveLength(0);
  });
});

test('text inside is searched, that of private members is not', async () => {
  const { id } = (
    await admin('POST stories', { body: [quote({ text: '<p>Zebra</p>' })], facts: [{ label: 'quokka' }] })
  ).json;
  const found = async (words: string) =>
    (await open(`GET stories?search=${words}`)).json.items.map((item: { id: string }) => item.id);
  expect(await found('zebra')).toEqual([id]);
  expect(await found('quokka')).toEqual([id]);
  await open(`PUT stories/${id}`, { body: [quote({ text: 'Okapi' })] });
  expect(await found('zebra')).toEqual([]);
  expect(await found('okapi')).toEqual([id]);
});

test('a path into a group filters by the kind of the member', async () => {
  const { id } = (await admin('POST stories', { seo: { title: 'Filtered', robots: 'noindex' } })).json;
  const listed = async (filter: string) => (await open(`GET stories?filter=${encodeURIComponent(filter)}`)).json;
  expect(
    (await listed('seo.title = "Filtered" && seo.robots = "noindex"')).items.map((one: { id: string }) => one.id),
  ).toEqual([id]);
  for (const filter of [
    'seo.score = 4',
    'seo.odd = 1',
    'seo.price > 1',
    'seo.title.more = "x"',
    'seo.robots = "never"',
    'seo.title = 3',
    'seo.image_of = "ines"',
  ])
    expect([filter, (await listed(filter)).code]).toEqual([filter, 'invalid_filter']);
  expect((await listed('seo.title = "Filtered" && seo.image_of = null && seo.robots != "index"')).total).toBe(1);
  expect((await listed('seo.robots in ["noindex"] && seo.title ~ "Filt%"')).total).toBe(1);
  const tagged = (await admin('POST stories', { tags: ['wool', 'silk'], body: [quote({ note: 'wool' })] })).json.id;
  expect((await listed('tags ?= "silk"')).items.map((one: { id: string }) => one.id)).toEqual([tagged]);
  expect((await listed('body:length > 0')).total).toBeGreaterThan(0);
});

describe('a path through a list or blocks', () => {
  const made = new Map<string, string>();
  const listed = async (filter: string, as = open) =>
    (await as(`GET stories?filter=${encodeURIComponent(`(${filter}) && title ~ "inner %"`)}`)).json;

  beforeAll(async () => {
    const inner = { block: 'line' };
    const bodies = {
      ink: {
        facts: [{ label: 'Colour', day: '2026-01-05' }, { label: 'Weight' }],
        tags: ['Ink', 'b'],
        editors: [ines],
      },
      wool: { facts: [{ label: 'Fibre', day: '2026-03-01' }], body: [quote({ note: 'secret', author: ines })] },
      silk: {
        body: [{ block: 'sections', items: [{ author: max, inner: [inner] }, { author: ines }] }],
        editors: [max],
      },
      bare: { facts: [], body: [], tags: [] },
    };
    for (const [name, body] of Object.entries(bodies)) {
      const { id } = (await admin('POST stories', { title: `inner ${name}`, ...body })).json;
      made.set(id, name);
    }
  });

  test.each<[filter: string, names: string]>([
    ['facts.label ?= "Colour"', 'ink'],
    ['facts.label ?~ "%e"', 'wool'],
    ['facts.label ?!= "Colour"', 'ink wool'],
    ['facts.label:lower ?= "weight"', 'ink'],
    ['facts.day ?< "2026-02-01"', 'ink'],
    ['"2026-02-01" ?< facts.day', 'wool'],
    ['facts.label ?= "Colour" && facts.day ?> "2026-03-01"', ''],
    ['tags ?= "Ink"', 'ink'],
    ['tags:lower ?= "ink"', 'ink'],
    ['EDITORS ?= "INES"', 'ink'],
    ['body.block ?= "quote"', 'wool'],
    ['body.text ?~ "word%"', 'wool'],
    ['body.author ?= "INES"', 'wool'],
    ['body.items.author ?= "INES"', 'silk'],
    ['body.items.author ?!= "INES"', 'silk'],
    ['body.items.inner.block ?= "line"', 'silk'],
    ['facts = null', 'silk'],
    ['facts:length = 2', 'ink'],
  ])('%s', async (text, names) => {
    const filter = text.replace('EDITORS', 'editors').replace('"INES"', JSON.stringify(ines));
    const { items } = await listed(filter);
    const found = items.map(({ id }: { id: string }) => made.get(id));
    expect(found.sort().join(' ')).toBe(names);
    expect(found.length).toBe((await listed(filter, admin)).total);
  });

  test.each([
    ['facts.label = "Colour"', 'leads to many values: write facts.label ?= "Colour"'],
    ['facts.label in ["a", "b"]', 'write facts.label ?= "a"'],
    ['facts ?= "Colour"', 'compare a field of them'],
    ['body ?= "wool"', 'compare a field of them'],
    ['body.items ?= "wool"', 'compare a field of them'],
    ['facts.label:isset', ':isset asks'],
    ['body.items:length > 1', ':length asks'],
    ['facts.odd ?= "x"', 'there is no such field'],
    ['facts.lable ?= "x"', 'there is no such field. Did you mean "label"?'],
    ['seo.titel = "x"', 'there is no such field. Did you mean "title"?'],
    ['body.blok ?= "x"', 'there is no such field. Did you mean "block"?'],
    // No private one is named.
    ['body.notee ?= "x"', '"notee" cannot be read: there is no such field'],
    ['seo.scores = 1', '"scores" cannot be read: there is no such field'],
    ['facts.label.more ?= "x"', 'it is inside a plain value'],
    ['facts.label ?= null', 'An item that is null does not count'],
    ['facts.label ?> 3', 'text'],
    ['facts.day ?= "soon"', 'day'],
    ['body.block ?= "quotation"', 'quote'],
    ['body.author ?= "ines"', 'an id'],
    ['editors ?= "ines"', 'an id'],
    // Private to quotations.
    ['body.note ?= "secret"', 'there is no such field'],
    ['body.note ?~ "%"', 'there is no such field'],
  ])('%s is refused', async (filter, remedy) => {
    const { code, detail } = await listed(filter);
    expect([code, detail]).toEqual(['invalid_filter', expect.stringContaining(remedy)]);
    expect(detail).not.toMatch(/Did you mean "(?:note|score)"/);
  });

  test.each([
    ['prices ?= "1.50"', 'a decimal inside another field is a text'],
    ['prices ?> 1', 'a decimal inside another field is a text'],
    ['rows ?= "x"', 'The items are lists'],
    ['rows.cell ?= "x"', 'it is inside a list of lists'],
    ['rows.cost ?~ "%"', 'it is inside a list of lists'],
  ])('%s is refused: %s', async (filter, remedy) => {
    const { json } = await open(`GET grids?filter=${encodeURIComponent(filter)}`);
    expect([json.code, json.detail]).toEqual(['invalid_filter', expect.stringContaining(remedy)]);
  });

  test('sees private members as an admin alone', async () => {
    const { items } = await listed('body.note ?= "secret"', admin);
    expect(items.map(({ id }: { id: string }) => made.get(id))).toEqual(['wool']);
  });
});

describe('private members', () => {
  const line = (text: string, owner: string, shut: string) => ({
    ...{ block: 'line', text, owner, deep: { open: 'o', shut } },
    sealed: [owner],
  });
  const whole = {
    sum: { shown: 'a', hidden: 1 },
    rows: [
      { text: 'x', cost: '1' },
      { text: 'x', cost: '2' },
      { text: 'y', cost: '3' },
    ],
    parts: [line('one', 'Ada', 's1'), line('two', 'Bob', 's2')],
  };
  const made = async () => (await admin('POST ledgers', whole)).json;
  const stored = async (id: string) => (await admin(`GET ledgers/${id}`)).json;

  test('are kept where a caller sends back what they see', async () => {
    const before = await made();
    const seen = (await open(`GET ledgers/${before.id}`)).json;
    expect(JSON.stringify(seen)).not.toMatch(/Ada|s1|sealed|cost|hidden/);
    expect((await open(`PUT ledgers/${before.id}`, seen)).status).toBe(200);
    expect(await stored(before.id)).toEqual(before);
    const [one, two] = seen.parts;
    const [x, again, y] = seen.rows;
    const changed = {
      sum: { shown: 'b' },
      rows: [y, x, again],
      parts: [{ ...two, text: 'second', deep: { open: 'p' } }, one],
    };
    expect((await open(`PUT ledgers/${before.id}`, changed)).status).toBe(200);
    const after = await stored(before.id);
    expect(after.sum).toEqual({ shown: 'b', hidden: 1 });
    expect(after.rows.map(({ cost }: { cost: string }) => cost)).toEqual(['3', '1', '2']);
    expect(after.parts).toMatchObject([
      { text: 'second', owner: 'Bob', deep: { open: 'p', shut: 's2' }, sealed: ['Bob'] },
      { text: 'one', owner: 'Ada', deep: { shut: 's1' }, sealed: ['Ada'] },
    ]);
  });

  test('can be set by who does not see them, and go with their item', async () => {
    const { id, parts } = await made();
    const [first] = parts;
    const sent = { parts: [{ block: 'line', id: first.id, owner: 'Eve' }], rows: [{ text: 'z' }], sum: null };
    expect((await open(`PUT ledgers/${id}`, sent)).status).toBe(200);
    const after = await stored(id);
    expect(after).toMatchObject({
      sum: null,
      rows: [{ text: 'z', cost: null }],
      parts: [{ owner: 'Eve', sealed: ['Ada'] }],
    });
    expect(after.parts).toHaveLength(1);
    const rejected = await open(`PUT ledgers/${id}`, { parts: [{ block: 'line', text: 'new' }], sum: { shown: 'c' } });
    expect(errorsOf(rejected)).toEqual({ 'parts[0].owner': 'required' });
    expect((await open(`PUT ledgers/${id}`, { sum: { shown: 'c' } })).status).toBe(200);
    expect((await stored(id)).sum).toEqual({ shown: 'c', hidden: 7 });
    // An admin sees them, and so leaves out what is to go.
    expect(errorsOf(await admin(`PUT ledgers/${id}`, { parts: [{ block: 'line', id: first.id }] }))).toEqual({
      'parts[0].owner': 'required',
    });
  });

  test('are in no version, difference or change that an editor is shown', async () => {
    const { id, parts, rows } = await made();
    const [first, second] = parts;
    await admin(`PUT ledgers/${id}`, { parts: [{ ...first, owner: 'Secret' }, second] });
    await admin(`PUT ledgers/${id}`, {
      parts: [{ ...first, text: 'uno' }, second],
      rows: [{ ...rows[0], cost: '99' }],
    });
    const list = (await admin(`GET ledgers/${id}/revisions`)).json;
    expect(list.items.map(({ changed }: { changed: string[] }) => changed)).toEqual([['rows', 'parts'], []]);
    const all = (await service.send(`GET /api/v1/admin/cms/ledgers/${id}/revisions`, { as: 'root' })).json;
    expect(all.items.map(({ changed }: { changed: string[] }) => changed)).toEqual([
      ['rows', 'parts'],
      ['parts.line.owner'],
      [],
    ]);
    const version = await admin(`GET ledgers/${id}/revisions/3`);
    expect(version.json.record.parts[0]).toEqual({ block: 'line', id: first.id, text: 'uno', deep: { open: 'o' } });
    const difference = await admin(`GET ledgers/${id}/revisions/1/diff/3`);
    expect(difference.text).not.toMatch(/Secret|99|Ada|cost/);
    expect((await admin(`POST ledgers/${id}/revisions/1/restore`)).status).toBe(200);
    expect((await stored(id)).parts).toMatchObject([{ text: 'one', owner: 'Ada' }, { owner: 'Bob' }]);
  });
});

test('of the records that refer to one, those are listed that the caller may see', async () => {
  const hidden = {
    ...{ singular: 'memo', plural: 'memos', protocols: ['soft_deletable', 'tenantable'] },
    fields: [field('about', 'group', { fields: [related('author', 'authors')] })],
  };
  await using other = await TestService.open([definitions[0], definitions[1], hidden]);
  await other.account('ed', 'editor');
  await other.account('acme', 'editor', 'acme');
  const author = (await other.seed('authors', { name: 'Ines' })).id;
  const memo = async (as: string) =>
    (await other.send('POST /api/v1/admin/cms/memos', { as, body: { about: { author } } })).json.id;
  const [own, theirs, gone] = [await memo('ed'), await memo('acme'), await memo('acme')];
  await other.send(`DELETE /api/v1/admin/cms/memos/${gone}`, { as: 'acme' });
  const seen = async (as: string) =>
    (await other.send(`GET /api/v1/admin/cms/authors/${author}/usage`, { as })).json.items.map(
      (item: { id: string }) => item.id,
    );
  expect(await seen('acme')).toEqual([theirs]);
  expect(await seen('ed')).toEqual([own, theirs].toSorted());
});

test('the records that refer to one are listed with the places', async () => {
  const used = (await admin('POST authors', { name: 'Used' })).json.id;
  const sections = { block: 'sections', items: [{ author: used }, { author: used }] };
  const story = (await admin('POST stories', { editors: [max, used], body: [quote({ author: used }), sections] })).json
    .id;
  const { json } = await admin(`GET authors/${used}/usage`);
  expect(json).toEqual({
    items: [
      {
        type: 'story',
        id: story,
        field: 'body',
        places: ['body[0].author', 'body[1].items[0].author', 'body[1].items[1].author'],
      },
      { type: 'story', id: story, field: 'editors', places: ['editors[1]'] },
    ],
    total: 2,
    page: 1,
    page_size: 20,
  });
  const team = (await admin('POST teams', { name: 'South' })).json.id;
  const member = (await admin('POST authors', { name: 'Member', team })).json.id;
  expect((await admin(`GET teams/${team}/usage`)).json.items).toEqual([
    { type: 'author', id: member, field: 'team', places: ['team'] },
  ]);
  expect((await admin(`GET authors/${used}/usage?page=2&page_size=1`)).json).toMatchObject({
    total: 2,
    items: [{ field: 'editors' }],
  });
  expect((await admin(`GET authors/${Bun.randomUUIDv7()}/usage`)).status).toBe(404);
  expect((await open(`GET authors/${used}/usage`)).status).toBe(404);
});
