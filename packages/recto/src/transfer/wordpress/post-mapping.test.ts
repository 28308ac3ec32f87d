import { describe, expect, test } from 'bun:test';
import { withBuiltIns } from '../../../../../test/support/definitions.ts';
import { item, now } from './mapping.fixture.ts';
import { mapPublication } from './post-mapping.ts';
import type { WxrItem } from './wxr-entry.ts';

const types = withBuiltIns({
  extends: 'post',
  fields: [
    { name: 'subtitle', field_type: 'text', max_length: 20 },
    { name: 'rating', field_type: 'integer', min: 1, max: 5 },
    { name: 'featured', field_type: 'boolean' },
    { name: 'event_day', field_type: 'date' },
    { name: 'views', field_type: 'bigint' },
  ],
});
const [page, post] = [types.get('page'), types.get('post')];
const map = (parts: Partial<WxrItem>) => mapPublication(item(parts), parts.type === 'page' ? page : post, now);
const date = '2020-05-17T10:00:00.000Z';

const statuses: readonly [status: string, becomes: string, publishedAt: string | null][] = [
  ['publish', 'Published', date],
  ['private', 'Draft', date],
  ['future', 'Draft', null],
  ['pending', 'Draft', null],
  ['draft', 'Draft', null],
  ['trash', 'Archived', null],
  ['a-plugins-own', 'Draft', null],
  ['constructor', 'Draft', null],
];
test.each(statuses)('the status %s becomes %s', (status, becomes, publishedAt) => {
  const { body } = map({ status });
  expect([body.status, body.published_at]).toEqual([becomes, publishedAt]);
});

test.each(statuses)('nothing of the status %s that has a password is public', (status) => {
  expect(map({ status, password: 'enter' }).body.status).not.toBe('Published');
});

test('the password itself is not kept', () => {
  expect(JSON.stringify(map({ password: 'opensesame' }))).not.toContain('opensesame');
});

describe('times', () => {
  const times = (parts: Partial<WxrItem>) => {
    const { created_at, updated_at, __meta } = map(parts).body;
    return { created_at, updated_at, scheduled: Object(Object(__meta)._wordpress).scheduled_for };
  };
  test.each<[string, Partial<WxrItem>, unknown]>([
    ['its date', {}, { created_at: date, updated_at: date }],
    [
      'a change later',
      { modifiedGmt: '2021-01-01 00:00:00' },
      { created_at: date, updated_at: '2021-01-01T00:00:00.000Z' },
    ],
    ['a change before its creation', { modifiedGmt: '2019-01-01 00:00:00' }, { created_at: date, updated_at: date }],
    ['none', { date: '', dateGmt: '0000-00-00 00:00:00' }, { created_at: now, updated_at: now }],
    [
      'one that lies ahead',
      { status: 'future', modifiedGmt: '2019-01-01 00:00:00' },
      { created_at: '2019-01-01T00:00:00.000Z', updated_at: '2019-01-01T00:00:00.000Z', scheduled: date },
    ],
  ])('%s', (_name, parts, expected) => expect(times(parts)).toEqual({ scheduled: undefined, ...Object(expected) }));
});

test('what is to be published later is, unless its time has passed or it has a password', () => {
  const dateGmt = '2999-01-01 00:00:00';
  expect(map({ status: 'future', dateGmt }).body.scheduled_at).toBe('2999-01-01T00:00:00.000Z');
  for (const parts of [
    { status: 'future' },
    { status: 'draft', dateGmt },
    { status: 'future', dateGmt, password: 'x' },
  ]) {
    expect(map(parts).body).not.toHaveProperty('scheduled_at');
  }
});

describe('titles', () => {
  test.each<[string, Partial<WxrItem>, string]>([
    ['markup', { title: 'Title <em>With</em> <b>Mark<sup>up</sup></b> &amp; more' }, 'Title With Markup & more'],
    ['none, with a content', { title: '', content: '<p>[gallery] First words</p>' }, 'First words'],
    ['none, with an excerpt', { title: ' ', excerpt: 'In short', content: 'At length' }, 'In short'],
    ['none, with a long content', { title: '', content: 'word '.repeat(50) }, `${'word '.repeat(11)}word…`],
    ['none, with nothing', { title: '' }, 'Untitled'],
    ['too long', { title: 'é'.repeat(600) }, `${'é'.repeat(499)}…`],
  ])('%s', (_name, parts, title) => expect(map(parts).body.title).toBe(title));

  test('one with markup is kept beside, for who wants it back', () => {
    expect(map({ title: 'A <i>b</i>' }).body.__meta).toMatchObject({ _wordpress: { title: 'A <i>b</i>' } });
  });
});

