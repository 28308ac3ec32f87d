// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { definitionsOf } from '../../../../test/support/definitions.ts';
import { migrateSchema } from './migrate-schema.ts';
import {
  author,
  expectAgrees,
  expectDone,
  field,
  migrate,
  type Row,
  refusal,
  relation,
  rows,
  stored,
  tablesOf,
  type,
} from './migration.fixture.ts';
import { noDrops, planSchema } from './plan/schema-plan.ts';
import { syncSchema } from './sync-schema.ts';

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

  test('over an empty new name: as if it had been renamed at once', async () => {
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

  test('are rejected where both names hold something', async () => {
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
