import { describe, expect, test } from 'bun:test';
import { onPostgres, openTestDatabase, query, type TestDatabase } from '../../../test/database.ts';
import { definitionsOf } from '../../../test/definitions.ts';
import { expectSchemaAgrees } from '../../../test/schema-agrees.ts';
import type { SqlValue } from '../../bindings/bindings.ts';
import { StartRefused } from '../../errors/start-refused.ts';
import { postgresDialect } from '../postgres/postgres-dialect.ts';
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts';
import { migrateSchema } from './migrate-schema.ts';
import { reindex } from './reindex.ts';
import { noDrops, planSchema } from './schema-plan.ts';
import { searchedFields } from './searched-fields.ts';
import { syncSchema } from './sync-schema.ts';

const dialect = onPostgres ? postgresDialect : sqliteDialect;
const { encode } = dialect;

type Definition = Readonly<Record<string, unknown>>;

const field = (name: string, type: string, rest: Definition = {}) => ({ name, field_type: type, ...rest });
const relation = (name: string, kind: string, target: string, rest: Definition = {}) =>
  field(name, 'relation', { relation: { relation_type: kind, target }, ...rest });
const type = (singular: string, fields: readonly unknown[], rest: Definition = {}) => ({
  singular,
  plural: `${singular}s`,
  fields,
  ...rest,
});

/** A database with `definitions`, and `rows` by table. */
async function stored(definitions: readonly unknown[], rows: Readonly<Record<string, readonly Row[]>>) {
  const database = await openTestDatabase();
  const types = definitionsOf(...definitions);
  await syncSchema(database, types);
  await database.transaction(async (transaction) => {
    for (const [table, records] of Object.entries(rows)) {
      for (const record of records) {
        const names = Object.keys(record).map((name) => `"${name}"`);
        const insert = `INSERT INTO "${table}" (${names}) VALUES (${names.map(() => '?')})`;
        await transaction.run(query(insert, ...Object.values(record)));
      }
    }
    const searched = types.all.filter((one) => searchedFields(one).length > 0);
    for (const one of searched) await reindex(transaction, database.dialect, one);
  });
  return database;
}

type Row = Readonly<Record<string, SqlValue>>;

async function rows(database: TestDatabase, statement: string): Promise<readonly unknown[]> {
  // As every request does, which also tells the connection of changed columns.
  await database.generations.refresh();
  return database.rows({ sql: statement, parameters: [] });
}

/** The tables of records. */
async function tablesOf(database: TestDatabase): Promise<readonly string[]> {
  const all = onPostgres
    ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()'
    : "SELECT name FROM sqlite_schema WHERE type = 'table'";
  const found = await database.rows<{ name: string }>({ sql: all, parameters: [] });
  return found.map(({ name }) => name).filter((name) => name.startsWith('cms_'));
}

const migrate = (database: TestDatabase, definitions: readonly unknown[], drop: readonly string[] = []) =>
  migrateSchema(database, definitionsOf(...definitions), { all: false, names: drop });

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StartRefused)) throw new Error(`Expected a refusal, got ${String(error)}`);
  return error.message;
}

/** Nothing is left to do, and all that is stored agrees with what is remembered. */
async function expectDone(database: TestDatabase, definitions: readonly unknown[]): Promise<void> {
  const plan = await planSchema(database, database.dialect, definitionsOf(...definitions));
  expect({ notes: plan.notes, steps: plan.steps.map(({ sql }) => sql) }).toEqual({ notes: [], steps: [] });
  await expectAgrees(database);
}

/** What a file holds is held against what it remembers; a server keeps to its own references and types. */
async function expectAgrees(database: TestDatabase): Promise<void> {
  if (!onPostgres) await expectSchemaAgrees(database.path);
}

const author = type('author', [field('name', 'text')]);

