import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../../test/support/random-cases.ts';
import { CompiledSchema } from '../../values/compiled-schema.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Field, FieldOptions, FieldPlace } from '../content-type.ts';
import type { FieldType, Part, Structure } from '../field-type.ts';
import { protocolField } from '../protocols/protocol-field.ts';
import { idField } from './id-field.ts';
import { type FieldTypeName, fieldTypeNames, fieldTypes } from './index.ts';

const id = '01990000-0000-7000-8000-000000000001';
const otherId = '01990000-0000-7000-8000-000000000002';

const fieldOf = (type: FieldType, options: FieldOptions = {}, traits: Partial<Field> = {}): Field =>
  protocolField('value', type, { options, required: false, writable: true, ...traits });

interface Case {
  readonly type: FieldTypeName;
  readonly options?: FieldOptions;
  readonly place?: FieldPlace;
  readonly structure?: Structure;
  /** Values and their canonical form. */
  readonly takes: readonly (readonly [sent: JsonValue, canonical: unknown])[];
  readonly rejects: readonly (readonly [sent: JsonValue, code: string])[];
}

const same = (...values: readonly JsonValue[]) => values.map((value) => [value, value] as const);
const deep = (levels: number): JsonValue => (levels === 0 ? 1 : [deep(levels - 1)]);

const member = (name: string, type: FieldTypeName, traits: Partial<Field> = {}): Field => ({
  ...fieldOf(fieldTypes[type], {}, traits),
  name,
});

const unnamed = { name: null, label: undefined, description: undefined } as const;
const objects = (...fields: readonly Field[]): Part => ({
  ...unnamed,
  fields,
  field: new Map(fields.map((each) => [each.name, each])),
  item: null,
});
const prices: Part = { ...unnamed, fields: [], field: new Map(), item: member('', 'decimal') };
const quote = { ...objects(member('text', 'text', { required: true }), member('at', 'date')), name: 'quote' };

const group: Structure = {
  many: false,
  tagged: false,
  minItems: 0,
  maxItems: 1,
  parts: [objects(member('title', 'text', { required: true }), member('views', 'bigint', { default: 3 }))],
};
const list: Structure = { many: true, tagged: false, minItems: 1, maxItems: 3, parts: [prices] };
const blocks: Structure = { many: true, tagged: true, minItems: 0, maxItems: 2, parts: [quote] };

const texts: readonly Case[] = (['text', 'richtext'] as const).flatMap((type): Case[] => [
  {
    type,
    takes: same('', 'words', '<b>x</b>', '😀'.repeat(3), 'x'.repeat(100_000)),
    rejects: [
      [1, 'wrong_type'],
      [true, 'wrong_type'],
      [['a'], 'wrong_type'],
      [{}, 'wrong_type'],
      ['a\0b', 'invalid_text'],
      ['a\ud800', 'invalid_text'],
    ],
  },
  {
    type,
    options: { min_length: 2, max_length: 3 },
    takes: same('ab', 'abc', '😀😀', '😀😀😀'),
    rejects: [
      ['', 'too_short'],
      ['a', 'too_short'],
      ['😀', 'too_short'],
      ['abcd', 'too_long'],
      ['😀😀😀😀', 'too_long'],
      ['x'.repeat(1000), 'too_long'],
    ],
  },
  {
    type,
    options: { pattern: '^\\p{Lu}+$' },
    takes: same('ABC', 'ÄÖ'),
    rejects: [
      ['abc', 'bad_format'],
      ['', 'bad_format'],
    ],
  },
  { type, options: { pattern: 'b' }, takes: same('abc'), rejects: [['ac', 'bad_format']] },
]);

