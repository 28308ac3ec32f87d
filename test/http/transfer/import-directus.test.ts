// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DirectusFiles } from '../../../packages/recto/src/transfer/directus/directus-files.ts';
import { openDirectus } from '../../../packages/recto/src/transfer/directus/directus-source.ts';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import type { Table } from '../../../packages/recto/src/values/json-table.ts';
import { countsOf, importInto, openPlanned, planOf, type TestPlan } from '../../support/foreign-imports.ts';
import type { TestService } from '../../support/service.ts';
import { getBytes } from '../media/media-calls.ts';

const found = importers.find(({ format }) => format === 'directus');
if (found === undefined) throw new Error('There is no importer of Directus.');
const entry = found;

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const field = (collection: string, name: string, type: string, meta: object = {}, schema: object = {}) => ({
  ...{ collection, field: name, type },
  meta: { interface: 'input', special: null, ...meta },
  schema: type === 'alias' ? null : { is_unique: false, is_primary_key: false, ...schema },
});
const key = (collection: string) => field(collection, 'id', 'uuid', {}, { is_primary_key: true });
const alias = (collection: string, name: string, special: string) =>
  field(collection, name, 'alias', { special: [special] });
const relation = (collection: string, name: string, related: string | null, meta: object = {}) => ({
  ...{ collection, field: name, related_collection: related, meta, schema: null },
});
const choices = (...values: string[]) => ({ options: { choices: values.map((value) => ({ text: value, value })) } });

const snapshot = {
  ...{ version: 1, directus: '12.0.0' },
  collections: [
    { collection: 'stories', meta: { sort_field: 'sort', display_template: '{{title}}' }, schema: {} },
    ...['stories_translations', 'languages', 'stories_topics', 'topics', 'stories_files', 'story_blocks', 'quotes'].map(
      (collection) => ({ collection, meta: { sort_field: 'sort' }, schema: {} }),
    ),
    { collection: 'site', meta: { singleton: true }, schema: {} },
    { collection: 'folder_of_collections', meta: {}, schema: null },
  ],
  fields: [
    key('stories'),
    field('stories', 'sort', 'integer'),
    field('stories', 'title', 'string', { required: true }, { max_length: 255 }),
    field('stories', 'body', 'text', { interface: 'input-rich-text-html' }),
    field('stories', 'status', 'string', choices('draft', 'published'), { default_value: 'draft' }),
    field('stories', 'kind', 'string', choices('news', 'essay')),
    field('stories', 'fee', 'decimal'),
    field('stories', 'at', 'dateTime'),
    field('stories', 'token', 'hash', { special: ['hash'] }),
    field('stories', 'cover', 'uuid', { special: ['file'] }),
    field('stories', 'author', 'uuid', { special: ['m2o'] }),
    field('stories', 'date_created', 'timestamp', { special: ['date-created'] }),
    alias('stories', 'translations', 'translations'),
    alias('stories', 'topics', 'm2m'),
    alias('stories', 'papers', 'files'),
    alias('stories', 'blocks', 'm2a'),
    alias('stories', 'divider', 'no-data'),
    key('stories_translations'),
    field('stories_translations', 'stories_id', 'uuid'),
    field('stories_translations', 'languages_code', 'string'),
    field('stories_translations', 'status', 'string', choices('draft', 'published')),
    field('stories_translations', 'title', 'string'),
    field('stories_translations', 'summary', 'text'),
    field('languages', 'code', 'string', {}, { is_primary_key: true }),
    ...['stories_topics', 'stories_files', 'story_blocks'].flatMap((collection) => [
      ...[key(collection), field(collection, 'stories_id', 'uuid'), field(collection, 'sort', 'integer')],
    ]),
    field('stories_topics', 'topics_id', 'uuid'),
    field('stories_topics', 'weight', 'integer'),
    field('stories_files', 'directus_files_id', 'uuid'),
    field('story_blocks', 'item', 'string'),
    field('story_blocks', 'collection', 'string'),
    field('story_blocks', 'tone', 'string'),
    field('story_blocks', 'editor', 'uuid', { special: ['m2o'] }),
    key('topics'),
    field('topics', 'name', 'string', {}, { is_unique: true, max_length: 100 }),
    key('quotes'),
    field('quotes', 'text', 'text', { required: true }),
    key('site'),
    field('site', 'name', 'string'),
  ],
  relations: [
    relation('stories', 'cover', 'directus_files'),
    relation('stories', 'author', 'directus_users'),
    relation('story_blocks', 'editor', 'directus_users'),
    relation('stories_translations', 'stories_id', 'stories', {
      one_field: 'translations',
      junction_field: 'languages_code',
    }),
    relation('stories_translations', 'languages_code', 'languages', { junction_field: 'stories_id' }),
    relation('stories_topics', 'stories_id', 'stories', { one_field: 'topics', junction_field: 'topics_id' }),
    relation('stories_topics', 'topics_id', 'topics', { junction_field: 'stories_id' }),
    relation('stories_files', 'stories_id', 'stories', { one_field: 'papers', junction_field: 'directus_files_id' }),
    relation('stories_files', 'directus_files_id', 'directus_files', { junction_field: 'stories_id' }),
    relation('story_blocks', 'stories_id', 'stories', { one_field: 'blocks', junction_field: 'item' }),
    relation('story_blocks', 'item', null, {
      ...{ one_allowed_collections: ['quotes', 'topics'], one_collection_field: 'collection' },
      junction_field: 'stories_id',
    }),
  ],
};

