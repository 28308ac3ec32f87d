import { expect, test } from 'bun:test';
import type { FieldOptions } from '../../definition/content-type.ts';
import type { ValueKind } from '../../values/value-kind.ts';
import { askedMore, type FieldAsks } from './field-asks.ts';

type Asked = FieldOptions & { readonly type?: string; readonly required?: boolean };

const asks = ({ type = 'text', required = false, ...options }: Asked): FieldAsks => ({ type, required, options });

const narrower: readonly { was: Asked; is: Asked; told: string; kind?: ValueKind }[] = [
  { was: {}, is: { max_length: 3 }, told: 'max_length none → 3' },
  { was: { max_length: 4 }, is: { max_length: 3 }, told: 'max_length 4 → 3' },
  { was: {}, is: { min_length: 1 }, told: 'min_length none → 1' },
  { was: { min_length: 1 }, is: { min_length: 2 }, told: 'min_length 1 → 2' },
  { was: {}, is: { pattern: 'a' }, told: 'pattern none → a' },
  { was: { pattern: 'a' }, is: { pattern: 'b' }, told: 'pattern a → b' },
  { was: { enum_values: ['a', 'b'] }, is: { enum_values: ['b'] }, told: 'enum_values a, b → b' },
  { was: { min: 1 }, is: { min: 2 }, told: 'min 1 → 2', kind: 'integer' },
  { was: {}, is: { max: 2 }, told: 'max none → 2', kind: 'float' },
  { was: { max: '10' }, is: { max: '9.5' }, told: 'max 10 → 9.5', kind: 'decimal' },
  { was: { max: '2026-01-02' }, is: { max: '2026-01-01' }, told: 'max 2026-01-02 → 2026-01-01', kind: 'date' },
  { was: { type: 'text' }, is: { type: 'email' }, told: 'text → email' },
];

test.each(narrower)('$told is less, and the other way round it is not', ({ was, is, told, kind = 'text' }) => {
  expect(askedMore(asks(was), asks(is), kind)).toEqual({ narrowed: [told], required: false });
  // Another type or pattern is another set of values, whichever way.
  if (was.type === undefined && was.pattern === undefined)
    expect(askedMore(asks(is), asks(was), kind).narrowed).toEqual([]);
});

test('what must be there is told apart', () => {
  expect(askedMore(asks({}), asks({ required: true }), 'text').required).toBe(true);
  expect(askedMore(asks({ required: true }), asks({ required: true }), 'text').required).toBe(false);
  expect(askedMore(asks({ required: true }), asks({}), 'text').required).toBe(false);
});

test('of what was remembered before anything was asked, nothing is more', () => {
  const much = asks({ required: true, max_length: 1 });
  expect(askedMore(undefined, much, 'text')).toEqual({ narrowed: [], required: false });
});
