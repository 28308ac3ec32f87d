import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FatalError } from '../base/fatal-error.ts';
import type { ContentTypes } from './content-type.ts';
import { DefinitionFaults } from './definition-fault.ts';
import { loadContentTypes } from './load-definitions.ts';

let root = '';
let count = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'recto-definitions-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  count += 1;
  const directory = join(root, String(count));
  mkdirSync(directory);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return directory;
}

/** The errors of loading a folder, file names as in the folder. */
async function faultsIn(directory: string) {
  try {
    await loadContentTypes(directory);
  } catch (error) {
    if (!(error instanceof DefinitionFaults)) throw error;
    expect(error).toBeInstanceOf(FatalError);
    return error.faults.map((fault) => ({ ...fault, file: fault.file.replace(`${directory}/`, '') }));
  }
  throw new Error('the folder has no errors');
}

const flat = `
name = "Article"
singular = "article"
plural = "articles"
description = "What people read."
api_restful = false
protocols = ["timestampable", { name = "lockable", required = true }]

[[fields]]
name = "title"
field_type = "text"
required = true
max_length = 200

[[fields]]
name = "published_on"
field_type = "date"
default = 2026-11-21
min = 2026-01-01

[[fields]]
name = "opens_at"
field_type = "time"
default = 08:30:00

[[fields]]
name = "starts"
field_type = "datetime"
default = 2026-11-21T10:00:00+01:00

[[fields]]
name = "parent"
field_type = "relation"
relation = { relation_type = "many_to_one", target = "articles" }

[api.list]
access = "public"
filter = 'title != ""'
filter_auth = "created_at < @now"
cache = true
fields = ["title", "parent"]
`;

const wrapped = flat
  .replace('name = "Article"', '[content_type]\nname = "Article"')
  .replace(/^protocols = .*$/m, '')
  .replace('[api.list]', '[content_type.api.list]')
  .concat(
    '\n[content_type.implements]\n[[content_type.implements.protocols]]\nname = "timestampable"',
    '\n[[content_type.implements.protocols]]\nname = "lockable"\nrequired = true\n',
  );

const definition = {
  name: 'Article',
  singular: 'article',
  plural: 'articles',
  description: 'What people read.',
  api_restful: false,
  protocols: ['timestampable', { name: 'lockable', required: true }],
  fields: [
    { name: 'title', field_type: 'text', required: true, max_length: 200 },
    { name: 'published_on', field_type: 'date', default: '2026-11-21', min: '2026-01-01' },
    { name: 'opens_at', field_type: 'time', default: '08:30:00' },
    { name: 'starts', field_type: 'datetime', default: '2026-11-21T09:00:00Z' },
    { name: 'parent', field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'articles' } },
  ],
  api: {
    list: {
      access: 'public',
      filter: 'title != ""',
      filter_auth: 'created_at < @now',
      cache: true,
      fields: ['title', 'parent'],
    },
  },
};

/** All of a service's content types as plain data, but for where they were read from. */
const dataOf = (types: ContentTypes): unknown =>
  JSON.parse(
    JSON.stringify(
      types.all.map(({ source, definition: _, ...type }) => type),
      (_, value) => (value instanceof Set ? [...value] : value instanceof Map ? [...value.keys()] : value),
    ),
  );

