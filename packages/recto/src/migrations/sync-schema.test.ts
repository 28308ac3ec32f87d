// databases: sqlite, postgres
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { sql } from 'kysely';
import {
  becomes,
  onPostgres,
  openTestDatabase,
  query,
  type TestDatabase,
} from '../../../../test/support/database/database.ts';
import { type FieldSample, sampleType, sampleTypes } from '../../../../test/support/type-samples.ts';
import type { SqlValue } from '../base/bindings.ts';
import { FatalError } from '../base/fatal-error.ts';
import { compiledQuery } from '../database/compiled-query.ts';
import type { ContentType } from '../definition/content-type.ts';
import { migrateSchema } from './migrate-schema.ts';
import { type SchemaReport, syncSchema } from './sync-schema.ts';

type Fields = Readonly<Record<string, FieldSample>>;

const toOne = (column: string, target: string, unique = false): FieldSample => ({
  is: 'relation',
  unique,
  place: { shape: 'to_one', column, target },
});

const toMany = (junction: string, target: string): FieldSample => ({
  is: 'relation',
  place: { shape: 'to_many', junction, target },
});

const author = sampleType('author', { name: 'text' });
const team = sampleType('team', { name: 'text' });
const article = (fields: Fields, kind?: ContentType['kind']) => sampleType('article', fields, kind);

const sync = (database: TestDatabase, ...types: readonly ContentType[]) => syncSchema(database, sampleTypes(...types));

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof FatalError)) throw new Error(`Expected an error, got ${String(error)}`);
  return error.message;
}

async function add(database: TestDatabase, table: string, values: Readonly<Record<string, SqlValue>>): Promise<void> {
  const columns = sql.join(Object.keys(values).map((name) => sql.id(name)));
  const statement = sql`insert into ${sql.id(table)} (${columns}) values (${sql.join(Object.values(values))})`;
  await database.transaction(async (transaction) => transaction.run(compiledQuery(statement, database.dialect)));
}

const all = (database: TestDatabase, statement: string) => database.rows<unknown>({ sql: statement, parameters: [] });

const run = (database: TestDatabase, statement: string) =>
  database.transaction(async (transaction) => transaction.run({ sql: statement, parameters: [] }));

/** Every column and index as the database knows it. */
const schemaText = (database: TestDatabase) =>
  onPostgres
    ? all(
        database,
        `SELECT table_name AS name, string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position) AS sql
            FROM information_schema.columns WHERE table_schema = current_schema() GROUP BY table_name
          UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY name`,
      )
    : all(database, 'SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name');

/** Columns with the type of what they hold, in their order. */
const columnsOf = (database: TestDatabase, table: string) =>
  onPostgres
    ? all(
        database,
        `SELECT column_name AS name, data_type AS type FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = '${table}' ORDER BY ordinal_position`,
      )
    : all(database, `SELECT name, type FROM pragma_table_info('${table}') ORDER BY cid`);

/** The indexes on columns besides the id, and whether they are unique. */
async function indexesOf(database: TestDatabase, table: string): Promise<Readonly<Record<string, boolean>>> {
  const rows = await database.rows<{ name: string; one: number | boolean }>(
    onPostgres
      ? query(
          `SELECT relname AS name, indisunique AS one FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE indrelid = CAST(? AS text)::regclass AND NOT indisprimary AND relname NOT LIKE '%$id$unique' ORDER BY relname`,
          `"${table}"`,
        )
      : query(`SELECT name, "unique" AS one FROM pragma_index_list(?) WHERE origin = 'c' ORDER BY name`, table),
  );
  return Object.fromEntries(rows.map(({ name, one }) => [name, Boolean(one)]));
}

const hasTable = async (database: TestDatabase, table: string): Promise<boolean> =>
  (await database.rows(database.dialect.schema.columns(table))).length > 0;