const may = (collection: string, action: string, more: object = {}) => ({
  ...{ collection, action, permissions: {}, validation: null, presets: null, fields: ['*'], policy: 'open', ...more },
});
const published = { _and: [{ status: { _eq: 'published' } }] };
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const project = (): Record<string, unknown> => ({
  'schema/snapshot.json': snapshot,
  'settings.json': { default_language: 'en-US' },
  'users.json': [
    { id: id(90), email: 'ines@site.example', first_name: 'Ines', last_name: 'Ferreira', role: 'r', status: 'active' },
    { id: id(91), email: 'tomas@site.example', first_name: 'Tomas', status: 'suspended' },
    { id: id(92), email: 'zoe@site.example', first_name: 'Zoe', status: 'archived' },
  ],
  'folders.json': [{ id: 'f1', name: 'Public', parent: null }],
  'files.json': [
    {
      ...{
        id: id(70),
        filename_disk: 'cat.png',
        filename_download: 'Cat.png',
        title: 'A cat',
        description: 'Grey cat',
      },
      folder: 'f1',
    },
    { id: id(71), filename_disk: 'one.txt', filename_download: 'one.txt', folder: null },
    { id: id(72), filename_disk: '../../etc/passwd', filename_download: 'passwd', folder: 'f1' },
    { id: id(73), filename_disk: 'link.txt', filename_download: 'link.txt', folder: 'f1' },
  ],
  'roles.json': [
    { id: 'r', name: 'Writer', parent: null },
    { id: 'a', name: 'Administrator', parent: null },
  ],
  'policies.json': [
    { id: 'open', admin_access: false },
    { id: 'write', admin_access: false },
    { id: 'all', admin_access: true },
  ],
  'access.json': [
    { role: null, user: null, policy: 'open' },
    { role: 'r', user: null, policy: 'write' },
    { role: 'a', user: null, policy: 'all' },
  ],
  'permissions.json': [
    may('stories', 'read', { permissions: published }),
    may('stories_translations', 'read', { permissions: published }),
    may('stories_topics', 'read'),
    // The public reads no junction of files: the field is private.
    may('story_blocks', 'read', { permissions: { stories_id: { status: { _eq: 'published' } } } }),
    may('topics', 'read', { fields: ['id', 'name'] }),
    may('quotes', 'read', { permissions: { text: { _contains: 'x' } } }),
    may('directus_files', 'read', { permissions: { folder: { name: { _contains: 'Public' } } } }),
    may('topics', 'create', { presets: { name: 'x' } }),
    may('stories', 'read', { policy: 'write', permissions: { author: { _eq: '$CURRENT_USER' } } }),
    may('stories', 'update', { policy: 'write', validation: { status: { _neq: 'published' } } }),
    may('topics', 'create', { policy: 'write' }),
    may('topics', 'read', { policy: 'write' }),
  ],
  'content/languages.json': [{ code: 'de-DE' }, { code: 'en-US' }],
  'content/topics.json': [
    { id: id(21), name: 'Type' },
    { id: id(22), name: 'Paper' },
  ],
  'content/quotes.json': [{ id: id(31), text: 'Margins matter.' }],
  'content/site.json': { id: id(1), name: 'The site' },
  'content/stories.json': [
    {
      ...{ id: id(11), sort: 2, title: 'On paper', status: 'published', kind: 'essay', fee: '12.50', author: id(90) },
      body: `<p>Look: <img src="https://cms.example/assets/${id(70)}?width=100"></p><script>x()</script>`,
      ...{ at: '2024-05-01T10:00:00', cover: id(70), token: '****', date_created: '2024-05-01T10:00:00Z' },
      ...{ translations: [id(41)], topics: [id(51), id(52)], papers: [id(61)], blocks: [id(81), id(82)] },
    },
    {
      ...{ id: id(12), sort: 1, title: 'Draft', status: 'draft', kind: null, fee: null, author: null },
      ...{ date_created: '2024-05-02T10:00:00Z', cover: id(72), body: null, at: null },
    },
  ],
  'content/stories_translations.json': [
    { id: id(41), stories_id: id(11), languages_code: 'de-DE', status: 'draft', title: 'Über Papier', summary: 'Kurz' },
    { id: id(43), stories_id: id(12), languages_code: 'de-DE', status: 'published', title: 'Alt', summary: null },
    { id: id(42), stories_id: id(12), languages_code: 'de-DE', status: 'published', title: 'Entwurf', summary: null },
  ],
  'content/stories_topics.json': [
    { id: id(51), stories_id: id(11), topics_id: id(22), sort: 2 },
    { id: id(52), stories_id: id(11), topics_id: id(21), sort: 1 },
  ],
  'content/stories_files.json': [
    { id: id(61), stories_id: id(11), directus_files_id: id(71), sort: 1 },
    { id: id(62), stories_id: id(11), directus_files_id: id(73), sort: 2 },
  ],
  'content/story_blocks.json': [
    { id: id(81), stories_id: id(11), item: id(31), collection: 'quotes', tone: 'loud', sort: 1, editor: id(90) },
    { id: id(82), stories_id: id(11), item: id(22), collection: 'topics', tone: null, sort: 2 },
  ],
});

