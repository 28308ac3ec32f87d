// databases: sqlite, postgres
import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../../../../test/support/database/database.ts';
import { definitionsOf } from '../../../../../test/support/definitions.ts';
import { isCurrent, syncSchema } from '../sync-schema.ts';
import { compareSchema, type SchemaComparison } from './schema-comparison.ts';
import { planSchema } from './schema-plan.ts';

const title = { name: 'title', field_type: 'text' };
const author = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const writer = {
  name: 'writer',
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target: 'authors' },
};

const article = (...more: readonly object[]) => ({ singular: 'article', plural: 'articles', fields: [title, ...more] });

/** What is defined first, what after that, and how that compares. */
const histories = {
  'the same': [[article(writer), author], [article(writer), author], 'same'],
  'in another order, with other words': [
    [article(writer), author],
    [author, { ...article({ ...writer, label: 'By' }), description: 'To be read.' }],
    'same',
  ],
  'with another rule': [[article()], [{ ...article(), api: { get: { filter: 'title != "x"' } } }], 'same'],
  'one field more': [[article()], [article({ name: 'summary', field_type: 'text' })], 'other'],
  'one field less': [[article({ name: 'summary', field_type: 'text' })], [article()], 'other'],
  'one type more': [[article()], [article(), author], 'other'],
  'one type less': [[article(), author], [article()], 'open'],
  'the first types': [[], [article(), author], 'other'],
  'no types': [[], [], 'same'],
  'a type in the place of another': [[article()], [author], 'other'],
  'a narrower field': [[article()], [{ ...article(), fields: [{ ...title, max_length: 10 }] }], 'other'],
  'an index': [[article()], [{ ...article(), fields: [{ ...title, max_length: 10, indexed: true }] }], 'other'],
  'a list that is found by an index': [
    [article()],
    [{ ...article(), fields: [{ ...title, max_length: 10 }], api: { list: { filter: 'title = "x"' } } }],
    'other',
  ],
  'another name of a field': [
    [article()],
    [{ ...article(), fields: [{ ...title, name: 'head', renamed_from: 'title' }] }],
    'other',
  ],
  'another name of a type': [
    [article()],
    [{ ...article(), singular: 'essay', plural: 'essays', renamed_from: 'article' }],
    'other',
  ],
  'a protocol': [[article()], [{ ...article(), protocols: ['lockable'] }], 'other'],
  'a type that was renamed before': [[article()], [{ ...article(), renamed_from: 'post' }], 'same'],
  'a single type': [[article()], [{ ...article(), kind: 'single' }], 'other'],
} as const satisfies Record<string, readonly [readonly object[], readonly object[], SchemaComparison]>;

for (const [name, [before, after, comparison]] of Object.entries(histories)) {
  test(`${name}: ${comparison}`, async () => {
    await using database = await openTestDatabase();
    await syncSchema(database, definitionsOf(...before));
    const types = definitionsOf(...after);
    expect(await compareSchema(database, types)).toBe(comparison);
    const plan = await planSchema(database, database.dialect, types);
    if (comparison !== 'open') expect(isCurrent(plan)).toBe(comparison === 'same');
  });
}

test('where more is stored than is defined, only a plan shows that there is nothing to do', async () => {
  await using database = await openTestDatabase();
  await syncSchema(database, definitionsOf(article({ name: 'summary', field_type: 'text' })));
  const types = definitionsOf(article());
  await syncSchema(database, types);
  expect(await compareSchema(database, types)).toBe('open');
  expect(isCurrent(await planSchema(database, database.dialect, types))).toBe(true);
});
