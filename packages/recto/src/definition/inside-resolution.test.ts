import { describe, expect, test } from 'bun:test';
import { checkDefinitions } from './check-definitions.ts';
import { locator } from './source-place.ts';
import { innerFields } from './structure/structure-items.ts';

const field = (name: string, field_type: string, more: object = {}) => ({ name, field_type, ...more });
const text = field('text', 'text');
const toOne = { field_type: 'relation', relation: { relation_type: 'many_to_one', target: 'notes' } };
const noteOf = (...fields: unknown[]) => ({
  file: 'note.toml',
  definition: { singular: 'note', plural: 'notes', fields },
});
const check = (...fields: unknown[]) => checkDefinitions([noteOf(...fields)]);
const faults = (...fields: unknown[]) =>
  (check(...fields).faults ?? []).map(({ path, message }) => `${path}: ${message}`);

test('what stands inside is resolved at every level', () => {
  const deep = field('deep', 'list', { item: { field_type: 'group', fields: [text, { name: 'one', ...toOne }] } });
  const body = field('body', 'blocks', {
    blocks: [{ name: 'quote', label: 'Quotation', fields: [text, deep] }, { name: 'rule' }],
  });
  const found = check(body).types?.get('note').field.get('body');
  expect(found === undefined ? [] : innerFields(found).map(({ path, names }) => [path, names.join('.')])).toEqual([
    ['quote.text', 'text'],
    ['quote.deep', 'deep'],
    ['quote.deep', 'deep'],
    ['quote.deep.text', 'deep.text'],
    ['quote.deep.one', 'deep.one'],
  ]);
});

