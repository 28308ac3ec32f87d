// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { StorageLocation } from '../../../packages/recto/src/config/setting-type.ts';
import { FileStore } from '../../../packages/recto/src/media/file-store.ts';
import { DiskStorage } from '../../../packages/recto/src/storage/disk-storage.ts';
import { fileAt } from '../../../packages/recto/src/transfer/transfer-file.ts';
import type { TransferReport } from '../../../packages/recto/src/transfer/transfer-report.ts';
import {
  importWordpress,
  type WordpressImport,
} from '../../../packages/recto/src/transfer/wordpress/import-wordpress.ts';
import { TestService } from '../../support/service.ts';
import { type WxrItemSample, wxr, wxrAuthor, wxrCategory, wxrItem, wxrTerm } from '../../support/wordpress-file.ts';

const polylangFile = join(import.meta.dir, '../../fixtures/wordpress-polylang.xml');

const words = ['title', 'slug', 'content', 'excerpt'];
const localized = [
  { extends: 'post', localized: words, fields: [{ name: 'teaser', field_type: 'text', localized: true }] },
  { extends: 'page', localized: words },
  { extends: 'category', localized: ['name', 'slug', 'description'] },
  { extends: 'media', localized: ['alt', 'caption'] },
];

async function open(
  languages = 'en,de',
  extensions: readonly unknown[] = localized,
  storage?: StorageLocation,
): Promise<TestService> {
  const service = await TestService.open(extensions, { languages, builtIn: true, ...(storage && { storage }) });
  await service.account('ann', 'admin');
  return service;
}

type Options = Partial<Pick<WordpressImport, 'dryRun' | 'otherLanguages' | 'uploads'>>;

const importFile = (service: TestService, file: string, options: Options = {}) =>
  importWordpress({
    ...{ file: fileAt(file), dryRun: false, progress: () => {}, ...options },
    database: service.database,
    types: service.types,
    passwords: { hash: async (password) => `unusable:${password}` },
    workFolder: dirname(service.database.path),
  });