const cases: readonly Case[] = [
  ...texts,
  {
    type: 'integer',
    takes: [...same(0, 1, -1, 9007199254740991, -9007199254740991), [-0, 0]],
    rejects: [
      [1.5, 'wrong_type'],
      ['1', 'wrong_type'],
      [9007199254740992, 'wrong_type'],
      [true, 'wrong_type'],
      [[1], 'wrong_type'],
    ],
  },
  {
    type: 'integer',
    options: { min: -2, max: 5 },
    takes: same(-2, 0, 5),
    rejects: [
      [-3, 'too_small'],
      [6, 'too_large'],
    ],
  },
  {
    type: 'bigint',
    takes: [
      ['9223372036854775807', 9223372036854775807n],
      ['-9223372036854775808', -9223372036854775808n],
      ['007', 7n],
      [42, 42n],
      [9007199254740991, 9007199254740991n],
    ],
    rejects: [
      ['9223372036854775808', 'wrong_type'],
      ['1.5', 'wrong_type'],
      ['', 'wrong_type'],
      [1.5, 'wrong_type'],
      [9007199254740992, 'wrong_type'],
      [true, 'wrong_type'],
    ],
  },
  {
    type: 'bigint',
    options: { min: '9223372036854775806', max: '9223372036854775806' },
    takes: [['9223372036854775806', 9223372036854775806n]],
    rejects: [
      ['9223372036854775805', 'too_small'],
      ['9223372036854775807', 'too_large'],
      [5, 'too_small'],
    ],
  },
  {
    type: 'decimal',
    takes: [
      ['12.50', '12.5'],
      ['-0', '0'],
      ['0.1', '0.1'],
      ['123456789012345678901234567890.000000000000000000001', '123456789012345678901234567890.000000000000000000001'],
    ],
    rejects: [
      [12.5, 'wrong_type'],
      ['1e3', 'wrong_type'],
      ['abc', 'wrong_type'],
      ['.5', 'wrong_type'],
      ['', 'wrong_type'],
    ],
  },
  {
    type: 'decimal',
    options: { min: 0, max: '99999999999999999999.99' },
    takes: [
      ['0', '0'],
      ['99999999999999999999.99', '99999999999999999999.99'],
    ],
    rejects: [
      ['-0.01', 'too_small'],
      ['99999999999999999999.991', 'too_large'],
    ],
  },
  {
    type: 'float',
    takes: [...same(0, 1.5, -1e300, 5e-324), [-0, 0]],
    rejects: [
      ['1.5', 'wrong_type'],
      [Number.NaN, 'wrong_type'],
      [Number.POSITIVE_INFINITY, 'wrong_type'],
      [false, 'wrong_type'],
    ],
  },
  {
    type: 'float',
    options: { min: 0.5, max: 1.5 },
    takes: same(0.5, 1, 1.5),
    rejects: [
      [0.4999, 'too_small'],
      [1.5001, 'too_large'],
    ],
  },
  {
    type: 'boolean',
    takes: same(true, false),
    rejects: [
      ['true', 'wrong_type'],
      [1, 'wrong_type'],
      [0, 'wrong_type'],
    ],
  },
  {
    type: 'date',
    takes: same('2026-11-21', '2024-02-29', '0001-01-01', '9999-12-31'),
    rejects: [
      ['2026-02-29', 'wrong_type'],
      ['2026-13-01', 'wrong_type'],
      ['21.11.2026', 'wrong_type'],
      ['2026-11-21T10:00:00Z', 'wrong_type'],
      [20261121, 'wrong_type'],
    ],
  },
  {
    type: 'date',
    options: { min: '2026-01-01', max: '2026-12-31' },
    takes: same('2026-01-01', '2026-12-31'),
    rejects: [
      ['2025-12-31', 'too_small'],
      ['2027-01-01', 'too_large'],
    ],
  },
  {
    type: 'datetime',
    takes: [
      ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
      ['2026-11-21T10:00:00.123456+02:00', '2026-11-21T08:00:00.123Z'],
      ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000Z'],
    ],
    rejects: [
      ['2026-11-21T10:00:00', 'wrong_type'],
      ['2026-11-21', 'wrong_type'],
      ['2026-11-21T25:00:00Z', 'wrong_type'],
      ['2026-02-30T10:00:00Z', 'wrong_type'],
      [1763719200, 'wrong_type'],
    ],
  },
  {
    type: 'datetime',
    options: { min: '2026-01-01T00:00:00Z', max: '2026-12-31T23:59:59+01:00' },
    takes: [['2026-12-31T22:59:59Z', '2026-12-31T22:59:59.000Z']],
    rejects: [
      ['2025-12-31T23:59:59Z', 'too_small'],
      ['2026-12-31T23:59:59Z', 'too_large'],
    ],
  },
  {
    type: 'time',
    takes: [
      ['10:00', '10:00:00'],
      ['10:00:00', '10:00:00'],
      ['23:59:59.5', '23:59:59.500'],
    ],
    rejects: [
      ['24:00:00', 'wrong_type'],
      ['10:60', 'wrong_type'],
      ['10:00:00Z', 'wrong_type'],
      [10, 'wrong_type'],
    ],
  },
  {
    type: 'time',
    options: { min: '08:00', max: '17:30' },
    takes: [['08:00', '08:00:00']],
    rejects: [
      ['07:59:59', 'too_small'],
      ['17:30:00.001', 'too_large'],
    ],
  },
  {
    type: 'email',
    takes: same('a@example.org', 'First.Last+tag@sub.example.co', "o'neil@example.org"),
    rejects: [
      ['a', 'bad_format'],
      ['a@b', 'bad_format'],
      ['a@@example.org', 'bad_format'],
      ['a b@example.org', 'bad_format'],
      ['a@example.org\n', 'bad_format'],
      ['.a@example.org', 'bad_format'],
      ['a@-example.org', 'bad_format'],
      [`${'a'.repeat(65)}@example.org`, 'bad_format'],
      [`a@${'b.'.repeat(126)}cc`, 'too_long'],
      [1, 'wrong_type'],
    ],
  },
  {
    type: 'email',
    options: { pattern: '@example\\.org$' },
    takes: same('a@example.org'),
    rejects: [['a@example.com', 'bad_format']],
  },
  {
    type: 'password',
    takes: same('12345678', 'x'.repeat(1024), '😀😀😀😀😀😀😀😀'),
    rejects: [
      ['1234567', 'too_short'],
      ['x'.repeat(1025), 'too_long'],
      [12345678, 'wrong_type'],
      ['1234567\0', 'invalid_text'],
    ],
  },
  {
    type: 'password',
    options: { min_length: 12 },
    takes: same('123456789012'),
    rejects: [['12345678901', 'too_short']],
  },
  {
    type: 'enum',
    options: { enum_values: ['draft', 'Live'] },
    takes: same('draft', 'Live'),
    rejects: [
      ['live', 'not_allowed'],
      ['', 'not_allowed'],
      [0, 'not_allowed'],
    ],
  },
  {
    type: 'uid',
    takes: same('a', 'hello-world', '2026-in-review', 'x'.repeat(200)),
    rejects: [
      ['', 'bad_format'],
      ['Hello', 'bad_format'],
      ['a--b', 'bad_format'],
      ['-a', 'bad_format'],
      ['a-', 'bad_format'],
      ['a_b', 'bad_format'],
      ['ä', 'bad_format'],
      ['a\n', 'bad_format'],
      ['x'.repeat(201), 'too_long'],
      [1, 'wrong_type'],
    ],
  },
  { type: 'uid', options: { max_length: 3 }, takes: same('abc'), rejects: [['abcd', 'too_long']] },
  {
    type: 'media',
    takes: same('https://example.org/a.png', 'HTTP://example.org', '/uploads/a.png', '/'),
    rejects: [
      ['javascript:alert(1)', 'bad_format'],
      ['data:text/html,x', 'bad_format'],
      ['//evil.example/a.png', 'bad_format'],
      ['/\\evil.example', 'bad_format'],
      ['https://', 'bad_format'],
      ['uploads/a.png', 'bad_format'],
      [' /a.png', 'bad_format'],
      ['/a\tb', 'bad_format'],
      ['', 'bad_format'],
      [`/${'a'.repeat(2048)}`, 'too_long'],
      [1, 'wrong_type'],
    ],
  },
  {
    type: 'json',
    takes: same(true, 0, 'x', [], {}, { a: [1, { b: null }] }, deep(64)),
    rejects: [
      ['a\0', 'invalid_text'],
      [{ a: ['\ud800'] }, 'invalid_text'],
      [{ '\0': 1 }, 'invalid_text'],
      [deep(65), 'too_deep'],
      [[Number.NaN], 'wrong_type'],
    ],
  },
  {
    type: 'group',
    structure: group,
    takes: [
      [{ title: 'a' }, { title: 'a', views: '3' }],
      [
        { views: '007', title: 'b' },
        { title: 'b', views: '7' },
      ],
      [
        { title: 'b', views: null },
        { title: 'b', views: null },
      ],
    ],
    rejects: [
      [[], 'wrong_type'],
      ['a', 'wrong_type'],
      [{}, 'required'],
      [{ title: '' }, 'required'],
      [{ title: null }, 'required'],
      [{ title: 'a', odd: 1 }, 'unknown_field'],
      [JSON.parse('{"title":"a","__proto__":1}'), 'unknown_field'],
      [{ title: 'a', views: 'x' }, 'bad_format'],
    ],
  },
  {
    type: 'list',
    structure: list,
    takes: [
      [
        ['1.50', '-0'],
        ['1.5', '0'],
      ],
    ],
    rejects: [
      [{}, 'wrong_type'],
      [[], 'too_few_items'],
      [['1', '2', '3', '4'], 'too_many_items'],
      [['1', null], 'required'],
      [['1', 2], 'wrong_type'],
      [[['1']], 'wrong_type'],
    ],
  },
  {
    type: 'blocks',
    structure: blocks,
    takes: [
      [[], []],
      [[{ text: 'a', block: 'quote', id }], [{ block: 'quote', id, text: 'a', at: null }]],
    ],
    rejects: [
      [{}, 'wrong_type'],
      [['quote'], 'wrong_type'],
      [[{ text: 'a' }], 'required'],
      [[{ block: 'photo', text: 'a' }], 'not_allowed'],
      [[{ block: 1, text: 'a' }], 'not_allowed'],
      [[{ block: 'quote', text: 'a', id: 'x' }], 'bad_format'],
      [[{ block: 'quote' }], 'required'],
      [
        [
          { block: 'quote', text: 'a', id },
          { block: 'quote', text: 'b', id },
        ],
        'invalid',
      ],
      [[{ block: 'quote', text: 'a', at: '2026-02-30' }], 'bad_format'],
    ],
  },
  {
    type: 'relation',
    place: { shape: 'to_one', column: 'value', target: 'other' },
    takes: same(id),
    rejects: [
      ['x', 'bad_format'],
      [id.toUpperCase().replaceAll('0', 'A'), 'bad_format'],
      [[id], 'bad_format'],
      [1, 'bad_format'],
    ],
  },
  {
    type: 'relation',
    place: { shape: 'to_many', junction: 'j', target: 'other' },
    takes: same([], [id], [id, otherId]),
    rejects: [
      [id, 'wrong_type'],
      [[1], 'bad_format'],
      [['x'], 'bad_format'],
      [[id, id], 'invalid'],
    ],
  },
];

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 50);

