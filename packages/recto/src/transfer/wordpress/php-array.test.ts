import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { type PhpValue, phpLimits, readPhpArray } from './php-array.ts';

/** What PHP's `serialize` writes. */
function serialized(value: PhpValue): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'number') return Number.isInteger(value) ? `i:${value};` : `d:${value};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value)}:"${value}";`;
  // PHP keeps a key that is a whole number as one.
  const key = (name: string) => (/^(?:0|-?[1-9]\d{0,9})$/.test(name) ? `i:${name};` : serialized(name));
  return `a:${value.size}:{${[...value].map(([name, each]) => key(name) + serialized(each)).join('')}}`;
}

const scalar: fc.Arbitrary<PhpValue> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.integer(),
  fc.constantFrom(1.5, -0.25),
  fc.boolean(),
  fc.constant(null),
);
const arrayOf = (value: fc.Arbitrary<PhpValue>) =>
  fc
    .array(fc.tuple(fc.oneof(fc.string({ maxLength: 8 }), fc.nat().map(String)), value), { maxLength: 6 })
    .map((entries): PhpValue => new Map(entries));
const nested = arrayOf(fc.oneof(scalar, arrayOf(fc.oneof(scalar, arrayOf(scalar)))));

test('what PHP writes is read back, and nothing that was cut off or changed in length', () => {
  fc.assert(
    fc.property(nested, fc.nat(), (value, at) => {
      const text = serialized(value);
      expect(readPhpArray(text)).toEqual(value as ReadonlyMap<string, PhpValue>);
      expect(readPhpArray(text.slice(0, at % text.length))).toBeUndefined();
      expect(readPhpArray(`${text} `)).toBeUndefined();
    }),
    { numRuns: randomCases(200) },
  );
});

test('no input throws, or makes anything but an array', () => {
  const pieces = fc.constantFrom(
    'a:',
    's:',
    'i:',
    'd:',
    'b:',
    'N;',
    'O:8:"stdClass":0:{}',
    'R:1;',
    'r:1;',
    '1',
    '9',
    ':',
    ';',
    '"',
    '{',
    '}',
    'é',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const read = readPhpArray(`a:1:{${parts.join('')}}`);
      expect(read === undefined || read instanceof Map).toBe(true);
    }),
    { numRuns: randomCases(300) },
  );
});

test('a group of translations, and the description of a language', () => {
  expect(readPhpArray('a:2:{s:2:"en";i:145;s:2:"fr";i:130;}')).toEqual(
    new Map([
      ['en', 145],
      ['fr', 130],
    ]),
  );
  const language = readPhpArray('a:3:{s:6:"locale";s:5:"en_GB";s:3:"rtl";i:0;s:9:"flag_code";s:2:"gb";}');
  expect(language?.get('locale')).toBe('en_GB');
});

test.each([
  ['an object', 'a:1:{s:1:"a";O:8:"stdClass":0:{}}'],
  ['an object that serializes itself', 'a:1:{s:1:"a";C:11:"ArrayObject":0:{}}'],
  ['a reference', 'a:2:{s:1:"a";i:1;s:1:"b";R:2;}'],
  ['a text', 's:2:"en";'],
  ['a text that ends elsewhere', 'a:1:{s:9:"en";i:1;}'],
  ['a length in letters that is none in bytes', 'a:1:{s:1:"é";i:1;}'],
  ['a negative length', 'a:-1:{}'],
  ['fewer entries than it says', 'a:2:{s:2:"en";i:1;}'],
  ['a key that is an array', 'a:1:{a:0:{}i:1;}'],
  ['nothing', ''],
])('%s is not read', (_, text) => {
  expect(readPhpArray(text)).toBeUndefined();
});

test('what is deeper, longer or of more entries than the limits is not read', () => {
  const deep = (levels: number): string => (levels === 0 ? 'i:1;' : `a:1:{i:0;${deep(levels - 1)}}`);
  expect(readPhpArray(deep(phpLimits.depth))).toBeDefined();
  expect(readPhpArray(deep(phpLimits.depth + 1))).toBeUndefined();
  const many = (entries: number) =>
    `a:${entries}:{${Array.from({ length: entries }, (_, at) => `i:${at};N;`).join('')}}`;
  expect(readPhpArray(many(phpLimits.entries))?.size).toBe(phpLimits.entries);
  expect(readPhpArray(many(phpLimits.entries + 1))).toBeUndefined();
  // Arrays of arrays count together: otherwise each would have as many.
  expect(readPhpArray(`a:2:{i:0;${many(600)}i:1;${many(600)}}`)).toBeUndefined();
  expect(readPhpArray(`a:1:{i:0;s:${phpLimits.bytes}:"${'x'.repeat(phpLimits.bytes)}";}`)).toBeUndefined();
  expect(readPhpArray(`a:999999:{${'i:1;'.repeat(10)}`)).toBeUndefined();
});
