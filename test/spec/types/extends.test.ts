// databases: sqlite, postgres:rest
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parse } from 'smol-toml';
import { checkFiles } from '../../support/check-files.ts';
import type { TestService } from '../../support/service.ts';
import { openPublications } from '../publications/publication-suite.ts';

// `extends = "page"`: fields that a definition file adds to a type that ships with the product.

const pageFile = `extends = "page"

[[fields]]
name = "subtitle"
field_type = "text"
required = true
max_length = 20

[[fields]]
name = "rating"
field_type = "integer"
min = 1
default = 3

[[fields]]
name = "note"
field_type = "text"
private = true

[[fields]]
name = "editor"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "people" }
`;

const person = { singular: 'person', plural: 'people', fields: [{ name: 'name', field_type: 'text' }] };

describe('a page with further fields', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openPublications([parse(pageFile), person]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const create = (body: unknown, as = 'editor') => service.send('POST /api/v1/pages', { as, body });

  test('is created, returned and changed with them', async () => {
    const { status, json } = await create({ title: 'A', subtitle: 'Sub', note: 'secret' });
    expect(status).toBe(201);
    expect(json).toMatchObject({ title: 'A', subtitle: 'Sub', rating: 3, editor: null, status: 'Draft' });
    const line = `/api/v1/admin/pages/${json.id}`;
    const changed = await service.send(`PUT ${line}`, { as: 'admin', body: { rating: 5 } });
    expect(changed.json).toMatchObject({ subtitle: 'Sub', rating: 5, note: 'secret' });
    expect((await service.send(`GET ${line}`, { as: 'admin' })).json).toEqual(changed.json);
  });

  test('is held to their rules, with the page’s own', async () => {
    const { status, json } = await create({ subtitle: 'x'.repeat(21), rating: 0, status: 'x' });
    expect(status).toBe(422);
    expect(
      json.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).toSorted(),
    ).toEqual(['rating too_small', 'status not_allowed', 'subtitle too_long', 'title required']);
    expect((await create({ title: 'A' })).json.errors).toMatchObject([{ field: 'subtitle', code: 'required' }]);
  });

  test('is found, filtered, sorted and included by them', async () => {
    const ada = await service.seed('people', { name: 'Ada' });
    for (const [title, rating] of [
      ['Low', 1],
      ['High', 9],
    ]) {
      await create({ title, subtitle: 'Zanzibar', rating, note: 'hidden', editor: ada.id, status: 'published' });
    }
    const titles = async (query: string) => {
      const { status, json } = await service.send(`GET /api/v1/pages?${query}`);
      return status === 200 ? json.items.map(({ title }: { title: string }) => title) : status;
    };
    expect(await titles('search=zanzi&sort=rating:desc')).toEqual(['High', 'Low']);
    expect(await titles('rating=9')).toEqual(['High']);
    expect(await titles(`editor=${ada.id}&sort=rating:asc`)).toEqual(['Low', 'High']);
    expect(await titles('search=hidden')).toEqual([]);
    expect(await titles('note=hidden')).toBe(400);
    const { json, text } = await service.send('GET /api/v1/pages/high?include=editor');
    expect(json.editor).toMatchObject({ id: ada.id, name: 'Ada' });
    expect(text).not.toContain('hidden');
  });

  test('is described by the document', async () => {
    const { json } = await service.send('GET /api/v1/openapi.json');
    const { schemas } = json.components;
    expect(schemas.PageCreate.required).toEqual(expect.arrayContaining(['title', 'subtitle']));
    expect(schemas.PageCreate.properties.subtitle).toMatchObject({ type: 'string', maxLength: 20 });
    expect(Object.keys(schemas.PageRecord.properties)).toEqual(
      expect.arrayContaining(['subtitle', 'rating', 'editor']),
    );
    expect(schemas.PageRecord.properties.note).toBeUndefined();
    const parameters = json.paths['/api/v1/pages'].get.parameters.map(({ name }: { name: string }) => name);
    expect(parameters).toEqual(expect.arrayContaining(['title', 'subtitle', 'rating', 'editor']));
    expect(parameters).not.toContain('note');
  });
});

