// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { DatabaseLocation } from '../../../packages/recto/src/config/settings.ts';
import { sanitizedHtml } from '../../../packages/recto/src/definition/fields/sanitized-html.ts';
import { exportRecords } from '../../../packages/recto/src/transfer/json/export-records.ts';
import { importRecords } from '../../../packages/recto/src/transfer/json/import-records.ts';
import { recordFilesAt } from '../../../packages/recto/src/transfer/json/record-files.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import { plantedId } from '../../spec/rules/planted.ts';
import { onPostgres } from '../../support/database/database.ts';
import { magazine } from '../../support/magazine.ts';
import { randomCases } from '../../support/random-cases.ts';
import { TestService } from '../../support/service.ts';

const relation = (name: string, relation_type: string, target: string, more: object = {}) => ({
  name,
  field_type: 'relation',
  relation: { relation_type, target, ...more },
});

const scalarTypes = [
  'text',
  'richtext',
  'integer',
  'bigint',
  'decimal',
  'float',
  'boolean',
  'date',
  'datetime',
  'time',
];
/** Every field type, every protocol, relations that lead to and fro, and a single type. */
const definitions = [
  {
    singular: 'thing',
    plural: 'things',
    protocols: ['timestampable', 'ownable', 'lockable', 'metaable'],
    fields: [
      ...[...scalarTypes, 'email', 'password', 'json', 'media'].map((name) => ({ name, field_type: name })),
      { name: 'enum', field_type: 'enum', enum_values: ['low', 'High'] },
      { name: 'slug', field_type: 'uid', target_field: 'text' },
      { name: 'secret', field_type: 'text', private: true },
      { name: 'code', field_type: 'text', unique: true },
      relation('above', 'many_to_one', 'things'),
      relation('beside', 'many_to_many', 'things'),
      relation('owner', 'many_to_one', 'owners'),
      relation('setup', 'many_to_one', 'setups'),
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
  },
  {
    singular: 'owner',
    plural: 'owners',
    fields: [
      { name: 'name', field_type: 'text', required: true },
      relation('favourite', 'one_to_one', 'things'),
      relation('things', 'one_to_many', 'things', { mapped_by: 'owner' }),
    ],
  },
  {
    singular: 'setup',
    plural: 'setups',
    kind: 'single',
    fields: [{ name: 'motto', field_type: 'text', required: true }],
  },
  {
    extends: 'post',
    fields: [{ name: 'rating', field_type: 'integer', default: 3 }, relation('thing', 'many_to_one', 'things')],
  },
];

const openService = () => TestService.open(definitions, { builtIn: true });

let folder = '';
let folders = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recto-export-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const newFolder = (): string => {
  folders += 1;
  return join(folder, `${folders}`);
};

type Files = Readonly<Record<string, string>>;

async function exported({ database, types }: TestService): Promise<Files> {
  const out = newFolder();
  await exportRecords({ database, types: types.all, folder: out, progress: () => {} });
  return Object.fromEntries(readdirSync(out).map((name) => [name, readFileSync(join(out, name), 'utf8')]));
}

interface Options {
  readonly dryRun?: boolean;
  readonly type?: string;
}

async function imported(service: TestService, files: Files, { dryRun = false, type }: Options = {}) {
  const path = newFolder();
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const { database, types } = service;
  const [only = ''] = Object.keys(files);
  return importRecords({
    ...{ database, types, dryRun, progress: () => {} },
    files: await recordFilesAt(type === undefined ? path : join(path, only), type, types),
    workFolder: dirname(database.path),
  });
}

const lines = (records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');

const now = '2026-11-21T10:00:00.000Z';
const hash =
  '$argon2id$v=19$m=8,t=1,p=1$G2XuyyMPGyWDSuIi6MofJsWQ4T+2NVPFDB4gTBTBhnc$/e6Xgfnj6RhVdaNlwbhAUydZ+d4D06kQH/K/IFeOOv0';

describe('an export that is imported and exported again', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((value) => value.replaceAll('\0', '')),
    fc.constantFrom('', '"', '\\', '\n', '\u2028', '\u{10ffff}', 'x'.repeat(3000)),
  );
  const json = fc
    .jsonValue({ stringUnit: 'grapheme', maxDepth: 3 })
    .map((value) => JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')));
  const instant = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9998-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString());
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
  const things = 6;
  const thingId = fc.integer({ min: 1, max: things }).map(plantedId);
  const ownerId = fc.constantFrom(plantedId(101), plantedId(102));
  const thing = fc.record({
    text: maybe(text),
    richtext: maybe(text.map(sanitizedHtml)),
    integer: maybe(fc.maxSafeInteger()),
    bigint: maybe(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
    decimal: maybe(
      fc
        .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 1, max: 999 }))
        .map(([whole, rest]) => `${whole}.${rest}5`),
    ),
    float: maybe(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
    boolean: maybe(fc.boolean()),
    date: maybe(instant.map((at) => at.slice(0, 10))),
    datetime: maybe(instant),
    time: maybe(fc.constantFrom('00:00:00', '23:59:59', '10:20:30.250')),
    email: maybe(fc.constantFrom('a@b.example', 'Ada+x@site.example')),
    password: maybe(fc.constant(hash)),
    json: maybe(json),
    media: maybe(fc.constantFrom('/a/b.png', 'https://e.example/x?y=1')),
    enum: maybe(fc.constantFrom('low', 'High')),
    secret: maybe(text),
    above: maybe(thingId),
    beside: fc.uniqueArray(thingId, { maxLength: 4 }),
    owner: maybe(ownerId),
    setup: maybe(fc.constant(plantedId(200))),
    parts: maybe(
      fc.uniqueArray(
        fc.record({
          ...{
            block: fc.constant('quote'),
            id: fc.uuid(),
            text: maybe(text.map(sanitizedHtml)),
            about: maybe(thingId),
          },
          price: maybe(fc.constantFrom('1.5', '-3')),
        }),
        { selector: ({ id }) => id, maxLength: 3 },
      ),
    ),
    created_at: instant,
    updated_at: instant,
    created_by: maybe(thingId),
    updated_by: maybe(thingId),
    lock_version: fc.integer({ min: 1, max: 1000 }),
    __meta: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), json, { noNullPrototype: true }),
  });
  const publication = {
    excerpt: null,
    cover_image: null,
    meta_title: null,
    meta_description: null,
    author_id: null,
    __meta: {},
  };
  const times = { published_at: null, scheduled_at: null, __draft: null, created_at: now, updated_at: now };
  const parentOf = (count: number) =>
    fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: count, maxLength: count });
  const unique = text.filter((value) => Buffer.byteLength(value) <= 2_500);
  const world = fc.record({
    things: fc.array(thing, { minLength: things, maxLength: things }),
    codes: fc.uniqueArray(unique, { minLength: things, maxLength: things }),
    favourites: fc.uniqueArray(thingId, { minLength: 2, maxLength: 2 }),
    motto: maybe(text),
    // Each below one that comes later, so that nothing can be stored in the order of the file.
    pages: parentOf(5),
    statuses: fc.array(fc.constantFrom('Draft', 'Published', 'Archived'), { minLength: 3, maxLength: 3 }),
    tags: fc.uniqueArray(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((tag) => tag.replaceAll('\0', '0')),
      { maxLength: 4 },
    ),
    replies: parentOf(5),
  });
  type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

  const filesOf = (made: World): Files => ({
    'things.ndjson': lines(
      made.things.map((record, index) => ({
        id: plantedId(index + 1),
        ...record,
        slug: `thing-${index}`,
        code: made.codes[index],
      })),
    ),
    'owners.ndjson': lines(
      made.favourites.map((favourite, index) => ({ id: plantedId(101 + index), name: `owner ${index}`, favourite })),
    ),
    'setup.ndjson': lines([{ id: plantedId(200), motto: made.motto }]),
    'pages.ndjson': lines(
      made.pages.map((choice, index) => ({
        id: plantedId(300 + index),
        title: `Page ${index}`,
        slug: `page-${index}`,
        content: null,
        status: 'Published',
        template: null,
        parent_id: index === 4 || choice % 3 === 0 ? null : plantedId(300 + index + 1 + (choice % (4 - index))),
        sort_order: choice,
        ...publication,
        ...times,
      })),
    ),
    'posts.ndjson': lines(
      made.statuses.map((status, index) => ({
        id: plantedId(400 + index),
        title: `Post ${index}`,
        slug: `post-${index}`,
        content: 'x',
        status,
        tags: made.tags,
        categories: [],
        comments_open: index === 0,
        rating: null,
        thing: plantedId(index + 1),
        ...publication,
        ...times,
      })),
    ),
    'comments.ndjson': lines(
      made.replies.map((choice, index) => ({
        id: plantedId(500 + index),
        post_id: plantedId(401),
        parent_id: index === 4 || choice % 3 === 0 ? null : plantedId(500 + index + 1 + (choice % (4 - index))),
        nickname: null,
        email: 'zoe@visitor.example',
        content: 'x',
        status: 'Spam',
        author_id: null,
        created_at: now,
        updated_at: now,
      })),
    ),
  });

  test('takes invisible characters out of nicknames, as the API does', async () => {
    await using service = await openService();
    const post = { id: plantedId(1), title: 'A', slug: 'a', content: 'x', status: 'Published' };
    const comment = {
      id: plantedId(2),
      post_id: plantedId(1),
      nickname: 'Mi\u200ba\u{e0101}',
      content: 'x',
      status: 'Approved',
    };
    await imported(service, { 'posts.ndjson': lines([post]), 'comments.ndjson': lines([comment]) });
    expect((await service.send('GET /api/v1/posts/a/comments')).json.items).toMatchObject([{ nickname: 'Mia' }]);
  });

  test('gives the same bytes, and every value that went in', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (made) => {
        const files = filesOf(made);
        await using first = await openService();
        await using second = await openService();
        await imported(first, files);
        const once = await exported(first);
        await imported(second, once);
        expect(await exported(second)).toEqual(once);
        for (const [name, content] of Object.entries(files)) {
          const records = (of: string) =>
            of
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line));
          expect(records(once[name] ?? '')).toEqual(records(content));
        }
      }),
      // Each run makes the tables of two services, which takes a server longer than a file.
      { numRuns: randomCases(onPostgres ? 8 : 25) },
    );
  }, 600_000);

  test('is the same for records that were made by requests', async () => {
    const types = await magazine();
    await using first = await TestService.open(types, { builtIn: true });
    await using second = await TestService.open(types, { builtIn: true });
    await first.seed('authors', { name: 'Ada', email: 'ada@site.example' });
    const post = await first.seed('posts', {
      title: 'Wörter',
      content: 'Searched words',
      status: 'published',
      tags: ['a'],
    });
    await first.seed('pages', { title: 'A page' });
    await first.send(`POST /api/v1/posts/${post.slug}/comments`, { body: { content: 'Hello', email: 'z@v.example' } });
    await first.send('GET /api/v1/cms/site-settings');
    const once = await exported(first);
    expect(Object.values(once).filter((content) => content !== '')).toHaveLength(5);
    await imported(second, once);
    expect(await exported(second)).toEqual(once);
    expect((await second.send('GET /api/v1/posts?search=searched')).json.items).toMatchObject([
      { id: post.id, slug: 'worter' },
    ]);
  });
});