describe('renames', () => {
  test('a field keeps its values, its index, its junction and its words', async () => {
    const before = [
      author,
      type('article', [
        field('title', 'text'),
        field('code', 'integer', { unique: true }),
        relation('writer', 'many_to_one', 'authors'),
        relation('editors', 'many_to_many', 'authors'),
      ]),
    ];
    const after = [
      author,
      type('article', [
        field('headline', 'text', { renamed_from: 'title' }),
        field('number', 'integer', { unique: true, renamed_from: 'code' }),
        relation('by', 'many_to_one', 'authors', { renamed_from: 'writer' }),
        relation('team', 'many_to_many', 'authors', { renamed_from: 'editors' }),
      ]),
    ];
    await using database = await stored(before, {
      cms_author: [{ id: 'x', name: 'Ann' }],
      cms_article: [{ id: 'a', title: 'One', code: 5, writer: 'x' }],
      cms_article$editors: [{ source_id: 'a', target_id: 'x', position: 0 }],
    });
    const refused = await refusal(syncSchema(database, definitionsOf(...after)));
    expect(refused).toContain('field "title" is renamed to "headline", with its values in 1 record.');
    expect(refused).toContain('recto migrate apply');
    expect((await migrate(database, after)).records).toEqual({ article: 1 });
    expect(await rows(database, 'SELECT id, headline, number, "by" FROM cms_article')).toEqual([
      { id: 'a', headline: 'One', number: 5, by: 'x' },
    ]);
    expect(await rows(database, 'SELECT * FROM "cms_article$team"')).toEqual([
      { source_id: 'a', target_id: 'x', position: 0 },
    ]);
    await expectDone(database, after);
    await syncSchema(database, definitionsOf(...after));
  });

  test('a type keeps its records, and what refers to it follows', async () => {
    const fields = [
      field('title', 'text', { unique: true }),
      relation('parent', 'many_to_one', 'articles'),
      relation('tags', 'many_to_many', 'tags'),
    ];
    const comment = (target: string) =>
      type('comment', [relation('on', 'many_to_one', target), relation('also', 'many_to_many', target)]);
    const unused = type('old', [relation('about', 'many_to_one', 'articles')]);
    const tag = type('tag', [field('word', 'text')]);
    await using database = await stored([type('article', fields), comment('articles'), tag, unused], {
      cms_tag: [{ id: 't', word: 'x' }],
      cms_article: [
        { id: 'a', title: 'One' },
        { id: 'b', title: 'Two', parent: 'a' },
      ],
      cms_article$tags: [{ source_id: 'b', target_id: 't', position: 0 }],
      cms_comment: [{ id: 'c', on: 'a' }],
      cms_comment$also: [{ source_id: 'c', target_id: 'b', position: 0 }],
      cms_old: [{ id: 'o', about: 'b' }],
    });
    const after = [
      type('story', [fields[0], relation('above', 'many_to_one', 'storys', { renamed_from: 'parent' }), fields[2]], {
        renamed_from: 'article',
      }),
      comment('storys'),
      tag,
    ];
    expect(await refusal(syncSchema(database, definitionsOf(...after)))).toContain(
      'content type "story": is renamed from "article", with its 2 records.',
    );
    await migrate(database, after);
    expect(await rows(database, 'SELECT id, title, above FROM cms_story ORDER BY id')).toEqual([
      { id: 'a', title: 'One', above: null },
      { id: 'b', title: 'Two', above: 'a' },
    ]);
    expect(await rows(database, 'SELECT target_id FROM "cms_story$tags"')).toEqual([{ target_id: 't' }]);
    await expectDone(database, after);
    // Its references are the same as before.
    await migrate(database, [...after, type('old', [relation('about', 'many_to_one', 'storys')])]);
    expect(await rows(database, 'SELECT about FROM cms_old')).toEqual([{ about: 'b' }]);
    await database.transaction(async (transaction) =>
      transaction.run({ sql: 'DELETE FROM cms_story', parameters: [] }),
    );
    expect(await rows(database, 'SELECT about FROM cms_old')).toEqual([{ about: null }]);
  });

  test('over an empty new name: as if it had been told at once', async () => {
    const note = (target: string) => type('note', [relation('on', 'many_to_one', target)]);
    await using database = await stored([type('article', [field('title', 'text'), field('lead', 'text')])], {
      cms_article: [{ id: 'a', title: 'One', lead: 'L' }],
    });
    const later = type('story', [field('title', 'text'), field('intro', 'text')]);
    await syncSchema(database, definitionsOf(later, note('storys')));
    const after = [
      type('story', [field('title', 'text'), field('intro', 'text', { renamed_from: 'lead' })], {
        renamed_from: 'article',
      }),
      note('storys'),
    ];
    await migrate(database, after);
    expect(await rows(database, 'SELECT id, title, intro FROM cms_story')).toEqual([
      { id: 'a', title: 'One', intro: 'L' },
    ]);
    await expectDone(database, after);
  });

  test('revisions and drafts follow', async () => {
    const versioned = { protocols: [{ name: 'versionable', drafts: true }, 'statusable'] };
    const revision = (of: string, body: object): Row => ({
      type: of,
      record: 'a',
      revision: 1,
      action: 'create',
      at: '2026-11-21T10:00:00.000Z',
      changed: JSON.stringify(Object.keys(body)),
      private_fields: '[]',
      body: JSON.stringify(body),
    });
    await using database = await stored(
      [type('article', [field('title', 'text'), field('lead', 'text')], versioned), type('note', [], versioned)],
      {
        recto_revisions: [revision('article', { title: 'One', lead: 'L' }), revision('note', {})],
        cms_article: [{ id: 'a', title: 'One', __draft: '{"changes":{"title":"Two"},"base":{"title":"One"}}' }],
      },
    );
    const after = type('story', [field('headline', 'text', { renamed_from: 'title' }), field('lead', 'text')], {
      ...versioned,
      renamed_from: 'article',
    });
    await migrate(database, [after], ['note']);
    expect(await rows(database, 'SELECT type, changed, body FROM recto_revisions')).toEqual([
      { type: 'story', changed: '["headline","lead"]', body: '{"headline":"One","lead":"L"}' },
    ]);
    expect(await rows(database, 'SELECT __draft FROM cms_story')).toEqual([
      { __draft: '{"changes":{"headline":"Two"},"base":{"headline":"One"}}' },
    ]);
  });

  test('are refused where both names hold something', async () => {
    await using database = await stored(
      [type('article', [field('title', 'text'), field('lead', 'text')]), type('story', [])],
      {
        cms_article: [{ id: 'a', title: 'One', lead: 'L' }],
        cms_story: [{ id: 's' }],
      },
    );
    const fields = await refusal(
      migrate(database, [type('article', [field('lead', 'text', { renamed_from: 'title' })]), type('story', [])]),
    );
    expect(fields).toContain('field "lead" is renamed from "title", but both hold values (in 1 and 1 record)');
    const types = await refusal(migrate(database, [type('story', [], { renamed_from: 'article' })]));
    expect(types).toContain('is renamed from "article", but both hold records (1 and 1)');
    await expectAgrees(database);
  });
});

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
      wanted: 'is refused: Must be one of: new',
      options: { enum_values: ['new'] },
    },
    { from: 'text', to: 'email', value: 'nobody', wanted: 'is refused: Must be an e-mail address' },
    {
      from: 'text',
      to: 'password',
      value: 'hello',
      wanted: 'is stored as text in 1 record and defined as secret text;',
    },
    { from: 'text', to: 'integer', value: '500', wanted: 'is refused: Must be 100 or less in', options: { max: 100 } },
    { from: 'time', to: 'date', value: '10:00:00', wanted: 'is stored as time in 1 record and defined as date;' },
  ];

  test.each(lossy)('$from to $to: $value is refused', async ({ from, to, value, wanted, options }) => {
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

describe('drops', () => {
  const tag = type('tag', [field('word', 'text'), relation('next', 'many_to_one', 'tags')]);
  const article = (...fields: readonly unknown[]) => type('article', [field('title', 'text'), ...fields]);
  const whole = [
    tag,
    article(
      field('lead', 'text', { unique: true }),
      relation('tag', 'many_to_one', 'tags'),
      relation('tags', 'many_to_many', 'tags'),
    ),
    type('old', [relation('tag', 'many_to_one', 'tags')]),
  ];
  const filled = {
    cms_tag: [{ id: 't', word: 'x', next: 't' }],
    cms_article: [{ id: 'a', title: 'One', lead: 'L', tag: 't' }],
    cms_article$tags: [{ source_id: 'a', target_id: 't', position: 0 }],
    cms_old: [{ id: 'o', tag: 't' }],
  };

  test('happen only by name, of what no definition has', async () => {
    await using database = await stored(whole, filled);
    expect(await refusal(migrate(database, whole, ['article.lead', 'tag', 'article.nothing', 'nobody']))).toBe(
      [
        'The content type definitions do not fit what the database holds; nothing was changed.',
        '  definition-2: content type "article": field "lead" cannot be dropped while it is defined; leave it out of the definition first.',
        '  definition-1: content type "tag": cannot be dropped while it is defined; leave it out of the definition first.',
        '  content type "article": field "nothing" is not stored; nothing is unused.',
        '  content type "nobody": is not stored; nothing is unused.',
      ].join('\n'),
    );
    const left = [
      tag,
      article(relation('tag', 'many_to_one', 'tags'), relation('tags', 'many_to_many', 'tags')),
      whole[2],
    ];
    const plan = await planSchema(database, database.dialect, definitionsOf(...left));
    expect(plan.unused).toEqual([{ type: 'article', field: 'lead' }]);
    await migrate(database, left);
    expect(await rows(database, 'SELECT lead FROM cms_article')).toEqual([{ lead: 'L' }]);
    const { plan: dropped } = await migrate(database, left, ['article.lead']);
    expect(dropped.notes.map(({ what }) => what)).toEqual(['field "lead" is dropped, with its values in 1 record']);
    await expectDone(database, left);
  });

  test('a type goes with what refers to it', async () => {
    await using database = await stored(whole, filled);
    const left = [article(field('lead', 'text', { unique: true }))];
    await migrate(database, left, ['tag']);
    expect((await tablesOf(database)).filter((table) => table.startsWith('cms_tag'))).toEqual([]);
    await expectDone(database, left);
    expect(await rows(database, 'SELECT id FROM cms_old')).toEqual([{ id: 'o' }]);
    await database.transaction(async (transaction) =>
      transaction.run({ sql: `DELETE FROM cms_article`, parameters: [] }),
    );
  });

  test('all that is unused', async () => {
    await using database = await stored(whole, filled);
    const left = [article()];
    await migrateSchema(database, definitionsOf(...left), { all: true, names: [] });
    await expectDone(database, left);
    expect((await planSchema(database, database.dialect, definitionsOf(...left), noDrops)).unused).toEqual([]);
    expect((await tablesOf(database)).filter((table) => !table.includes('search'))).toEqual(['cms_article']);
  });
});
