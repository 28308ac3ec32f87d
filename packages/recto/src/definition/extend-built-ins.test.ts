import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { builtInTypes } from '../features/index.ts';
import { checkDefinitions } from './check-definitions.ts';
import type { ContentTypes } from './content-type.ts';
import { loadContentTypes } from './load-definitions.ts';

const pageFile = `extends = "page"

[[fields]]
name = "subtitle"
field_type = "text"
required = true

[[fields]]
name = "editor"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "people" }
`;

const person = { singular: 'person', plural: 'people', fields: [{ name: 'name', field_type: 'text' }] };

async function load(files: Readonly<Record<string, string>>): Promise<ContentTypes> {
  const folder = join(mkdtempSync(join(tmpdir(), 'recto-extends-')), 'types');
  mkdirSync(folder);
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return await loadContentTypes(folder, builtInTypes);
  } finally {
    rmSync(join(folder, '..'), { recursive: true });
  }
}

const field = (name: string, type = 'text') => `\n[[fields]]\nname = "${name}"\nfield_type = "${type}"\n`;

test.each([
  ['page.toml', pageFile],
  ['page.json', JSON.stringify(parse(pageFile))],
  ['page.ts', `export default ${JSON.stringify(parse(pageFile))};`],
])('fields of a built-in type are read from %s', async (name, text) => {
  const types = await load({ [name]: text, 'person.json': JSON.stringify(person) });
  expect(types.get('page').source).toBe(name);
  expect(types.get('page').builtIn).toBe(true);
  expect(types.get('page').field.get('subtitle')?.required).toBe(true);
  expect(types.get('post').field.has('subtitle')).toBe(false);
});

test.each(['page', 'post', 'comment'])('%s can be extended', async (name) => {
  const types = await load({ 'a.toml': `extends = "${name}"\n${field('colour')}` });
  expect(types.get(name).field.has('colour')).toBe(true);
});

test.each([
  [null],
  [[]],
  [{ extends: {} }],
  [{ extends: ['page'] }],
  [{ extends: 'page', fields: null }],
  [{ extends: 'page', fields: [null, 7, 'x', {}] }],
  [{ extends: 'page', fields: { name: 'colour' } }],
])('whatever a definition holds, the check lists its errors: %j', (definition) => {
  const { faults } = checkDefinitions([...builtInTypes, { file: 'a.json', definition }]);
  expect(faults?.map(({ file }) => file)).toContain('a.json');
  expect(faults?.every(({ file }) => file === 'a.json')).toBe(true);
});

test('an extension localizes fields of the type, and none that its routes have one value of', async () => {
  const found = (definition: object) =>
    (checkDefinitions([...builtInTypes, { file: 'own.toml', definition }]).faults ?? []).map(
      ({ path, message }) => `${path}: ${message}`,
    );
  expect(found({ extends: 'post', localized: ['title', 'slug'] })).toEqual([]);
  expect(found({ extends: 'media', localized: ['alt'] })).toEqual([]);
  expect(found({ extends: 'post', localized: 'title' })).toEqual([
    'localized: localized must be a list of names of fields',
  ]);
  expect(found({ extends: 'post', localized: ['title', 'comments_open', 7] })).toEqual([
    'localized[1]: "comments_open" is no field of the post that can be localized',
    'localized[2]: 7 is no field of the post that can be localized',
  ]);
  expect(found({ extends: 'comment', localized: ['content'] })[0]).toContain('localized cannot be set');
  expect(found({ extends: 'post', localized: ['title'], by_language: true })).toEqual([]);
  expect(found({ extends: 'page', by_language: true })).toEqual(['by_language: no field of the type is localized']);
  expect(found({ extends: 'page', localized: ['title'], by_language: 'yes' })).toEqual([
    'by_language: by_language must be true or false',
  ]);
  expect(found({ extends: 'category', localized: ['name'], by_language: true })[0]).toContain(
    'by_language cannot be set',
  );
  const own = { name: 'mood', field_type: 'text', localized: true };
  expect(found({ extends: 'comment', fields: [own] })).toEqual([
    'fields[0].localized: fields of the comment, a type of the product, have one value for all languages',
  ]);
  expect(found({ extends: 'page', fields: [own] })).toEqual([]);
});