test('a post’s own field `tag` is what `tag` filters by', async () => {
  await using service = await openPublications([{ extends: 'post', fields: [{ name: 'tag', field_type: 'text' }] }]);
  for (const [title, tag, tags] of [
    ['A', 'x', ['y']],
    ['B', 'y', ['x']],
  ]) {
    await service.seed('posts', { title, tag, tags, status: 'Published' });
  }
  const titles = async (query: string) =>
    (await service.send(`GET /api/v1/posts?${query}`)).json.items.map(({ title }: { title: string }) => title);
  expect(await titles('tag=x')).toEqual(['A']);
  expect(await titles('tags=x')).toEqual(['B']);
});

/** What is wrong with files, as `file:line path: message — remedy`. */
async function faultsIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const result = await checkFiles(files);
  if (result.ok) return [];
  return (result.faults ?? []).map(
    ({ file, line, path, message, remedy }) => `${file}:${line} ${path}: ${message} — ${remedy}`,
  );
}

const field = (name: string, type = 'text') => `\n[[fields]]\nname = "${name}"\nfield_type = "${type}"\n`;

describe('files', () => {
  const faults: readonly [says: string, files: Readonly<Record<string, string>>, expected: readonly string[]][] = [
    [
      'an unknown type',
      { 'a.toml': `extends = "pgae"\n${field('colour')}` },
      ['a.toml:1 extends: extends names no built-in type — did you mean "page"?'],
    ],
    [
      'a type of the user’s own',
      { 'a.toml': `extends = "person"\n${field('colour')}`, 'person.json': JSON.stringify(person) },
      ['a.toml:1 extends: extends names no built-in type — there are: page, category, post, comment, media'],
    ],
    [
      'no name at all',
      { 'a.toml': `extends = 7\n${field('colour')}` },
      ['a.toml:1 extends: extends names no built-in type — there are: page, category, post, comment, media'],
    ],
    [
      'other keys than fields',
      {
        'a.toml': `extends = "page"\nplural = "sheets"\nprotocols = ["lockable"]\n${field('colour')}\n[api.list]\naccess = "none"\n`,
      },
      [
        'a.toml:2 plural: plural cannot be set for a built-in type — leave it out: a file adds fields, and says which are localized',
        'a.toml:3 protocols: protocols cannot be set for a built-in type — leave it out: a file adds fields, and says which are localized',
        'a.toml:9 api: api cannot be set for a built-in type — leave it out: a file adds fields, and says which are localized',
      ],
    ],
    [
      'two files for one type',
      { 'a.toml': `extends = "page"\n${field('colour')}`, 'b.toml': `# Again\nextends = "page"\n${field('size')}` },
      ['b.toml:2 extends: page is extended in another file already — put the fields into one file'],
    ],
    [
      'a field that the type has',
      { 'a.toml': `extends = "page"\n${field('colour')}${field('title')}` },
      ['a.toml:8 fields[1].name: the name "title" is taken: the page has such a field — choose another name'],
    ],
    [
      'a field that the service keeps',
      { 'a.toml': `extends = "page"\n${field('status')}${field('author_id')}` },
      [
        'a.toml:4 fields[0].name: the name "status" is taken: it is a column of a protocol that the type uses — choose another name',
        'a.toml:8 fields[1].name: the name "author_id" is taken: it is a column of a protocol that the type uses — choose another name',
      ],
    ],
    [
      'a field of no type and one that is wrong in itself',
      { 'a.toml': `extends = "post"\n${field('colour', 'txt')}${field('size', 'integer')}min = 5\nmax = 1\n` },
      [
        'a.toml:5 fields[0].field_type: "txt" is no field type — did you mean "text"?',
        'a.toml:10 fields[1].min: min (5) is greater than max (1) — change min or max',
      ],
    ],
    [
      'fields that are no list',
      { 'a.toml': 'extends = "page"\nfields = "colour"\n' },
      ['a.toml:2 fields: fields must be a list of tables — write [[fields]] above each of them'],
    ],
  ];
  test.each(faults)('%s', async (_, files, expected) => {
    expect(await faultsIn(files)).toEqual(expected);
  });

  test('a definition that takes the name of a shipped type gets an error that names extends', async () => {
    const message = await faultsIn({ 'page.toml': `singular = "page"\nplural = "pages"\n${field('colour')}` });
    expect(String(message)).toContain('page.toml:1 singular');
    expect(String(message)).toContain('extends = "page"');
  });
});
