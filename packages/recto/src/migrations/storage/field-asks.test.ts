import { expect, test } from 'bun:test';
import type { FieldOptions } from '../../definition/content-type.ts';
import type { ValueKind } from '../../values/value-kind.ts';
import { askedMore, type FieldAsks } from './field-asks.ts';

type Asked = FieldOptions & { readonly type?: string; readonly required?: boolean };

const asks = ({ type = 'text', required = false, ...options }: Asked): FieldAsks => ({ type, required, options });

const narrower: readonly { was: Asked; is: Asked; change: string; kind?: ValueKind }[] = [
  { was: {}, is: { max_length: 3 }, change: 'max_length none → 3' },
  { was: { max_length: 4 }, is: { max_length: 3 }, change: 'max_length 4 → 3' },
  { was: { max_length: 100 }, is: { max_length: 20 }, change: 'max_length 100 → 20' },
  { was: { max_length: 100 }, is: { max_length: 6 }, change: 'max_length 100 → 6' },
  { was: { min_length: 9 }, is: { min_length: 10 }, change: 'min_length 9 → 10' },
  { was: { max_items: 10 }, is: { max_items: 9 }, change: 'max_items 10 → 9', kind: 'json' },
  { was: {}, is: { min_length: 1 }, change: 'min_length none → 1' },
  { was: { min_length: 1 }, is: { min_length: 2 }, change: 'min_length 1 → 2' },
  { was: {}, is: { pattern: 'a' }, change: 'pattern none → a' },
  { was: { pattern: 'a' }, is: { pattern: 'b' }, change: 'pattern a → b' },
  { was: { enum_values: ['a', 'b'] }, is: { enum_values: ['b'] }, change: 'enum_values a, b → b' },
  { was: { min: 1 }, is: { min: 2 }, change: 'min 1 → 2', kind: 'integer' },
  { was: {}, is: { max: 2 }, change: 'max none → 2', kind: 'float' },
  { was: { max: '10' }, is: { max: '9.5' }, change: 'max 10 → 9.5', kind: 'decimal' },
  { was: { max: '2026-01-02' }, is: { max: '2026-01-01' }, change: 'max 2026-01-02 → 2026-01-01', kind: 'date' },
  { was: { type: 'text' }, is: { type: 'email' }, change: 'text → email' },
];

test.each(narrower)('$change is less, and the other way round it is not', ({ was, is, change, kind = 'text' }) => {
  expect(askedMore(asks(was), asks(is), kind)).toEqual({ narrowed: [change], required: false });
  // Another type or pattern is another set of values, whichever way.
  if (was.type === undefined && was.pattern === undefined)
    expect(askedMore(asks(is), asks(was), kind).narrowed).toEqual([]);
});

test('what becomes required is reported separately', () => {
  expect(askedMore(asks({}), asks({ required: true }), 'text').required).toBe(true);
  expect(askedMore(asks({ required: true }), asks({ required: true }), 'text').required).toBe(false);
  expect(askedMore(asks({ required: true }), asks({}), 'text').required).toBe(false);
});

test('of what was remembered before anything was asked, nothing is more', () => {
  const much = asks({ required: true, max_length: 1 });
  expect(askedMore(undefined, much, 'text')).toEqual({ narrowed: [], required: false });
});