async function importText(service: TestService, text: string, options: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'recto-import-'));
  try {
    writeFileSync(join(folder, 'site.xml'), text);
    return await importFile(service, join(folder, 'site.xml'), options);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const read = async (service: TestService, path: string) => {
  const reply = await service.send(`GET /api/v1/${path}`, { as: 'ann' });
  return reply.json;
};

const counts = (report: TransferReport) =>
  Object.fromEntries(report.counts.map(({ kind, taken, before, skipped }) => [kind, [taken, before, skipped]]));
const remarks = ({ changed, skipped }: TransferReport) =>
  [...changed, ...skipped].map(({ kind, text, count, examples }) => `${count} ${kind} ${text} (${examples.join()})`);

/** A post that Polylang says is in a language, and in a group of translations. */
const inPolylang = (code: string, group: string | undefined, item: WxrItemSample): string =>
  wxrItem({
    ...item,
    terms: [
      ...(item.terms ?? []),
      ['language', code, code],
      ...(group === undefined ? [] : [['post_translations', group, group] as const]),
    ],
  });

const inWpml = (code: string, group: string | undefined, item: WxrItemSample): string =>
  wxrItem({
    ...item,
    meta: [
      ...(item.meta ?? []),
      ['_wpml_import_language_code', code],
      ...(group === undefined ? [] : [['_wpml_import_translation_group', group] as const]),
      ['_wpml_import_source_language_code', ''],
    ],
  });

const author = wxrAuthor(1, 'ada', 'ada@site.example');

describe('an export of Polylang', () => {
  test('translations are one record, with slugs and categories by language', async () => {
    await using service = await open();
    const report = await importFile(service, polylangFile);
    expect(counts(report)).toMatchObject({ categories: [3, 0, 0], posts: [4, 0, 0], comments: [1, 0, 0] });
    const english = await read(service, 'posts/storm');
    expect(english).toMatchObject({ title: 'Storm over the harbour', __languages: ['en', 'de'], tags: ['News'] });
    const german = await read(service, 'posts/sturm?language=de');
    expect(german).toMatchObject({
      ...{ id: english.id, title: 'Sturm über dem Hafen', slug: 'sturm', content: '<p>Neun Meter hohe Wellen.</p>' },
      ...{ excerpt: 'Nine metres', __fallback: ['excerpt'], published_at: '2023-11-15T10:00:00.000Z' },
    });
    expect((await service.send('GET /api/v1/posts/sturm')).status).toBe(404);
    const categories = (await read(service, 'cms/categories?language=de')).items;
    expect(categories.map(({ name, slug }: { name: string; slug: string }) => [name, slug])).toEqual([
      ['Wetter', 'wetter'],
      ['Sturm', 'sturm'],
    ]);
    const [weather, storm] = categories;
    expect(storm.parent_id).toBe(weather.id);
    expect(english.categories).toEqual([weather.id, storm.id]);
    expect((await read(service, 'cms/categories')).items[0]).toMatchObject({
      name: 'Weather',
      description: 'Wind and waves',
    });
  });

  test('comments of a translation are on the record', async () => {
    await using service = await open();
    await importFile(service, polylangFile);
    expect((await read(service, 'posts/storm/comments')).items).toMatchObject([{ content: 'Was für Bilder!' }]);
  });

  test('a text without a translation into the default language stands in there', async () => {
    await using service = await open();
    const report = await importFile(service, polylangFile);
    const post = await read(service, 'posts/nur-deutsch?language=de');
    expect(post).toMatchObject({ title: 'Nur auf Deutsch', __languages: ['en', 'de'] });
    expect(post.__fallback ?? []).not.toContain('title');
    expect((await read(service, 'posts/nur-deutsch')).title).toBe('Nur auf Deutsch');
    expect(remarks(report)).toContain(
      '1 posts in “de” and not in “en”, the default language: what they say stands in both (103 “Nur auf Deutsch”)',
    );
  });

  test('a language that the service does not have is a record of its own, or left out, and reported', async () => {
    await using kept = await open();
    const report = await importFile(kept, polylangFile);
    expect((await read(kept, 'posts/tempete')).title).toBe('Tempête sur le port');
    expect(remarks(report)).toContain(
      '1 posts in “fr”, which is no language of this service: records of their own (102 “Tempête sur le port”)',
    );
    await using left = await open();
    const other = await importFile(left, polylangFile, { otherLanguages: 'leave_out' });
    expect(counts(other)).toMatchObject({ posts: [3, 0, 1] });
    expect((await left.send('GET /api/v1/posts/tempete')).status).toBe(404);
    expect(remarks(other)).toContain(
      '1 posts in “fr”, which is no language of this service (102 “Tempête sur le port”)',
    );
    // A person who changes their mind gets it with another run.
    expect(counts(await importFile(left, polylangFile))).toMatchObject({ posts: [1, 3, 0] });
  });

  test('with the language, all three are one record', async () => {
    await using service = await open('de,en,fr');
    const report = await importFile(service, polylangFile);
    expect((await read(service, 'posts/sturm')).__languages).toEqual(['de', 'en', 'fr']);
    expect((await read(service, 'posts/tempete?language=fr')).title).toBe('Tempête sur le port');
    expect((await read(service, 'posts/storm?language=en')).excerpt).toBe('Nine metres');
    expect((await read(service, 'posts/sturm')).tags).toEqual(['Nachrichten']);
    expect(remarks(report)).toEqual(
      expect.arrayContaining([
        '1 posts translations into “en”: in one record with what they translate (100 “Storm over the harbour”)',
        '1 posts translations into “fr”: in one record with what they translate (102 “Tempête sur le port”)',
      ]),
    );
  });

  test('where each translation came from is kept, with its custom fields', async () => {
    await using service = await open();
    await importFile(service, polylangFile);
    const { items } = await read(service, 'admin/posts?__meta._wordpress.id=100');
    expect(items[0].__meta).toEqual({
      _wordpress: {
        ...{ id: '100', link: 'https://harbour.example/en/storm/', language: 'en' },
        translations: {
          de: {
            ...{ id: '101', link: 'https://harbour.example/de/sturm/', language: 'de' },
            meta: { windstaerke: '11' },
          },
        },
      },
    });
  });

  test('a second run adds nothing and changes nothing', async () => {
    await using service = await open();
    await importFile(service, polylangFile);
    const { items } = await read(service, 'admin/posts?language=*&page_size=50');
    await service.send(`PUT /api/v1/admin/posts/${items[0].id}?language=de`, {
      as: 'ann',
      body: { title: 'Von Hand' },
    });
    const before = await read(service, 'admin/posts?language=*&page_size=50');
    const report = await importFile(service, polylangFile);
    expect(counts(report)).toMatchObject({ categories: [0, 3, 0], posts: [0, 4, 0], comments: [0, 1, 0] });
    expect(await read(service, 'admin/posts?language=*&page_size=50')).toEqual(before);
  });

  test('a dry run reports the same and stores nothing', async () => {
    await using service = await open();
    const dry = await importFile(service, polylangFile, { dryRun: true });
    expect((await read(service, 'admin/posts')).total).toBe(0);
    expect((await read(service, 'cms/categories')).total).toBe(0);
    const report = await importFile(service, polylangFile);
    expect(counts(dry)).toEqual(counts(report));
    expect(remarks(dry)).toEqual(remarks(report));
  });

  test('without localized fields, each translation is a record of its own, as the report says', async () => {
    await using service = await open('en,de', [{ extends: 'post', localized: ['title'] }]);
    const report = await importFile(service, polylangFile);
    expect((await read(service, 'admin/posts')).total).toBe(4);
    expect(remarks(report)).toContain(
      '2 posts translations, of which a record holds none here because its text is not localized: records of their own (100 “Storm over the harbour”,101 “Sturm über dem Hafen”)',
    );
    expect((await read(service, 'posts/sturm')).title).toBe('Sturm über dem Hafen');
  });
});

describe('what is one record', () => {
  test('a draft does not become public by the post that it translates', async () => {
    await using service = await open();
    const report = await importText(
      service,
      wxr(
        author,
        inPolylang('en', 'g', { id: 1, title: 'Public', slug: 'public' }),
        inPolylang('de', 'g', { id: 2, title: 'Geheim', slug: 'geheim', status: 'draft' }),
        inPolylang('en', 'h', { id: 3, title: 'Open', slug: 'open' }),
        inPolylang('de', 'h', { id: 4, title: 'Mit Passwort', slug: 'mit-passwort', password: 'x' }),
      ),
    );
    expect((await service.send('GET /api/v1/posts/public?language=de')).json.title).toBe('Public');
    expect((await service.send('GET /api/v1/posts/geheim?language=de')).status).toBe(404);
    expect((await service.send('GET /api/v1/posts?language=de&search=Passwort')).json.total).toBe(0);
    expect(remarks(report).find((text) => text.includes('another status'))).toStartWith('4 posts');
    expect((await read(service, 'admin/posts?status=Draft&language=de&sort=title:asc')).items).toMatchObject([
      { title: 'Geheim' },
      { title: 'Mit Passwort' },
    ]);
  });

  test('of two translations into one language, the second is a record of its own', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        inPolylang('en', 'g', { id: 1, title: 'One', slug: 'one' }),
        inPolylang('de', 'g', { id: 2, title: 'Eins', slug: 'eins' }),
        inPolylang('de', 'g', { id: 3, title: 'Auch eins', slug: 'auch-eins' }),
      ),
    );
    expect((await read(service, 'posts/one?fallback=false')).__languages).toEqual(['en', 'de']);
    expect((await read(service, 'posts/eins?language=de')).title).toBe('Eins');
    expect((await read(service, 'posts/auch-eins?language=de')).title).toBe('Auch eins');
    expect((await read(service, 'admin/posts')).total).toBe(2);
  });

  test('a post and a page of one group stay apart', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        inPolylang('en', 'g', { id: 1, title: 'Post', slug: 'a-post' }),
        inPolylang('de', 'g', { id: 2, type: 'page', title: 'Seite', slug: 'seite' }),
      ),
    );
    expect((await read(service, 'posts/a-post')).title).toBe('Post');
    expect((await read(service, 'pages/seite?language=de')).title).toBe('Seite');
  });

  test('equal slugs in two languages stay; in one language, the second gets a number', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        inPolylang('en', 'g', { id: 1, title: 'Info', slug: 'info' }),
        inPolylang('de', 'g', { id: 2, title: 'Infos', slug: 'info' }),
        inPolylang('en', 'h', { id: 3, title: 'More', slug: 'more' }),
        inPolylang('de', 'h', { id: 4, title: 'Mehr', slug: 'info' }),
      ),
    );
    expect((await read(service, 'posts/info?language=de')).title).toBe('Infos');
    expect((await read(service, 'posts/info')).title).toBe('Info');
    expect((await read(service, 'posts/info-2?language=de')).title).toBe('Mehr');
  });

  test('pages below a translation are below the record', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        inPolylang('de', 'below', { id: 4, type: 'page', title: 'Öffnungszeiten', slug: 'zeiten', parent: 2 }),
        inPolylang('en', 'above', { id: 1, type: 'page', title: 'About', slug: 'about' }),
        inPolylang('de', 'above', { id: 2, type: 'page', title: 'Über uns', slug: 'ueber-uns' }),
        inPolylang('en', 'below', { id: 3, type: 'page', title: 'Hours', slug: 'hours', parent: 1 }),
        inPolylang('de', undefined, { id: 5, type: 'page', title: 'Anfahrt', slug: 'anfahrt', parent: 2 }),
      ),
    );
    const above = await read(service, 'pages/about');
    expect((await read(service, 'pages/hours')).parent_id).toBe(above.id);
    expect((await read(service, 'pages/zeiten?language=de')).title).toBe('Öffnungszeiten');
    expect((await read(service, 'pages/anfahrt?language=de')).parent_id).toBe(above.id);
  });

  test('shared fields are those of the main translation, and others are reported', async () => {
    await using service = await open();
    const report = await importText(
      service,
      wxr(
        author,
        inPolylang('en', 'g', { id: 1, title: 'One', slug: 'one', meta: [['teaser', 'Short']] }),
        inPolylang('de', 'g', {
          ...{ id: 2, title: 'Eins', slug: 'eins', creator: 'bea', commentStatus: 'closed' },
          meta: [['teaser', 'Kurz']],
        }),
      ),
    );
    expect(await read(service, 'posts/eins?language=de')).toMatchObject({ teaser: 'Kurz', comments_open: true });
    expect((await read(service, 'posts/one')).teaser).toBe('Short');
    expect(remarks(report)).toContain(
      '1 posts with translations that have another comments_open, author_id: that of “en” is kept (1 “One”)',
    );
  });

  test('the head of the file says what items do not say', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        wxrTerm({
          id: 9,
          taxonomy: 'post_translations',
          slug: 'pll_1',
          description: 'a:2:{s:2:"en";i:1;s:2:"de";i:2;}',
        }),
        wxrItem({ id: 1, title: 'One', slug: 'one' }),
        wxrItem({ id: 2, title: 'Eins', slug: 'eins' }),
      ),
    );
    expect(await read(service, 'posts/eins?language=de')).toMatchObject({ title: 'Eins', __languages: ['en', 'de'] });
  });

  test.each([
    ['an object', 'O:8:"stdClass":1:{s:2:"en";i:1;}'],
    ['cut off', 'a:2:{s:2:"en";i:1;s:2:"de";i:2'],
    ['ids that are none', 'a:2:{s:2:"en";i:-1;s:2:"de";s:3:"2;x";}'],
  ])('a description that is %s says nothing', async (_, description) => {
    await using service = await open();
    await importText(
      service,
      wxr(
        wxrTerm({ id: 9, taxonomy: 'post_translations', slug: 'pll_1', description }),
        wxrItem({ id: 1, title: 'One', slug: 'one' }),
        wxrItem({ id: 2, title: 'Eins', slug: 'eins' }),
      ),
    );
    expect((await read(service, 'admin/posts')).total).toBe(2);
  });
});

