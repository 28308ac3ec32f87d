// databases: sqlite, postgres
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { openTestDatabase, query, type TestDatabase } from '../../../../test/support/database/database.ts';
import { definitionsIn, definitionsOf } from '../../../../test/support/definitions.ts';
import type { SqlValue } from '../base/bindings.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { migrateSchema } from './migrate-schema.ts';
import { dialect, expectAgrees, field, refusal, type } from './migration.fixture.ts';
import { planSchema } from './plan/schema-plan.ts';
import { syncSchema } from './sync-schema.ts';

/** Private fields are not searched: the tests write rows alone. */
const localized = { localized: true, private: true };
const title = field('title', 'text', { max_length: 100, indexed: true, ...localized });
const slug = field('slug', 'uid', localized);
const body = field('body', 'richtext', localized);
const views = field('views', 'integer');
const note = (...fields: readonly object[]) => type('note', fields);

/** Of English, German, French and the French of Canada. */
const inFour = (...definitions: readonly unknown[]) => definitionsIn('en,de,fr,fr-CA', ...definitions);

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

const put = (table: string, row: Readonly<Record<string, SqlValue>>) =>
  database.transaction(async (transaction) => {
    const names = Object.keys(row);
    const columns = names.map((name) => `"${name}"`).join(', ');
    const values = names.map((_, index) => (dialect.name === 'postgres' ? `$${index + 1}` : '?')).join(', ');
    await transaction.run(query(`INSERT INTO "${table}" (${columns}) VALUES (${values})`, ...Object.values(row)));
  });

/** As a write in that language does. */
const translate = (record: string, language: string, values: Readonly<Record<string, SqlValue>>) =>
  put('cms_note__languages', {
    $record: record,
    $language: language,
    $changed_at: '2026-01-01T00:00:00.000Z',
    ...values,
  });

async function rows(columns = '"title$shown"', table = 'cms_note__languages'): Promise<readonly string[]> {
  await database.generations.refresh();
  const found = await database.rows<Record<string, SqlValue>>({
    sql: `SELECT "$record", "$language", ${columns} FROM "${table}" ORDER BY 1, 2`,
    parameters: [],
  });
  return found.map((row) => Object.values(row).map(String).join(' '));
}

async function columns(table: string): Promise<readonly string[]> {
  await database.generations.refresh();
  const found = await database.rows<{ name: string }>(dialect.schema.columns(table));
  return found.map(({ name }) => name);
}

const notes = async (types: ContentTypes) =>
  (await planSchema(database, database.dialect, types)).notes.map(({ way, what }) => `${way}: ${what}`);

async function expectDone(types: ContentTypes): Promise<void> {
  const plan = await planSchema(database, database.dialect, types);
  expect({ notes: plan.notes, steps: plan.steps.map(({ sql }) => sql) }).toEqual({ notes: [], steps: [] });
  await expectAgrees(database);
}

test('a type without localized fields has no table for languages, in whatever service', async () => {
  await syncSchema(database, inFour(note(field('title', 'text'))));
  await expectDone(definitionsOf(note(field('title', 'text'))));
});

test('a new type has one, and one without languages needs no change to be served', async () => {
  await syncSchema(database, inFour(note(title, slug, body, views)));
  await expectDone(inFour(note(title, slug, body, views)));
  await put('cms_note', { id: 'a', title: 'Hello', slug: 'hello' });
  await translate('a', 'de', { title: 'Hallo', slug: 'hallo' });
  // The record takes its languages with it.
  await database.transaction(async (transaction) => transaction.run(query('DELETE FROM cms_note')));
  expect(await rows()).toEqual([]);
});

test('a slug belongs to one record in each language', async () => {
  await syncSchema(database, inFour(note(title, slug)));
  for (const id of ['a', 'b']) await put('cms_note', { id, slug: id });
  await translate('a', 'de', { slug: 'hallo' });
  await translate('b', 'fr', { slug: 'hallo' });
  await expect(translate('b', 'de', { slug: 'hallo' })).rejects.toThrow();
});

