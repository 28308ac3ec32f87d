import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { checkDefinitions } from './check-definitions.ts';
import { knownNames } from './definition-file.ts';
import { fieldTypeNames } from './fields/index.ts';

const check = (definitions: readonly unknown[]) =>
  checkDefinitions(definitions.map((definition, index) => ({ file: `${index}`, definition })));

const word = fc.stringMatching(/^[a-z][a-z0-9_-]{2,12}$/).map((text) => `x_${text}`);
const traits = fc.record(
  {
    required: fc.boolean(),
    private: fc.boolean(),
    immutable: fc.boolean(),
    label: fc.string(),
    description: fc.string(),
  },
  { requiredKeys: [] },
);
const bounds = (values: fc.Arbitrary<number>) =>
  fc.tuple(values, values).map(([a, b]) => ({ min: Math.min(a, b), max: Math.max(a, b), default: Math.max(a, b) }));
const lengths = fc
  .tuple(fc.nat(9), fc.nat(9))
  .map(([a, b]) => ({ min_length: Math.min(a, b), max_length: Math.max(a, b) }));

/** Groups, lists and blocks, with fields inside them to some depth. */
function structured(depth: number): fc.Arbitrary<{ field_type: string }> {
  const scalar = fc.constantFrom('text', 'integer', 'decimal', 'date', 'json').map((field_type) => ({ field_type }));
  const one: fc.Arbitrary<{ field_type: string }> = depth === 0 ? scalar : fc.oneof(scalar, structured(depth - 1));
  const named = fc
    .uniqueArray(fc.tuple(word, one, traits), { selector: ([name]) => name, minLength: 1, maxLength: 3 })
    .map((all) => all.map(([name, options, { immutable: _, ...some }]) => ({ name, ...options, ...some })));
  const items = fc.tuple(fc.nat(3), fc.nat(9)).map(([min, more]) => ({ min_items: min, max_items: min + more }));
  return fc.oneof(
    named.map((fields) => ({ field_type: 'group', fields })),
    fc.tuple(named, items).map(([fields, bounds]) => ({ field_type: 'list', fields, ...bounds })),
    one.map((item) => ({ field_type: 'list', item })),
    fc.dictionary(word, named, { minKeys: 1, maxKeys: 3 }).map((all) => ({
      field_type: 'blocks',
      blocks: Object.entries(all).map(([name, fields]) => ({ name, fields })),
    })),
  );
}

const field = fc.oneof(
  lengths.map((options) => ({ field_type: 'text', ...options })),
  fc
    .constantFrom('richtext', 'boolean', 'time', 'email', 'password', 'uid', 'json', 'media')
    .map((field_type) => ({ field_type })),
  bounds(fc.integer()).map((options) => ({ field_type: 'integer', ...options })),
  bounds(fc.maxSafeInteger()).map((options) => ({ field_type: 'bigint', ...options })),
  bounds(fc.double({ noNaN: true, noDefaultInfinity: true })).map((options) => ({ field_type: 'float', ...options })),
  fc.nat().map((cents) => ({ field_type: 'decimal', default: (cents / 100).toFixed(2) })),
  fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }).map((values) => ({
    field_type: 'enum',
    enum_values: values,
    default: values[0],
  })),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((date) => ({
    field_type: 'date',
    default: date.toISOString().slice(0, 10),
  })),
  structured(3),
  fc
    .tuple(fc.constantFrom('many_to_one', 'one_to_one', 'many_to_many'), fc.nat())
    .map(([relation_type, target]) => ({ field_type: 'relation', relation: { relation_type, target } })),
);

const access = fc.constantFrom('none', 'public', 'member', 'admin');
const rule = fc.constantFrom(
  'id != null',
  '@request.auth.role = "editor"',
  '(id = @request.query.x || id ~ "%") && true = true',
);
const endpoint = fc.record({ access, filter: rule, filter_auth: rule }, { requiredKeys: [] });
const endpoints = fc.record(
  { list: endpoint, get: endpoint, create: endpoint, update: endpoint, delete: endpoint },
  { requiredKeys: [] },
);

const definitions = fc
  .uniqueArray(
    fc.record({
      singular: word,
      api: endpoints,
      api_restful: fc.boolean(),
      protocols: fc.subarray(['timestampable', 'ownable', 'lockable', 'metaable']),
      fields: fc.uniqueArray(fc.record({ name: word, field, traits }), { selector: ({ name }) => name, maxLength: 8 }),
    }),
    { selector: ({ singular }) => singular, minLength: 1, maxLength: 4 },
  )
  .map((types) =>
    types.map(({ singular, fields, ...type }) => ({
      ...type,
      singular,
      plural: `all-${singular}`,
      fields: fields.map(({ name, field: { ...options }, traits: some }) => {
        if (!('relation' in options) || options.relation === undefined) return { name, ...options, ...some };
        const target = types[options.relation.target % types.length]?.singular;
        return { name, ...options, ...some, relation: { ...options.relation, target } };
      }),
    })),
  );

test('any right definitions are taken, with every field in its place', () => {
  fc.assert(
    fc.property(definitions, (all) => {
      const { types, faults } = check(all);
      expect(faults).toBeUndefined();
      for (const { singular, fields } of all) {
        const names = types
          ?.get(singular)
          .fields.filter(({ origin }) => origin === 'declared')
          .map(({ name }) => name);
        expect(names).toEqual(fields.map(({ name }) => name));
      }
    }),
  );
});

const names = [
  ...new Set(Object.values(knownNames).flat()),
  'content_type',
  'implements',
  '__proto__',
  'constructor',
  'odd key',
];
const leaf = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.constantFrom(
    ...fieldTypeNames,
    'articles',
    'many_to_one',
    'one_to_many',
    'single',
    'lockable',
    'metaable',
    'title = "x"',
    'a',
    'b',
  ),
);
const { wild } = fc.letrec((tie) => ({
  wild: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('wild'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('wild'), { maxKeys: 8 }),
  ),
}));
const nearly = fc.record(
  {
    singular: fc.oneof(fc.constantFrom('a', 'b', 'articles'), wild),
    plural: fc.oneof(fc.constantFrom('as', 'a', 'articles'), wild),
    kind: fc.oneof(fc.constantFrom('single', 'collection'), wild),
    protocols: fc.oneof(fc.array(wild, { maxLength: 3 }), wild),
    fields: fc.array(
      fc.oneof(fc.dictionary(fc.constantFrom(...(knownNames['fields[]'] ?? [])), wild, { maxKeys: 8 }), wild),
      { maxLength: 5 },
    ),
    api: fc.dictionary(fc.constantFrom('list', 'get', 'create', 'x'), wild),
  },
  { requiredKeys: [] },
);

test('any input gives types or errors, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(nearly, wild, fc.anything()), { maxLength: 3 }), (all) => {
      const { types, faults } = check(all);
      if (types !== undefined) {
        expect(types.all).toHaveLength(all.length);
        return;
      }
      expect(faults?.length).toBeGreaterThan(0);
      for (const { message, remedy } of faults ?? []) {
        expect(message).not.toBe('');
        expect(remedy).not.toBe('');
        expect(`${message}${remedy}`).not.toContain('undefined');
      }
    }),
    { numRuns: randomCases(500) },
  );
});