describe('one definition', () => {
  const index = JSON.stringify(join(import.meta.dir, '../index.ts'));
  const written = JSON.stringify(definition);
  test.each([
    ['JSON', { 'article.json': JSON.stringify(definition, null, 2) }],
    [
      'TypeScript',
      { 'article.ts': `import { defineContentType } from ${index};\nexport default defineContentType(${written});` },
    ],
    ['TypeScript without the helper', { 'article.ts': `const it: object = ${written};\nexport default it;` }],
    ['the older layout', { 'article.toml': wrapped }],
    [
      'the older layout, fields inside',
      { 'article.toml': wrapped.replaceAll('[[fields]]', '[[content_type.fields]]') },
    ],
    [
      'the older layout, protocols in one line',
      {
        'article.toml': wrapped
          .replace(/\[content_type\.implements\][\s\S]*$/, '')
          .concat('[content_type.implements]\nprotocols = ["timestampable", { name = "lockable", required = true }]\n'),
      },
    ],
    ['TOML with a byte order mark and carriage returns', { 'article.toml': `\ufeff${flat.replaceAll('\n', '\r\n')}` }],
  ] as const)('is the same in TOML and in %s', async (_, files) => {
    const expected = await loadContentTypes(folder({ 'article.toml': flat }));
    const types = await loadContentTypes(folder(files));
    expect(dataOf(types)).toEqual(dataOf(expected));
    expect(types.get('article').endpoints.list.filter?.source).toBe('title != ""');
    expect(types.get('article').source).toBe(Object.keys(files)[0] ?? '');
  });
});

describe('which files', () => {
  test('definitions in the order of their names; nothing else is read', async () => {
    const simple = (name: string): string => JSON.stringify({ singular: name, plural: `${name}s` });
    const directory = folder({
      'b.json': simple('b'),
      'a.toml': 'singular = "a"\nplural = "as"',
      'c.ts': `export default ${simple('c')};`,
      'c.test.ts': 'throw new Error("a test was run");',
      'd.d.ts': 'nonsense',
      '.hidden.toml': 'nonsense',
      'README.md': '# nonsense',
      'x.toml.bak': 'nonsense',
    });
    mkdirSync(join(directory, 'folder.toml'));
    expect((await loadContentTypes(directory)).all.map(({ singular }) => singular)).toEqual(['a', 'b', 'c']);
  });

  test('a folder that is missing or empty defines none', async () => {
    expect((await loadContentTypes(join(root, 'missing'))).all).toEqual([]);
    expect((await loadContentTypes(folder({}))).all).toEqual([]);
  });

  test('definitions from elsewhere stand beside those of the folder, and are checked with them', async () => {
    const directory = folder({ 'a.toml': 'singular = "a"\nplural = "posts"' });
    const post = { file: 'built in', definition: { singular: 'post', plural: 'entries' } };
    expect((await loadContentTypes(directory, [post])).all.map(({ singular }) => singular)).toEqual(['post', 'a']);
    const clash = { file: 'built in', definition: { singular: 'post', plural: 'posts' } };
    await expect(loadContentTypes(directory, [clash])).rejects.toThrow('already the plural of the type in built in');
  });

  test('a file in place of the folder is an error', async () => {
    const file = join(folder({ 'a.toml': '' }), 'a.toml');
    expect((await faultsIn(file)).map(({ message }) => message)).toEqual([expect.stringContaining('cannot be read')]);
  });

  test('a link that leads nowhere is an error', async () => {
    const directory = folder({});
    symlinkSync(join(directory, 'nowhere'), join(directory, 'a.toml'));
    expect(await faultsIn(directory)).toMatchObject([
      { file: 'a.toml', message: expect.stringContaining('cannot be read') },
    ]);
  });
});