function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'recto-directus-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isBytes = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, name), isBytes ? content : JSON.stringify(content));
  }
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/cat.png'), png);
  writeFileSync(join(folder, 'assets/one.txt'), 'secret paper');
  symlinkSync('/etc/hostname', join(folder, 'assets/link.txt'));
  return folder;
}

describe('a project', () => {
  let folder: string;
  let plan: TestPlan;
  let service: TestService;
  beforeAll(async () => {
    folder = folderOf(project());
    plan = await planOf(entry, folder, { languages: 'en,de' });
    service = await openPlanned(plan, { languages: 'en,de' });
    await service.account('ada', 'admin');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await service[Symbol.asyncDispose]();
  });

  test('everything is brought in, and a second run adds nothing', async () => {
    const report = await importInto(service, entry, folder, plan.map);
    expect(countsOf(report)).toEqual({
      ...{ accounts: [3, 0, 0, 0], files: [2, 0, 2, 0], media: [2, 0, 0, 0] },
      ...{ stories: [2, 0, 0, 0], topics: [2, 0, 0, 0], quotes: [1, 0, 0, 0], site: [1, 0, 0, 0] },
    });
    const stored = await service.storedKeys();
    const again = countsOf(await importInto(service, entry, folder, plan.map));
    expect(Object.entries(again).filter(([, [taken]]) => taken !== 0)).toEqual([]);
    expect(await service.storedKeys()).toEqual(stored);
  });

  test('a record has its values, languages, relations, files and blocks', async () => {
    const list = async (plural: string, query: string) =>
      (await service.send(`GET /api/v1/admin/cms/${plural}?${query}`, { as: 'ada' })).json.items;
    const [draft, story] = await list('stories', 'language=*');
    const [type, paper] = await list('topics', 'sort=name:desc');
    const [quote] = await list('quotes', '');
    expect(story).toMatchObject({
      ...{ title: { en: 'On paper', de: 'Über Papier' }, summary: { de: 'Kurz' }, kind: 'essay', fee: '12.5' },
      ...{ at: '2024-05-01T10:00:00.000Z', created_at: '2024-05-01T10:00:00.000Z', status: 'published', sort_field: 2 },
      ...{ topics: [type.id, paper.id], cover: { name: 'Cat.png', alt: 'Grey cat' }, papers: [{ name: 'one.txt' }] },
      blocks: [
        { block: 'quotes', item: quote.id, tone: 'loud' },
        { block: 'topics', item: paper.id, tone: null },
      ],
    });
    expect(story.body).toContain(`src="${story.cover.url}"`);
    expect(story.body).not.toContain('script');
    expect(story).not.toHaveProperty('token');
    expect(draft).toMatchObject({ title: { de: 'Entwurf' }, status: 'draft', cover: null, author: null });
    const { items } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
    const ines = items.find(({ email }: { email: string }) => email === 'ines@site.example');
    expect(ines).toMatchObject({ role: 'member', display_name: 'Ines Ferreira', disabled: false, verified: false });
    for (const name of ['tomas', 'zoe']) {
      const blocked = items.find(({ email }: { email: string }) => email === `${name}@site.example`);
      expect(blocked).toMatchObject({ role: 'member', disabled: true });
    }
    expect(story.author).toBe(ines.id);
    expect(story.blocks[0].editor).toBe(ines.id);
  });

  test('the public reads what it could read, and no more', async () => {
    const read = (path: string) => service.send(`GET /api/v1/cms/${path}`);
    const stories = (await read('stories')).json;
    expect(stories.items.map(({ title }: { title: string }) => title)).toEqual(['On paper']);
    expect(stories.items[0]).not.toHaveProperty('papers');
    // The public reads no users.
    expect(stories.items[0]).not.toHaveProperty('author');
    expect(Object.keys(stories.items[0].blocks[0]).toSorted()).toEqual(['block', 'id', 'item', 'tone']);
    expect((await read('stories?include=author')).status).toBe(400);
    // The German of a published story is a draft, and the published German of a draft stays closed.
    const german = (await read('stories?language=de&fallback=false')).json;
    expect(german.items).toEqual([]);
    expect((await read('quotes')).status).toBe(401);
    expect((await read('topics')).json.items[0]).toEqual({ id: expect.any(String), name: 'Type' });
    expect((await service.send('POST /api/v1/cms/topics', { body: { name: 'x' } })).status).toBe(401);
    const [cover] = stories.items.map((item: { cover: { url: string } }) => item.cover.url);
    expect((await getBytes(service, cover)).status).toBe(200);
    const admin = (await service.send('GET /api/v1/admin/cms/stories?sort=created_at:asc', { as: 'ada' })).json
      .items[0];
    expect((await getBytes(service, admin.papers[0].url)).status).toBe(404);
  });

  test('roles have what can be said, and nobody has them', () => {
    expect(plan.roles).toEqual([
      {
        ...{ name: 'writer', label: 'Writer', base: 'member' },
        types: {
          story: {
            list: '@request.auth.id != null && author = @request.auth.id',
            get: '@request.auth.id != null && author = @request.auth.id',
            ...{ create: false, update: false, delete: false, publish: false },
          },
          topic: { list: true, get: true, create: true, update: false, delete: false, publish: false },
        },
      },
    ]);
  });

  test('the plan says what is left out, and why', () => {
    const places = plan.leftOut.map(([place]) => place);
    expect(places).toEqual(
      expect.arrayContaining([
        ...[
          'stories_translations',
          'stories.token',
          'stories_topics.weight',
          'stories.papers',
          ...['stories.author', 'stories.blocks.editor'],
          'quotes read, of the public',
        ],
        ...['topics create, of the public', 'stories update', 'users', 'roles', 'files'],
      ]),
    );
    expect(places).not.toContain('stories.divider');
  });
});

