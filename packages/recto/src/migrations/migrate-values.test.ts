// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { onPostgres } from '../../../../test/support/database/database.ts';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import type { SqlValue } from '../base/bindings.ts';
import {
  author,
  type Definition,
  encode,
  expectDone,
  field,
  migrate,
  refusal,
  relation,
  rows,
  stored,
  type,
} from './migration.fixture.ts';
import { syncSchema } from './sync-schema.ts';

describe('conversions', () => {
  const cases: readonly { from: string; to: string; value: SqlValue; wanted: unknown; options?: Definition }[] = [
    { from: 'text', to: 'integer', value: '12', wanted: 12 },
    { from: 'text', to: 'decimal', value: '1.5', wanted: encode('decimal', '1.5') },
    { from: 'integer', to: 'bigint', value: 7, wanted: onPostgres ? 7 : 7n },
    { from: 'integer', to: 'decimal', value: 7, wanted: encode('decimal', '7') },
    { from: 'integer', to: 'float', value: 7, wanted: 7 },
    { from: 'integer', to: 'text', value: 7, wanted: '7' },
    { from: 'boolean', to: 'text', value: encode('boolean', true), wanted: 'true' },
    { from: 'boolean', to: 'integer', value: encode('boolean', true), wanted: 1 },
    { from: 'date', to: 'datetime', value: '2026-11-21', wanted: '2026-11-21T00:00:00.000Z' },
    { from: 'datetime', to: 'date', value: '2026-11-21T00:00:00.000Z', wanted: '2026-11-21' },
    { from: 'text', to: 'json', value: 'x', wanted: '"x"' },
    { from: 'text', to: 'enum', value: 'new', wanted: 'new', options: { enum_values: ['new', 'old'] } },
    { from: 'text', to: 'email', value: 'a@example.org', wanted: 'a@example.org' },
    { from: 'text', to: 'uid', value: 'a-slug', wanted: 'a-slug' },
    { from: 'text', to: 'richtext', value: '<b>', wanted: '<b>' },
  ];

  test.each(cases)('$from to $to: $value', async ({ from, to, value, wanted, options }) => {
    await using database = await stored([type('thing', [field('it', from, {})])], {
      cms_thing: [{ id: 'a', it: value }, { id: 'b' }],
    });
    const after = [type('thing', [field('it', to, options)])];
    expect(await refusal(syncSchema(database, definitionsOf(...after)))).toContain('recto migrate apply');
    await migrate(database, after);
    expect(await rows(database, 'SELECT id, it FROM cms_thing ORDER BY id')).toEqual([
      { id: 'a', it: wanted },
      { id: 'b', it: null },
    ]);
    await expectDone(database, after);
  });

  const lossy: readonly { from: string; to: string; value: SqlValue; wanted: string; options?: Definition }[] = [
    {
      from: 'text',
      to: 'integer',
      value: '012',
      wanted: 'has no form as integer that leads back to it in 1 of 1 record (a)',
    },
    { from: 'text', to: 'boolean', value: 'yes', wanted: 'has no form as boolean' },
    { from: 'datetime', to: 'date', value: '2026-11-21T10:00:00.000Z', wanted: 'has no form as date' },
    {
      from: 'text',
      to: 'enum',
      value: 'other',
      wanted: 'is rejected: Must be one of: new',
      options: { enum_values: ['new'] },
    },
    { from: 'text', to: 'email', value: 'nobody', wanted: 'is rejected: Must be an e-mail address' },
    {
      from: 'text',
      to: 'password',
      value: 'hello',
      wanted: 'is stored as text in 1 record and defined as secret text;',
    },
    { from: 'text', to: 'integer', value: '500', wanted: 'is rejected: Must be 100 or less in', options: { max: 100 } },
    { from: 'time', to: 'date', value: '10:00:00', wanted: 'is stored as time in 1 record and defined as date;' },
  ];

  test.each(lossy)('$from to $to: $value is rejected', async ({ from, to, value, wanted, options }) => {
    await using database = await stored([type('thing', [field('it', from)])], { cms_thing: [{ id: 'a', it: value }] });
    expect(await refusal(migrate(database, [type('thing', [field('it', to, options)])]))).toContain(wanted);
    expect(await rows(database, 'SELECT it FROM cms_thing')).toEqual([{ it: value }]);
  });

  test('renamed and converted at once, unique and searched', async () => {
    await using database = await stored([type('thing', [field('number', 'integer'), field('name', 'text')])], {
      cms_thing: [
        { id: 'a', number: 1, name: 'x' },
        { id: 'b', number: 2 },
      ],
    });
    const after = [
      type('thing', [field('label', 'text', { renamed_from: 'number', unique: true }), field('name', 'text')]),
    ];
    await migrate(database, after);
    expect(await rows(database, 'SELECT id, label FROM cms_thing ORDER BY id')).toEqual([
      { id: 'a', label: '1' },
      { id: 'b', label: '2' },
    ]);
    await expectDone(database, after);
  });

  test('relations to one and to many become one another where nothing is lost', async () => {
    const one = [author, type('thing', [relation('who', 'many_to_one', 'authors')])];
    const many = [author, type('thing', [relation('who', 'many_to_many', 'authors')])];
    const unique = [author, type('thing', [relation('who', 'one_to_one', 'authors')])];
    await using database = await stored(one, {
      cms_author: [{ id: 'x' }, { id: 'y' }],
      cms_thing: [{ id: 'a', who: 'x' }, { id: 'b', who: 'x' }, { id: 'c' }],
    });
    await migrate(database, many);
    expect(await rows(database, 'SELECT * FROM "cms_thing$who" ORDER BY 1')).toEqual([
      { source_id: 'a', target_id: 'x', position: 0 },
      { source_id: 'b', target_id: 'x', position: 0 },
    ]);
    await expectDone(database, many);
    expect(await refusal(migrate(database, unique))).toContain('1 value of it stands in more than one record');
    await migrate(database, one);
    expect(await rows(database, 'SELECT id, who FROM cms_thing ORDER BY id')).toEqual([
      { id: 'a', who: 'x' },
      { id: 'b', who: 'x' },
      { id: 'c', who: null },
    ]);
    await expectDone(database, one);
    await migrate(database, many);
    await database.transaction(async (transaction) =>
      transaction.run({ sql: `INSERT INTO "cms_thing$who" VALUES ('a', 'y', 1)`, parameters: [] }),
    );
    expect(await refusal(migrate(database, one))).toContain('but names several in 1 of 2 records (a)');
  });
});

