import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { jsonPlaces } from './json-places.ts';
import { locator, placeAt } from './source-place.ts';
import { tomlPlaces } from './toml-places.ts';

const toml = `# A comment with [brackets] and = signs
singular = "article" # another [one]
"plural" = 'articles'
description = """
[[fields]]
name = "not a field"
"""
protocols = [
  "timestampable", # [not a table]
  { name = "lockable", required = true },
]

[[fields]]
name = "title"
  max_length = 200

[[ fields ]]
name = "author"
relation = { relation_type = "many_to_one",
  target = "authors" }
default.inner = 1

[[fields]]
name = 'x'
"odd key" = '''
a = 1
'''

[api . list]
filter = 'status = "x" # not a comment'
[api.get]
filter = "a \\" b = 1"
fields = []
`;

test.each([
  ['singular', 2],
  ['plural', 3],
  ['description', 4],
  ['protocols', 8],
  ['protocols[0]', 9],
  ['protocols[1].required', 10],
  ['fields', 13],
  ['fields[0]', 13],
  ['fields[0].name', 14],
  ['fields[0].max_length', 15],
  ['fields[0].min_length', 13],
  ['fields[1].relation.relation_type', 19],
  ['fields[1].relation.target', 20],
  ['fields[1].default', 21],
  ['fields[1].default.inner', 21],
  ['fields[2]["odd key"]', 25],
  ['api.list', 29],
  ['api.list.filter', 30],
  ['api.get.filter', 32],
  ['api.get.fields[3]', 33],
])('TOML: %s is at line %p', (path, line) => expect(locator(toml, 'toml')(path)).toEqual({ line }));

test('what is nowhere has no line', () => {
  expect(locator(toml, 'toml')('kind')).toBeUndefined();
  expect(locator(toml, 'toml')('')).toBeUndefined();
});

test('TOML: arrays of tables inside arrays of tables, dotted headers, carriage returns', () => {
  const text = ['[[a]]', '[[a.b]]', 'x = 1', '[[a.b]]', 'x = 2', '[[a]]', '[a.c."d e"]', 'x = 3'].join('\r\n');
  const locate = locator(text, 'toml');
  expect(['a[0].b[0].x', 'a[0].b[1].x', 'a[1]', 'a[1].c["d e"].x'].map((path) => locate(path)?.line)).toEqual([
    3, 5, 6, 8,
  ]);
});

test('TOML: any written table is found, every key on a line that names it', () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,6}$/);
  const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  const table = fc.dictionary(key, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), { noNullPrototype: true });
  const inner = fc.record({
    head: table,
    parts: fc.array(table, { minLength: 1, maxLength: 3 }),
    api: fc.record({ list: table }),
  });
  fc.assert(
    fc.property(inner, ({ head, parts, api }) => {
      const text = stringify({ zz: head, parts, api });
      expect(parse(text)).toBeDefined();
      const lines = text.split('\n');
      const locate = locator(text, 'toml');
      const paths = parts.flatMap((part, index) =>
        Object.keys(part).map((name) => [`parts[${index}].${name}`, name] as const),
      );
      for (const [path, name] of [...paths, ...Object.keys(api.list).map((one) => [`api.list.${one}`, one] as const)]) {
        expect(lines[(locate(path)?.line ?? 0) - 1]).toStartWith(`${name} = `);
      }
    }),
  );
});

test('a scan of any text ends', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'[]{}"\'=.#,\n\\a1 '), maxLength: 60 }), (text) => {
      expect(tomlPlaces(text)).toBeInstanceOf(Map);
      expect(jsonPlaces(text).offsets).toBeInstanceOf(Map);
    }),
    { numRuns: randomCases(2000) },
  );
});

describe('JSON', () => {
  const text =
    '{\n  "singular": "article",\n  "fields": [\n    { "name": "title" },\n    { "name": "x",\n      "odd key": [1, 2] }\n  ]\n}';

  test.each([
    ['singular', 2],
    ['fields', 3],
    ['fields[0].name', 4],
    ['fields[1]', 5],
    ['fields[1]["odd key"]', 6],
    ['fields[1]["odd key"][1]', 6],
    ['fields[1].default', 5],
  ])('%s is at line %p', (path, line) => expect(locator(text, 'json')(path)).toEqual({ line }));

  test.each([
    ['', 0],
    ['{', 1],
    ['{"a":1,\n "b": }', 14],
    ['{"a":1,}', 7],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['{"a":1} x', 8],
    ['"a\nb"', 0],
    ['[01]', 2],
    ["{'a':1}", 1],
    ['nul', 0],
  ])('%j stops being JSON at %p', (wrong, offset) => expect(jsonPlaces(wrong).error).toBe(offset));

  test('a name that stands twice is found', () => {
    expect(jsonPlaces('{"a":{"b":1,"c":2,"\\u0062":3}}').repeated).toEqual({ path: 'a.b', offset: 18 });
    expect(jsonPlaces('{"a":{"b":1},"c":{"b":1}}').repeated).toBeUndefined();
  });

  test('takes what JSON.parse takes, and nothing else', () => {
    const parses = (one: string): boolean => {
      try {
        JSON.parse(one);
        return true;
      } catch {
        return false;
      }
    };
    const near = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ' ', '0', '\\'))
      .map(
        ([json, at, extra]) =>
          `${json.slice(0, at % (json.length + 1))}${extra}${json.slice((at % (json.length + 1)) + 1)}`,
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), near), (one) => expect(jsonPlaces(one).error === undefined).toBe(parses(one))),
      { numRuns: randomCases(1000) },
    );
  });
});

test('places count lines and code points from 1', () => {
  expect(placeAt('a\n😀b', 4)).toEqual({ line: 2, column: 2 });
  expect(placeAt('', 0)).toEqual({ line: 1, column: 1 });
  expect(placeAt('a\n', 2)).toEqual({ line: 2, column: 1 });
});