test('an export is for its owner alone, and never written over', async () => {
  await using service = await openService();
  // As the job of a request has it, whose folder is the first below `transfers/` in the data folder.
  const transfers = join(newFolder(), 'transfers');
  const out = join(transfers, 'one', 'records');
  const { database, types } = service;
  const run = (only = types.all) => exportRecords({ database, types: only, folder: out, progress: () => {} });
  await run(types.all.filter(({ singular }) => singular === 'thing'));
  expect(readdirSync(out)).toEqual(['things.ndjson']);
  for (const path of [out, dirname(out), transfers]) expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(out, 'things.ndjson')).mode & 0o777).toBe(0o600);
  await expect(run()).rejects.toThrow('is not empty');
  await run().catch(() => {});
  expect(readdirSync(dirname(out)).filter((name) => name.includes('unfinished'))).toEqual([]);
});

test('an export is of one moment, whatever is written meanwhile', async () => {
  await using service = await openService();
  await imported(service, {
    'owners.ndjson': lines(Array.from({ length: 500 }, (_, n) => ({ id: plantedId(n), name: `${n}` }))),
  });
  const { database, types } = service;
  const out = newFolder();
  let reported = 0;
  await exportRecords({
    ...{ database, types: types.all, folder: out },
    progress: () => {
      reported += 1;
      if (reported === 1) deleteElsewhere(database.location, 'cms_owner');
    },
  });
  expect(readFileSync(join(out, 'owners.ndjson'), 'utf8').trimEnd().split('\n')).toHaveLength(500);
  expect((await service.send('GET /api/v1/cms/owners')).json.total).toBe(0);
});