describe('errors', () => {
  test.each([
    ['a.yaml', 'singular: a\n', undefined, /^is YAML, which is not read$/],
    ['a.toml', 'singular = "a"\nplural = \n', 2, /^is not TOML/],
    ['a.toml', 'singular = "a"\nsingular = "b"\n', 2, /^is not TOML/],
    ['a.toml', 'plural = "as"\r\nsingular = "a\r\n', 2, /^is not TOML: the quotes are not closed on this line$/],
    ['a.toml', "singular = 'a", 1, /^is not TOML: /],
    ['a.toml', 'singular = "a\u0001b"\n', 1, /^is not TOML: control characters are not allowed in strings$/],
    ['a.toml', 'singular = article\n', 1, /^is not TOML: invalid value; a text needs quotes$/],
    ['a.toml', new Uint8Array([0x61, 0xff]), undefined, /not UTF-8/],
    ['a.json', '{\n  "singular": "a",\n}', 3, /is not JSON: there is "}"/],
    ['a.json', '{ "singular": "a"', 1, /the file ends/],
    ['a.json', '{ "singular": "a",\n "singular": "b" }', 2, /singular stands there twice/],
    ['a.ts', 'export const x = 1;', undefined, /no default export/],
    ['a.ts', 'export default {\n  a: ,\n};', 2, /cannot be run/],
    ['a.ts', 'throw new Error("no luck");', 1, /cannot be run: no luck/],
  ] as const)('%s that cannot be read', async (name, text, line, message) => {
    const [fault, ...others] = await faultsIn(folder({ [name]: text }));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ file: name, path: '', message: expect.stringMatching(message) });
    expect(fault?.line).toBe(line);
  });

  test('all of all files at once, by file and line', async () => {
    const directory = folder({
      'broken.toml': 'singular =',
      'article.toml': flat
        .replace('max_length = 200', 'max_length = "200"')
        .replace('filter = \'title != ""\'', "filter = 'titel != 1'")
        .replace('default = 08:30:00', 'default = "noon"'),
      'page.json':
        '{\n "singular": "page",\n "plural": "pages",\n "fields": [\n  {"name": "a",\n   "field_type": "txt"}]}',
      'settings.ts': 'export default { singular: "settings", kind: "single", api: { list: {} } };',
    });
    const faults = await faultsIn(directory);
    expect(faults.map(({ file, line, path }) => [file, line, path])).toEqual([
      ['article.toml', 13, 'fields[0].max_length'],
      ['article.toml', 24, 'fields[2].default'],
      ['article.toml', 38, 'api.list.filter'],
      ['broken.toml', 1, ''],
      ['page.json', 6, 'fields[0].field_type'],
      ['settings.ts', undefined, 'api.list'],
    ]);
  });

  test('errors of the older layout name its own paths', async () => {
    const directory = folder({
      'a.toml': wrapped
        .replace('max_length = 200', 'max_length = "200"')
        .replace('cache = true', 'cache = 1')
        .replace('required = true\n', 'required = true\nwrong = 1\n')
        .replace('name = "lockable"', 'name = "lockabel"')
        .replace('[content_type.implements]', '[content_type.implements]\nprotocol = []'),
    });
    expect((await faultsIn(directory)).map(({ line, path }) => [line, path])).toEqual([
      [14, 'fields[0].wrong'],
      [15, 'fields[0].max_length'],
      [42, 'content_type.api.list.cache'],
      [46, 'content_type.implements.protocol'],
      [49, 'content_type.implements.protocols[1]'],
    ]);
  });

  test('what is given both inside and beside the wrapping table', async () => {
    const faults = await faultsIn(
      folder({ 'a.toml': 'fields = []\n[content_type]\nsingular = "a"\nplural = "b"\nfields = []' }),
    );
    expect(faults).toMatchObject([{ path: 'fields', line: 1, message: 'fields is also given as content_type.fields' }]);
  });

  test('the message reads like a compiler’s, rules with carets', async () => {
    const directory = folder({
      'a.toml': 'singular = "a"\nplural = "b"\nkind = "x"\n[api.list]\nfilter = "nosuch = 1"\n',
    });
    const message = await loadContentTypes(directory).catch((error: Error) => error.message);
    const lines = String(message).split('\n');
    expect(lines[0]).toBe('2 errors in the content type definitions:');
    expect(lines[1]).toBe(`${directory}/a.toml:3 kind: "x" is no kind — it is one of: collection, single`);
    expect(lines[2]).toStartWith(`${directory}/a.toml:5 api.list.filter: `);
    expect(lines.slice(3)).toEqual(['  nosuch = 1', '  ^^^^^^']);
  });
});
