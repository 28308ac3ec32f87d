import type { JsonValue } from '../../../values/value-kind.ts';
import type { Field } from '../../content-type.ts';
import type { Part, Structure } from '../../field-type.ts';
import { type FieldTypeName, fieldTypes } from '../index.ts';
import { type FieldCase, fieldOf, id, otherId, same } from './field-case.fixture.ts';

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

export const structuredCases: readonly FieldCase[] = [
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
