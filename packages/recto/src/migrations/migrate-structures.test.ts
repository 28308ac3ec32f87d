// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/database/database.ts';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import { newId } from '../base/ids.ts';
import { RecordRestorer } from '../records/restore-record.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { migrateSchema } from './migrate-schema.ts';
import { planSchema } from './plan/schema-plan.ts';
import { syncSchema } from './sync-schema.ts';

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const author = (name: string, more: object = {}) =>
  field(name, 'relation', { relation: { relation_type: 'many_to_one', target: 'authors' }, ...more });
const authors = { singular: 'author', plural: 'authors', fields: [field('name', 'text')] };
const story = (...fields: object[]) => definitionsOf(authors, { singular: 'story', plural: 'stories', fields });

const quote = (...fields: object[]) => ({ name: 'quote', fields });
const body = (...blocks: object[]) => field('body', 'blocks', { blocks });
const text = field('text', 'text');
const first = () => story(body(quote(text, author('author'), field('year', 'integer')), { name: 'line' }));

let database: TestDatabase;
let ines: string;

beforeEach(async () => {
  database = await openTestDatabase();
  await syncSchema(database, first());
  ines = newId();
  const value = [
    { block: 'quote', id: newId(), text: 'long words', author: ines, year: 1999 },
    { block: 'quote', id: newId(), text: null, author: null, year: null },
    { block: 'line', id: newId() },
  ];
  await put({ author: [{ id: ines, name: 'Ines' }], story: [{ id: newId(), body: value }, { id: newId() }] });
});
afterEach(() => database.close());

async function put(records: Record<string, Record<string, unknown>[]>): Promise<void> {
  const types = first();
  const restorer = new RecordRestorer(database, types, { add: () => {} });
  await database.transaction(async (transaction) => {
    for (const [singular, some] of Object.entries(records)) {
      for (const one of some)
        expect(await restorer.insert(transaction, restorer.check(types.get(singular), one))).toEqual([]);
    }
  });
}

const notes = async (types = first()) =>
  (await planSchema(database, database.dialect, types)).notes.map(({ way, what }) => `${way}: ${what}`);
async function stored(): Promise<readonly Record<string, JsonValue>[]> {
  const rows = await database.rows<{ body: string }>({
    sql: 'SELECT body FROM cms_story WHERE body IS NOT NULL',
    parameters: [],
  });
  return JSON.parse(rows[0]?.body ?? '[]');
}
const links = async () =>
  (await database.rows<object>({ sql: 'SELECT type, field, path, target_type FROM recto_links', parameters: [] })).map(
    (row) => ({
      ...row,
    }),
  );

const reindexed = 'start: the search index is made anew';

test('nothing to do is nothing to do', async () => expect(await notes()).toEqual([]));

test('a start adds fields with their defaults, and blocks', async () => {
  const more = quote(
    text,
    author('author'),
    field('year', 'integer'),
    field('mood', 'text', { default: 'calm' }),
    field('must', 'text', { required: true }),
  );
  const types = story(body(more, { name: 'line' }, { name: 'photo' }));
  expect(await notes(types)).toEqual([
    'start: field "body.quote.mood" is added, with its default or no value in 1 record',
    'start: field "body.quote.must" is added, with its default or no value in 1 record',
    reindexed,
  ]);
  await syncSchema(database, types);
  expect((await stored())[0]).toMatchObject({ text: 'long words', year: 1999, mood: 'calm', must: null });
  expect((await stored())[2]).toEqual({ block: 'line', id: expect.any(String) });
  expect(await notes(types)).toEqual([]);
});

