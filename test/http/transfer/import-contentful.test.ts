// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForeignFile } from '../../../packages/recto/src/transfer/importers/foreign-value.ts';
import { importers } from '../../../packages/recto/src/transfer/importers/index.ts';
import { projectRoot } from '../../support/documents.ts';
import { countsOf, importInto, openPlanned, planOf } from '../../support/foreign-imports.ts';

const found = importers.find(({ format }) => format === 'contentful');
if (found === undefined) throw new Error('There is no importer of Contentful.');
const entry = found;

// biome-ignore lint/suspicious/noExplicitAny: entries of every type.
type Any = any;

const link = (linkType: string, id: string) => ({ sys: { type: 'Link', linkType, id } });
const field = (id: string, type: string, more: object = {}) => ({ id, name: id, type, required: false, ...more });
const made = (id: string, type: string, fields: object, sys: object = {}) => ({
  sys: {
    ...{ id, contentType: link('ContentType', type), createdAt: '2024-05-01T10:00:00.000Z', version: 5 },
    ...{ updatedAt: '2024-05-02T10:00:00.000Z', publishedVersion: 4, ...sys },
  },
  fields,
});
const node = (nodeType: string, content: object[] = [], data: object = {}) => ({ nodeType, data, content });
const words = (value: string, ...marks: string[]) => ({
  nodeType: 'text',
  value,
  marks: marks.map((type) => ({ type })),
  data: {},
});

const document = node('document', [
  node('heading-2', [words('Paper & type')]),
  node('paragraph', [
    words('Look ', 'bold'),
    node('hyperlink', [words('here')], { uri: 'https://site.example/?a="b"' }),
  ]),
  node('embedded-asset-block', [], { target: link('Asset', 'cat') }),
  node('embedded-entry-block', [], { target: link('Entry', 'ines') }),
  node('paragraph', [node('hyperlink', [words('x')], { uri: 'javascript:alert(1)' }), words('<script>')]),
]);

