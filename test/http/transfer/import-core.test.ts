// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import {
  ByLanguage,
  ForeignBlock,
  ForeignFile,
  ForeignRef,
  type ForeignValue,
} from '../../../packages/recto/src/transfer/importers/foreign-value.ts';
import { defineImporter, type ForeignContent } from '../../../packages/recto/src/transfer/importers/importer.ts';
import type { ImporterEntry } from '../../../packages/recto/src/transfer/importers/index.ts';
import { TransferRefused } from '../../../packages/recto/src/transfer/transfer-refused.ts';
import { countsOf, importInto, openPlanned, planOf } from '../../support/foreign-imports.ts';

/** A system that has what its test says. */
function systemOf(content: Partial<ForeignContent>): ImporterEntry {
  const about = { format: 'trial', label: 'Trial', takes: 'anything', help: '' };
  const whole: ForeignContent = {
    ...{ source: 'trial', types: [], accounts: [], leftOut: [], options: {} },
    open: async () => ({ reason: 'there are no files' }),
    ...content,
  };
  const importer = defineImporter({
    ...about,
    detect: () => true,
    read: async () => ({ [Symbol.dispose]: () => {} }),
    map: () => whole,
  });
  return { ...about, load: async () => importer };
}

const said = (values: Readonly<Record<string, ForeignValue>>) => new ByLanguage(new Map(Object.entries(values)));

const essays: ForeignContent['types'][number] = {
  ...{ from: 'Essays', file: 'essays.json', total: 4 },
  definition: {
    ...{ singular: 'essay', plural: 'essays' },
    protocols: [
      'timestampable',
      { name: 'metaable', private: true },
      { name: 'statusable', values: ['draft', 'published'], schedule: 'published', by_language: true },
      { name: 'versionable', drafts: true },
    ],
    fields: [
      { name: 'title', field_type: 'text', required: true, localized: true },
      { name: 'points', field_type: 'integer' },
      // A number has one value for all languages: the plan says so.
      { name: 'price', field_type: 'float', localized: true },
      {
        ...{ name: 'body', field_type: 'blocks' },
        blocks: [
          { name: 'quote', fields: [{ name: 'text', field_type: 'richtext', max_length: -1 }] },
          {
            name: 'link',
            fields: [
              { name: 'to', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'essays' } },
            ],
          },
        ],
      },
      { name: 'next', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'essays' } },
    ],
  },
  fields: ['title', 'points', 'price', 'body', 'next', 'status', 'scheduled_at'].map((name) => ({
    from: name.toUpperCase(),
    to: name,
  })),
  leftOut: [],
  *records() {
    const body = (text: string) => [
      new ForeignBlock('quote', 'q1', { text }),
      new ForeignBlock('link', 'l1', { to: new ForeignRef('Essays', '2') }),
    ];
    yield {
      ...{ id: '1', line: 1, createdAt: '2024-05-01T10:00:00.000Z' },
      values: {
        TITLE: said({ 'en-US': 'On paper', 'de-DE': 'Über Papier', ja: '紙' }),
        ...{ POINTS: 3, BODY: body('<p>Paper</p><script>x()</script>'), NEXT: new ForeignRef('Essays', '2') },
        PRICE: said({ 'en-US': 1.5, 'de-DE': 2 }),
        STATUS: said({ 'en-US': 'published', 'de-DE': 'published' }),
      },
      draft: {
        at: '2024-06-01T10:00:00.000Z',
        values: {
          TITLE: said({ 'en-US': 'On paper', 'de-DE': 'Über das Papier' }),
          ...{ POINTS: 4, BODY: body('<p>Papers</p>'), NEXT: new ForeignRef('Essays', '2') },
        },
      },
    };
    yield {
      ...{ id: '2', line: 2, createdAt: '2024-05-02T10:00:00.000Z' },
      values: {
        TITLE: said({ 'en-US': 'On type' }),
        STATUS: said({ 'en-US': 'draft' }),
        SCHEDULED_AT: said({ 'en-US': '2999-01-01T00:00:00.000Z' }),
        NEXT: new ForeignRef('Essays', '1'),
      },
    };
    yield {
      ...{ id: '3', line: 3, createdAt: '2024-05-03T10:00:00.000Z' },
      values: { TITLE: said({ 'en-US': 'On ink', 'de-DE': null }), STATUS: said({ 'en-US': 'published' }) },
      // Nothing differs: there is no draft.
      draft: { values: { TITLE: said({ 'en-US': 'On ink' }) } },
    };
    yield {
      ...{ id: '4', line: 4, createdAt: '2024-05-04T10:00:00.000Z' },
      values: { TITLE: said({ 'de-DE': 'Nur hier' }), STATUS: said({ 'de-DE': 'published' }) },
    };
  },
};