describe('errors', () => {
  const cases: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['a group without fields', field('a', 'group'), ['fields[0].fields: a group needs fields']],
    ['a list of nothing', field('a', 'list'), ['fields[0].item: a list needs an item or fields']],
    [
      'a list of both',
      field('a', 'list', { item: { field_type: 'text' }, fields: [text] }),
      ['fields[0].fields: a list has an item or fields, not both'],
    ],
    [
      'blocks without kinds',
      field('a', 'blocks', { blocks: [] }),
      ['fields[0].blocks: blocks need the kinds that there are'],
    ],
    [
      'fields in a text',
      field('a', 'text', { fields: [text] }),
      ['fields[0].fields: a field of type text has no fields'],
    ],
    [
      'an item of a group',
      field('a', 'group', { fields: [text], item: {} }),
      ['fields[0].item.field_type: field_type is missing', 'fields[0].item: a field of type group has no item'],
    ],
    [
      'bounds the wrong way round',
      field('a', 'list', { item: { field_type: 'text' }, min_items: 3, max_items: 2 }),
      ['fields[0].min_items: min_items (3) is greater than max_items (2)'],
    ],
    [
      'too many items',
      field('a', 'list', { item: { field_type: 'text' }, max_items: 10_001 }),
      ['fields[0].max_items: must be 10000 or less, not 10001'],
    ],
    [
      'an unknown type, an unknown option and a bad name',
      field('a', 'blocks', {
        blocks: [{ name: 'b', fields: [field('x', 'txt', { requird: true }), field('X y', 'text')] }],
      }),
      [
        'fields[0].blocks[0].fields[0].requird: unknown name "requird"',
        'fields[0].blocks[0].fields[0].field_type: "txt" is no field type',
        'fields[0].blocks[0].fields[1].name: "X y" is no name',
      ],
    ],
    [
      'an option that is wrong',
      field('a', 'group', { fields: [field('x', 'text', { pattern: '(' }), field('y', 'enum')] }),
      [
        'fields[0].fields[0].pattern: is not an ECMAScript regular expression (flag "u")',
        'fields[0].fields[1].enum_values: an enum needs the list of its values',
      ],
    ],
    [
      'names twice',
      field('a', 'group', { fields: [text, text] }),
      ['fields[0].fields[1].name: the field "text" is already defined as fields[0]'],
    ],
    [
      'a block twice',
      field('a', 'blocks', { blocks: [{ name: 'b' }, { name: 'b' }] }),
      ['fields[0].blocks[1].name: there is a block "b" already'],
    ],
    [
      'a picture of another site',
      field('a', 'blocks', {
        blocks: ['/pictures/a.png', 'https://example.com/a.png', '//example.com/a.png', '/a"b', 'a.png'].map(
          (image, index) => ({ name: `b${index}`, image }),
        ),
      }),
      [1, 2, 3, 4].map((index) => `fields[0].blocks[${index}].image: is no path on this service`),
    ],
    [
      'names that every block has',
      field('a', 'blocks', { blocks: [{ name: 'b', fields: [field('id', 'text'), field('block', 'text')] }] }),
      [
        'fields[0].blocks[0].fields[0].name: the name "id" is taken: it is a member of every block',
        'fields[0].blocks[0].fields[1].name: the name "block" is taken: it is a member of every block',
      ],
    ],
    [
      'what a column alone can do',
      field('a', 'group', {
        fields: [
          field('x', 'text', { unique: true }),
          field('y', 'date', { indexed: true }),
          field('z', 'text', { immutable: true }),
        ],
      }),
      [
        'fields[0].fields[0].unique: a field inside another cannot be unique',
        'fields[0].fields[1].indexed: a field inside another cannot be indexed',
        'fields[0].fields[2].immutable: a field inside another cannot be immutable',
      ],
    ],
    [
      'a password',
      field('a', 'list', { item: { field_type: 'password' } }),
      ['fields[0].item.field_type: a password cannot be inside another field'],
    ],
    [
      'a relation to many',
      field('a', 'group', {
        fields: [field('x', 'relation', { relation: { relation_type: 'many_to_many', target: 'notes' } })],
      }),
      [
        'fields[0].fields[0].relation.relation_type: a relation inside another field leads to one record, not many_to_many',
      ],
    ],
    [
      'a relation to nothing',
      field('a', 'list', { item: { ...toOne, relation: { ...toOne.relation, target: 'things' } } }),
      ['fields[0].item.relation.target: there is no content type "things"'],
    ],
    [
      'traits of an item',
      field('a', 'list', { item: { field_type: 'text', required: true } }),
      ['fields[0].item.required: required means nothing on the item of a list'],
    ],
    [
      'a name for an item',
      field('a', 'list', { item: { name: 'x', field_type: 'text' } }),
      ['fields[0].item.name: unknown name "name"'],
    ],
    [
      'a default that does not fit',
      field('a', 'group', { fields: [text], default: { text: 1, odd: 2 } }),
      ['fields[0].default: the default is not a valid value: At odd: There is no such field'],
    ],
    [
      'a unique group',
      field('a', 'group', { fields: [text], unique: true }),
      ['fields[0].unique: values of type group cannot be compared'],
    ],
    [
      'a former name that is still there',
      field('a', 'group', { fields: [text, field('x', 'text', { renamed_from: 'text' })] }),
      ['fields[0].fields[1].renamed_from: "text" is still a name here, or is given twice'],
    ],
    [
      'a slug of nothing',
      field('a', 'group', { fields: [field('x', 'uid', { target_field: 'y' })] }),
      ['fields[0].fields[0].target_field: there is no field "y" to derive a slug from'],
    ],
  ];
  test.each(cases)('%s', (_, one, expected) => expect(faults(one)).toEqual([...expected]));

  test('six levels, of which five may be', () => {
    const nested = (levels: number): object =>
      levels === 0 ? text : field(`l${levels}`, levels % 2 === 0 ? 'list' : 'group', { fields: [nested(levels - 1)] });
    expect(faults(nested(5))).toEqual([]);
    expect(faults(nested(6))).toEqual([`fields[0]${'.fields[0]'.repeat(5)}: is nested deeper than 5 levels`]);
    expect(faults(nested(40))).toHaveLength(1);
  });

  test('have the line in the file', () => {
    const source = `singular = "note"
plural = "notes"

[[fields]]
name = "body"
field_type = "blocks"

[[fields.blocks]]
name = "quote"

[[fields.blocks.fields]]
name = "text"
field_type = "text"
max_lenght = 3
`;
    const locate = locator(source, 'toml');
    const { faults: found } = checkDefinitions([{ file: 'note.toml', definition: Bun.TOML.parse(source), locate }]);
    expect(found).toMatchObject([
      { path: 'fields[0].blocks[0].fields[0].max_lenght', line: 14, remedy: 'did you mean "max_length"?' },
    ]);
  });

  test('of a shared record that leads to one of a tenant', () => {
    const tenants = {
      file: 'a',
      definition: { singular: 'own', plural: 'owns', protocols: ['tenantable'], fields: [text] },
    };
    const one = field('a', 'list', { item: { ...toOne, relation: { ...toOne.relation, target: 'owns' } } });
    expect(checkDefinitions([tenants, noteOf(one)]).faults).toMatchObject([{ path: 'fields[0]' }]);
  });
});
