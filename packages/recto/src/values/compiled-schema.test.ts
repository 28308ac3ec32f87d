import { describe, expect, test } from 'bun:test';
import Type, { type TSchema } from 'typebox';
import type { FieldFault } from '../base/problem.ts';
import { CompiledSchema } from './compiled-schema.ts';

const field = (schema: TSchema): TSchema => Type.Object({ f: Type.Optional(schema) }, { additionalProperties: false });
const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);
const rows = (schema: TSchema): TSchema => Type.Array(Type.Object({ id: schema }, { additionalProperties: false }));

interface Case {
  readonly name: string;
  readonly schema: TSchema;
  /** The body, as JSON text. */
  readonly body: string;
  /** `field code`, or the complete error. */
  readonly faults: readonly (string | FieldFault)[];
}

const cases: readonly Case[] = [
  { name: 'a valid value', schema: field(Type.String()), body: '{"f":"x"}', faults: [] },
  {
    name: 'required',
    schema: Type.Object({ a: Type.String(), b: Type.String() }),
    body: '{}',
    faults: [{ field: 'a', code: 'required', message: 'This field is required.' }, 'b required'],
  },
  {
    name: 'a field that is not known',
    schema: field(Type.String()),
    body: '{"g":1,"__proto__":{"f":2},"constructor":3,"7":4}',
    faults: ['["7"] unknown_field', 'g unknown_field', '__proto__ unknown_field', 'constructor unknown_field'],
  },
  {
    name: 'wrong type',
    schema: field(Type.String()),
    body: '{"f":3}',
    faults: [{ field: 'f', code: 'wrong_type', message: 'Must be a string.' }],
  },
  { name: 'null where none is allowed', schema: field(Type.String()), body: '{"f":null}', faults: ['f wrong_type'] },
  {
    name: 'several types',
    schema: field(Type.Unsafe({ type: ['boolean', 'null'] })),
    body: '{"f":3}',
    faults: [{ field: 'f', code: 'wrong_type', message: 'Must be true or false or null.' }],
  },
  {
    name: 'too long',
    schema: field(Type.String({ maxLength: 1 })),
    body: '{"f":"ab"}',
    faults: [{ field: 'f', code: 'too_long', message: 'Must have at most 1 character.' }],
  },
  { name: 'length is in code points', schema: field(Type.String({ maxLength: 2 })), body: '{"f":"😀😀"}', faults: [] },
  { name: 'too short', schema: field(Type.String({ minLength: 3 })), body: '{"f":"ab"}', faults: ['f too_short'] },
  {
    name: 'empty',
    schema: field(Type.String({ minLength: 1 })),
    body: '{"f":""}',
    faults: [{ field: 'f', code: 'too_short', message: 'Must not be empty.' }],
  },
  { name: 'too small', schema: field(Type.Integer({ minimum: 1 })), body: '{"f":0}', faults: ['f too_small'] },
  { name: 'too large', schema: field(Type.Integer({ maximum: 1 })), body: '{"f":2}', faults: ['f too_large'] },
  {
    name: 'not above',
    schema: field(Type.Number({ exclusiveMinimum: 1 })),
    body: '{"f":1}',
    faults: [{ field: 'f', code: 'too_small', message: 'Must be more than 1.' }],
  },
  {
    name: 'bad format',
    schema: field(Type.String({ format: 'email' })),
    body: '{"f":"x"}',
    faults: [{ field: 'f', code: 'bad_format', message: 'Must be an e-mail address.' }],
  },
  {
    name: 'not of the pattern',
    schema: field(Type.String({ pattern: '^a' })),
    body: '{"f":"b"}',
    faults: [{ field: 'f', code: 'bad_format', message: 'Must match the pattern ^a.' }],
  },
  {
    name: 'not one of the words',
    schema: field(Type.Enum(['a', 'b'])),
    body: '{"f":"c"}',
    faults: [{ field: 'f', code: 'not_allowed', message: 'Must be one of: a, b.' }],
  },
  {
    name: 'a union of literals lists the words once',
    schema: field(Type.Union([Type.Literal('a'), Type.Literal('b'), Type.Null()])),
    body: '{"f":"c"}',
    faults: [{ field: 'f', code: 'not_allowed', message: 'Must be one of: a, b.' }],
  },
  {
    name: 'too many and too few items',
    schema: Type.Object({
      a: Type.Array(Type.String(), { maxItems: 1 }),
      b: Type.Array(Type.String(), { minItems: 1 }),
    }),
    body: '{"a":["x","y"],"b":[]}',
    faults: ['a too_many_items', 'b too_few_items'],
  },
  {
    name: 'the same item twice',
    schema: field(Type.Array(Type.Integer(), { uniqueItems: true })),
    body: '{"f":[1,1]}',
    faults: ['f invalid'],
  },
  {
    name: 'the same object twice, in a list of lists',
    schema: field(Type.Array(Type.Array(Type.Any(), { uniqueItems: true }))),
    body: '{"f":[[1,"1"],[{"a":1},{"a":1}]]}',
    faults: ['f[1] invalid'],
  },
  {
    name: 'in a union with null, the branch that was meant',
    schema: field(orNull(Type.Integer({ minimum: 3 }))),
    body: '{"f":2}',
    faults: [{ field: 'f', code: 'too_small', message: 'Must be 3 or more.' }],
  },
  {
    name: 'in a union with null, neither',
    schema: field(orNull(Type.Integer({ minimum: 3 }))),
    body: '{"f":1.5}',
    faults: [{ field: 'f', code: 'wrong_type', message: 'Must be an integer or null.' }],
  },
  {
    name: 'unions in unions, and in the items of an array',
    schema: field(orNull(rows(orNull(Type.String({ maxLength: 1 }))))),
    body: '{"f":[{"id":"ab"},{"id":null},{"id":3},{"id":"a","x":1}]}',
    faults: ['f[0].id too_long', 'f[2].id wrong_type', 'f[3].x unknown_field'],
  },
  {
    name: 'objects of which none fits',
    schema: field(Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })])),
    body: '{"f":{}}',
    faults: ['f invalid'],
  },
  {
    name: 'more than one branch of a oneOf',
    schema: field(Type.Unsafe({ oneOf: [{ type: 'string' }, { minLength: 1 }] })),
    body: '{"f":"a"}',
    faults: ['f invalid'],
  },
  {
    name: 'one error for each field, all fields',
    schema: Type.Object({ a: Type.String({ minLength: 3, pattern: '^x' }), b: Type.Integer(), c: Type.String() }),
    body: '{"a":"y","b":"z"}',
    faults: ['c required', 'a too_short', 'b wrong_type'],
  },
  {
    name: 'odd names in paths',
    schema: Type.Record(Type.String(), Type.Integer()),
    body: '{"a/b~c":"x","0":"y","ü":"z"}',
    faults: ['["0"] wrong_type', '["a/b~c"] wrong_type', '["ü"] wrong_type'],
  },
  { name: 'the body itself', schema: Type.Object({}), body: '[]', faults: [' wrong_type'] },
  {
    name: 'a required field that every object inherits',
    schema: Type.Object({ constructor: Type.String() }),
    body: '{}',
    faults: ['constructor required'],
  },
  {
    name: 'an optional field that every object inherits',
    schema: Type.Object({ constructor: Type.Optional(Type.String()) }),
    body: '{}',
    faults: [],
  },
];