const space = () => ({
  locales: [
    { code: 'de-DE', default: false, fallbackCode: 'en-US' },
    { code: 'en-US', default: true },
  ],
  contentTypes: [
    {
      ...{ sys: { id: 'blogPost' }, name: 'Blog post', displayField: 'title' },
      fields: [
        field('title', 'Symbol', { required: true, localized: true, validations: [{ size: { max: 60 } }] }),
        field('slug', 'Symbol', { required: true, validations: [{ unique: true }] }),
        field('level', 'Symbol', { validations: [{ in: ['easy', 'hard'] }] }),
        field('odd', 'Symbol', { validations: [{ in: ['a'] }] }),
        field('body', 'RichText'),
        field('teaser', 'Text', { localized: true }),
        field('place', 'Location'),
        field('data', 'Object'),
        field('day', 'Date'),
        field('count', 'Integer'),
        field('tags', 'Array', { items: { type: 'Symbol' } }),
        field('cover', 'Link', { linkType: 'Asset' }),
        field('gallery', 'Array', { items: { type: 'Link', linkType: 'Asset' } }),
        field('author', 'Link', { linkType: 'Entry', validations: [{ linkContentType: ['person'] }] }),
        field('parts', 'Array', {
          items: { type: 'Link', linkType: 'Entry', validations: [{ linkContentType: ['person', 'blogPost'] }] },
        }),
        field('anything', 'Link', { linkType: 'Entry' }),
        field('never', 'Link', { linkType: 'Entry' }),
      ],
    },
    {
      sys: { id: 'person' },
      name: 'Person',
      displayField: 'name',
      fields: [field('name', 'Symbol', { required: true })],
    },
  ],
  editorInterfaces: [
    {
      sys: { contentType: link('ContentType', 'blogPost') },
      controls: [{ fieldId: 'teaser', widgetId: 'multipleLine' }],
    },
  ],
  entries: [
    made('one', 'blogPost', {
      ...{
        title: { 'en-US': 'On paper', 'de-DE': 'Über Papier' },
        slug: { 'en-US': 'on-paper' },
        level: { 'en-US': 'hard' },
      },
      ...{
        odd: { 'en-US': 'b' },
        body: { 'en-US': document },
        teaser: { 'de-DE': 'Kurz' },
        data: { 'en-US': { a: [1] } },
      },
      ...{
        place: { 'en-US': { lat: 41.1, lon: -8.6 } },
        day: { 'en-US': '2024-05-01T00:00+02:00' },
        count: { 'en-US': 3 },
      },
      ...{
        tags: { 'en-US': ['a', 'b'] },
        cover: { 'en-US': link('Asset', 'cat') },
        author: { 'en-US': link('Entry', 'ines') },
      },
      gallery: { 'en-US': [link('Asset', 'cat'), link('Asset', 'gone'), link('Asset', 'out')] },
      parts: { 'en-US': [link('Entry', 'ines'), link('Entry', 'two'), link('Entry', 'missing')] },
      anything: { 'en-US': link('Entry', 'ines') },
    }),
    made('two', 'blogPost', { title: { 'en-US': 'Changed' }, slug: { 'en-US': 'two' } }, { version: 9 }),
    made(
      'three',
      'blogPost',
      { title: { 'en-US': 'Draft' }, slug: { 'en-US': 'three' } },
      { publishedVersion: undefined },
    ),
    made(
      'four',
      'blogPost',
      { title: { 'en-US': 'Old' }, slug: { 'en-US': 'four' } },
      { archivedAt: '2024-06-01T10:00:00Z' },
    ),
    made('ines', 'person', { name: { 'en-US': 'Ines' } }),
  ],
  assets: [
    {
      sys: { id: 'cat', createdAt: '2024-05-01T10:00:00.000Z', publishedVersion: 1 },
      fields: {
        ...{ title: { 'en-US': 'A cat' }, description: { 'en-US': 'Grey "cat"' } },
        file: {
          'en-US': { url: '//images.ctfassets.net/s/cat/h/cat.png', fileName: 'cat.png', contentType: 'image/png' },
        },
      },
    },
    ...[
      ['out', '//images.ctfassets.net/%2e%2e/%2e%2e/secret.png'],
      ['gone', '//images.ctfassets.net/s/gone/h/gone.png'],
    ].map(([id, url]) => ({
      sys: { id, publishedVersion: 1 },
      fields: { file: { 'en-US': { url, fileName: `${id}.png` } } },
    })),
  ],
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'recto-contentful-'));
  readonly file = join(this.path, 'contentful-export.json');

  constructor(content: object | string | Uint8Array) {
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(this.file, isText ? content : JSON.stringify(content));
    const files = join(this.path, 'images.ctfassets.net/s/cat/h');
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, 'cat.png'), png);
    writeFileSync(join(this.path, 'secret.png'), png);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

