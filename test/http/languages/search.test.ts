// databases: sqlite, postgres
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../support/random-cases.ts';
import { type Reply, TestService } from '../../support/service.ts';
import { chains, type Tag, tags } from './reference.ts';

// A search in a language finds what the answer shows: its own words, and those of the languages that stand in for it.

const open = { access: 'public' };
const fields = [
  { name: 'title', field_type: 'text', max_length: 100, localized: true, indexed: true },
  { name: 'body', field_type: 'richtext', localized: true },
  { name: 'parts', field_type: 'list', localized: true, fields: [{ name: 'heading', field_type: 'text' }] },
  { name: 'notes', field_type: 'text', localized: true, private: true },
  { name: 'place', field_type: 'text' },
  { name: 'group', field_type: 'integer' },
];
const story = { singular: 'story', plural: 'stories', fields, api: { list: open, get: open } };
const alone = {
  ...story,
  singular: 'essay',
  plural: 'essays',
  protocols: [{ name: 'statusable', by_language: true }],
};
const languages = { languages: 'en,de,fr,fr-CA', languageFallbacks: { 'fr-CA': ['fr', 'en'] } };

let service: TestService;
beforeAll(async () => {
  service = await TestService.open([story, alone], languages);
  await service.account('ann', 'admin');
});
afterAll(() => service[Symbol.asyncDispose]());

const translate = async (plural: string, id: string, language: string, body: object): Promise<void> => {
  const { status, text } = await service.send(`PUT /api/v1/admin/cms/${plural}/${id}?language=${language}`, {
    as: 'ann',
    body,
  });
  expect({ status, text }).toEqual({ status: 200, text });
};
const found = async (plural: string, search: string, query: string): Promise<readonly string[]> => {
  const { status, text, json } = await service.send(
    `GET /api/v1/cms/${plural}?search=${encodeURIComponent(search)}&page_size=100&${query}`,
  );
  expect({ status, text }).toEqual({ status: 200, text });
  expect(json.total).toBe(json.items.length);
  return json.items.map((item: Reply['json']) => item.id);
};

