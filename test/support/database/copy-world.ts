import { expect } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import type { DatabaseLocation } from '../../../packages/recto/src/config/settings.ts';
import { ImportLedger } from '../../../packages/recto/src/transfer/import-ledger.ts';
import { magazine } from '../magazine.ts';
import { type Reply, TestService } from '../service.ts';

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});
const text = (name: string, more: object = {}) => ({ name, field_type: 'text', ...more });

const scalars = ['text', 'richtext', 'integer', 'bigint', 'decimal', 'float', 'boolean', 'date', 'datetime', 'time'];

/** Every field type, relations in circles, every protocol that stores something of its own. */
const thing = {
  singular: 'thing',
  plural: 'things',
  protocols: ['timestampable', 'ownable', 'lockable', 'metaable', 'soft_deletable', 'sortable', 'nestable'],
  fields: [
    ...[...scalars, 'email', 'password', 'json'].map((name) => ({ name, field_type: name })),
    { name: 'media', field_type: 'media', external: true },
    { name: 'enum', field_type: 'enum', enum_values: ['low', 'High'] },
    { name: 'slug', field_type: 'uid', target_field: 'text' },
    text('secret', { private: true }),
    text('code', { unique: true }),
    text('late'),
    { name: 'rank', field_type: 'integer', indexed: true },
    relation('above', 'many_to_one', 'things'),
    relation('beside', 'many_to_many', 'things'),
    {
      name: 'parts',
      field_type: 'blocks',
      blocks: [
        {
          name: 'quote',
          fields: [
            { name: 'text', field_type: 'richtext' },
            relation('about', 'many_to_one', 'things'),
            { name: 'price', field_type: 'decimal', private: true },
          ],
        },
      ],
    },
  ],
};
const owner = {
  singular: 'owner',
  plural: 'owners',
  protocols: [
    'tenantable',
    { name: 'versionable', drafts: true },
    { name: 'statusable', values: ['new', 'live'], published: 'live' },
  ],
  fields: [
    text('name', { required: true }),
    text('code', { unique: true }),
    relation('favourite', 'one_to_one', 'things'),
    relation('helpers', 'many_to_many', 'owners'),
    { name: 'place', field_type: 'integer' },
    relation('account', 'many_to_one', 'users'),
    relation('accounts', 'many_to_many', 'users'),
  ],
  unique: [['account', 'place']],
};
const gone = { singular: 'gone', plural: 'gones', fields: [text('name'), relation('thing', 'many_to_one', 'things')] };
const single = { singular: 'setup', plural: 'setups', kind: 'single', fields: [text('motto')] };

/** What is served in the end: without a type and a field that there are values of. */
const kept = async () => [
  { ...thing, fields: thing.fields.filter(({ name }) => name !== 'late') },
  owner,
  single,
  ...(await magazine()),
];

export const openWorld = async (location: DatabaseLocation): Promise<TestService> =>
  TestService.open(await kept(), { builtIn: true, database: { location } });

/** Who asks, by headers that hold in every copy. */
export type Callers = Readonly<Record<string, Readonly<Record<string, string>>>>;

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
  fc.constantFrom('', '"', '\\', '\n', '\u2028', '\u{10ffff}', 'x'.repeat(3000)),
);
const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString());
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const values = fc.record({
  text: maybe(anyText),
  richtext: maybe(anyText),
  integer: maybe(fc.maxSafeInteger()),
  bigint: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  decimal: maybe(
    fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(999))
      .map(([whole, rest]) => `${whole}.${rest}`),
  ),
  float: maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  boolean: maybe(fc.boolean()),
  date: maybe(instant.map((at) => at.slice(0, 10))),
  datetime: maybe(instant),
  time: maybe(fc.constantFrom('00:00:00', '23:59:59', '10:20:30.250')),
  email: maybe(fc.constantFrom('a@b.example', 'Ada+x@site.example')),
  json: maybe(
    fc
      .jsonValue({ stringUnit: 'grapheme', maxDepth: 3 })
      .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ''))),
  ),
  media: maybe(fc.constantFrom('/a/b.png', 'https://e.example/x?y=1')),
  enum: maybe(fc.constantFrom('low', 'High')),
  secret: maybe(anyText),
  late: maybe(anyText.map((value) => value.slice(0, 200))),
  password: maybe(fc.constant('correct horse')),
});

const ok = async (reply: Promise<Reply>): Promise<Reply['json']> => {
  const { status, text: answer, json } = await reply;
  expect({ status: status < 300, answer }).toEqual({ status: true, answer });
  return json;
};

/** Fills a database through the API with something of everything that is stored; returns who can ask for it. */
export async function fillWorld(location: DatabaseLocation, seed: number): Promise<Callers> {
  const files = [thing, owner, gone, single, ...(await magazine())];
  await using service = await TestService.open(files, { builtIn: true, database: { location } });
  await service.account('ada', 'admin');
  await service.account('eve', 'editor');
  await service.account('mia', 'member', 'acme');
  const send = (line: string, body?: unknown, headers = {}, as = 'ada') =>
    ok(service.send(line, { as, headers, ...(body === undefined ? {} : { body }) }));
  await fillThings(service, seed);
  await fillOwners(service, send);
  await send('PUT /api/v1/admin/cms/setup', { motto: 'always' }).catch(() =>
    service.seed('setups', { motto: 'always' }),
  );
  await service.seed('gones', { name: 'still here' });
  const post = await service.seed('posts', { title: 'First', content: 'words to find', status: 'Published' });
  await send(`POST /api/v1/posts/${post.slug}/comments/authed`, { content: 'A remark' });
  const ledger = new ImportLedger(service.database.dialect, 'https://old.example');
  await service.database.transaction((transaction) => ledger.note(transaction, 'post', '7', post.id));
  const author = await service.seed('authors', { name: 'Ada', bio: 'words of a life' });
  await service.seed('articles', { title: 'Written', author: author.id });
  await send('POST /api/v1/admin/content-types', {
    ...{ singular: 'ticket', plural: 'tickets' },
    fields: [text('title'), relation('thing', 'many_to_one', 'things')],
  });
  await service.seed('tickets', { title: 'Made through the API' });
  await send('POST /api/v1/admin/cms/gones', { name: 'once' }, { 'Idempotency-Key': 'the-key' });
  const token = (await send('POST /api/v1/admin/api-tokens', { name: 'build', role: 'editor' })).token;
  return {
    nobody: {},
    ada: { Authorization: `Bearer ${service.tokenOf('ada')}` },
    mia: { Authorization: `Bearer ${service.tokenOf('mia')}` },
    token: { Authorization: `Bearer ${token}` },
  };
}

