import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { moved, newPositions, type Placed } from './positions.ts';

const order = fc
  .array(fc.option(fc.integer({ min: -5, max: 50 })), { maxLength: 12 })
  .map((positions) => positions.map((position, index): Placed => ({ id: `r${index}`, position })));

test('the records have the order afterwards', () => {
  fc.assert(
    fc.property(order, (wanted) => {
      const changed = new Map(newPositions(wanted).map(({ id, position }) => [id, position]));
      const after = wanted.map(({ id, position }) => changed.get(id) ?? position ?? Number.NaN);
      for (const [index, position] of after.entries())
        if (index > 0) expect(position).toBeGreaterThan(after[index - 1] ?? 0);
    }),
  );
});

test('a move changes the records between its ends alone', () => {
  const records = [0, 10, 20, 30, 40].map((position) => ({ id: String(position), position }));
  expect(newPositions(moved(records, 1, 3))).toEqual([
    { id: '20', position: 10 },
    { id: '30', position: 20 },
    { id: '10', position: 30 },
  ]);
  expect(newPositions(moved(records, 2, 2))).toEqual([]);
});

test('records without positions get some', () => {
  expect(
    newPositions([
      { id: 'a', position: null },
      { id: 'b', position: 0 },
    ]),
  ).toEqual(
    [
      { id: 'b', position: 1 },
      { id: 'a', position: 0 },
    ].toReversed(),
  );
});