describe('a search in a language', () => {
  test('finds its own words, and no longer those that they stand for', async () => {
    const { id } = await service.seed('stories', { title: 'Sugar beets', place: 'Lisbon', group: 1 });
    await translate('stories', id, 'de', { title: 'Zuckerrüben', notes: 'geheimnis' });
    expect(await found('stories', 'zuckerruben', 'language=de')).toEqual([id]);
    expect(await found('stories', 'Zucker', 'language=de')).toEqual([id]);
    expect(await found('stories', 'sugar', 'language=de')).toEqual([]);
    expect(await found('stories', 'sugar', '')).toEqual([id]);
    expect(await found('stories', 'zuckerruben', '')).toEqual([]);
    expect(await found('stories', 'zuckerruben', 'language=fr')).toEqual([]);
    expect(await found('stories', 'geheimnis', 'language=de')).toEqual([]);
    for (const search of ['lisbon', 'zuckerrüben lis', 'lisbon zucker'])
      expect([search, await found('stories', search, 'language=de&fallback=false')]).toEqual([search, [id]]);
    expect(await found('stories', 'zucker lisbon', 'language=de')).toEqual([]);
  });

  test('finds the words of what stands in for a language, and nothing without', async () => {
    const { id } = await service.seed('stories', { title: 'Autumn', body: '<p>Golden leaves</p>', group: 2 });
    await translate('stories', id, 'fr', { body: '<p>Feuilles d’or</p>' });
    expect(await found('stories', 'autumn feuilles', 'language=fr-CA')).toEqual([id]);
    expect(await found('stories', 'leaves', 'language=fr-CA')).toEqual([]);
    expect(await found('stories', 'golden', 'language=de')).toEqual([id]);
    expect(await found('stories', 'golden', 'language=de&fallback=false')).toEqual([]);
    await translate('stories', id, 'fr', { body: null });
    expect(await found('stories', 'golden leaves', 'language=fr-CA')).toEqual([id]);
    await translate('stories', id, 'fr-CA', { parts: [{ heading: 'Érable' }, { heading: 'Neige' }] });
    expect(await found('stories', 'erable neige', 'language=fr-CA')).toEqual([id]);
    expect((await service.send(`DELETE /api/v1/admin/cms/stories/${id}/languages/fr-CA`, { as: 'ann' })).status).toBe(
      204,
    );
    expect(await found('stories', 'erable', 'language=fr-CA')).toEqual([]);
  });

  test('is ordered, counted, walked and summed like any list', async () => {
    const made: string[] = [];
    for (const title of ['Brot', 'Apfel', 'Citrus']) {
      const { id } = await service.seed('stories', { title: 'Food', group: 3 });
      await translate('stories', id, 'de', { title: `${title} nahrung` });
      made.push(id);
    }
    const [first, second, third] = made;
    expect(await found('stories', 'nahrung', 'language=de&sort=title:asc')).toEqual([second, first, third] as string[]);
    expect(await found('stories', 'nahrung', 'language=de&group=3&filter=title%20~%20"A%25"')).toEqual([
      second,
    ] as string[]);
    const one = await service.send('GET /api/v1/cms/stories?language=de&search=nahrung&sort=title:asc&page_size=1');
    const next = await service.send(
      `GET /api/v1/cms/stories?language=de&search=nahrung&sort=title:asc&page_size=1&cursor=${one.json.next_cursor}`,
    );
    expect([one.json.total, next.json.items[0].id]).toEqual([3, first]);
    const sums = await service.send('GET /api/v1/cms/stories/aggregate?language=de&search=nahrung&group=group');
    expect(sums.json.groups ?? sums.json.items).toEqual([expect.objectContaining({ group: 3, count: 3 })]);
    expect(await found('stories', '...', 'language=de')).toEqual([]);
  });

  test('reveals nothing of a language that is not published', async () => {
    const { id } = await service.seed('essays', { title: 'Open words', status: 'published' });
    await translate('essays', id, 'de', { title: 'Geheime Worte' });
    const admin = async (search: string, query: string) =>
      (await service.send(`GET /api/v1/admin/cms/essays?search=${search}&${query}`, { as: 'ann' })).json.total;
    expect(await found('essays', 'geheime', 'language=de')).toEqual([]);
    expect(await found('essays', 'geheime', 'language=de&fallback=false')).toEqual([]);
    expect(await found('essays', 'open', 'language=de')).toEqual([id]);
    expect(await admin('geheime', 'language=de')).toBe(1);
    await translate('essays', id, 'de', { status: 'published' });
    expect(await found('essays', 'geheime', 'language=de')).toEqual([id]);
    expect(await found('essays', 'open', 'language=de')).toEqual([]);
    await translate('essays', id, 'en', { status: 'draft' });
    await translate('essays', id, 'de', { title: null, body: '<p>Nur das</p>' });
    expect(await found('essays', 'open', 'language=de')).toEqual([]);
    expect(await found('essays', 'open', 'language=fr')).toEqual([]);
    expect(await found('essays', 'nur', 'language=de')).toEqual([id]);
    expect(await admin('open', 'language=de&fallback=true')).toBe(1);
  });
});

const word = fc.constantFrom('ab', 'abc', 'bc', 'c');
const text = fc.option(
  fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  { nil: null },
);
const said = fc.record({ title: text, body: text });
const languagesOf = fc.record({ en: said, de: said, fr: said, 'fr-CA': said });

test('a search finds what a simple model finds, in every language', async () => {
  let group = 100;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ words: languagesOf, place: text }), { minLength: 1, maxLength: 3 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      async (stories, search) => {
        group += 1;
        const made: string[] = [];
        for (const { words, place } of stories) {
          const { id } = await service.seed('stories', { ...words.en, place, group });
          for (const tag of ['de', 'fr', 'fr-CA'] as const) await translate('stories', id, tag, words[tag]);
          made.push(id);
        }
        const asked = [...new Set(search.toReversed())].toReversed();
        for (const tag of tags) {
          for (const fallback of [true, false]) {
            const chain: readonly Tag[] = fallback ? [tag, ...chains[tag]] : [tag];
            const meant = stories.flatMap(({ words, place }, index) => {
              const shown = (field: 'title' | 'body') =>
                chain.map((each) => words[each][field]).find((each) => each !== null) ?? '';
              const all = [shown('title'), shown('body'), place ?? ''].flatMap((each) => each.split(' '));
              const isThere = (one: string, at: number) =>
                all.some((each) => (at === asked.length - 1 ? each.startsWith(one) : each === one));
              return asked.every(isThere) ? made.slice(index, index + 1) : [];
            });
            const query = `group=${group}&language=${tag}&fallback=${fallback}`;
            expect([query, asked, (await found('stories', search.join(' '), query)).toSorted()]).toEqual([
              query,
              asked,
              meant.toSorted(),
            ]);
          }
        }
      },
    ),
    { numRuns: randomCases(40) },
  );
}, 600_000);