const fieldOfCase = ({ type, options = {}, place, structure }: Case): Field => {
  const traits = { ...(place === undefined ? {} : { place }), ...(structure === undefined ? {} : { structure }) };
  return fieldOf(fieldTypes[type], options, traits);
};

for (const one of cases) {
  const { type: name, options = {}, place, takes, rejects } = one;
  const type: FieldType = fieldTypes[name];
  const field = fieldOfCase(one);
  const schema = new CompiledSchema(type.input(field));
  describe(`${name} ${JSON.stringify(options)} ${place?.shape ?? ''}`, () => {
    test('has valid options', () => expect(type.checkOptions(options)).toEqual([]));
    test.each(takes.map(([sent, canonical]) => ({ title: shown(sent), sent, canonical })))('takes $title', (one) => {
      expect(schema.faults(one.sent)).toEqual([]);
      expect(type.parse(one.sent, field)).toEqual({ ok: true, value: one.canonical as never });
    });
    test.each(rejects.map(([sent, code]) => ({ title: shown(sent), sent, code })))('rejects $title', (one) => {
      const parsed = type.parse(one.sent, field);
      expect(parsed).toMatchObject({ ok: false, code: one.code });
      expect(parsed.ok || parsed.message).toMatch(/^[A-Z].*\.$/);
    });
  });
}