describe('a later export', () => {
  const english = inPolylang('en', 'g', { id: 1, title: 'One', slug: 'one' });
  const german = inPolylang('de', 'g', { id: 2, title: 'Eins', slug: 'eins' });

  test('adds a new translation to the record', async () => {
    await using service = await open();
    await importText(service, wxr(english));
    const { id } = await read(service, 'posts/one');
    expect(counts(await importText(service, wxr(english, german)))).toMatchObject({ posts: [1, 1, 0] });
    expect(await read(service, 'posts/eins?language=de')).toMatchObject({
      id,
      title: 'Eins',
      __languages: ['en', 'de'],
    });
    expect(counts(await importText(service, wxr(english, german)))).toMatchObject({ posts: [0, 2, 0] });
  });

  test('leaves a translation by hand as it is', async () => {
    await using service = await open();
    await importText(service, wxr(english));
    const { id } = await read(service, 'posts/one');
    await service.send(`PUT /api/v1/admin/posts/${id}?language=de`, { as: 'ann', body: { title: 'Von Hand' } });
    const report = await importText(service, wxr(english, german));
    expect(counts(report)).toMatchObject({ posts: [0, 1, 1] });
    expect(remarks(report)).toContain('1 posts translations of what has been translated since its import (2 “Eins”)');
    expect((await read(service, `posts/one?language=de`)).title).toBe('Von Hand');
  });

  test('publishes no draft, and brings nothing back', async () => {
    await using service = await open();
    await importText(service, wxr(english));
    const { id } = await read(service, 'posts/one');
    await service.send(`PUT /api/v1/admin/posts/${id}`, { as: 'ann', body: { status: 'Draft' } });
    expect(counts(await importText(service, wxr(english, german)))).toMatchObject({ posts: [0, 1, 1] });
    await service.send(`DELETE /api/v1/admin/posts/${id}`, { as: 'ann' });
    const report = await importText(service, wxr(english, german));
    expect(remarks(report)).toContain('1 posts translations of what has been deleted since its import (2 “Eins”)');
    expect((await read(service, 'admin/posts')).total).toBe(0);
  });

  test('with the default language after another one makes a record of its own', async () => {
    await using service = await open();
    await importText(service, wxr(german));
    const report = await importText(service, wxr(english, german));
    expect(counts(report)).toMatchObject({ posts: [1, 1, 0] });
    expect(remarks(report)).toContain('1 posts with translations that an earlier import made records of (1 “One”)');
    expect((await read(service, 'posts/one')).title).toBe('One');
  });
});