describe('errors of a value', () => {
  for (const { name, schema, body, faults } of cases) {
    test(name, () => {
      const found = new CompiledSchema(schema).faults(JSON.parse(body));
      expect(found.map(({ field, code }) => `${field} ${code}`)).toEqual(
        faults.map((fault) => (typeof fault === 'string' ? fault : `${fault.field} ${fault.code}`)),
      );
      for (const fault of faults) if (typeof fault !== 'string') expect(found).toContainEqual(fault);
    });
  }

  test('more errors than the library reports by default', () => {
    const names = Array.from({ length: 40 }, (_, index) => `f${index}`);
    const schema = Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()])));
    const faults = new CompiledSchema(schema).faults(Object.fromEntries(names.map((name) => [name, 1])));
    expect(faults.map((fault) => fault.field)).toEqual(names);
  });

  test('many invalid items do not cause a large response', () => {
    const faults = new CompiledSchema(Type.Array(Type.String())).faults(new Array(100_000).fill(1));
    expect(faults.length).toBeGreaterThan(100);
    expect(faults.length).toBeLessThanOrEqual(1024);
  });

  test('a long name is shortened', () => {
    const [fault] = new CompiledSchema(field(Type.String())).faults({ ['x'.repeat(1_000_000)]: 1 });
    expect(fault?.code).toBe('unknown_field');
    expect(fault?.field.length).toBeLessThan(100);
  });
});