test('every field type has cases', () => {
  expect(new Set(cases.map(({ type }) => type))).toEqual(new Set(fieldTypeNames));
});

test('what a type returns is accepted by its output schema', () => {
  for (const one of cases) {
    const { type: name, takes } = one;
    const type: FieldType = fieldTypes[name];
    if (type.secret) continue;
    const field = fieldOfCase(one);
    const schema = new CompiledSchema(type.output(field));
    for (const [, canonical] of takes) {
      expect(schema.faults(typeof canonical === 'bigint' ? String(canonical) : canonical)).toEqual([]);
    }
  }
});

describe('properties', () => {
  const structures = new Map(cases.flatMap(({ type, structure }) => (structure ? [[type, structure] as const] : [])));
  const field = (name: FieldTypeName): Field => {
    const structure = structures.get(name);
    const options = name === 'enum' ? { enum_values: ['a', 'b'] } : {};
    return fieldOf(fieldTypes[name], options, structure === undefined ? {} : { structure });
  };
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record({ title: fc.string(), views: fc.bigInt().map(String) }, { requiredKeys: [] }),
    fc.array(fc.stringMatching(/^-?\d{1,4}(\.\d{1,4})?$/), { minLength: 1, maxLength: 4 }),
    fc.array(fc.record({ block: fc.constantFrom('quote', 'odd'), text: fc.string(), id: fc.uuid() }), { maxLength: 3 }),
    fc.string({ unit: 'binary' }),
    fc.emailAddress(),
    fc.webUrl(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.bigInt().map(String),
    fc.stringMatching(/^[a-z0-9-]{0,8}$/),
    fc.stringMatching(/^-?\d{1,4}(\.\d{1,4})?$/),
    fc.stringMatching(/^[0-2]\d:[0-6]\d(:[0-6]\d(\.\d+)?)?$/),
  );

  test.each([...fieldTypeNames])('%s: what parses passes the schema, and parses again to the same', (name) => {
    const one = field(name);
    const schema = new CompiledSchema(one.type.input(one));
    fc.assert(
      // fast-check's JSON values are of this shape.
      fc.property(values as fc.Arbitrary<JsonValue>, (value) => {
        const parsed = one.type.parse(value, one);
        if (!parsed.ok) return;
        expect(schema.faults(value)).toEqual([]);
        const returned = typeof parsed.value === 'bigint' ? String(parsed.value) : parsed.value;
        expect(one.type.parse(returned, one)).toEqual(parsed);
      }),
      { numRuns: randomCases(300) },
    );
  });
});