describe('a new database', () => {
  const fields: Fields = {
    title: 'text',
    slug: 'uid',
    email: { is: 'email', unique: true },
    views: 'integer',
    big: 'bigint',
    price: 'decimal',
    score: 'float',
    open: 'boolean',
    at: 'datetime',
    data: 'json',
    writer: toOne('writer', 'author'),
    cover: toOne('cover', 'author', true),
    tags: toMany('cms_article$tags', 'team'),
    inverse: { is: 'relation', place: { shape: 'inverse', target: 'author', mappedBy: 'x' } },
  };

  test('gets tables that hold every field', async () => {
    await using database = await openTestDatabase();
    // The first type refers to later ones, and to itself.
    const types = [article({ ...fields, parent: toOne('parent', 'article') }), author, team];
    expect(await sync(database, ...types)).toEqual({
      created: ['article', 'author', 'team'],
      changed: [],
      reindexed: [],
    });
    const columns = await columnsOf(database, 'cms_article');
    const [whole, text, big, score] = onPostgres
      ? ['bigint', 'text', 'bigint', 'double precision']
      : ['INTEGER', 'TEXT', 'BIGINT', 'REAL'];
    const named = (name: string, type: string | undefined) => ({ name, type });
    expect(columns.slice(0, 2)).toEqual([named('$row', whole), named('id', text)]);
    expect(columns.slice(2)).toEqual(
      expect.arrayContaining([named('title', text), named('big', big), named('score', score), named('cover', text)]),
    );
    expect(columns).toHaveLength(2 + 12 + 1);
    expect(await indexesOf(database, 'cms_article')).toEqual({
      cms_article$cover$unique: true,
      cms_article$email$unique: true,
      cms_article$parent$index: false,
      cms_article$slug$unique: true,
      cms_article$writer$index: false,
    });
    await database.generations.refresh();
    expect(['article', 'author', 'team'].map((name) => database.generations.of(name)).includes(0)).toBe(false);
  });

  test('keeps references whole', async () => {
    await using database = await openTestDatabase();
    await sync(database, article(fields), author, team);
    await add(database, 'cms_author', { id: 'x' });
    await add(database, 'cms_team', { id: 't' });
    await add(database, 'cms_article', { id: 'a', writer: 'x' });
    await add(database, 'cms_article$tags', { source_id: 'a', target_id: 't', position: 0 });
    await expect(add(database, 'cms_article', { id: 'b', writer: 'nobody' })).rejects.toThrow(/foreign key/i);
    await expect(add(database, 'cms_article$tags', { source_id: 'a', target_id: 't', position: 1 })).rejects.toThrow(
      /unique/i,
    );
    await run(database, 'DELETE FROM cms_author');
    expect(await all(database, 'SELECT id, writer FROM cms_article')).toEqual([{ id: 'a', writer: null }]);
    await run(database, 'DELETE FROM cms_team');
    expect(await all(database, 'SELECT * FROM "cms_article$tags"')).toEqual([]);
  });

  test('the same definitions again change nothing, whatever the order of their fields', async () => {
    await using database = await openTestDatabase();
    await sync(database, article(fields), author, team);
    const before = await schemaText(database);
    const again = article(Object.fromEntries(Object.entries(fields).toReversed()));
    const report = await sync(database, again, author, team);
    expect(report.created).toEqual([]);
    expect(report.reindexed).toEqual([]);
    expect(await schemaText(database)).toEqual(before);
    await sync(database, again, author, team);
    await database.generations.refresh();
    const generation = database.generations.of('article');
    await sync(database, again, author, team);
    await database.generations.refresh();
    expect(database.generations.of('article')).toBe(generation);
  });

  test('five hundred types', async () => {
    await using database = await openTestDatabase();
    const many = Array.from({ length: 500 }, (_, index) =>
      sampleType(`type${index}`, { title: 'text', slug: 'uid', next: toOne('next', `type${(index + 1) % 500}`) }),
    );
    expect((await sync(database, ...many)).created).toHaveLength(500);
    expect(await sync(database, ...many)).toEqual({ created: [], changed: [], reindexed: [] });
    await add(database, 'cms_type7', { id: 'a' });
  }, 600_000);

  test.skipIf(!onPostgres)('a start waits for another one that takes longer than a transaction waits', async () => {
    await using database = await openTestDatabase();
    const patient = await database.again({ busyTimeoutMs: 50 });
    const done: Promise<SchemaReport>[] = [];
    const waits = query(`SELECT xact_start::text AS began FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND application_name = current_setting('application_name')`);
    const waited = new Set<string>();
    await database.transaction(async (transaction) => {
      await transaction.run(query('CREATE TABLE cms_type1 (id text)'));
      if (done.length === 0) done.push(syncSchema(patient, sampleTypes(sampleType('type1', { title: 'text' }))));
      await becomes(async () => {
        for (const { began } of await database.rows<{ began: string }>(waits)) waited.add(began);
        return waited.size > 2;
      }, true);
      await transaction.run(query('DROP TABLE cms_type1'));
    });
    expect(await Promise.all(done)).toEqual([{ created: ['type1'], changed: [], reindexed: [] }]);
    await patient.close();
  });

  test('two processes that start at once', async () => {
    await using database = await openTestDatabase();
    const script = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dir, '../database/open-database.ts'))};
      import { rectoTables } from ${JSON.stringify(join(import.meta.dir, '../service/recto-tables.ts'))};
      import { syncSchema } from ${JSON.stringify(join(import.meta.dir, 'sync-schema.ts'))};
      import { sampleType, sampleTypes } from ${JSON.stringify(join(import.meta.dir, '../../../../test/support/type-samples.ts'))};
      const database = await openDatabase(${JSON.stringify(database.location)}, { engine: rectoTables });
      const types = Array.from({ length: 30 }, (_, index) => sampleType('type' + index, { title: 'text' }));
      const { created } = await syncSchema(database, sampleTypes(...types));
      process.stdout.write(String(created.length));
      await database.close();`;
    const children = [0, 1, 2].map(() => Bun.spawn([process.execPath, '-e', script], { stderr: 'inherit' }));
    const created = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    expect(created.toSorted()).toEqual(['0', '0', '30']);
  });
});

describe('a changed definition', () => {
  test('a new field is there, with its default in the records there are', async () => {
    await using database = await openTestDatabase();
    await sync(database, article({ title: 'text' }), author);
    await add(database, 'cms_article', { id: 'a', title: 'One' });
    const report = await sync(
      database,
      article({
        title: 'text',
        views: { is: 'integer', default: 3 },
        open: { is: 'boolean', default: false },
        price: { is: 'decimal', default: '12.5' },
        labels: { is: 'json', default: ['x'] },
        note: 'text',
        slug: { is: 'uid', default: 'same' },
        writer: toOne('writer', 'author'),
        friends: toMany('cms_article$friends', 'author'),
      }),
      author,
    );
    expect(report).toEqual({ created: [], changed: ['article'], reindexed: ['article'] });
    const { dialect } = database;
    expect(
      await all(database, 'SELECT title, views, open, price, labels, note, slug, writer FROM cms_article'),
    ).toEqual([
      {
        title: 'One',
        views: 3,
        open: onPostgres ? false : 0,
        price: dialect.encode('decimal', '12.5'),
        labels: '["x"]',
        note: null,
        slug: null,
        writer: null,
      },
    ]);
    expect(await all(database, 'SELECT * FROM "cms_article$friends"')).toEqual([]);
  });

  test('a field or type left out stays, and comes back with its values', async () => {
    await using database = await openTestDatabase();
    const whole = article({
      title: 'text',
      views: 'integer',
      writer: toOne('writer', 'author'),
      friends: toMany('cms_article$friends', 'author'),
    });
    await sync(database, whole, author);
    await add(database, 'cms_author', { id: 'x' });
    await add(database, 'cms_article', { id: 'a', title: 'One', views: 5, writer: 'x' });
    await add(database, 'cms_article$friends', { source_id: 'a', target_id: 'x', position: 0 });
    const before = await schemaText(database);
    await sync(database, article({ title: 'text' }), author);
    await sync(database, author);
    await sync(database, article({ title: 'text', other: 'text' }), author);
    await sync(database, whole, author);
    expect(await all(database, 'SELECT title, views, writer FROM cms_article')).toEqual([
      { title: 'One', views: 5, writer: 'x' },
    ]);
    expect(await all(database, 'SELECT target_id FROM "cms_article$friends"')).toEqual([{ target_id: 'x' }]);
    expect((await schemaText(database)).length).toBe(before.length);
  });

  test('types of field that are stored alike change into one another', async () => {
    await using database = await openTestDatabase();
    const state: FieldSample = { is: 'enum', options: { enum_values: ['new', 'old'] } };
    await sync(database, article({ body: 'text', state }));
    await add(database, 'cms_article', { id: 'a', body: '<b>x</b>', state: 'new' });
    const changed = article({ body: 'richtext', state: 'text' });
    expect(await refusal(sync(database, changed))).toContain('field "state" takes other values (enum → text)');
    await migrateSchema(database, sampleTypes(changed));
    expect(await all(database, 'SELECT body, state FROM cms_article')).toEqual([{ body: '<b>x</b>', state: 'new' }]);
  });

  test('unique comes and goes', async () => {
    await using database = await openTestDatabase();
    await sync(database, article({ code: 'text', boss: toOne('boss', 'author') }), author);
    await add(database, 'cms_article', { id: 'a', code: '1' });
    await add(database, 'cms_article', { id: 'b', code: null });
    await add(database, 'cms_article', { id: 'c', code: null });
    const unique = article({ code: { is: 'text', unique: true }, boss: toOne('boss', 'author', true) });
    expect(await refusal(sync(database, unique, author))).toContain('its values in 1 record all differ');
    await migrateSchema(database, sampleTypes(unique, author));
    await expect(add(database, 'cms_article', { id: 'd', code: '1' })).rejects.toThrow(/unique/i);
    expect(await indexesOf(database, 'cms_article')).toEqual({
      cms_article$boss$unique: true,
      cms_article$code$unique: true,
    });
    await sync(database, article({ code: 'text', boss: toOne('boss', 'author') }), author);
    await add(database, 'cms_article', { id: 'd', code: '1' });
    expect(await indexesOf(database, 'cms_article')).toEqual({ cms_article$boss$index: false });
  });

  test('storage that holds no value is replaced', async () => {
    await using database = await openTestDatabase();
    const before = {
      views: 'text',
      code: { is: 'text', unique: true },
      boss: toOne('boss', 'author'),
      tags: toMany('cms_article$tags', 'author'),
    } as const;
    await sync(database, article(before), author, team);
    await add(database, 'cms_article', { id: 'a' });
    await sync(
      database,
      article({ views: 'integer', code: 'integer', boss: toOne('boss', 'team'), tags: toOne('tags', 'author') }),
      author,
      team,
    );
    await add(database, 'cms_team', { id: 't' });
    await add(database, 'cms_article', { id: 'b', views: 7, code: 1, boss: 't' });
    expect(await all(database, `SELECT views, boss, tags FROM cms_article WHERE id = 'b'`)).toEqual([
      { views: 7, boss: 't', tags: null },
    ]);
    expect(await hasTable(database, 'cms_article$tags')).toBe(false);
    await run(database, 'DELETE FROM cms_article');
    await sync(database, article(before), author, team);
  });

  test('a search index of an older form is made anew once, where the form has changed', async () => {
    await using database = await openTestDatabase();
    const types = [article({ title: 'text' }), author, sampleType('number', { views: 'integer' })];
    await sync(database, ...types);
    await add(database, 'cms_article', { id: 'a', title: 'Crème' });
    await run(
      database,
      `UPDATE recto_schema SET snapshot = replace(snapshot, ',"searchForm":2', '') WHERE type = 'article'`,
    );
    if (!onPostgres) await run(database, 'DROP TABLE "cms_article$search"');
    const { created, changed, reindexed } = await sync(database, ...types);
    expect({ created, changed, reindexed }).toEqual({
      created: [],
      changed: ['article'],
      reindexed: onPostgres ? [] : ['article'],
    });
    if (!onPostgres) {
      const [{ sql: text } = { sql: '' }] = await database.rows<{ sql: string }>({
        sql: `SELECT sql FROM sqlite_schema WHERE name = 'cms_article$search'`,
        parameters: [],
      });
      expect(text).toContain(`prefix = '1 2 3 4 5 6'`);
      const found = `SELECT count(*) AS found FROM "cms_article$search" WHERE "cms_article$search" MATCH 'crem*'`;
      expect(await all(database, found)).toEqual([{ found: 1 }]);
    }
    expect(await sync(database, ...types)).toEqual({ created: [], changed: [], reindexed: [] });
  });

  test('the search index follows the searchable fields', async () => {
    await using database = await openTestDatabase();
    const found = async (word: string, columns: readonly string[]): Promise<number> => {
      const { search } = database.dialect;
      const match = sql.val(search.match(columns, [word]));
      const counted = compiledQuery(
        sql`select count(*) as "count" from "cms_article" as "t" where ${search.matches('cms_article', 't', columns, match)}`,
        database.dialect,
      );
      return (await database.first<{ count: number }>(counted))?.count ?? -1;
    };
    await sync(database, article({ views: 'integer' }));
    for (let index = 0; index < 450; index++) await add(database, 'cms_article', { id: `a${index}` });
    await sync(database, article({ views: 'integer', title: 'text' }));
    await run(database, `UPDATE cms_article SET title = 'Crème ' || id`);
    expect(
      (await sync(database, article({ title: 'text', body: { is: 'text', default: 'Some words' } }))).reindexed,
    ).toEqual(['article']);
    expect(await found('creme', ['title'])).toBe(450);
    expect(await found('words', ['body'])).toBe(450);
    expect(await found('a449', ['title', 'body'])).toBe(1);
    // A private field's words leave the index.
    await sync(database, article({ title: 'text', body: { is: 'text', private: true } }));
    expect(await found('words', ['title'])).toBe(0);
    if (!onPostgres) await expect(found('words', ['body'])).rejects.toThrow('no such column');
    await sync(database, article({ title: { is: 'text', private: true } }));
    expect(await hasTable(database, 'cms_article$search')).toBe(false);
  });
});

describe('a definition that what is stored does not allow', () => {
  test('all errors of all types are reported at once, and nothing is changed', async () => {
    await using database = await openTestDatabase();
    const stored = article({
      views: 'text',
      boss: toOne('boss', 'author'),
      tags: toMany('cms_article$tags', 'author'),
      code: 'text',
      fine: 'text',
    });
    await sync(database, stored, author, team, sampleType('home', { title: 'text' }));
    await add(database, 'cms_author', { id: 'x' });
    for (const id of ['a', 'b', 'c']) {
      await add(database, 'cms_article', { id, views: 'many', boss: 'x', code: id === 'a' ? 'one' : 'secret' });
    }
    await add(database, 'cms_article$tags', { source_id: 'a', target_id: 'x', position: 0 });
    await add(database, 'cms_home', { id: 'h1' });
    await add(database, 'cms_home', { id: 'h2' });
    const before = await schemaText(database);
    const message = await refusal(
      sync(
        database,
        article({
          views: 'integer',
          boss: toOne('boss', 'team'),
          tags: 'text',
          code: { is: 'text', unique: true },
          fine: 'text',
          extra: 'text',
        }),
        author,
        team,
        sampleType('home', { title: 'text' }, 'single'),
        sampleType('fresh', { title: 'text' }),
      ),
    );
    expect(message.split('\n')).toEqual([
      'The content type definitions do not fit what the database holds; nothing was changed.',
      '  article.toml: content type "article": field "boss" is stored as relation to one "author" in 3 records and defined as relation to one "team"; give the new field another name, or empty the old one first.',
      '  article.toml: content type "article": field "code" is defined as unique, but 1 value of it stands in more than one record; make the values differ first, or leave "unique" out.',
      '  article.toml: content type "article": field "tags" is stored as relation to many "author" in 1 record and defined as text; give the new field another name, or empty the old one first.',
      '  article.toml: content type "article": field "views" is stored as text in 3 records and defined as integer, but the value has no form as integer that leads back to it in 3 of 3 records (a, b, c); give the new field another name, or empty the old one first.',
      '  home.toml: content type "home": it holds 2 records and cannot become a single type; delete all records but one.',
    ]);
    expect(message).not.toContain('secret');
    expect(await schemaText(database)).toEqual(before);
    expect(await sync(database, stored, author, team, sampleType('home', { title: 'text' }))).toEqual({
      created: [],
      changed: [],
      reindexed: [],
    });
  });

  test('a field left out is remembered as what it was', async () => {
    await using database = await openTestDatabase();
    await sync(database, article({ views: 'text' }));
    await add(database, 'cms_article', { id: 'a', views: 'many' });
    await sync(database, article({}));
    await sync(database, article({ other: 'text' }));
    expect(await refusal(sync(database, article({ views: 'integer' })))).toContain('is stored as text in 1 record');
    await run(database, 'ALTER TABLE cms_article DROP COLUMN views');
    await sync(database, article({ views: 'integer' }));
    await run(database, 'UPDATE cms_article SET views = 5');
    expect(await all(database, 'SELECT views FROM cms_article')).toEqual([{ views: 5 }]);
  });

  test('the hashes of passwords never become readable text, nor text a hash, not even in several steps', async () => {
    await using database = await openTestDatabase();
    await sync(database, article({ key: 'password', note: 'text' }));
    await add(database, 'cms_article', { id: 'a', key: '$argon2id$', note: 'hello' });
    await sync(database, article({ other: 'text' }));
    const refused = await refusal(sync(database, article({ key: 'text', note: 'password' })));
    expect(refused).toContain('field "key" is stored as secret text in 1 record and defined as text');
    expect(refused).toContain('field "note" is stored as text in 1 record and defined as secret text');
  });

  test('one record may become a single type, a single type a collection', async () => {
    await using database = await openTestDatabase();
    await sync(database, article({ title: 'text' }));
    await add(database, 'cms_article', { id: 'a' });
    await sync(database, article({ title: 'text' }, 'single'));
    await sync(database, article({ title: 'text' }));
  });

  test('a table that is not known to be the type’s', async () => {
    await using database = await openTestDatabase();
    await run(database, 'CREATE TABLE cms_article (id TEXT)');
    expect(await refusal(sync(database, article({ title: 'text' })))).toContain(
      'table cms_article is in the database already',
    );
  });
});
