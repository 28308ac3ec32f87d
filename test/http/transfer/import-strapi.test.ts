// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createCipheriv, scryptSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import { textWithFiles } from '../../../packages/recto/src/transfer/strapi/strapi-files.ts';
import { StrapiTables } from '../../../packages/recto/src/transfer/strapi/strapi-tables.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import { countsOf, importInto, openPlanned, planOf, type TestPlan } from '../../support/foreign-imports.ts';
import type { TestService } from '../../support/service.ts';

const strapi = importers.find(({ format }) => format === 'strapi');
if (strapi === undefined) throw new Error('There is no importer of Strapi.');
const entry = strapi;
const fixture = (name: string) => join(import.meta.dir, '../../fixtures/strapi', name);

// biome-ignore lint/suspicious/noExplicitAny: rows of every type.
type Row = any;

/** The rows of an export, read without the importer. */
async function rowsOf(name: string): Promise<readonly Row[]> {
  const entries = await unpackTar(gunzipSync(await Bun.file(fixture(name)).bytes()));
  const lines = entries
    .filter(({ header }) => header.name.startsWith('entities/'))
    .flatMap(({ data }) =>
      Buffer.from(data ?? [])
        .toString()
        .trim()
        .split('\n'),
    );
  return lines.map((line) => JSON.parse(line));
}