/** Another process does it and ends before this goes on. */
function deleteElsewhere(location: DatabaseLocation, table: string): void {
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dir, '../../../packages/recto/src/database/open-database.ts'))};
    import { rectoTables } from ${JSON.stringify(join(import.meta.dir, '../../../packages/recto/src/service/recto-tables.ts'))};
    const database = await openDatabase(${JSON.stringify(location)}, { engine: rectoTables });
    await database.transaction((transaction) => transaction.run({ sql: 'delete from ${table}', parameters: [] }));
    await database.close();`;
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, '-e', script]);
  if (exitCode !== 0) throw new Error(stderr.toString());
}

const owner = (number: number, more: object = {}) => ({ id: plantedId(number), name: `owner ${number}`, ...more });

describe('what is rejected, with its place', () => {
  const faults: readonly [name: string, files: Files, says: readonly string[]][] = [
    ['no JSON', { 'owners.ndjson': `${lines([owner(1)])}{"id": \n` }, ['owners.ndjson:2: this is no JSON']],
    [
      'no object',
      { 'owners.ndjson': '\n3\n[]\nnull\n' },
      ['owners.ndjson:2: this is no JSON object', 'owners.ndjson:3', 'owners.ndjson:4'],
    ],
    ['an id that is none', { 'owners.ndjson': '{"id":"7","name":"x"}\n' }, ['owners.ndjson:1: id:']],
    [
      'an unknown field',
      { 'owners.ndjson': lines([owner(1, { nam: 'x' })]) },
      ['owners.ndjson:1: nam: owner has no such field.'],
    ],
    [
      'what is required',
      { 'owners.ndjson': lines([owner(1, { name: null }), { id: plantedId(2) }]) },
      ['owners.ndjson:1: name: name is required.', 'owners.ndjson:2: name: name is required.'],
    ],
    [
      'a wrong type',
      { 'things.ndjson': lines([{ id: plantedId(1), integer: 'x', created_at: 'soon' }]) },
      ['things.ndjson:1: integer:', 'things.ndjson:1: created_at:'],
    ],
    [
      'a password that is no hash',
      { 'things.ndjson': lines([{ id: plantedId(1), password: 'correct horse' }]) },
      ['things.ndjson:1: password: Must be a hash'],
    ],
    [
      'one id twice',
      { 'owners.ndjson': lines([owner(1), owner(2), owner(1)]) },
      ['owners.ndjson:3: id: owners.ndjson:1 has this id already.'],
    ],
    [
      'a relation to nothing',
      { 'owners.ndjson': lines([owner(1), owner(2, { favourite: plantedId(9) })]) },
      ['owners.ndjson:2: favourite: There is no such record of thing.'],
    ],
    [
      'relations to nothing',
      { 'things.ndjson': lines([{ id: plantedId(1), beside: [plantedId(1), plantedId(9)] }]) },
      ['things.ndjson:1: beside[1]: There is no such record of thing.'],
    ],
    [
      'a unique value twice',
      {
        'things.ndjson': lines([
          { id: plantedId(1), code: 'x' },
          { id: plantedId(2), code: 'x' },
        ]),
      },
      ['things.ndjson:2: code: Another record has this code already.'],
    ],
    [
      'a one to one relation twice',
      {
        'things.ndjson': lines([{ id: plantedId(1) }]),
        'owners.ndjson': lines([owner(1, { favourite: plantedId(1) }), owner(2, { favourite: plantedId(1) })]),
      },
      ['owners.ndjson:2: favourite: Another record'],
    ],
    [
      'pages in a circle',
      {
        'pages.ndjson': lines([
          { id: plantedId(1), title: 'A', slug: 'a', parent_id: plantedId(2) },
          { id: plantedId(2), title: 'B', slug: 'b', parent_id: plantedId(1) },
        ]),
      },
      ['pages.ndjson:1: parent_id: A page cannot stand below itself.'],
    ],
    [
      'a slug that a route has',
      { 'posts.ndjson': lines([{ id: plantedId(1), title: 'A', slug: 'sitemap' }]) },
      ['posts.ndjson:1: slug:'],
    ],
    [
      'a type that there is not',
      { 'notes.ndjson': '' },
      ['notes.ndjson: there is no content type “notes”. There are:'],
    ],
    ['a folder without records', { 'readme.txt': '' }, ['holds no file that ends in .ndjson']],
  ];
  test.each(faults)('%s', async (_name, files, says) => {
    await using service = await openService();
    const before = await exported(service);
    const refusal = await imported(service, files).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TransferRefused);
    for (const part of says) expect(String(refusal)).toContain(part);
    expect(await exported(service)).toEqual(before);
  });

  test('bytes that are no UTF-8', async () => {
    await using service = await openService();
    const { database, types } = service;
    const path = join(folder, 'owners.ndjson');
    writeFileSync(path, Buffer.concat([Buffer.from(lines([owner(1)])), Buffer.from([0xff])]));
    const options = {
      ...{ database, types, dryRun: false },
      files: await recordFilesAt(path, undefined, types),
      workFolder: folder,
      progress: () => {},
    };
    await expect(importRecords(options)).rejects.toThrow('owners.ndjson:');
    await expect(recordFilesAt(join(folder, 'none'), undefined, types)).rejects.toThrow('There is no file or folder');
  });

  test('many errors are counted, the first of them listed', async () => {
    await using service = await openService();
    const many = lines(Array.from({ length: 100 }, (_, n) => ({ id: plantedId(n) })));
    const refusal = String(await imported(service, { 'owners.ndjson': many }).catch((error: unknown) => error));
    expect(refusal).toContain('100 errors; nothing was imported:');
    expect(refusal).toContain('owners.ndjson:30:');
    expect(refusal).not.toContain('owners.ndjson:31:');
    expect(refusal).toContain('and 70 more');
  });
});

const countsOf = ({ counts }: Awaited<ReturnType<typeof imported>>) =>
  Object.fromEntries(counts.map(({ kind, taken, before, skipped }) => [kind, [taken, before, skipped]]));

test.skipIf(!onPostgres)('an import whose connection breaks runs again, and reports once what it did', async () => {
  await using service = await openService();
  let runs = 0;
  const { database } = service;
  const transaction = database.transaction.bind(database);
  database.transaction = (work) =>
    transaction(async (inner) => {
      const value = await work(inner);
      runs += 1;
      if (runs === 1) await inner.run({ sql: 'select pg_terminate_backend(pg_backend_pid())', parameters: [] });
      return value;
    });
  const files = { 'owners.ndjson': lines([owner(1), owner(2)]) };
  expect(countsOf(await imported(service, files))).toEqual({ owners: [2, 0, 0] });
  expect(runs).toBe(2);
  expect((await service.send('GET /api/v1/cms/owners')).json.total).toBe(2);
});

test('a second run adds nothing, and leaves what was changed meanwhile', async () => {
  await using service = await openService();
  const files = { 'owners.ndjson': lines([owner(1), owner(2)]) };
  expect(countsOf(await imported(service, files))).toEqual({ owners: [2, 0, 0] });
  await service.account('boss', 'admin');
  await service.send(`PUT /api/v1/admin/cms/owners/${plantedId(1)}`, { as: 'boss', body: { name: 'changed' } });
  const more = { 'owners.ndjson': lines([owner(1), owner(2), owner(3)]) };
  expect(countsOf(await imported(service, more))).toEqual({ owners: [1, 2, 0] });
  expect((await service.send(`GET /api/v1/cms/owners/${plantedId(1)}`)).json.name).toBe('changed');
});

test('a dry run finds the same errors, and stores nothing', async () => {
  await using service = await openService();
  const before = await exported(service);
  const files = { 'owners.ndjson': lines([owner(1)]) };
  expect(countsOf(await imported(service, files, { dryRun: true }))).toEqual({ owners: [1, 0, 0] });
  expect(await exported(service)).toEqual(before);
  const broken = { 'owners.ndjson': lines([owner(1, { favourite: plantedId(5) })]) };
  await expect(imported(service, broken, { dryRun: true })).rejects.toThrow('owners.ndjson:1: favourite:');
});

test('records without ids are stored once under new ids, and lead to others', async () => {
  await using service = await openService();
  const [lead, first, ...others] = [owner(1), { name: 'no id', favourite: plantedId(2) }, { id: null, name: 'no id' }];
  const files = {
    'owners.ndjson': lines([lead, first, ...others, ...others]),
    'things.ndjson': lines([{ id: plantedId(2), owner: plantedId(1) }]),
  };
  const before = await exported(service);
  expect(countsOf(await imported(service, files, { dryRun: true }))).toEqual({ owners: [4, 0, 0], things: [1, 0, 0] });
  expect(await exported(service)).toEqual(before);
  const report = await imported(service, files);
  expect(countsOf(report)).toEqual({ owners: [4, 0, 0], things: [1, 0, 0] });
  expect(report.changed).toMatchObject([
    {
      kind: 'owners',
      text: 'new id, because the file gives none',
      count: 3,
      examples: ['owners.ndjson:2', 'owners.ndjson:3', 'owners.ndjson:4'],
    },
  ]);
  expect(countsOf(await imported(service, files))).toEqual({ owners: [0, 4, 0], things: [0, 1, 0] });
  const { items } = (await service.send('GET /api/v1/cms/owners?filter=name%20%3D%20%22no%20id%22&sort=id:asc')).json;
  expect(items).toMatchObject([{ favourite: plantedId(2) }, { favourite: null }, { favourite: null }]);
});

test('the one record of a single type stays', async () => {
  await using service = await openService();
  const { id } = (await service.send('GET /api/v1/cms/setup')).json;
  const report = await imported(service, { 'setup.ndjson': lines([{ id: plantedId(1), motto: 'x' }]) });
  expect(countsOf(report)).toEqual({ setups: [0, 0, 1] });
  expect((await service.send('GET /api/v1/cms/setup')).json.id).toBe(id);
});

test('a file of another name goes with its type', async () => {
  await using service = await openService();
  const files = { 'of-may.json': `\uFEFF${lines([owner(1)]).replace('\n', '\r\n')}${JSON.stringify(owner(2))}` };
  expect(countsOf(await imported(service, files, { type: 'owner' }))).toEqual({ owners: [2, 0, 0] });
});

test('what is imported is returned at once, found, and related', async () => {
  await using service = await openService();
  expect((await service.send('GET /api/v1/cms/owners')).json.total).toBe(0);
  await imported(service, {
    'owners.ndjson': lines([owner(1, { favourite: plantedId(2) })]),
    'things.ndjson': lines([
      {
        id: plantedId(2),
        text: 'Lighthouse keeper',
        secret: 'hush',
        owner: plantedId(1),
        beside: [plantedId(3), plantedId(2)],
      },
      { id: plantedId(3), text: 'Keeper of nothing', above: plantedId(2) },
    ]),
  });
  expect((await service.send('GET /api/v1/cms/owners?include=things')).json.items).toMatchObject([
    { favourite: plantedId(2), things: [{ id: plantedId(2) }] },
  ]);
  expect((await service.send('GET /api/v1/cms/things?search=light')).json.items).toMatchObject([
    { id: plantedId(2), beside: [plantedId(3), plantedId(2)] },
  ]);
  expect((await service.send('GET /api/v1/cms/things?search=hush')).json.total).toBe(0);
});