test('marking a field keeps every value, and each language shows it', async () => {
  await syncSchema(database, definitionsOf(note({ ...title, localized: false }, views)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  const types = inFour(note(title, views));
  expect(await notes(types)).toEqual(['start: field "title" is localized; its values become those in en']);
  await syncSchema(database, types);
  expect(await rows()).toEqual(['a de Hello', 'a fr Hello', 'a fr-CA Hello']);
  await expectDone(types);
});

test('the definition and the setting may come in either order', async () => {
  await syncSchema(database, definitionsOf(note(title)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await expectDone(definitionsOf(note(title)));
  await syncSchema(database, inFour(note(title)));
  await expectDone(inFour(note(title)));
  expect(await rows()).toHaveLength(3);
});

test('unmarking a field is asked for, and its values stay and come back', async () => {
  await syncSchema(database, inFour(note(title, body)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await translate('a', 'de', { title: 'Hallo', title$shown: 'Hallo' });
  const unmarked = inFour(note({ ...title, localized: false }, body));
  expect(await refusal(syncSchema(database, unmarked))).toContain(
    'field "title" is not served in other languages; its values in other languages, in 1 record, are kept, but not shown',
  );
  await migrateSchema(database, unmarked);
  await expectDone(unmarked);
  await put('cms_note', { id: 'b', title: 'Later' });
  expect(await notes(inFour(note(title, body)))).toEqual([
    'start: field "title" is localized again; its values in other languages, in 1 record, are shown again',
  ]);
  await syncSchema(database, inFour(note(title, body)));
  await expectDone(inFour(note(title, body)));
  expect((await rows()).filter((row) => !row.includes(' fr'))).toEqual(['a de Hallo', 'b de Later']);
});

test('a service that is started without its languages is refused while they hold values', async () => {
  await syncSchema(database, inFour(note(title)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await translate('a', 'de', { title: 'Hallo' });
  expect(await refusal(syncSchema(database, definitionsOf(note(title))))).toContain('no longer localized');
  await migrateSchema(database, definitionsOf(note(title)));
  await expectDone(definitionsOf(note(title)));
  await syncSchema(database, inFour(note(title)));
  expect((await rows())[0]).toBe('a de Hallo');
});

test('without values, all of it is undone by a start', async () => {
  await syncSchema(database, inFour(note(title, body)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await syncSchema(database, definitionsOf(note(title, body)));
  await expectDone(definitionsOf(note(title, body)));
  expect(await columns('cms_note__languages')).toEqual([]);
});

test('a language is added by a start, and falls back as it is to', async () => {
  const two = definitionsIn('en,fr', note(title));
  await syncSchema(database, two);
  await put('cms_note', { id: 'a', title: 'Hello' });
  await translate('a', 'fr', { title: 'Bonjour', title$shown: 'Bonjour' });
  expect(await notes(definitionsIn('en,fr,de', note(title)))).toEqual(['start: de becomes one of its languages']);
  await syncSchema(database, definitionsIn('en,fr,de', note(title)));
  expect(await rows()).toEqual(['a de Hello', 'a fr Bonjour']);
});

test('removing a language is asked for where it holds values, which are kept', async () => {
  await syncSchema(database, inFour(note(title)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await translate('a', 'de', { title: 'Hallo', title$shown: 'Hallo' });
  const two = definitionsIn('en,fr', note(title));
  expect(await notes(two)).toEqual([
    'apply: de is no longer one of its languages; its values in 1 record are kept, but not shown',
    'start: fr-CA is no longer one of its languages; nothing is in it',
  ]);
  await migrateSchema(database, two);
  await expectDone(two);
  await database.transaction(async (transaction) => transaction.run(query("UPDATE cms_note SET title = 'Hi'")));
  await syncSchema(database, inFour(note(title)));
  expect((await rows()).filter((row) => row.includes('de') || row.includes('CA'))).toEqual([
    'a de Hallo',
    'a fr-CA Hi',
  ]);
});

test('the default language stays what it is while there are records', async () => {
  await syncSchema(database, inFour(note(title)));
  await syncSchema(database, definitionsIn('de,en', note(title)));
  await put('cms_note', { id: 'a', title: 'Hallo' });
  expect(await refusal(syncSchema(database, definitionsIn('en,de', note(title))))).toContain(
    'its records are in de, and en is now the default language; let RECTO_LANGUAGES begin with de',
  );
});

test('a field and a type take their languages along to another name', async () => {
  await syncSchema(database, inFour(note(title, slug, body)));
  await put('cms_note', { id: 'a', title: 'Hello', slug: 'hello' });
  await translate('a', 'de', { title: 'Hallo', title$shown: 'Hallo', slug: 'hallo', body: 'Text' });
  const renamed = inFour({
    ...note({ ...title, name: 'heading', renamed_from: 'title' }, slug, body),
    singular: 'page_note',
    plural: 'page_notes',
    renamed_from: 'note',
  });
  await migrateSchema(database, renamed);
  await expectDone(renamed);
  expect((await rows('"heading", "heading$shown", "slug", "body"', 'cms_page_note__languages'))[0]).toBe(
    'a de Hallo Hallo hallo Text',
  );
});

test('former slugs follow the name of their field, in all languages', async () => {
  await syncSchema(database, inFour(note(slug)));
  const kept = { type: 'note', tenant: '', record: 'a', moved_at: '2026-01-01T00:00:00.000Z' };
  for (const key of ['slug', 'slug@de', 'slug@fr-CA', 'slugs@de'])
    await put('recto_former_slugs', { ...kept, field: key, slug: 'hello' });
  await migrateSchema(database, inFour(note({ ...slug, name: 'handle', renamed_from: 'slug' })));
  const found = await database.rows<{ field: string }>(query('SELECT field FROM recto_former_slugs'));
  expect(found.map(({ field: key }) => key).toSorted()).toEqual(['handle', 'handle@de', 'handle@fr-CA', 'slugs@de']);
});

test('what people wrote beside records follows the names of types and fields, and goes with its type', async () => {
  await syncSchema(database, inFour(note(title), person('person')));
  const kept = { type: 'note', record: 'a', tenant: '', text: 'Look', mentions: '[]', author: 'b', created_at: 1 };
  for (const [index, path] of [null, 'title', 'title.sub', 'title[2].sub', 'titles'].entries())
    await put('recto_notes', { ...kept, id: `n${index}`, field: path });
  await put('recto_notes', { ...kept, id: 'p', type: 'person', field: 'name' });
  const item = { release: 'r', action: 'publish', added_at: 1, record: 'a' };
  const held = (name: string) => ({
    changes: JSON.stringify({ [name]: 'New', titles: 1 }),
    base: JSON.stringify({ [name]: null }),
    kept: JSON.stringify({ values: { [name]: 'Old' }, creates: false }),
    made: JSON.stringify({ kind: 'updated', before: { [name]: { title: 1 } }, after: {} }),
  });
  await put('recto_release_items', { ...item, id: 'i', type: 'note', ...held('title') });
  await put('recto_release_items', { ...item, id: 'j', type: 'note', ...held('title'), kept: null, made: null });
  await put('recto_release_items', { ...item, id: 'k', type: 'person', ...held('title') });
  const found = async (): Promise<readonly string[]> => {
    const all = await database.rows<{ id: string; type: string; field: string | null }>(
      query('SELECT id, type, field FROM recto_notes ORDER BY id'),
    );
    return all.map(({ id, type: of, field: path }) => `${id} ${of} ${path}`);
  };
  const renamed = note({ ...title, name: 'headline', renamed_from: 'title' });
  const later = inFour({ ...renamed, singular: 'memo', plural: 'memos', renamed_from: 'note' }, person('person'));
  await migrateSchema(database, later);
  const followed = ['memo null', 'memo headline', 'memo headline.sub', 'memo headline[2].sub', 'memo titles'];
  expect(await found()).toEqual([...followed.map((each, index) => `n${index} ${each}`), 'p person name']);
  const items = query('SELECT id, type, changes, base, kept, made FROM recto_release_items ORDER BY id');
  expect(await database.rows(items)).toEqual([
    { id: 'i', type: 'memo', ...held('headline') },
    { id: 'j', type: 'memo', ...held('headline'), kept: null, made: null },
    { id: 'k', type: 'person', ...held('title') },
  ]);
  const without = inFour({ ...note({ ...title, name: 'headline' }), singular: 'memo', plural: 'memos' });
  await migrateSchema(database, without, { all: false, names: ['person'] });
  expect((await found()).filter((each) => each.includes('person'))).toEqual([]);
});

/** A relation that leads to another record in each language. */
const lead = (target: string, rest: Readonly<Record<string, unknown>> = {}) => ({
  ...field('lead', 'relation', { relation: { relation_type: 'many_to_one', target } }),
  ...localized,
  ...rest,
});
const person = (singular: string, rest: Readonly<Record<string, unknown>> = {}) =>
  type(singular, [field('name', 'text')], rest);

test('a relation becomes localized and back, and follows its type to another name', async () => {
  await syncSchema(database, inFour(person('person'), note(lead('person', { localized: false }))));
  await put('cms_person', { id: 'p' });
  await put('cms_note', { id: 'a', lead: 'p' });
  const types = inFour(person('person'), note(lead('person')));
  expect(await notes(types)).toEqual(['start: field "lead" is localized; its values become those in en']);
  await syncSchema(database, types);
  await expectDone(types);
  await translate('a', 'de', { lead: 'p' });
  const renamed = inFour(person('author', { renamed_from: 'person' }), note(lead('author')));
  await migrateSchema(database, renamed);
  await expectDone(renamed);
  await migrateSchema(database, inFour(person('author'), note(lead('author', { localized: false }), title)));
  const back = inFour(person('author'), note(lead('author'), title));
  expect(await notes(back)).toContain(
    'start: field "lead" is localized again; its values in other languages, in 1 record, are shown again',
  );
  await syncSchema(database, back);
  await expectDone(back);
  expect(await rows('"lead"')).toContain('a de p');
});

test('a localized relation leads to no other type while languages hold values, and goes with its type', async () => {
  await syncSchema(database, inFour(person('person'), person('firm'), note(lead('person'), title)));
  await put('cms_person', { id: 'p' });
  await put('cms_note', { id: 'a' });
  await translate('a', 'de', { lead: 'p' });
  expect(
    await refusal(migrateSchema(database, inFour(person('person'), person('firm'), note(lead('firm'), title)))),
  ).toContain(
    'field "lead" is defined as relation to "firm" and localized, but its values in other languages, in 1 record, are stored as relation to "person"',
  );
  const without = inFour(person('firm'), note(title));
  await migrateSchema(database, without, { all: false, names: ['person'] });
  await expectDone(without);
  expect(await columns('cms_note__languages')).not.toContain('lead');
});

test('values in other languages are checked like all others', async () => {
  await syncSchema(database, inFour(note(title, body)));
  await put('cms_note', { id: 'a', title: 'Hello' });
  await translate('a', 'de', { title: 'Guten Morgen' });
  expect(await refusal(migrateSchema(database, inFour(note({ ...title, max_length: 6 }, body))))).toContain(
    'field "title" takes other values (max_length 100 → 6), but the value is rejected',
  );
});

test('values that are equal in one language cannot become unique', async () => {
  const plain = field('code', 'text', { max_length: 20, ...localized });
  await syncSchema(database, inFour(note(plain)));
  for (const id of ['a', 'b']) {
    await put('cms_note', { id, code: id });
    await translate(id, 'de', { code: 'same' });
  }
  expect(await refusal(migrateSchema(database, inFour(note({ ...plain, unique: true }))))).toContain(
    'field "code" is defined as unique, but 1 value of it stands in more than one record in one language',
  );
});

test('what stands inside a localized field follows its definition in all languages', async () => {
  const card = (...fields: readonly object[]) => field('card', 'group', { ...localized, fields });
  await syncSchema(database, inFour(note(card(field('text', 'text')))));
  await put('cms_note', { id: 'a', card: dialect.encode('json', { text: 'Hello' }) });
  await translate('a', 'de', { card: dialect.encode('json', { text: 'Hallo' }) });
  const renamed = inFour(note(card(field('words', 'text', { renamed_from: 'text' }))));
  expect(await notes(renamed)).toEqual(['apply: "card.words" is renamed from "text", with its values in 2 records']);
  await migrateSchema(database, renamed);
  const [row] = await database.rows<{ card: SqlValue }>(query('SELECT card FROM cms_note__languages'));
  expect(dialect.decode('json', row?.card ?? null)).toEqual({ words: 'Hallo' });
});

test('what is dropped by name goes in all languages', async () => {
  await syncSchema(database, inFour(note(title, body)));
  await put('cms_note', { id: 'a', title: 'Hello', body: 'Text' });
  await translate('a', 'de', { body: 'Wort' });
  const without = inFour(note(title));
  await migrateSchema(database, without, { all: false, names: ['note.body'] });
  await expectDone(without);
  expect(await columns('cms_note__languages')).not.toContain('body');
  await migrateSchema(database, inFour(), { all: false, names: ['note'] });
  expect(await columns('cms_note__languages')).toEqual([]);
});

test('what was drafted in a language is drafted of the renamed field', async () => {
  const protocols = [{ name: 'versionable', drafts: true }, 'statusable'];
  const drafted = (...fields: readonly object[]) => type('note', fields, { protocols });
  await syncSchema(database, inFour(drafted(title)));
  await put('cms_note', { id: 'a', title: 'One', status: 'published' });
  const draft = { author: null, author_kind: null, at: '2026-01-01T00:00:00.000Z' };
  const made = { ...draft, changes: { title: 'Eins' }, base: { title: null } };
  await translate('a', 'de', { __draft: dialect.encode('json', made) });
  await migrateSchema(database, inFour(drafted({ ...title, name: 'headline', renamed_from: 'title' })));
  const { sql, parameters } = query(`SELECT "__draft" FROM "cms_note__languages" WHERE "$language" = 'de'`);
  const found = await database.first<{ __draft: SqlValue }>({ sql, parameters });
  expect(dialect.decode('json', found?.__draft ?? null)).toEqual({
    ...draft,
    changes: { headline: 'Eins' },
    base: { headline: null },
  });
});

test('where languages get a status of their own, each translation begins with that of its record, and shows what is published', async () => {
  const withStatus = (options: object) =>
    inFour(type('note', [title, slug], { protocols: [{ name: 'statusable', schedule: 'published', ...options }] }));
  await syncSchema(database, withStatus({}));
  await put('cms_note', { id: 'a', title: 'One', status: 'published' });
  await put('cms_note', { id: 'b', title: 'Two', status: 'draft' });
  for (const id of ['a', 'b']) {
    await translate(id, 'de', { title: `${id} de`, title$shown: `${id} de` });
    await put('cms_note__languages', { $record: id, $language: 'fr', title$shown: 'old' });
  }
  const byLanguage = withStatus({ by_language: true });
  await syncSchema(database, byLanguage);
  const states = await rows('"status", "title$shown"');
  expect(states.filter((row) => !row.includes('fr-CA'))).toEqual([
    'a de published a de',
    'a fr null One',
    'b de draft null',
    'b fr null null',
  ]);
  await expectAgrees(database);
  expect((await planSchema(database, database.dialect, byLanguage)).steps).toEqual([]);
});

test('the words of translations are made where a field is searched from now on, and follow its name', async () => {
  const parts = {
    name: 'parts',
    field_type: 'list',
    fields: [{ name: 'heading', field_type: 'text' }],
    localized: true,
  };
  await syncSchema(database, inFour(note(title, { ...parts, private: true })));
  await put('cms_note', { id: 'a', title: 'One' });
  const stored = dialect.encode('json', [{ heading: 'Érable' }, { heading: '<b>Neige</b>' }]);
  await translate('a', 'de', { title: 'Grüße', title$shown: 'Grüße', parts: stored });
  await translate('a', 'fr', { title: null, title$shown: 'One' });
  const searched = { ...title, private: false };
  await syncSchema(database, inFour(note(searched, parts)));
  expect(await rows('"title$words", "parts$words"')).toEqual(['a de grusse erable neige', 'a fr null null']);
  await migrateSchema(database, inFour(note({ ...searched, name: 'headline', renamed_from: 'title' }, parts)));
  expect(await rows('"headline$words", "parts$words"')).toContain('a de grusse erable neige');
  await syncSchema(database, inFour(note({ ...searched, name: 'headline', private: true }, parts)));
  expect(await columns('cms_note__languages')).not.toContain('headline$words');
  await expectAgrees(database);
});

describe('the record says in which languages it has values', () => {
  const said = async (): Promise<readonly string[]> => {
    await database.generations.refresh();
    const found = await database.rows<{ said: string }>({
      sql: 'SELECT "$languages" AS "said" FROM "cms_note" ORDER BY "id"',
      parameters: [],
    });
    return found.map((row) => row.said);
  };

  test('a table that was made before that is filled by a start', async () => {
    const types = inFour(note(title, body));
    await syncSchema(database, types);
    for (const id of ['a', 'b', 'c']) await put('cms_note', { id, title: 'Hello' });
    await translate('a', 'fr', { title: 'Bonjour' });
    await translate('a', 'de', { title: 'Hallo' });
    await translate('b', 'fr-CA', {});
    await database.transaction(async (transaction) => {
      await transaction.run(query('ALTER TABLE "cms_note" DROP COLUMN "$languages"'));
      await transaction.run(query(`UPDATE "recto_schema" SET "snapshot" = replace("snapshot", '"said":true,', '')`));
    });
    await syncSchema(database, types);
    expect(await said()).toEqual(['["en","de","fr"]', '["en"]', '["en"]']);
    await put('cms_note', { id: 'd', title: 'Later' });
    expect((await said()).at(-1)).toBe('["en"]');
    await expectDone(types);
  });

  test('and follows the languages of the service, in their order, of however many', async () => {
    await syncSchema(database, inFour(note(title)));
    await put('cms_note', { id: 'a', title: 'Hello' });
    await translate('a', 'de', { title: 'Hallo' });
    await translate('a', 'fr', { title: 'Bonjour' });
    const others = definitionsIn('en,fr', note(title));
    await migrateSchema(database, others);
    expect(await said()).toEqual(['["en","fr"]']);
    await expectDone(others);
    await syncSchema(database, definitionsIn('en,fr,es,it,nl,pt,de', note(title)));
    expect(await said()).toEqual(['["en","fr","de"]']);
  });

  test('and the fields that are localized', async () => {
    await syncSchema(database, inFour(note(title, body)));
    await put('cms_note', { id: 'a', title: 'Hello' });
    await translate('a', 'de', { title: 'Hallo' });
    await translate('a', 'fr', { body: 'Bonjour' });
    const unmarked = inFour(note({ ...title, localized: false }, body));
    await migrateSchema(database, unmarked);
    expect(await said()).toEqual(['["en","fr"]']);
    await syncSchema(database, inFour(note(title, body)));
    expect(await said()).toEqual(['["en","de","fr"]']);
    await expectDone(inFour(note(title, body)));
    // None of them: there is no such column.
    const plain = inFour(note({ ...title, localized: false }, { ...body, localized: false }));
    await migrateSchema(database, plain);
    expect(await columns('cms_note')).not.toContain('$languages');
    await expectDone(plain);
    await syncSchema(database, inFour(note(title, body)));
    expect(await said()).toEqual(['["en","de","fr"]']);
  });

  test('and another default language, where there are no records', async () => {
    await syncSchema(database, inFour(note(title)));
    const german = definitionsIn('de,en', note(title));
    await syncSchema(database, german);
    await put('cms_note', { id: 'a', title: 'Hallo' });
    expect(await said()).toEqual(['["de"]']);
    await expectDone(german);
  });
});