test('a space comes with languages, rich text, files, links and statuses, and a second run adds nothing', async () => {
  using folder = new Folder(space());
  const plan = await planOf(entry, folder.path, { languages: 'en,de', options: { public: 'yes' } });
  expect(plan.map.languages).toEqual({ 'en-US': 'en', 'de-DE': 'de' });
  expect(plan.leftOut.map(([place]) => place)).toEqual([
    ...['blogPost.title', 'blogPost.body', 'blogPost.never', 'blogPost (status)'],
    ...['files', 'webhooks, roles, editor interfaces, tags'],
  ]);
  await using service = await openPlanned(plan, { languages: 'en,de' });
  await service.account('ada', 'admin');
  const report = await importInto(service, entry, folder.path, plan.map);
  expect(countsOf(report)).toEqual({
    files: [1, 0, 2, 0],
    ...{ media: [1, 0, 0, 0], blog_posts: [4, 0, 0, 0], people: [1, 0, 0, 0] },
  });
  const list = async (plural: string, query = '') =>
    (await service.send(`GET /api/v1/admin/cms/${plural}?${query}`, { as: 'ada' })).json.items;
  const posts = new Map<string, Any>(
    (await list('blog_posts', 'language=*')).map((item: Any) => [item.__meta._contentful.id, item]),
  );
  const [ines] = await list('people');
  const one = posts.get('one');
  expect(one).toMatchObject({
    ...{
      title: { en: 'On paper', de: 'Über Papier' },
      slug: 'on-paper',
      level: 'hard',
      odd: 'b',
      teaser: { de: 'Kurz' },
    },
    ...{
      place: { lat: 41.1, lon: -8.6 },
      data: { a: [1] },
      day: '2024-04-30T22:00:00.000Z',
      count: 3,
      tags: ['a', 'b'],
    },
    ...{
      cover: { name: 'cat.png', alt: 'Grey "cat"' },
      gallery: [{ name: 'cat.png' }],
      author: ines.id,
      anything: ines.id,
    },
    ...{ status: 'published', created_at: '2024-05-01T10:00:00.000Z', updated_at: '2024-05-02T10:00:00.000Z' },
    parts: [
      { block: 'person', item: ines.id },
      { block: 'blog_post', item: posts.get('two').id },
    ],
  });
  expect(one.body).toBe(
    `<h2>Paper &amp; type</h2><p><strong>Look </strong><a href="https://site.example/?a=&quot;b&quot;">here</a></p><img src="${one.cover.url}" alt="Grey &quot;cat&quot;" /><p>Ines</p><p><a>x</a>&lt;script&gt;</p>`,
  );
  expect(['two', 'three', 'four'].map((id) => posts.get(id).status)).toEqual(['draft', 'draft', 'archived']);
  expect((await service.send('GET /api/v1/cms/blog_posts')).json.total).toBe(1);
  const again = countsOf(await importInto(service, entry, folder.path, plan.map));
  expect(Object.entries(again).filter(([, [taken]]) => taken !== 0)).toEqual([]);
});

test('nothing is public unless that is chosen', async () => {
  using folder = new Folder(space());
  const plan = await planOf(entry, folder.file);
  await using service = await openPlanned(plan);
  expect((await service.send('GET /api/v1/cms/blog_posts')).status).toBe(401);
  await expect(planOf(entry, folder.file, { options: { open: 'yes' } })).rejects.toThrow('There is no option open');
});

test.each<[string, string | Uint8Array, string]>([
  ['an export that ends too early', '{"contentTypes": [', 'is damaged'],
  ['another encoding', new Uint8Array([0xff, 0xfe, 0x7b]), 'is no text in UTF-8'],
  ['something else', '{"entries": {}}', 'is no export of Contentful'],
])('%s is refused with its file', async (_, content, message) => {
  using folder = new Folder(content);
  await expect(planOf(entry, folder.path)).rejects.toThrow(message);
});

test('a link in place of an export is not followed', async () => {
  using folder = new Folder(space());
  const link = join(folder.path, 'other.json');
  symlinkSync(folder.file, link);
  await expect(planOf(entry, link)).rejects.toThrow('is no export of Contentful');
});

const asset = (id: string, urls: Readonly<Record<string, string>>) => ({
  sys: { id, publishedVersion: 1 },
  fields: {
    file: Object.fromEntries(Object.entries(urls).map(([locale, url]) => [locale, { url, fileName: `${id}.png` }])),
  },
});

test('an address names only what was downloaded', async () => {
  const addresses = [
    ['https://images.ctfassets.net/s/cat/h/cat.png', true],
    ['https://data/recto.db', false],
    ['https://data.example/recto.db', false],
    ['https://xctfassets.net/recto.db', false],
    ['https://images.ctfassets.net/.env', false],
    ['https://images.ctfassets.net/s/%2egit/config', false],
  ] as const;
  const assets = addresses.map(([url], index) => asset(`a${index}`, { 'en-US': url }));
  using folder = new Folder({ ...space(), assets });
  for (const place of ['data', 'data.example', 'xctfassets.net', 'images.ctfassets.net/s/.git'])
    mkdirSync(join(folder.path, place), { recursive: true });
  for (const name of ['data/recto.db', 'data.example/recto.db', 'xctfassets.net/recto.db'])
    writeFileSync(join(folder.path, name), 'SQLite format 3');
  for (const name of ['.env', 's/.git/config']) writeFileSync(join(folder.path, 'images.ctfassets.net', name), 'x');
  const importer = await entry.load();
  using source = await importer.read(folder.file, { workFolder: folder.path });
  const content = importer.map(source, {});
  for (const [index, [url, isThere]] of addresses.entries()) {
    const opened = await content.open(new ForeignFile(`a${index}`, 'cat.png'));
    expect([url, !('reason' in opened)]).toEqual([url, isThere]);
  }
});