describe('an export of WPML Export and Import', () => {
  test('translations are one record, by their custom fields', async () => {
    await using service = await open('en,pt-BR');
    const meta = (code: string) => [
      ['_wpml_import_language_code', code] as const,
      ['_wpml_import_translation_group', 'cat_7'] as const,
    ];
    const report = await importText(
      service,
      wxr(
        wxrCategory({ id: 7, slug: 'sea', name: 'Sea', meta: meta('en') }),
        wxrCategory({ id: 8, slug: 'mar', name: 'Mar', meta: meta('pt-br') }),
        inWpml('en', '12', { id: 1, title: 'Harbour', slug: 'harbour', terms: [['category', 'Sea', 'sea']] }),
        inWpml('pt-br', '12', { id: 2, title: 'Porto', slug: 'porto', terms: [['category', 'Mar', 'mar']] }),
      ),
    );
    const porto = await read(service, 'posts/porto?language=pt-BR');
    expect(porto).toMatchObject({ title: 'Porto', __languages: ['en', 'pt-BR'] });
    const [category] = (await read(service, 'cms/categories?language=pt-BR')).items;
    expect(category).toMatchObject({ name: 'Mar', slug: 'mar' });
    expect(porto.categories).toEqual([category.id]);
    expect(counts(report)).toMatchObject({ categories: [2, 0, 0], posts: [2, 0, 0] });
  });

  test('a duplicate of WPML without a language stays a record of its own', async () => {
    await using service = await open();
    await importText(
      service,
      wxr(
        wxrItem({ id: 1, title: 'One', slug: 'one' }),
        wxrItem({ id: 2, title: 'One', slug: 'one-copy', meta: [['_icl_lang_duplicate_of', '1']] }),
      ),
    );
    expect((await read(service, 'admin/posts')).total).toBe(2);
  });
});

