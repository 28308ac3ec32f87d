import { fieldTypeNames } from './fields/index.ts';
import { protocols } from './protocols/index.ts';

/** A part of a definition as JSON. */
type Part = Readonly<Record<string, unknown>>;

/** Values of all kinds: for any option most of them are wrong. */
const odd: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    3,
    -1,
    1.5,
    1e300,
    9_007_199_254_740_992,
    '',
    'x',
    'id',
    'title',
    '[',
    '(?<n>a)(?<n>b)',
    '\\',
    '^(a+)+$',
  ],
  ...[
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    '2020-01-01',
    '1e400',
    '9'.repeat(70),
    [],
    ['a'],
    [''],
    ['a', 'a'],
  ],
  ...[
    [null],
    {},
    { a: {} },
    { relation_type: 'many_to_one', target: 'odd' },
    { relation_type: 'one_to_many', target: 'odd' },
  ],
  ...[
    [{ name: 'id', field_type: 'text' }],
    [
      { name: 'a', field_type: 'text' },
      { name: 'a', field_type: 'integer' },
    ],
    [{ name: 'a', field_type: 'nothing' }, null, 3],
    [{ name: 'a', field_type: 'text', pattern: '(' }],
    [{ name: 'a', field_type: 'relation', relation: { relation_type: 'many_to_many', target: 'odd' } }],
    [{ name: 'a', fields: [{ name: 'block', field_type: 'text', unique: true }] }],
    [
      { name: 'a', renamed_from: 'a' },
      { name: 'b', renamed_from: 'a' },
    ],
    { field_type: 'password' },
    { field_type: 'list', item: { field_type: 'list', item: { field_type: 'list', item: { field_type: 'text' } } } },
    { name: 'x', field_type: 'integer', min: 3, max: 2 },
  ],
];

const options = [
  ...['max_length', 'min_length', 'min', 'max', 'pattern', 'enum_values', 'target_field', 'relation'],
  ...['min_items', 'max_items', 'fields', 'item', 'blocks'],
];
const traits = ['name', 'renamed_from', 'field_type', 'required', 'unique', 'private', 'immutable', 'indexed', 'label'];
const defaults: readonly unknown[] = ['x', '', 3, -1, 'a@example.org', '1.5', '2020-01-01', true, {}, []];

/** What makes a field of the type right, where it needs more than its type. */
const needed: Readonly<Record<string, Part>> = {
  enum: { enum_values: ['x', 'y'] },
  relation: { relation: { relation_type: 'many_to_one', target: 'odd' } },
  group: { fields: [{ name: 'a', field_type: 'text' }] },
  list: { item: { field_type: 'integer' } },
  blocks: { blocks: [{ name: 'b', fields: [{ name: 'a', field_type: 'text' }] }] },
};

/** Each field type with each option and each value, alone and beside a default. */
export function oddFields(): readonly Part[] {
  return fieldTypeNames.flatMap((field_type) => {
    const right = { name: 'x', field_type, ...needed[field_type] };
    return [
      ...[...traits, ...options, 'default'].flatMap((option) => odd.map((value) => ({ ...right, [option]: value }))),
      ...options.flatMap((option) =>
        odd.flatMap((value, at) => [
          { ...right, [option]: value, default: defaults[at % defaults.length] },
          { ...right, [option]: value, default: defaults[(at * 7 + 3) % defaults.length], unique: true },
        ]),
      ),
    ];
  });
}

const odder = { singular: 'odd', plural: 'odds', fields: [{ name: 'title', field_type: 'text' }] } as const;

/** Whole definitions: each key of the head, of the endpoints and of the protocols’ options with each value. */
export function oddDefinitions(): readonly Part[] {
  const head = [
    'name',
    'singular',
    'plural',
    'renamed_from',
    'kind',
    'description',
    'api_restful',
    'protocols',
    'fields',
  ];
  const endpoint = ['access', 'filter', 'filter_auth', 'cache', 'fields', 'other'];
  return [
    ...[...head, 'api', '$schema', 'content_type', 'implements', 'other', 'options'].flatMap((key) =>
      odd.map((value) => ({ ...odder, [key]: value })),
    ),
    ...['list', 'get', 'create', 'update', 'delete', 'other'].flatMap((name) => [
      ...odd.map((value) => ({ ...odder, api: { [name]: value } })),
      ...endpoint.flatMap((key) => odd.map((value) => ({ ...odder, api: { [name]: { [key]: value } } }))),
    ]),
    ...Object.entries(protocols).flatMap(([name, protocol]) => {
      const known = Object.keys(Object(Object(protocol.options).properties));
      return ['options', 'other', ...known].flatMap((option) =>
        odd.map((value) => ({ ...odder, protocols: [{ name, [option]: value }] })),
      );
    }),
  ];
}