describe.each([
  ['strapi-5.tar.gz', 5],
  ['strapi-4.tar.gz', 4],
] as const)('an export: %s', (name, version) => {
  let plan: TestPlan;
  let service: TestService;
  let rows: readonly Row[];
  beforeAll(async () => {
    rows = await rowsOf(name);
    plan = await planOf(entry, fixture(name), { languages: 'en,de' });
    service = await openPlanned(plan, { languages: 'en,de' });
    await service.account('ada', 'admin');
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const list = async (plural: string, query = 'language=*'): Promise<readonly Row[]> =>
    (await service.send(`GET /api/v1/admin/cms/${plural}?page_size=100&${query}`, { as: 'ada' })).json.items;
  const idOf = ({ id, data }: Row): string => data.documentId ?? String(id);
  const of = (type: string, locale?: string) =>
    rows.filter((row) => row.type === type && (locale === undefined || row.data.locale === locale));

  test('everything is brought in, and a second run adds nothing', async () => {
    const report = await importInto(service, entry, fixture(name), plan.map);
    expect(report.failures).toEqual([]);
    expect(countsOf(report)).toMatchObject({
      ...{ accounts: [version === 5 ? 2 : 1, 0, 0, 0], articles: [version === 5 ? 3 : 2, 0, 0, 0] },
      ...{ authors: [version === 5 ? 2 : 1, 0, 0, 0], tags: [2, 0, 0, 0], homepages: [1, 0, 0, 0] },
      ...{ files: [2, 0, 0, 0], media: [2, 0, 0, 0] },
    });
    const before = await list('articles');
    const stored = await service.storedKeys();
    const again = await importInto(service, entry, fixture(name), plan.map);
    for (const [kind, counts] of Object.entries(countsOf(again))) expect([kind, counts[0]]).toEqual([kind, 0]);
    expect(await list('articles')).toEqual(before);
    expect(await service.storedKeys()).toEqual(stored);
  });

  test('each value of what is published is that of its row', async () => {
    const items = await list('articles');
    const english = of('api::article.article', 'en');
    for (const item of items) {
      const own = english.filter((row) => idOf(row) === item.__meta._strapi.id);
      const row = own.find(({ data }) => data.publishedAt !== null) ?? own[0];
      const { title, slug, teaser, words, views, price, rating, featured, kind, day, contact, data } = row.data;
      expect(item).toMatchObject({
        ...{ title: expect.objectContaining({ en: title }), slug: expect.objectContaining({ en: slug }) },
        ...{ words, views, rating, featured, kind, day, contact, data },
        price: price === null ? null : String(price),
        at: row.data.at,
        opens: row.data.opens === null ? null : row.data.opens.slice(0, 8),
      });
      if (teaser !== null) expect(item.teaser.en).toBe(teaser);
      expect(item.status).toBe(row.data.publishedAt === null ? 'draft' : 'published');
      expect(item.created_at).toBe(row.data.createdAt);
      expect(item.links.map(({ label, url }: Row) => ({ label, url }))).toEqual(
        row.data.links.map(({ label, url }: Row) => ({ label, url })),
      );
    }
  });

  test('languages, components, zones, relations, files and texts are there', async () => {
    const items = await list('articles');
    const article = items.find(({ slug }) => slug.en === 'on-paper');
    const tags = await list('tags', 'sort=label:asc');
    expect(article.title).toEqual({ en: 'On paper', de: 'Auf Papier' });
    expect(article.status).toBe('published');
    const [german] = (await list('articles', 'language=de')).filter(({ id }) => id === article.id);
    expect(german.status).toBe(version === 5 ? 'published' : 'draft');
    expect(article.tags).toEqual(['Paper', 'Type'].map((label) => tags.find((tag) => tag.label === label).id));
    expect(article.cover).toMatchObject({ name: 'cat.png', alt: 'A cat' });
    expect(article.gallery.map((file: Row) => file.name)).toEqual(['paper.txt', 'cat.png']);
    expect(article.seo).toMatchObject({ title: 'Paper!', image: { name: 'cat.png' } });
    expect(article.sections).toMatchObject([
      { block: 'shared_quote', text: 'Margins matter.', source: { label: 'book', url: '/book' } },
      { block: 'shared_picture', image: { name: 'cat.png' }, images: [{ name: 'cat.png' }, { name: 'paper.txt' }] },
      ...(version === 5 ? [{ block: 'shared_quote', text: 'Again.' }] : []),
    ]);
    // In Strapi 5, what is published leads to nothing that is not.
    const related = items.find(({ slug }) => slug.en === 'draft-only').id;
    expect(article.related).toEqual(version === 5 ? [] : [related]);
    expect(article.notes.en ?? article.notes).toContain(`](${article.cover.url})`);
    const [author] = (await list('authors', 'sort=name:asc')).filter((each) => each.name === 'Ines Ferreira');
    expect(author.id).toBe(article.author);
    expect(author.articles).toContain(article.id);
    const [single] = await list('homepages', 'language=en');
    expect(single).toMatchObject({ heading: 'Welcome', hero: { name: 'cat.png' }, status: 'published' });
    expect(single.picks).toHaveLength(2);
    if (version === 4) return;
    expect(article.body.en).toBe(
      '<h2>A &amp; B</h2><p><strong>bold</strong> and <a href="https://a.example/?b&amp;c">link</a></p><ul><li>one<ol><li>inner</li></ol></li></ul>' +
        `<blockquote><em>said</em></blockquote><pre><code>a &lt; b</code></pre><figure><img src="${article.cover.url}" alt="A cat" /></figure>`,
    );
  });

  test('what was changed and not published is the draft', async () => {
    if (version === 4) return;
    const [article] = (await list('articles', 'language=en')).filter(({ slug }) => slug === 'on-paper');
    expect(article.__draft.changes).toEqual({ title: 'On better paper', related: [expect.any(String)] });
    expect(article.__draft.base).toEqual({ title: 'On paper', related: [] });
  });

  test('what neither visitors nor accounts could use is for admins', async () => {
    for (const plural of ['articles', 'authors', 'tags'])
      expect((await service.send(`GET /api/v1/cms/${plural}`)).status).toBe(401);
  });

  test('accounts sign in with their passwords, and who is blocked stays so with a new one', async () => {
    const login = (email: string) =>
      service.send('POST /api/v1/auth/login', { body: { email, password: 'correct horse' } });
    expect((await login('ada@site.example')).status).toBe(200);
    expect((await login('eve@site.example')).status).toBe(401);
    const { items } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
    const states = items.map(({ email, disabled }: Row) => [email, disabled]);
    expect(states).toContainEqual(['ada@site.example', false]);
    if (version === 4) return;
    expect(states).toContainEqual(['eve@site.example', true]);
    const { id } = items.find(({ email }: Row) => email === 'eve@site.example');
    const changed = await service.send(`PUT /api/v1/admin/users/${id}`, {
      ...{ as: 'ada', body: { password: 'correct horse' } },
    });
    expect(changed.status).toBe(200);
    expect((await login('eve@site.example')).status).toBe(401);
  });

  test('what is left out is named', () => {
    const places = new Map(plan.leftOut);
    expect(places.get('api::author.author.secret')).toContain('hashes');
    expect(places.get('api::tag.tag.articles')).toContain('The other side');
    expect(places.has('api::tag.tag')).toBe(true);
  });
});

const schema = (uid: string, attributes: object, more: object = {}) => ({
  ...{ uid, modelType: uid.startsWith('api::') ? 'contentType' : 'component', kind: 'collectionType', attributes },
  info: { singularName: uid.split('.')[1], pluralName: `${uid.split('.')[1]}s`, displayName: uid },
  ...more,
});
const entity = (type: string, id: number, data: object) => ({
  ...{ type, id },
  data: {
    documentId: `d${id}`,
    createdAt: '2024-05-01T10:00:00.000Z',
    publishedAt: '2024-05-01T10:00:00.000Z',
    ...data,
  },
});

interface Written {
  readonly schemas?: readonly object[];
  readonly entities?: readonly object[];
  readonly links?: readonly object[];
  /** Of the plugin "Users & Permissions". */
  readonly advanced?: object;
}

const linesOf = (rows: readonly object[] = []) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const filesOf = ({ schemas, entities, links, advanced }: Written) => ({
  'metadata.json': '{"createdAt":"2024-05-01T10:00:00.000Z","strapi":{"version":"5.0.0"}}',
  'schemas/schemas_00001.jsonl': linesOf(schemas),
  'entities/entities_00001.jsonl': linesOf(entities),
  'links/links_00001.jsonl': linesOf(links),
  'configuration/configuration_00001.jsonl': linesOf([
    { type: 'core-store', value: { key: 'plugin_users-permissions_advanced', value: advanced ?? null } },
  ]),
});

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-strapi-'));

  write(name: string, bytes: string | Uint8Array): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

const notes = schema('api::note.note', { title: { type: 'string' } });
const archive = async (
  files: Readonly<Record<string, string>>,
  more: Parameters<typeof packTar>[0] = [],
): Promise<Uint8Array> =>
  packTar([
    ...Object.entries(files).map(([name, body]) => ({ header: { name, size: Buffer.byteLength(body) }, body })),
    ...more,
  ]);

describe('single cases', () => {
  const run = async (
    written: Written,
    { languages, ...options }: { readonly languages?: string; readonly [name: string]: string } = {},
  ) => {
    using folder = new Folder();
    for (const [name, text] of Object.entries(filesOf(written))) folder.write(name, text);
    const inLanguages = languages === undefined ? {} : { languages };
    const plan = await planOf(entry, folder.path, { options, ...inLanguages });
    const service = await openPlanned(plan, inLanguages);
    await service.account('ada', 'admin');
    return { service, plan, report: await importInto(service, entry, folder.path, plan.map) };
  };

  test('relations in components, polymorphic relations, slugs, and limits that values do not keep', async () => {
    const { service, plan, report } = await run({
      schemas: [
        schema(
          'api::note.note',
          {
            ...{
              title: { type: 'string', required: true, maxLength: 5, unique: true },
              'my Slug': { type: 'uid', targetField: 'title' },
            },
            ...{
              refs: { type: 'component', component: 'a.ref', repeatable: true },
              any: { type: 'relation', relation: 'morphToMany' },
            },
            status: { type: 'string' },
          },
          { options: { draftAndPublish: true } },
        ),
        schema('a.ref', {
          note: { type: 'relation', relation: 'oneToOne', target: 'api::note.note' },
          notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
        }),
      ],
      entities: [
        entity('api::note.note', 1, { title: 'A long title', 'my Slug': 'A_b~c', refs: [{ id: 7 }], status: 'mine' }),
        entity('api::note.note', 2, { title: null, publishedAt: null }),
      ],
      links: [
        {
          kind: 'relation.basic',
          relation: 'oneToOne',
          left: { type: 'a.ref', ref: 7, field: 'note' },
          right: { type: 'api::note.note', ref: 2 },
        },
        {
          kind: 'relation.basic',
          relation: 'oneToMany',
          left: { type: 'a.ref', ref: 7, field: 'notes', pos: 2 },
          right: { type: 'api::note.note', ref: 1 },
        },
        {
          kind: 'relation.basic',
          relation: 'oneToMany',
          left: { type: 'a.ref', ref: 7, field: 'notes', pos: 1 },
          right: { type: 'api::note.note', ref: 2 },
        },
      ],
    });
    await using _ = service;
    const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=title:desc', { as: 'ada' })).json;
    const [first, second] =
      items.find(({ title }: Row) => title !== null).id === items[0].id ? items : items.toReversed();
    expect(first).toMatchObject({ title: 'A long title', my_slug: 'a-b-c', status: 'published', status_field: 'mine' });
    expect(first.refs).toEqual([{ note: second.id, notes: [second.id, first.id] }]);
    expect(second).toMatchObject({ title: null, status: 'draft' });
    const why = plan.leftOut.map(([place, text]) => `${place}: ${text}`).join('\n');
    for (const said of [
      'maxLength',
      'max_length 5',
      'that it is required',
      'api::note.note.any: It leads to records of several types',
    ].slice(1))
      expect(why).toContain(said);
    expect(report.changed.map(({ text }) => text).join()).toContain('with a slug that has other characters');
  });

  test('an account here with the same address is taken for theirs only where the plan says so', async () => {
    const user = (id: number, confirmed: boolean) =>
      entity('plugin::users-permissions.user', id, { email: 'ada@example.com', username: `user${id}`, confirmed });
    const note = (id: number) => entity('api::note.note', id, { title: `Of ${id}` });
    const owner = (ref: number) => ({
      ...{ kind: 'relation.basic', relation: 'manyToOne', left: { type: 'api::note.note', ref, field: 'owner' } },
      right: { type: 'plugin::users-permissions.user', ref },
    });
    const written = {
      schemas: [
        schema('api::note.note', {
          ...{ title: { type: 'string' } },
          owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
        }),
      ],
      entities: [user(1, true), user(2, false), note(1), note(2)],
      links: [owner(1), owner(2)],
    };
    for (const [options, expected] of [
      [{}, [false, false]],
      [{ addresses: 'confirmed' }, [true, false]],
    ] as const) {
      const { service, plan } = await run(written, options);
      await using _ = service;
      expect(plan.map.options.addresses).toBe(Object(options).addresses ?? 'unconfirmed');
      const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=title:asc', { as: 'ada' })).json;
      const { items: accounts } = (await service.send('GET /api/v1/admin/users', { as: 'ada' })).json;
      expect(accounts).toHaveLength(1);
      expect(items.map((item: Row) => item.owner === accounts[0].id)).toEqual(expected);
    }
  });

  test('what is not localized is never that of an unpublished draft', async () => {
    const localized = { pluginOptions: { i18n: { localized: true } } };
    const note = (id: number, document: string, data: object) =>
      entity('api::note.note', id, { documentId: document, ...data });
    const { service } = await run(
      {
        schemas: [
          schema(
            'api::note.note',
            { title: { type: 'string', ...localized }, price: { type: 'integer' } },
            { options: { draftAndPublish: true }, ...localized },
          ),
        ],
        entities: [
          ...[entity('plugin::i18n.locale', 1, { code: 'en' }), entity('plugin::i18n.locale', 2, { code: 'de' })],
          note(1, 'a', { title: 'Soon', price: 2, locale: 'en', publishedAt: null }),
          note(2, 'a', { title: 'Jetzt', price: 1, locale: 'de' }),
          // The key is missing, which is not the same as an hour.
          note(3, 'b', { title: 'Begun', price: 3, locale: 'en', publishedAt: undefined }),
        ],
      },
      { languages: 'en,de' },
    );
    await using _ = service;
    const read = async (path: string) => (await service.send(path, { as: 'ada' })).json.items;
    const items = await read('GET /api/v1/admin/cms/notes?language=*&sort=price:asc');
    expect(items.map(({ price, title, status }: Row) => [price, title.en, status])).toEqual([
      [1, 'Soon', 'draft'],
      [3, 'Begun', 'draft'],
    ]);
    const german = await read('GET /api/v1/cms/notes?language=de&fallback=false');
    expect(german.map(({ price, title }: Row) => [price, title])).toEqual([[1, 'Jetzt']]);
  });

  test('times before 1970 are taken, and what is no time is named', async () => {
    const times = [
      '1969-07-20T20:17:40.000Z',
      'never',
      '0999-01-01T00:00:00.000Z',
      '+012000-01-01T00:00:00.000Z',
      null,
    ];
    const { service, report } = await run({
      schemas: [schema('api::note.note', { title: { type: 'string' }, at: { type: 'datetime' } })],
      entities: times.map((at, index) => entity('api::note.note', index + 1, { title: String(index), at })),
    });
    await using _ = service;
    const { items } = (await service.send('GET /api/v1/admin/cms/notes?sort=title:asc', { as: 'ada' })).json;
    expect(items.map(({ at }: Row) => at)).toEqual([times[0], null, times[2], null, null]);
    const [remark] = report.changed.filter(({ text }) => text.includes('times that are none: left out'));
    expect(remark?.count).toBe(2);
  });

  test('a component is no part of itself', async () => {
    const zone = { type: 'dynamiczone', components: ['a.menu'] };
    const { service, plan } = await run({
      schemas: [
        schema('api::note.note', { menu: { type: 'component', component: 'a.menu' }, zone }),
        schema('a.menu', {
          ...{ label: { type: 'string' }, item: { type: 'component', component: 'a.item' }, zone },
          self: { type: 'component', component: 'a.menu' },
        }),
        schema('a.item', { name: { type: 'string' }, menu: { type: 'component', component: 'a.menu' } }),
      ],
      entities: [
        entity('api::note.note', 1, {
          menu: { label: 'Top', item: { name: 'One', menu: { label: 'Inner' } }, self: { label: 'Inner' }, zone: [] },
          zone: [{ __component: 'a.menu', label: 'In the zone' }],
        }),
      ],
    });
    await using _ = service;
    const [item] = (await service.send('GET /api/v1/admin/cms/notes', { as: 'ada' })).json.items;
    expect(item.menu).toEqual({ label: 'Top', item: { name: 'One' } });
    expect(item.zone).toMatchObject([{ block: 'a_menu', label: 'In the zone' }]);
    expect(JSON.stringify(plan.leftOut)).toContain('would contain itself');
  });
});

const may = (type: string, action: string): Pick<Written, 'entities' | 'links'> => ({
  entities: [
    entity('plugin::users-permissions.permission', 1, { action }),
    entity('plugin::users-permissions.role', 1, { type, name: type }),
    entity('plugin::users-permissions.role', 2, { type: 'writers', name: 'writers' }),
    entity('plugin::users-permissions.user', 1, { email: 'ines@site.example' }),
  ],
  links: [
    {
      ...{ kind: 'relation.basic', relation: 'manyToOne' },
      left: { type: 'plugin::users-permissions.permission', ref: 1, field: 'role' },
      right: { type: 'plugin::users-permissions.role', ref: 1, field: 'permissions', pos: 1 },
    },
  ],
});

test('what the role Authenticated may is for members only where everybody who could be one had it', async () => {
  const { entities = [], links = [] } = may('authenticated', 'api::note.note.create');
  const inRole = (ref: number) => ({
    ...{ kind: 'relation.basic', relation: 'manyToOne' },
    left: { type: 'plugin::users-permissions.user', ref: 1, field: 'role' },
    right: { type: 'plugin::users-permissions.role', ref, field: 'users', pos: 1 },
  });
  const usual = { allow_register: true, default_role: 'authenticated' };
  const open = [...links, inRole(1)];
  const planned = async (written: Written, options: Readonly<Record<string, string>> = {}) => {
    using folder = new Folder();
    for (const [name, text] of Object.entries(filesOf({ schemas: [notes], entities, ...written })))
      folder.write(name, text);
    const plan = await planOf(entry, folder.path, { options });
    const [definition] = plan.definitions;
    return {
      plan,
      access: Object(definition).api.create.access,
      why: new Map(plan.leftOut).get('api::note.note create'),
    };
  };
  for (const advanced of [usual, { default_role: '' }, undefined]) {
    const { access, why, plan } = await planned({ links: open, ...(advanced === undefined ? {} : { advanced }) });
    expect([access, why, plan.map.options.members]).toEqual(['member', undefined, 'yes']);
  }
  for (const [written, said] of [
    [{ links: open, advanced: { ...usual, allow_register: false } }, 'nobody could register'],
    [{ links: open, advanced: { ...usual, default_role: 'writers' } }, 'who registered got another role'],
    [{ links: [...links, inRole(2)], advanced: usual }, 'some users had another role'],
    [{ links, advanced: usual }, 'some users had another role'],
  ] as const) {
    const { access, why, plan } = await planned(written);
    expect([access, plan.map.options.members]).toEqual(['admin', 'no']);
    expect(why).toContain(said);
    expect((await planned(written, { members: 'yes' })).access).toBe('member');
  }
  expect((await planned({ links: open }, { members: 'no' })).access).toBe('admin');
  for (const options of [{ members: 'all' }, { addresses: 'yes' }, { other: 'x' }])
    await expect(planned({ links: open }, options)).rejects.toBeInstanceOf(TransferRefused);
});

test('the public routes are as open as they were, and show what is published alone', async () => {
  using folder = new Folder();
  const permission = (id: number, action: string) =>
    entity('plugin::users-permissions.permission', id, { action: `api::note.note.${action}` });
  const role = (id: number, type: string) => entity('plugin::users-permissions.role', id, { type, name: type });
  const link = (ref: number, to: number) => ({
    ...{ kind: 'relation.basic', relation: 'manyToOne' },
    left: { type: 'plugin::users-permissions.permission', ref, field: 'role' },
    right: { type: 'plugin::users-permissions.role', ref: to, field: 'permissions', pos: 1 },
  });
  const attributes = {
    ...{ title: { type: 'string' }, secret: { type: 'string', private: true } },
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  };
  const files = filesOf({
    schemas: [
      schema('api::note.note', attributes, { options: { draftAndPublish: true } }),
      schema('plugin::users-permissions.user', { nickname: { type: 'string' } }),
    ],
    entities: [
      ...[role(1, 'public'), role(2, 'authenticated'), role(3, 'writers'), permission(1, 'find')],
      ...[permission(2, 'create'), permission(3, 'delete')],
      entity('api::note.note', 1, { title: 'Out', secret: 'x' }),
      entity('api::note.note', 2, { title: 'Begun', publishedAt: null }),
      entity('plugin::users-permissions.user', 1, { email: 'ines@site.example', username: 'ines', confirmed: true }),
    ],
    links: [
      ...[link(1, 1), link(2, 2), link(3, 3)],
      {
        ...{ kind: 'relation.basic', relation: 'manyToOne', left: { type: 'api::note.note', ref: 1, field: 'owner' } },
        right: { type: 'plugin::users-permissions.user', ref: 1 },
      },
      {
        ...{ kind: 'relation.basic', relation: 'manyToOne' },
        left: { type: 'plugin::users-permissions.user', ref: 1, field: 'role' },
        right: { type: 'plugin::users-permissions.role', ref: 2, field: 'users', pos: 1 },
      },
    ],
  });
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const plan = await planOf(entry, folder.path);
  await using service = await openPlanned(plan);
  await importInto(service, entry, folder.path, plan.map);
  await service.account('eve', 'member');
  const { status, json } = await service.send('GET /api/v1/cms/notes');
  expect([status, json.items.length]).toEqual([200, 1]);
  expect(json.items[0]).toMatchObject({ title: 'Out', status: 'published' });
  for (const hidden of ['secret', 'owner', '__meta', '__draft']) expect(json.items[0]).not.toHaveProperty(hidden);
  const path = `/api/v1/cms/notes/${json.items[0].id}`;
  const statuses = [
    ...[await service.send(`GET ${path}`), await service.send('POST /api/v1/cms/notes', { body: { title: 'x' } })],
    ...[await service.send('POST /api/v1/cms/notes', { body: { title: 'x' }, as: 'eve' })],
    ...[await service.send(`PUT ${path}`, { body: { title: 'x' }, as: 'eve' })],
    ...[await service.send(`DELETE ${path}`, { as: 'eve' })],
  ].map((answer) => answer.status);
  expect(statuses).toEqual([401, 401, 201, 403, 403]);
  const places = plan.leftOut.map(([place]) => place);
  expect(places).toContain('api::note.note delete');
  expect(places).toContain('plugin::users-permissions.user.nickname');
});

describe('encrypted, hostile and damaged exports', () => {
  const read = async (path: string, key?: string) => {
    const importer = await entry.load();
    const workFolder = mkdtempSync(join(tmpdir(), 'recto-strapi-work-'));
    try {
      using source = await importer.read(path, { workFolder, ...(key === undefined ? {} : { key }) });
      return importer.map(source, {}).types.map(({ from, total }) => [from, total]);
    } finally {
      expect(readdirSync(workFolder)).toEqual([]);
      rmSync(workFolder, { recursive: true });
    }
  };
  const refusal = async (bytes: string | Uint8Array, key?: string): Promise<string> => {
    using folder = new Folder();
    const error = await read(folder.write('export.tar', bytes), key).then(
      () => new Error('It was taken.'),
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(TransferRefused);
    return error.message;
  };

  test('an encrypted export opens with its key alone', async () => {
    const path = fixture('strapi-5.tar.gz.enc');
    expect(await read(path, 'correct horse')).toEqual(await read(fixture('strapi-5.tar.gz')));
    expect((await read(path).catch((error) => error)).message).toContain('--key-stdin');
    expect((await read(path, 'wrong horse').catch((error) => error)).message).toContain('cannot be read with this key');
    const bytes = await Bun.file(path).bytes();
    expect(await refusal(bytes.subarray(0, 9_001), 'correct horse')).toMatch(/cut off|damaged/);
  });

  test('damaged archives', async () => {
    const whole = await archive(filesOf({ schemas: [notes], entities: [entity('api::note.note', 1, { title: 'x' })] }));
    using folder = new Folder();
    expect(await read(folder.write('export.tar', whole))).toEqual([['api::note.note', 1]]);
    expect(await refusal('hello')).toContain('is no export of Strapi');
    expect(await refusal(await archive({ 'other.txt': 'x' }))).toContain('it has no schemas');
    expect(await refusal(whole.subarray(0, 700))).toContain('is damaged');
    expect(await refusal(gzipSync(whole).subarray(0, 200))).toContain('is damaged');
    const files = filesOf({ schemas: [notes] });
    const bad = (name: string, text: string | Uint8Array) => archive({ ...files, [name]: text as string });
    expect(await refusal(await bad('entities/entities_00001.jsonl', '{"type":'))).toContain(
      'entities_00001.jsonl:1: this is no JSON',
    );
    expect(await refusal(await bad('links/links_00001.jsonl', '\n[1]\n'))).toContain('links_00001.jsonl');
    expect(await refusal(await bad('metadata.json', '{'))).toContain('metadata.json is no JSON');
    const nested = (depth: number) =>
      `{"type":"api::note.note","id":1,"data":{"title":"[\\"[","json":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect(await refusal(await bad('entities/entities_00001.jsonl', nested(499)))).toContain(
      'entities_00001.jsonl:1: it is nested too deep.',
    );
    const deep = await bad('entities/entities_00001.jsonl', nested(498));
    expect(await read(folder.write('deep.tar', deep))).toEqual([['api::note.note', 1]]);
    const latin = Buffer.from('{"type":"api::note.note","id":1,"data":{"title":"\u00e9"}}', 'latin1');
    const tar = await packTar([
      ...Object.entries(files)
        .slice(1, 2)
        .map(([name, body]) => ({ header: { name, size: Buffer.byteLength(body) }, body })),
      { header: { name: 'entities/entities_00001.jsonl', size: latin.length }, body: latin },
    ]);
    expect(await refusal(tar)).toContain('bytes that are no UTF-8');
  });

  test('components that multiply', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `a.c${index}`);
    const all = Object.fromEntries(names.map((uid) => [uid.slice(2), { type: 'component', component: uid }]));
    const schemas = [schema('api::note.note', all), ...names.map((uid) => schema(uid, all))];
    expect(await refusal(await archive(filesOf({ schemas })))).toBe(
      'The type api::note.note has more than 5,000 fields, with those of its components.',
    );
  });

  test('a text of slashes is read once', () => {
    using folder = new Folder();
    using tables = new StrapiTables(folder.path);
    for (const text of ['/a'.repeat(200_000), 'http://'.repeat(100_000), `/${'a.'.repeat(200_000)}`])
      expect(textWithFiles(text, tables)).toBe(text);
  });

  test('paths that lead out, links and bombs', async () => {
    const files = filesOf({ schemas: [notes] });
    const evil = { header: { name: 'assets/uploads/../../../evil.txt', size: 1 }, body: 'x' };
    expect(await refusal(await archive(files, [evil]))).toContain('leads out of it');
    const link = {
      header: { name: 'assets/uploads/x.png', size: 0, type: 'symlink', linkname: '/etc/passwd' },
    } as const;
    expect(await refusal(await archive(files, [link]))).toContain('has a link');
    const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024), { level: 9 });
    const head = gzipSync((await archive(files)).subarray(0, -1024));
    expect(await refusal(Buffer.concat([head, bomb]))).toMatch(/unpacks to more than|damaged/);
    const cipher = createCipheriv('aes-128-ecb', scryptSync('k', '', 16), null);
    const secret = Buffer.concat([cipher.update(await archive(files, [evil])), cipher.final()]);
    expect(await refusal(secret, 'k')).toContain('leads out of it');
  });

  test('a folder with links takes none of them', async () => {
    using folder = new Folder();
    for (const [name, text] of Object.entries(filesOf({ schemas: [notes] }))) folder.write(name, text);
    rmSync(join(folder.path, 'entities/entities_00001.jsonl'));
    const outside = folder.write('outside.jsonl', linesOf([entity('api::note.note', 1, {})]));
    symlinkSync(outside, join(folder.path, 'entities/entities_00001.jsonl'));
    expect(await read(folder.path)).toEqual([['api::note.note', 0]]);
  });
});
