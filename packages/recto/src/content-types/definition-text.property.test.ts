import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { checkDefinitions } from '../definition/check-definitions.ts';
import type { ContentTypes } from '../definition/content-type.ts';
import { loadContentTypes } from '../definition/load-definitions.ts';
import type { JsonValue } from '../values/value-kind.ts';
import { definitionFormats, definitionText, sameDefinition } from './definition-text.ts';

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '"',
    "'",
    '\\',
    '"""',
    "'''",
    '\n',
    '\r\n',
    '\t',
    '\u007f',
    '\u0001',
    '\ud800',
    '#',
    '[[fields]]',
    ' = ',
    '日本語',
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const texts = { label: some(words), description: some(words) };
const flags = { required: some(fc.boolean()), private: some(fc.boolean()), immutable: some(fc.boolean()) };

const field = fc.oneof(
  fc.record({
    field_type: fc.constantFrom('text', 'richtext'),
    default: some(fc.oneof(words, fc.constant(null))),
    max_length: some(fc.integer({ min: 100, max: 10_000_000 })),
    ...texts,
    ...flags,
  }),
  fc.record({
    field_type: fc.constant('integer'),
    default: some(fc.maxSafeInteger()),
    min: some(fc.integer({ max: 0 })),
    ...texts,
    ...flags,
  }),
  fc.record({
    field_type: fc.constant('float'),
    default: some(fc.double({ noNaN: true, noDefaultInfinity: true })),
    ...texts,
  }),
  fc.record({
    field_type: fc.constant('decimal'),
    default: some(fc.constantFrom('1.50', '-0.1', '12345678901234567890')),
    ...flags,
  }),
  fc.record({ field_type: fc.constant('bigint'), default: some(fc.constantFrom('9223372036854775807', '-1', 7)) }),
  fc.record({ field_type: fc.constant('datetime'), default: some(fc.constant('2026-11-21T10:00:00.000Z')), ...texts }),
  fc.record({ field_type: fc.constant('date'), default: some(fc.constant('2026-11-21')) }),
  fc.record({ field_type: fc.constant('json'), default: some(fc.jsonValue({ maxDepth: 3 })), ...texts }),
  fc.record({
    field_type: fc.constant('enum'),
    enum_values: fc.uniqueArray(
      words.filter((word) => word !== ''),
      { minLength: 1, maxLength: 5 },
    ),
  }),
  fc.record({
    field_type: fc.constant('relation'),
    relation: fc.record({
      relation_type: fc.constantFrom('many_to_one', 'many_to_many'),
      target: fc.constant('thing'),
    }),
    ...texts,
  }),
);

const endpoint = fc.record({
  access: some(fc.constantFrom('none', 'public', 'member', 'admin')),
  filter: some(words.map((word) => `id != ${JSON.stringify(word)}`)),
  cache: some(fc.boolean()),
});

const definition = fc
  .record({
    name: some(words),
    singular: fc.constant('thing'),
    plural: fc.constant('things'),
    description: some(words),
    api_restful: some(fc.boolean()),
    protocols: some(
      fc.subarray(['timestampable', 'lockable', { name: 'statusable', values: ['a "b"', 'c'], default: 'c' }] as const),
    ),
    fields: some(
      fc.array(field, { maxLength: 6 }).map((fields) => fields.map((one, at) => ({ name: `f${at}`, ...one }))),
    ),
    api: some(fc.record({ list: some(endpoint), get: some(endpoint) })),
  })
  // `undefined` stands for a missing member.
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

const valid = definition.filter((value) => checkDefinitions([{ file: 'x', definition: value }]).types !== undefined);

const dataOf = (types: ContentTypes): unknown =>
  JSON.parse(
    JSON.stringify(
      types.all.map(({ source: _, definition: __, ...type }) => type),
      (_, value) => (value instanceof Set ? [...value] : value instanceof Map ? [...value.keys()] : value),
    ),
  );

test.each(definitionFormats)('a file in %s loads to the definition that it was written from', async (format) => {
  const counts = { toml: 0, json: 0 };
  await fc.assert(
    fc.asyncProperty(valid, async (value) => {
      const written = definitionText(value, format);
      counts[written.format] += 1;
      const folder = mkdtempSync(join(tmpdir(), 'recto-definition-'));
      try {
        writeFileSync(join(folder, `thing.${written.format}`), written.text);
        const loaded = await loadContentTypes(folder);
        const { types } = checkDefinitions([{ file: 'x', definition: value }]);
        if (types === undefined) throw new Error('The definition is not valid.');
        expect(dataOf(loaded)).toEqual(dataOf(types));
        expect(sameDefinition(loaded.get('thing').definition, value)).toBe(true);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: randomCases(300) },
  );
  // JSON is the exception.
  if (format === 'toml') expect(counts.toml).toBeGreaterThan(counts.json);
  else expect(counts.toml).toBe(0);
});

test('what TOML cannot hold comes as JSON', () => {
  const holding = (value: JsonValue): JsonValue => ({
    singular: 'thing',
    plural: 'things',
    fields: [{ name: 'data', field_type: 'json', default: value }],
  });
  expect(definitionText(holding({ a: null }), 'toml').format).toBe('json');
  expect(definitionText(holding([null]), 'toml').format).toBe('json');
  expect(definitionText(holding('\ud800'), 'toml').format).toBe('json');
  expect(definitionText(holding(null), 'toml')).toEqual({
    format: 'toml',
    text: 'singular = "thing"\nplural = "things"\n\n[[fields]]\nname = "data"\nfield_type = "json"\n',
  });
});
