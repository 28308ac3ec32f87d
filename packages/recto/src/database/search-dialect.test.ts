// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { sampleType, sampleTypes } from '../../../../test/support/type-samples.ts';
import { syncSchema } from '../migrations/sync-schema.ts';
import { searchQueryWords, searchWords } from '../query/search-words.ts';
import { compiledQuery } from './compiled-query.ts';
import { rowColumn } from './schema-dialect.ts';

/** Names that a hasty hand would have left unquoted, and some that a database keeps for itself. */
const type = sampleType('my-article', { title: 'text', 'sub-title': 'text', rank: 'richtext', rowid: 'text' });
const columns = ['title', 'sub-title', 'rank', 'rowid'];

const records: Readonly<Record<string, readonly [string, string, string, string]>> = {
  a: ['Crème brûlée', 'A dessert of France', '<p>Cream, <b>sug</b>ar and eggs</p>', ''],
  b: ['Sugar', 'Where it comes from', '<p>Cane or beet</p>', 'x1'],
  c: ['東京', 'A city', '<p>Capital of Japan, sugarless</p>', 'x2'],
};

async function indexed(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  await syncSchema(database, sampleTypes(type));
  for (const [id, texts] of Object.entries(records)) await put(database, id, texts);
  return database;
}

async function put(database: TestDatabase, id: string, texts: readonly string[]): Promise<void> {
  const { dialect } = database;
  await database.transaction(async (transaction) => {
    await transaction.run(
      compiledQuery(sql`insert into ${sql.id(type.table)} ("id") values (${id}) on conflict do nothing`, dialect),
    );
    const words = texts.map((text) => searchWords(text).join(' '));
    for (const query of dialect.search.index(type.table, columns, id, words)) await transaction.run(query);
  });
}

async function find(database: TestDatabase, text: string, inside = columns): Promise<string> {
  const { search } = database.dialect;
  const match = sql.val(search.match(inside, searchQueryWords(text)));
  const select = async (rest: RawBuilder<unknown>): Promise<string> => {
    const statement = compiledQuery(sql`select "t"."id" ${rest}`, database.dialect);
    return (await database.rows<{ id: string }>(statement)).map(({ id }) => id).join('');
  };
  const table = sql`from ${sql.id(type.table)} as "t"`;
  const matching = await select(sql`${table} where ${search.matches(type.table, 't', inside, match)} order by "id"`);
  // All other ways to find rows find the same ones.
  const { from, row } = search.foundInOrder(type.table, 't', match);
  const inOrder = await select(sql`from ${from} order by ${row}`);
  expect(inOrder).toBe(
    await select(sql`${table} where "id" in (select "t"."id" from ${from}) order by "t".${sql.id(rowColumn)}`),
  );
  const found = search.found(type.table, 't', match);
  const holding = search.foundMatches(type.table, 't', match);
  for (const some of [from, found, sql`${found} where ${holding}`])
    expect(await select(sql`from ${some} order by "t"."id"`)).toBe(matching);
  return matching;
}

test.each([
  ['sugar', 'abc'],
  ['suga', 'abc'],
  ['SUG', 'abc'],
  ['sugar eggs', 'a'],
  ['egg sugar', ''],
  ['creme brulee', 'a'],
  ['CRÈME', 'a'],
  ['dessert cream', 'a'],
  ['京', 'c'],
  ['東京', 'c'],
  ['sugar NOT eggs', ''],
  ['sugar OR eggs', ''],
  ['sugar OR cane', 'b'],
  ['a* "b" {c}:d ^e', ''],
  ['"', ''],
  ['', ''],
  ['x1', 'b'],
  ['x', 'bc'],
  ['p', ''],
])('search for %s finds [%s]', async (text, found) => {
  await using database = await indexed();
  expect(await find(database, text)).toBe(found);
});

test('only the columns asked for are looked at', async () => {
  await using database = await indexed();
  expect(await find(database, 'sugar', ['title'])).toBe('b');
  expect(await find(database, 'city', ['sub-title', 'rowid'])).toBe('c');
  expect(await find(database, 'city', ['rank'])).toBe('');
  expect(await find(database, 'tokyo sugar', [])).toBe('');
  // Words may stand in different fields, but in none that is not asked for.
  expect(await find(database, 'brulee eggs', ['title', 'rank'])).toBe('a');
  expect(await find(database, 'brulee eggs', ['title', 'sub-title'])).toBe('');
});

test('a record indexed anew is found by its new words alone, a removed one by none', async () => {
  await using database = await indexed();
  await put(database, 'b', ['Honey', '', '', '']);
  expect(await find(database, 'beet')).toBe('');
  expect(await find(database, 'honey')).toBe('b');
  await database.transaction(async (transaction) => {
    for (const query of database.dialect.search.remove(type.table, 'b')) await transaction.run(query);
    await transaction.run({ sql: `DELETE FROM "${type.table}" WHERE "id" = 'b'`, parameters: [] });
  });
  expect(await find(database, 'honey')).toBe('');
  // The last row's number is given again: nothing of the old record may stick to it.
  await put(database, 'd', ['New', '', '', '']);
  expect(await find(database, 'new')).toBe('d');
  expect(await find(database, 'honey')).toBe('');
});