describe('made by apply alone', () => {
  const cases: readonly (readonly [string, ReturnType<typeof story>, string, object | undefined])[] = [
    [
      'a renamed field',
      story(
        body(quote(text, author('writer', { renamed_from: 'author' }), field('year', 'integer')), { name: 'line' }),
      ),
      'apply: "body.quote.writer" is renamed from "author", with its values in 1 record',
      { text: 'long words', writer: expect.any(String), year: 1999 },
    ],
    [
      'a renamed block',
      story(
        body(
          { ...quote(text, author('author'), field('year', 'integer')), name: 'citation', renamed_from: 'quote' },
          { name: 'line' },
        ),
      ),
      'apply: "body.citation" is renamed from block "quote", with its values in 1 record',
      { block: 'citation', text: 'long words', year: 1999 },
    ],
    [
      'a removed field',
      story(body(quote(text, author('author')), { name: 'line' })),
      'apply: field "body.quote.year" is removed, with its values in 1 record, which are lost',
      { text: 'long words', author: expect.any(String) },
    ],
    [
      'a removed block',
      story(body({ name: 'line' })),
      'apply: block "body.quote" is removed, with its values in 1 record, which are lost',
      undefined,
    ],
    [
      'another kind that holds every value',
      story(body(quote(text, author('author'), field('year', 'decimal')), { name: 'line' })),
      'apply: field "body.quote.year" is converted (integer → decimal); those in 1 record fit',
      { year: '1999' },
    ],
    [
      'a narrower field whose values fit',
      story(
        body(quote(field('text', 'text', { max_length: 20 }), author('author'), field('year', 'integer')), {
          name: 'line',
        }),
      ),
      'apply: field "body.quote.text" takes other values (max_length none → 20); those in 1 record fit',
      { text: 'long words' },
    ],
  ];
  test.each(cases)('%s', async (_, types, note, value) => {
    expect((await notes(types)).filter((each) => each !== reindexed)).toEqual([note]);
    const before = await stored();
    await expect(syncSchema(database, types)).rejects.toThrow('recto migrate apply');
    expect(await stored()).toEqual(before);
    await migrateSchema(database, types);
    const after = await stored();
    if (value === undefined) expect(after).toEqual([{ block: 'line', id: expect.any(String) }]);
    else expect(after[0]).toMatchObject(value);
    expect(await notes(types)).toEqual([]);
  });

  test('references follow what they stand in', async () => {
    expect(await links()).toEqual([{ type: 'story', field: 'body', path: 'quote.author', target_type: 'author' }]);
    const renamed = {
      ...quote(text, author('writer', { renamed_from: 'author' }), field('year', 'integer')),
      name: 'citation',
    };
    await migrateSchema(database, story(body({ ...renamed, renamed_from: 'quote' }, { name: 'line' })));
    expect(await links()).toEqual([{ type: 'story', field: 'body', path: 'citation.writer', target_type: 'author' }]);
    const blocks = [{ ...renamed, fields: [text, author('writer'), field('year', 'integer')] }, { name: 'line' }];
    const main = { ...body(...blocks), name: 'main', renamed_from: 'body' };
    const people = { ...authors, singular: 'person', plural: 'authors', renamed_from: 'author' };
    await migrateSchema(
      database,
      definitionsOf(people, { singular: 'tale', plural: 'tales', renamed_from: 'story', fields: [main] }),
    );
    expect(await links()).toEqual([{ type: 'tale', field: 'main', path: 'citation.writer', target_type: 'person' }]);
  });
});

test('what values would not survive is refused', async () => {
  const refused = async (...inside: object[]) => {
    const types = story(body(quote(...inside), { name: 'line' }));
    const found = await notes(types);
    await expect(migrateSchema(database, types)).rejects.toThrow();
    return found;
  };
  const before = await stored();
  const year = field('year', 'integer');
  expect(await refused(field('text', 'text', { max_length: 3 }), author('author'), year)).toEqual([
    'refused: field "body.quote.text" takes other values (max_length none → 3), but the value is rejected: Must have at most 3 characters in 1 of 1 record',
  ]);
  expect(await refused(field('text', 'integer'), author('author'), year)).toEqual([
    'refused: field "body.quote.text" is converted (text → integer), but the value has no form as integer that leads back to it in 1 of 1 record',
  ]);
  expect(await refused(field('text', 'text', { required: true }), author('author'), year)).toEqual([
    'refused: field "body.quote.text" takes other values (required), but the value has no value in 1 of 1 record',
  ]);
  expect(await notes(story(field('body', 'group', { fields: [text] })))).toEqual([
    expect.stringMatching(/^refused: field "body"/),
    reindexed,
  ]);
  expect(await stored()).toEqual(before);
});
