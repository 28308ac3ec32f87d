import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { changed, cleanField, type FieldState, isConflict, isDirty } from './field-state.ts';
import { FieldsWhere } from './fields-where.ts';
import { sameValue } from './same-value.ts';

const names = ['a', 'b', 'c'] as const;
const step = fc.record({ name: fc.constantFrom(...names), mine: fc.constantFrom('', 'x', 'y'), isAsked: fc.boolean() });

test('what holds of fields is the same after each change as when all are looked at', () => {
  fc.assert(
    fc.property(fc.array(step), fc.constantFrom(isDirty, isConflict), (steps, holds) => {
      const where = new FieldsWhere(holds, () => sameValue);
      let fields: ReadonlyMap<string, FieldState> = new Map(
        names.map((name) => [name, { ...cleanField('x'), theirs: { value: 'y' } }]),
      );
      for (const { name, mine, isAsked } of steps) {
        const field = fields.get(name) ?? cleanField(null);
        const after = new Map(fields).set(name, changed(field, mine));
        where.follow(fields, after, name);
        fields = after;
        if (isAsked)
          expect(where.of(fields)).toEqual(names.filter((each) => holds(after.get(each) ?? field, sameValue)));
      }
    }),
  );
});

test('as long as the same fields are changed, the names are the same array', () => {
  const where = new FieldsWhere(isDirty, () => sameValue);
  const clean = new Map([['a', cleanField('x')]]);
  const first = new Map([['a', changed(cleanField('x'), 'xy')]]);
  const second = new Map([['a', changed(cleanField('x'), 'xyz')]]);
  expect(where.of(clean)).toEqual([]);
  where.follow(clean, first, 'a');
  expect(where.of(first)).toEqual(['a']);
  where.follow(first, second, 'a');
  expect(where.of(second)).toBe(where.of(first));
});