test('files of other locales and texts that are nested too deep are named', async () => {
  let deep = node('paragraph', [words('Deep')]);
  for (let count = 0; count < 120; count += 1) deep = node('blockquote', [deep]);
  const assets = [
    asset('one', { 'en-US': '//images.ctfassets.net/a.png', 'de-DE': '//images.ctfassets.net/b.png' }),
    asset('two', { 'en-US': '//images.ctfassets.net/a.png', 'de-DE': '//images.ctfassets.net/a.png' }),
  ];
  const title = { 'en-US': 'Deep' };
  const entries = [
    made('deep', 'blogPost', { title, slug: title, body: { 'en-US': node('document', [deep]) } }),
    made('flat', 'blogPost', { title, slug: { 'en-US': 'flat' }, body: { 'en-US': document } }),
  ];
  using folder = new Folder({ ...space(), assets, entries });
  const importer = await entry.load();
  using source = await importer.read(folder.file, { workFolder: folder.path });
  const { types, leftOut } = importer.map(source, {});
  expect(leftOut).toContainEqual({
    place: 'files in other locales',
    why: '1 assets have a file for each locale: that of the main one is taken.',
  });
  const remarks: (readonly string[] | undefined)[] = [];
  for await (const record of types[0]?.records() ?? []) remarks.push(record.remarks);
  expect(remarks).toEqual([['body: parts that are nested too deep: left out'], []]);
});

/** Spaces of others, where they are beside this repository. */
const samples = join(projectRoot, '../shared/data/contentful');

test.skipIf(!existsSync(samples)).each(['the-example-app', 'product-catalogue', 'gatsby-blog'])(
  '%s has every text that it had, in its language',
  async (name) => {
    const path = join(samples, `${name}.json`);
    const whole: Any = JSON.parse(readFileSync(path, 'utf8'));
    const languages = whole.locales.length > 1 ? { languages: 'en,de' } : {};
    const plan = await planOf(entry, path, languages);
    await using service = await openPlanned(plan, languages);
    await service.account('ada', 'admin');
    const report = countsOf(await importInto(service, entry, path, plan.map));
    expect(Object.values(report).reduce((sum, [taken = 0]) => sum + taken, 0)).toBe(whole.entries.length);
    const different: string[] = [];
    for (const { type, definition } of plan.types) {
      const { plural, fields } = definition as Any;
      const all = fields.some((each: Any) => each.localized) && whole.locales.length > 1 ? '&language=*' : '';
      const { items } = (await service.send(`GET /api/v1/admin/cms/${plural}?page_size=100${all}`, { as: 'ada' })).json;
      const byId = new Map<string, Any>(items.map((item: Any) => [item.__meta._contentful.id, item]));
      for (const each of whole.entries.filter((one: Any) => one.sys.contentType.sys.id === type.from)) {
        const record = byId.get(each.sys.id);
        for (const { from, to } of type.fields) {
          for (const [locale, value] of Object.entries<Any>(each.fields[from] ?? {})) {
            const isDefinedBy = fields.find((one: Any) => one.name === to);
            const here = isDefinedBy?.localized && all !== '' ? record[to]?.[locale.slice(0, 2)] : record[to];
            if (isDefinedBy?.field_type === 'datetime' || (typeof value === 'object' && !Array.isArray(value)))
              continue;
            if (Array.isArray(value) && typeof value[0] === 'object') {
              if (isDefinedBy?.field_type !== 'media' && here?.length !== value.length)
                different.push(`${type.from} ${from} ${here}`);
            } else if (!Bun.deepEquals(here, value === '' ? null : value))
              different.push(`${type.from} ${each.sys.id} ${from} ${locale}`);
          }
        }
      }
    }
    expect(different).toEqual([]);
  },
);
