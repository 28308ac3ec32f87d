import { expect, test } from 'bun:test';
import { openTestDatabase } from '../../../test/database.ts';
import { definitionsOf } from '../../../test/definitions.ts';
import { planSchema } from './schema-plan.ts';
import { isCurrent, syncSchema } from './sync-schema.ts';
import { isUnchanged } from './unchanged-schema.ts';

const title = { name: 'title', field_type: 'text' };
const author = { singular: 'author', plural: 'authors', fields: [{ name: 'name', field_type: 'text' }] };
const writer = {
  name: 'writer',
  field_type: 'relation',
  relation: { relation_type: 'many_to_one', target: 'authors' },
};

const article = (...more: readonly object[]) => ({ singular: 'article', plural: 'articles', fields: [title, ...more] });

/** What is defined first, what after that, and whether that is the same to the database. */
const histories = {
  'the same': [[article(writer), author], [article(writer), author], true],
  'in another order, with other words': [
    [article(writer), author],
    [author, { ...article({ ...writer, label: 'By' }), description: 'To be read.' }],
    true,
  ],
  'with another rule': [[article()], [{ ...article(), api: { get: { filter: 'title != "x"' } } }], true],
  'one field more': [[article()], [article({ name: 'summary', field_type: 'text' })], false],
  'one field less': [[article({ name: 'summary', field_type: 'text' })], [article()], false],
  'one type more': [[article()], [article(), author], false],
  'one type less': [[article(), author], [article()], false],
  'a type in the place of another': [[article()], [author], false],
  'a narrower field': [[article()], [{ ...article(), fields: [{ ...title, max_length: 10 }] }], false],
  'an index': [[article()], [{ ...article(), fields: [{ ...title, max_length: 10, indexed: true }] }], false],
  'a list that is found by an index': [
    [article()],
    [{ ...article(), fields: [{ ...title, max_length: 10 }], api: { list: { filter: 'title = "x"' } } }],
    false,
  ],
  'another name of a field': [
    [article()],
    [{ ...article(), fields: [{ ...title, name: 'head', renamed_from: 'title' }] }],
    false,
  ],
  'another name of a type': [
    [article()],
    [{ ...article(), singular: 'essay', plural: 'essays', renamed_from: 'article' }],
    false,
  ],
  'a protocol': [[article()], [{ ...article(), protocols: ['lockable'] }], false],
  'a type that was renamed before': [[article()], [{ ...article(), renamed_from: 'post' }], true],
  'a single type': [[article()], [{ ...article(), kind: 'single' }], false],
} as const satisfies Record<string, readonly [readonly object[], readonly object[], boolean]>;

for (const [name, [before, after, same]] of Object.entries(histories)) {
  test(`${name} is ${same ? 'the same' : 'not the same'} to the database`, async () => {
    await using database = await openTestDatabase();
    await syncSchema(database, definitionsOf(...before));
    const types = definitionsOf(...after);
    expect(await isUnchanged(database, types)).toBe(same);
    if (same) expect(isCurrent(await planSchema(database, database.dialect, types))).toBe(true);
  });
}