describe('narrowing', () => {
  const thing = (rest: Definition, kind = 'text') => [type('thing', [field('it', kind, rest)])];
  const filled = (value: SqlValue) => ({ cms_thing: [{ id: 'a', it: value }] });

  const cases: readonly [string, Definition, Definition, SqlValue, SqlValue][] = [
    ['text', {}, { max_length: 3 }, 'abc', 'abcd'],
    ['text', { max_length: 5 }, { max_length: 3 }, 'abc', 'abcd'],
    ['text', {}, { min_length: 2 }, 'ab', 'a'],
    ['text', { pattern: 'a' }, { pattern: 'b' }, 'ab', 'a'],
    ['integer', { min: 0 }, { min: 5 }, 5, 4],
    ['integer', {}, { max: 5 }, 5, 6],
    ['decimal', { max: '10' }, { max: '9.5' }, encode('decimal', '9.5'), encode('decimal', '9.51')],
    ['enum', { enum_values: ['a', 'b'] }, { enum_values: ['a'] }, 'a', 'b'],
  ];

  test.each(cases)('%s %p to %p', async (kind, before, after, good, bad) => {
    await using database = await stored(thing(before, kind), filled(good));
    const later = thing(after, kind);
    expect(await refusal(syncSchema(database, definitionsOf(...later)))).toContain('recto migrate apply');
    await migrate(database, later);
    await expectDone(database, later);
    await migrate(database, thing(before, kind));
    await using other = await stored(thing(before, kind), filled(bad));
    expect(await refusal(migrate(other, later))).toContain('in 1 of 1 record (a)');
  });

  test('required, where every record has a value', async () => {
    await using database = await stored(thing({}), filled('x'));
    const later = thing({ required: true });
    expect(await refusal(syncSchema(database, definitionsOf(...later)))).toContain('(required)');
    await migrate(database, later);
    await expectDone(database, later);
    await using other = await stored(thing({}), { cms_thing: [{ id: 'a' }, { id: 'b', it: 'x' }] });
    expect(await refusal(migrate(other, later))).toContain(
      'field "it" is defined as required, but has no value in 1 of 2 records (a)',
    );
  });

  test('is taken back by a start', async () => {
    await using database = await stored(thing({ max_length: 3, required: true, unique: true }), filled('abc'));
    await syncSchema(database, definitionsOf(...thing({ max_length: 4 })));
    await expectDone(database, thing({ max_length: 4 }));
  });

  test('is done by a start where nothing is stored', async () => {
    await using database = await stored(thing({}), { cms_thing: [{ id: 'a' }] });
    await syncSchema(database, definitionsOf(...thing({ max_length: 3, unique: true })));
    await expectDone(database, thing({ max_length: 3, unique: true }));
  });
});