test('tags and categories become tags, each once', () => {
  const terms = [
    { taxonomy: 'category', slug: '', name: 'News' },
    { taxonomy: 'category', slug: 'news', name: 'News' },
    { taxonomy: 'category', slug: 'at-sea', name: 'At &amp; sea' },
    { taxonomy: 'category', slug: '', name: 'Old' },
    { taxonomy: 'post_tag', slug: '', name: 'Wind &amp; waves' },
    { taxonomy: 'post_tag', slug: '', name: 'News' },
    { taxonomy: 'post_tag', slug: '', name: ' ' },
    { taxonomy: 'post_tag', slug: '', name: 'x'.repeat(150) },
    { taxonomy: 'post_format', slug: '', name: 'Gallery' },
    { taxonomy: 'place', slug: '', name: 'Pier' },
  ];
  const { body, categories } = map({ terms });
  expect(categories).toEqual([
    { key: 'news', name: 'News' },
    { key: 'at-sea', name: 'At & sea' },
    { key: '', name: 'Old' },
  ]);
  expect(body.tags).toEqual(['Wind & waves', 'News', `${'x'.repeat(99)}…`]);
  expect(body.__meta).toMatchObject({ _wordpress: { format: 'Gallery', terms: { place: ['Pier'] } } });
});

test('more tags than a post can have are reported', () => {
  const { body, remarks } = map({
    terms: Array.from({ length: 120 }, (_, n) => ({ taxonomy: 'post_tag', slug: '', name: `t${n}` })),
  });
  expect(body.tags).toHaveLength(100);
  expect(remarks).toEqual(['with more than 100 tags: the rest left out']);
});

test('a page has its order and template, and neither tags nor comments', () => {
  const { body } = map({ type: 'page', menuOrder: '-3', meta: [['_wp_page_template', 'wide.php']] });
  expect(body).toMatchObject({ sort_order: -3, template: 'wide.php' });
  expect(Object.keys(body)).not.toContain('tags');
  expect(map({ type: 'page', menuOrder: 'x', meta: [['_wp_page_template', 'default']] }).body).toMatchObject({
    sort_order: 0,
    template: null,
  });
});

test('texts for search engines are taken over, but for those with variables', () => {
  const meta = (title: string): WxrItem['meta'] => [
    ['_yoast_wpseo_title', title],
    ['_yoast_wpseo_metadesc', 'What it is about'],
  ];
  expect(map({ meta: meta('Short') }).body).toMatchObject({
    meta_title: 'Short',
    meta_description: 'What it is about',
  });
  expect(map({ meta: meta('%%title%% %%sep%%') }).body.meta_title).toBeNull();
});

test('custom fields become metadata; one that occurs twice is an array', () => {
  const meta: WxrItem['meta'] = [
    ['mood', 'calm'],
    ['witness', 'Nils'],
    ['witness', 'Ada'],
    ['title', 'not the title'],
    ['__proto__', 'x'],
  ];
  const { body } = map({ meta });
  expect(body.title).toBe('A title');
  expect(body.__meta).toEqual({
    mood: 'calm',
    witness: ['Nils', 'Ada'],
    title: 'not the title',
    _wordpress: { id: '7' },
  });
});

test('custom fields fill fields of the same name that the type was given, where those take them', () => {
  const { body } = map({
    meta: [
      ['subtitle', 'Small'],
      ['rating', '9'],
      ['featured', '1'],
      ['event_day', '2020-02-30'],
      ['views', '12345678901234567'],
    ],
  });
  expect(body).toMatchObject({ subtitle: 'Small', featured: true, views: '12345678901234567' });
  expect(Object.keys(body)).not.toContain('rating');
  expect(body.__meta).toMatchObject({ rating: '9', event_day: '2020-02-30' });
});