const entry = systemOf({ types: [essays], languages: ['en-US', 'de-DE', 'ja'] });

test('a plan names languages, and takes away options of fields inside that would not load', async () => {
  const plan = await planOf(entry, '', { languages: 'en,de' });
  expect(plan.map.languages).toEqual({ 'en-US': 'en', 'de-DE': 'de', ja: 'ja' });
  expect(plan.text).toContain('Set before the import: RECTO_LANGUAGES=en,de,ja\n');
  expect(plan.leftOut.map(([place]) => place)).toEqual(['Essays.body.quote.text max_length', 'Essays.price localized']);
  expect((await planOf(entry, '', { languages: 'en,de,ja' })).text).not.toContain('RECTO_LANGUAGES');
  // A service that names none is to have those of the source.
  expect((await planOf(entry, '')).map.languages).toEqual({ 'en-US': 'en-US', 'de-DE': 'de-DE', ja: 'ja' });
});

test('records come with languages, statuses, times, drafts and blocks', async () => {
  const plan = await planOf(entry, '', { languages: 'en,de' });
  await using service = await openPlanned(plan, { languages: 'en,de' });
  await service.account('ada', 'admin');
  const { ja: _, ...languages } = plan.map.languages;
  const map = { ...plan.map, languages };
  await expect(importInto(service, entry, '', plan.map)).rejects.toThrow(
    '“ja” is no language of this service. Set RECTO_LANGUAGES',
  );
  const report = await importInto(service, entry, '', map);
  expect(countsOf(report)).toMatchObject({ essays: [4, 0, 0, 0] });
  expect(report.other_languages).toEqual(['ja']);
  expect(report.changed.map(({ text, examples }) => [text, ...examples])).toEqual([
    ['price in other languages: left out, because it has one value for all', 'essays.json:1'],
    [
      'title is required, and not there in the main language: it begins with what another language says',
      'essays.json:4',
    ],
  ]);
  const path = '/api/v1/admin/cms/essays';
  const { items } = (await service.send(`GET ${path}?sort=created_at:asc&language=*`, { as: 'ada' })).json;
  const [first, second, third] = items;
  expect(first).toMatchObject({
    ...{ title: { en: 'On paper', de: 'Über Papier' }, points: 3, price: 1.5, next: second.id },
    ...{ status: 'published', __meta: { _trial: { id: '1' } } },
    body: [
      { block: 'quote', text: '<p>Paper</p>' },
      { block: 'link', to: second.id },
    ],
  });
  expect(second).toMatchObject({ title: { en: 'On type' }, status: 'draft', next: first.id });
  expect(second.scheduled_at).toBe('2999-01-01T00:00:00.000Z');
  expect(third.__languages).toEqual(['en']);
  const fourth = (await service.send(`GET ${path}/${items[3].id}?language=de`, { as: 'ada' })).json;
  expect(fourth).toMatchObject({ title: 'Nur hier', status: 'published', __languages: ['en', 'de'] });
  expect(items[3]).toMatchObject({ title: { en: 'Nur hier', de: 'Nur hier' }, status: 'draft' });
  const draft = await service.send(`GET ${path}/${first.id}?draft=true`, { as: 'ada' });
  expect(draft.json).toMatchObject({ title: 'On paper', points: 4, body: [{ text: '<p>Papers</p>' }, {}] });
  expect(draft.json.__draft).toMatchObject({ at: '2024-06-01T10:00:00.000Z' });
  expect(Object.keys(draft.json.__draft.changes).toSorted()).toEqual(['body', 'points']);
  const list = async (query: string) =>
    (await service.send(`GET ${path}?has_draft=true&${query}`, { as: 'ada' })).json.total;
  expect([await list('language=en'), await list('language=de')]).toEqual([1, 1]);
  // The draft knows the blocks of the record: nothing has been changed in both.
  const published = await service.send(`POST ${path}/${first.id}/publish?language=*`, { as: 'ada' });
  expect(published.status).toBe(200);
  const german = (await service.send(`GET ${path}/${first.id}?language=de`, { as: 'ada' })).json;
  expect(german).toMatchObject({ title: 'Über das Papier', points: 4 });
  expect(countsOf(await importInto(service, entry, '', map))).toMatchObject({ essays: [0, 4, 0, 0] });
});

