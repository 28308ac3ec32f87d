import { expect, test } from 'bun:test';
import Type, { type TSchema } from 'typebox';
import { nullOr } from './null-or.ts';

test.each<[TSchema, object]>([
  [
    Type.String({ format: 'date', description: 'A day.' }),
    { type: ['string', 'null'], format: 'date', description: 'A day.' },
  ],
  [Type.Unsafe({ type: 'string', enum: ['a', 'b'] }), { type: ['string', 'null'], enum: ['a', 'b', null] }],
  [Type.Array(Type.Integer()), { type: ['array', 'null'], items: { type: 'integer' } }],
  [Type.Unsafe({}), {}],
  [Type.String({ $id: 'Name' }), { anyOf: [{ type: 'string', $id: 'Name' }, { type: 'null' }] }],
  [Type.Literal('a'), { anyOf: [{ type: 'string', const: 'a' }, { type: 'null' }] }],
  [Type.Unsafe({ oneOf: [] }), { anyOf: [{ oneOf: [] }, { type: 'null' }] }],
])('%#: null beside a plain type, a union for others', (schema, expected) => {
  expect(JSON.parse(JSON.stringify(nullOr(schema)))).toEqual(expected);
});