describe('options', () => {
  const faulty: readonly (readonly [FieldTypeName, FieldOptions, string])[] = [
    ['text', { min_length: 3, max_length: 2 }, 'min_length'],
    ['text', { pattern: '(' }, 'pattern'],
    ['text', { pattern: '\\-' }, 'pattern'],
    ['richtext', { min_length: 1, max_length: 0 }, 'min_length'],
    ['email', { max_length: 255 }, 'max_length'],
    ['email', { min_length: 255 }, 'min_length'],
    ['password', { max_length: 7 }, 'max_length'],
    ['password', { max_length: 1025 }, 'max_length'],
    ['uid', { max_length: 201 }, 'max_length'],
    ['uid', { max_length: 0 }, 'max_length'],
    ['media', { max_length: 2049 }, 'max_length'],
    ['enum', {}, 'enum_values'],
    ['enum', { enum_values: [] }, 'enum_values'],
    ['enum', { enum_values: ['a', 'a'] }, 'enum_values'],
    ['enum', { enum_values: [''] }, 'enum_values'],
    ['integer', { min: 1.5 }, 'min'],
    ['integer', { max: '3' }, 'max'],
    ['integer', { min: 3, max: 2 }, 'min'],
    ['bigint', { min: 'x' }, 'min'],
    ['bigint', { min: '9223372036854775807', max: '9223372036854775806' }, 'min'],
    ['decimal', { max: '1e5' }, 'max'],
    ['decimal', { min: '0.2', max: '0.1' }, 'min'],
    ['float', { min: '1' }, 'min'],
    ['date', { min: '2026-02-30' }, 'min'],
    ['date', { min: '2026-02-02', max: '2026-02-01' }, 'min'],
    ['datetime', { min: '2026-02-02' }, 'min'],
    ['time', { max: '25:00' }, 'max'],
    ['list', { min_items: 3, max_items: 2 }, 'min_items'],
    ['list', { max_items: 2, min_items: 3 }, 'min_items'],
    ['blocks', { min_items: 1_001 }, 'min_items'],
  ];
  test.each(faulty)('%s %j is an error of %s', (name, options, option) => {
    const type: FieldType = fieldTypes[name];
    expect(type.checkOptions(options).map((fault) => fault.option)).toEqual([option]);
  });
});

test('a password is stored as an argon2id hash that verifies', async () => {
  const hash = await fieldTypes.password.prepare?.('correct horse');
  expect(hash).toStartWith('$argon2id$');
  expect(await Bun.password.verify('correct horse', String(hash))).toBe(true);
});

test('what can be searched, filtered, sorted and returned', () => {
  const those = (trait: 'searchable' | 'filterable' | 'sortable' | 'secret' | 'alwaysUnique') =>
    fieldTypeNames.filter((name) => (fieldTypes[name] satisfies FieldType)[trait]);
  const compound: readonly string[] = ['json', 'password', 'group', 'list', 'blocks'];
  const scalars = fieldTypeNames.filter((name) => !compound.includes(name));
  expect(those('searchable')).toEqual(['text', 'richtext', 'group', 'list', 'blocks']);
  expect(those('filterable')).toEqual(scalars);
  expect(those('sortable')).toEqual(scalars);
  expect(those('secret')).toEqual(['password']);
  expect(those('alwaysUnique')).toEqual(['uid']);
});

test('a required relation to many documents that it needs one', () => {
  const place = { shape: 'to_many', junction: 'j', target: 'other' } as const;
  const field = fieldOf(fieldTypes.relation, {}, { place, required: true });
  expect(new CompiledSchema(fieldTypes.relation.input(field)).faults([])).toHaveLength(1);
});

test('identifiers are UUIDs in lower case', () => {
  const field = fieldOf(idField);
  expect(idField.parse(id, field)).toEqual({ ok: true, value: id });
  expect(idField.parse('ABC', field)).toMatchObject({ ok: false, code: 'bad_format' });
  expect(idField.parse(7, field)).toMatchObject({ ok: false, code: 'bad_format' });
});