describe('files', () => {
  const picture = 'https://site.example/wp-content/uploads/2023/11/storm.png';
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
    'base64',
  );
  const attachment = (id: number, alt: string) => ({
    ...{ id, type: 'attachment', status: 'inherit', title: `Storm ${id}`, attachmentUrl: picture },
    meta: [['_wp_attachment_image_alt', alt] as const],
  });

  test('a file has its alternative text in each language, and posts of both show it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'recto-uploads-'));
    const storage = new DiskStorage(join(folder, 'media'));
    await using service = await open('en,de', localized, { kind: 'file', path: join(folder, 'media') });
    mkdirSync(join(folder, '2023/11'), { recursive: true });
    writeFileSync(join(folder, '2023/11/storm.png'), png);
    const media = service.types.find('media');
    if (media === undefined) throw new Error('There is no media.');
    const uploads = {
      ...{ folder, type: media, storage, store: new FileStore(service.database.dialect) },
      limits: { maxBytes: 1_000_000, types: ['image/*'] },
    };
    try {
      const file = wxr(
        inPolylang('en', 'pic', attachment(50, 'Waves')),
        inPolylang('de', 'pic', attachment(51, 'Wellen')),
        inPolylang('en', 'g', { id: 1, title: 'One', slug: 'one', meta: [['_thumbnail_id', '50']] }),
        inPolylang('de', 'g', {
          ...{ id: 2, title: 'Eins', slug: 'eins', content: '[gallery ids="51"]' },
          meta: [['_thumbnail_id', '51']],
        }),
      );
      const report = await importText(service, file, { uploads });
      expect(counts(report)).toMatchObject({ files: [2, 0, 0], posts: [2, 0, 0] });
      expect((await read(service, 'admin/media')).total).toBe(1);
      expect((await read(service, 'admin/media?language=de')).items[0].alt).toBe('Wellen');
      const post = await read(service, 'posts/eins?language=de');
      expect(post.cover_image).toMatchObject({ alt: 'Wellen' });
      expect(post.content).toContain('alt="Wellen"');
      expect((await read(service, 'posts/one')).cover_image).toMatchObject({ alt: 'Waves' });
      expect(counts(await importText(service, file, { uploads }))).toMatchObject({
        files: [0, 2, 0],
        posts: [0, 2, 0],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