async function fillThings(service: TestService, seed: number): Promise<void> {
  const ids: string[] = [];
  for (const [index, sample] of fc.sample(values, { numRuns: 25, seed }).entries()) {
    const below = index > 5 ? { parent_id: ids[index % 3] } : {};
    const { id } = await service.seed('things', { ...sample, code: `code ${index}`, slug: `thing-${index}`, ...below });
    ids.push(id);
  }
  for (const [index, id] of ids.entries()) {
    const other = (by: number) => ids[(index + by) % ids.length];
    const quote = { block: 'quote', text: `<p>said in ${index}</p>`, about: other(1), price: '1.50' };
    const body = { above: other(1), beside: [other(7), id, other(3)], parts: [quote, quote], lock_version: 1 };
    await ok(service.send(`PUT /api/v1/admin/cms/things/${id}`, { as: 'ada', body }));
    if (index % 8 === 7) await ok(service.send(`DELETE /api/v1/admin/cms/things/${id}`, { as: 'ada' }));
  }
}

async function fillOwners(
  service: TestService,
  send: (line: string, body?: unknown) => Promise<Reply['json']>,
): Promise<void> {
  const things = (await send('GET /api/v1/admin/cms/things?page_size=100')).items;
  for (let index = 0; index < 4; index++) {
    const { id } = await service.seed('owners', {
      ...{ name: `Owner ${index}`, code: `c${index % 2}`, status: 'live' },
      ...{ tenant_id: index < 2 ? null : 'acme', favourite: things[index].id },
      ...(index % 2 === 0
        ? { place: index, account: service.idOf('eve'), accounts: [service.idOf('eve'), service.idOf('ada')] }
        : {}),
    });
    await send(`PUT /api/v1/admin/cms/owners/${id}`, { name: `Renamed ${index}` });
    if (index === 1) await send(`PUT /api/v1/admin/cms/owners/${id}?draft=true`, { name: 'Soon' });
  }
}

/** Every answer that shows something of what is stored, by who asks and for what. */
export async function answersOf(service: TestService, callers: Callers): Promise<Readonly<Record<string, string>>> {
  const lists = ['things', 'owners', 'articles', 'authors', 'topics', 'tickets'].flatMap((plural) => [
    `/api/v1/cms/${plural}?page_size=100`,
    `/api/v1/admin/cms/${plural}?page_size=100`,
    `/api/v1/admin/cms/${plural}?page_size=100&search=e`,
  ]);
  const paths = [
    ...lists,
    '/api/v1/admin/cms/things?page_size=100&deleted=only',
    '/api/v1/admin/cms/things?page_size=100&search=said',
    '/api/v1/admin/cms/things?page_size=100&sort=decimal&include=above,beside,parts.about',
    '/api/v1/posts?search=find',
    '/api/v1/posts',
    '/api/v1/pages',
    '/api/v1/admin/content-types',
    '/api/v1/admin/api-tokens',
    '/api/v1/auth/me',
  ];
  const answers: Record<string, string> = {};
  const ask = async (path: string): Promise<void> => {
    for (const [name, headers] of Object.entries(callers)) {
      const { status, text } = await service.send(`GET ${path}`, { headers });
      // The digits of a float may be others of the same number.
      const numbers = JSON.stringify(JSON.parse(text));
      // The requests' own ids, and when a token was last used.
      answers[`${name} ${path}`] =
        `${status} ${numbers.replaceAll(/"(?:request_id|last_used_at)":(?:null|"[^"]*")/g, '')}`;
    }
  };
  for (const path of paths) await ask(path);
  const admin = { headers: callers.ada ?? {} };
  for (const plural of ['things', 'owners']) {
    const { json } = await service.send(`GET /api/v1/admin/cms/${plural}?page_size=100`, admin);
    for (const { id } of json.items) {
      await ask(`/api/v1/cms/${plural}/${id}`);
      await ask(`/api/v1/admin/cms/${plural}/${id}`);
      await ask(`/api/v1/admin/cms/${plural}/${id}?draft=true`);
      await ask(`/api/v1/admin/cms/${plural}/${id}/revisions`);
      await ask(`/api/v1/admin/cms/${plural}/${id}/revisions/1`);
    }
  }
  return answers;
}

/** How a location is written on a command line. */
export const urlOf = (location: DatabaseLocation): string =>
  location.kind === 'sqlite' ? `sqlite:${location.path}` : location.url;

export const fileIn = (folder: string, name: string): DatabaseLocation & { kind: 'sqlite' } => ({
  kind: 'sqlite',
  path: join(folder, name),
});