describe('single cases', () => {
  type Rows = readonly Record<string, unknown>[];
  const planWith = async (changes: (files: Record<string, unknown>) => Record<string, unknown>): Promise<TestPlan> => {
    const files = project();
    const folder = folderOf({ ...files, ...changes(files) });
    try {
      return await planOf(entry, folder, { languages: 'en,de' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  // True because these files hold lists.
  const rowsIn = (files: Record<string, unknown>, name: string): Rows => files[name] as Rows;
  const withPermissions = (...more: Rows) =>
    planWith((files) => ({ 'permissions.json': [...rowsIn(files, 'permissions.json'), ...more] }));
  // biome-ignore lint/suspicious/noExplicitAny: definitions of every type.
  const definitionOf = ({ definitions }: TestPlan, plural: string): any =>
    definitions.find((each) => Object(each).plural === plural);

  test('a policy that holds from some addresses alone opens nothing', async () => {
    const plan = await planWith((files) => ({
      'policies.json': rowsIn(files, 'policies.json').map((each) => ({ ...each, ip_access: ['10.0.0.0/8'] })),
    }));
    const access = plan.definitions.flatMap((each) =>
      Object.values<{ access: string }>(Object(each).api).map((endpoint) => endpoint.access),
    );
    expect([...new Set(access)]).toEqual(['admin']);
    expect(plan.roles).toEqual([{ name: 'writer', label: 'Writer', base: 'member', types: {} }]);
    expect(plan.leftOut.map(([place]) => place)).toEqual(expect.arrayContaining(['policy open', 'policy write']));
    const old = await planWith((files) => ({
      'access.json': [],
      'roles.json': rowsIn(files, 'roles.json').map((each) => ({ ...each, ip_access: ['10.0.0.1'] })),
      'permissions.json': [{ ...may('topics', 'read'), policy: undefined, role: 'r' }],
    }));
    expect(Object(old.roles[0]).types).toEqual({});
    expect(old.leftOut.map(([place]) => place)).toContain('role Writer');
  });

  test('relations to users are as open as users are', async () => {
    const authorIn = (plan: TestPlan) =>
      definitionOf(plan, 'stories').fields.find(({ name }: { name: string }) => name === 'author');
    for (const [limits, isPrivate] of [
      [{}, undefined],
      [{ fields: ['id', 'first_name'] }, true],
      [{ permissions: { posts: { _nnull: true } } }, true],
      [{ permissions: 'all' }, true],
    ] as const)
      expect(authorIn(await withPermissions(may('directus_users', 'read', limits))).private).toBe(isPrivate);
  });

  test('a role publishes only where it may set the status', async () => {
    for (const [fields, publishes] of [
      [['title', 'body'], false],
      [['title', 'status'], true],
      [['*'], true],
    ] as const) {
      const { roles } = await withPermissions(may('stories', 'update', { policy: 'write', fields }));
      expect(Object(roles[0]).types.story).toMatchObject({ update: true, publish: publishes });
    }
  });

  test('what the public may write in some fields alone is named', async () => {
    const plan = await withPermissions(may('topics', 'update', { fields: ['name'] }));
    expect(definitionOf(plan, 'topics').api.update).toEqual({ access: 'admin' });
    expect(new Map(plan.leftOut).get('topics update, of the public')).toContain('limited to some fields');
  });

  test('a file is public only where a filter is understood, and holds', async () => {
    const file = { filename_disk: 'one.txt', filename_download: 'one.txt', uploaded_by: id(90), type: null };
    const folder = folderOf({
      ...project(),
      'files.json': [
        { ...file, id: id(70), folder: 'f1' },
        { ...file, id: id(71), folder: null },
      ],
    });
    try {
      using source = await openDirectus(folder, tmpdir(), undefined);
      const publicBy = (permissions: unknown): readonly boolean[] => {
        // True because it is JSON.
        const files = new DirectusFiles(source, [{ permissions } as Table]);
        return [70, 71].map((number) => files.find(id(number))?.about.visibility === 'public');
      };
      for (const [filter, expected] of [
        [{}, [true, true]],
        [null, [true, true]],
        [{ folder: { name: { _contains: 'Public' } } }, [true, false]],
        [{ folder: { id: { _eq: 'f1' } } }, [true, false]],
        [{ folder: { _in: ['f1'] } }, [true, false]],
        [{ folder: { _null: true } }, [false, true]],
        [{ folder: { parent: { _null: true } } }, [true, false]],
        [{ _or: [{ folder: { _eq: 'f1' } }, { type: { _nnull: true } }] }, [true, false]],
        ...[
          ...['all', { folder: 'x' }, { folder: 'f1' }, { folder: null }, { folder: {} }, { folder: { _eq: null } }],
          ...[
            { uploaded_by: { role: { _null: true } } },
            { nothing: { _null: true } },
            { type: { a: { _null: true } } },
          ],
          ...[{ _or: [] }, { _or: [{}] }, { _or: {} }, { folder: { _null: 'x' } }, { folder: { _neq: 'f1' } }],
          { _and: [{ folder: { name: {} } }] },
        ].map((each) => [each, [false, false]] as const),
      ] as const)
        expect([filter, publicBy(filter)]).toEqual([filter, expected]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['no snapshot', {}, 'is no project of Directus'],
  ['a snapshot of something else', { 'schema/snapshot.json': { version: 1 } }, 'is no snapshot of Directus'],
  ['a damaged snapshot', { 'schema/snapshot.json': '{"version": 1' }, 'snapshot.json is damaged'],
  ['another encoding', { 'schema/snapshot.json': new Uint8Array([0xff, 0xfe, 0x7b]) }, 'is no text in UTF-8'],
  [
    'damaged records',
    { 'schema/snapshot.json': snapshot, 'content/topics.json': '[{"id": "1"}, {"id": ' },
    'topics.json',
  ],
])('%s is refused with its file', async (_, files, message) => {
  const folder = folderOf(files);
  try {
    await expect(planOf(entry, folder)).rejects.toThrow(message);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder of files that is a link is refused', async () => {
  const folder = folderOf({ 'schema/snapshot.json': snapshot });
  try {
    rmSync(join(folder, 'assets'), { recursive: true });
    symlinkSync('/etc', join(folder, 'assets'));
    await expect(planOf(entry, folder)).rejects.toThrow('is a link');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