test('a service with one language has the values of one', async () => {
  const plan = await planOf(entry, '');
  await using service = await openPlanned(plan);
  await service.account('ada', 'admin');
  await expect(importInto(service, entry, '', plan.map)).rejects.toBeInstanceOf(TransferRefused);
  const report = await importInto(service, entry, '', { ...plan.map, languages: { 'de-DE': 'de' } });
  expect(report.other_languages).toEqual(['en-US', 'ja']);
  const { items } = (await service.send('GET /api/v1/admin/cms/essays?sort=created_at:asc', { as: 'ada' })).json;
  expect(items.map(({ title, status }: Record<string, string>) => `${title} ${status}`)).toEqual([
    ...['Über Papier published', 'On type draft', 'On ink draft', 'Nur hier published'],
  ]);
  expect(items[0].__draft.changes).toMatchObject({ title: 'Über das Papier', points: 4 });
});

test('the language in which records begin has to come from somewhere', async () => {
  const plan = await planOf(entry, '', { languages: 'fr,en' });
  await using service = await openPlanned(plan, { languages: 'fr,en' });
  await expect(importInto(service, entry, '', { ...plan.map, languages: { 'en-US': 'en' } })).rejects.toThrow(
    'nothing becomes “fr”, in which every record here begins',
  );
  await expect(
    importInto(service, entry, '', { ...plan.map, languages: { 'en-US': 'fr', 'de-DE': 'fr' } }),
  ).rejects.toThrow('another line becomes “fr” as well');
});

test('records can become those of a type that every service has', async () => {
  const posts = systemOf({
    types: [
      {
        ...{ from: 'posts', file: 'posts.json', total: 1, to: 'post', leftOut: [] },
        extension: { fields: [{ name: 'featured', field_type: 'boolean' }], localized: ['title'] },
        fields: ['title', 'slug', 'status', 'published_at', 'scheduled_at', 'featured', 'cover_image'].map((name) => ({
          from: name,
          to: name,
        })),
        *records() {
          yield {
            ...{ id: 'p', line: 1, createdAt: '2024-05-01T10:00:00.000Z' },
            values: {
              ...{ title: 'On paper', slug: 'on-paper' },
              ...{ status: 'Published', published_at: '2024-05-03T10:00:00.000Z', featured: true },
              cover_image: new ForeignFile('cat', 'cat.png'),
            },
          };
        },
      },
    ],
  });
  const plan = await planOf(posts, '');
  expect(plan.map.types.posts?.to).toBe('post');
  await using service = await openPlanned(plan);
  await service.account('ada', 'admin');
  const report = await importInto(service, posts, '', plan.map);
  expect(countsOf(report)).toMatchObject({ posts: [1, 0, 0, 0], files: [0, 0, 1, 0] });
  const { items } = (await service.send('GET /api/v1/admin/posts', { as: 'ada' })).json;
  expect(items).toMatchObject([
    {
      title: 'On paper',
      slug: 'on-paper',
      featured: true,
      status: 'Published',
      published_at: '2024-05-03T10:00:00.000Z',
    },
  ]);
});

test('a role that the check refuses has fewer rights, and never more', async () => {
  const roles = systemOf({
    types: [essays],
    languages: ['en-US'],
    roles: [
      {
        ...{ from: 'Writer', leftOut: [] },
        definition: {
          ...{ name: 'writer', base: 'member' },
          types: {
            essay: {
              list: true,
              get: true,
              create: true,
              update: 'nothing = 1',
              delete: false,
              write: { only: ['points'] },
            },
          },
        },
      },
      { ...{ from: 'Editor', leftOut: [] }, definition: { name: 'editor', base: 'nobody', types: {} } },
    ],
  });
  const plan = await planOf(roles, '');
  expect(plan.roles).toEqual([
    {
      ...{ name: 'writer', base: 'member' },
      types: {
        essay: { list: true, get: true, create: false, update: false, delete: false, write: { only: ['points'] } },
      },
    },
  ]);
  expect(plan.leftOut.map(([place]) => place).filter((place) => place.includes('role'))).toEqual([
    'the role Writer, essay update',
    'the role Writer, essay create',
    'the role Editor',
  ]);
});