test('a text of more words than one vector of PostgreSQL holds is found by all of them', async () => {
  await using database = await openTestDatabase();
  await syncSchema(database, sampleTypes(type));
  // 3 MB of different words.
  const many = Array.from({ length: 100_000 }, (_, index) => `${index.toString(36).padStart(6, '0')}${'x'.repeat(24)}`);
  await put(database, 'a', ['alpha', many.join(' '), 'omega', '']);
  await put(database, 'b', ['alpha', 'short', 'omega', '']);
  expect(await find(database, `${many[0]} ${many[99_999]} alpha omega`)).toBe('a');
  expect(await find(database, 'alpha omega')).toBe('ab');
  expect(await find(database, many[50_000]?.slice(0, 12) ?? '')).toBe('a');
  expect(await find(database, `${many[0]} short`)).toBe('');
  expect(await find(database, `${many[0]} alpha`, ['sub-title'])).toBe('');
  expect(await find(database, `${many[0]} ${many[99_999]}`, ['sub-title'])).toBe('a');
  // Fewer words, fewer parts.
  await put(database, 'a', ['alpha', many.slice(0, 10).join(' '), '', '']);
  expect(await find(database, many[99_999] ?? '')).toBe('');
  expect(await find(database, `${many[9]} alpha`)).toBe('a');
  await database.transaction(async (transaction) => {
    for (const query of database.dialect.search.remove(type.table, 'a')) await transaction.run(query);
  });
  expect(await find(database, 'alpha')).toBe('b');
}, 600_000);

test('records that are indexed at once are found as those that are indexed one by one', async () => {
  await using database = await openTestDatabase();
  await syncSchema(database, sampleTypes(type));
  const { search } = database.dialect;
  // More than one vector of PostgreSQL holds.
  const many = Array.from({ length: 50_000 }, (_, index) => `${index.toString(36).padStart(6, '0')}${'x'.repeat(24)}`);
  const stored = Object.entries({ ...records, d: ['', many.join(' '), '', ''], e: ['', '', '', ''] });
  await database.transaction(async (transaction) => {
    for (const [place, [id]] of stored.entries())
      await transaction.run({
        sql: `INSERT INTO "${type.table}" ("${rowColumn}", "id") VALUES (${place + 7}, '${id}')`,
        parameters: [],
      });
    const entries = stored.map(([, texts], place) => ({
      row: place + 7,
      words: texts.map((text) => searchWords(text).join(' ')),
    }));
    for (const query of search.indexNew(type.table, columns, entries)) await transaction.run(query);
    expect(search.indexNew(type.table, columns, [])).toEqual([]);
  });
  expect(await find(database, 'suga')).toBe('abc');
  expect(await find(database, 'brulee eggs', ['title', 'rank'])).toBe('a');
  expect(await find(database, 'brulee eggs', ['title', 'sub-title'])).toBe('');
  expect(await find(database, `${many[0]} ${many[49_999]}`)).toBe('d');
  // They are changed and taken out as any other.
  await put(database, 'b', ['Honey', '', '', '']);
  expect(await find(database, 'beet')).toBe('');
  expect(await find(database, 'honey')).toBe('b');
}, 600_000);

describe('any words in any fields', () => {
  const parts = [
    'a',
    'b',
    'ab',
    'é',
    'ß',
    '東',
    '京都',
    'ไทย',
    'x1',
    '🙂',
    '-',
    '/',
    "'",
    '\\',
    ':*',
    '&',
    '|',
    '!',
    '(',
    ',',
    '<b>',
    '_',
  ];
  const someText = fc.array(fc.constantFrom(...parts, ' '), { maxLength: 8 }).map((some) => some.join(''));
  const someTexts = fc.tuple(someText, someText, someText, someText);
  const someColumns = fc.subarray(columns);

  /** The search as the specification has it. */
  function holds(texts: readonly string[], inside: readonly string[], query: readonly string[]): boolean {
    const words = texts.flatMap((text, index) => (inside.includes(columns[index] ?? '') ? searchWords(text) : []));
    return (
      query.length > 0 &&
      query.every((wanted, index) =>
        words.some((word) => (index === query.length - 1 ? word.startsWith(wanted) : word === wanted)),
      )
    );
  }

  test('are found as expected', async () => {
    await using database = await openTestDatabase();
    await syncSchema(database, sampleTypes(type));
    await fc.assert(
      fc.asyncProperty(
        fc.array(someTexts, { minLength: 1, maxLength: 6 }),
        fc.array(fc.tuple(someText, someColumns), { minLength: 5, maxLength: 20 }),
        async (stored, searches) => {
          const ids = stored.map((_, index) => String.fromCodePoint(97 + index));
          for (const [index, texts] of stored.entries()) await put(database, ids[index] ?? '', texts);
          for (const [text, inside] of searches) {
            const expected = ids.filter((_, index) => holds(stored[index] ?? [], inside, searchQueryWords(text)));
            expect((await find(database, text, inside)).replace(/[^a-f]/g, '')).toBe(expected.join(''));
          }
          for (const id of ids) await put(database, id, ['', '', '', '']);
        },
      ),
      { numRuns: randomCases(60) },
    );
  }, 600_000);
});
