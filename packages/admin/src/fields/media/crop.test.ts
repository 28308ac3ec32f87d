import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Crop, cropOf, cropOrNone, type Grip, largest, movedBy, resized, whole } from './crop.ts';

const share = fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 10_000);
const crops: fc.Arbitrary<Crop> = fc.tuple(share, share, share, share).map(([a, b, c, d]) => {
  const width = Math.max(0.05, a);
  const height = Math.max(0.05, b);
  return { x: c * (1 - width), y: d * (1 - height), width, height };
});
const grips = fc.constantFrom<Grip>(
  { across: 'left' },
  { across: 'right' },
  { down: 'top' },
  { down: 'bottom' },
  { across: 'left', down: 'top' },
  { across: 'right', down: 'top' },
  { across: 'left', down: 'bottom' },
  { across: 'right', down: 'bottom' },
);
const ratios = fc.constantFrom(1, 0.5, 2, 16 / 9, 9 / 16, 0.2, 5);
const point = fc.record({
  x: fc.double({ min: -1, max: 2, noNaN: true }),
  y: fc.double({ min: -1, max: 2, noNaN: true }),
});

function expectWithin({ x, y, width, height }: Crop): void {
  for (const value of [x, y]) expect(value).toBeGreaterThanOrEqual(0);
  for (const value of [width, height]) expect(value).toBeGreaterThan(0);
  for (const end of [x + width, y + height]) expect(end).toBeLessThanOrEqual(1 + 1e-9);
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 3e-4;

describe('a crop', () => {
  test('stays within the picture and keeps its size where it is moved', () => {
    fc.assert(
      fc.property(crops, point, (crop, { x, y }) => {
        const moved = movedBy(crop, x, y);
        expectWithin(moved);
        expect(near(moved.width, crop.width) && near(moved.height, crop.height)).toBe(true);
      }),
    );
    expect(movedBy({ x: 0.2, y: 0.2, width: 0.5, height: 0.5 }, 0.1, -0.9)).toEqual({
      ...{ x: 0.3, y: 0, width: 0.5, height: 0.5 },
    });
  });

  test('keeps the opposite side where one is moved', () => {
    fc.assert(
      fc.property(crops, grips, point, fc.option(ratios, { nil: undefined }), (crop, grip, to, ratio) => {
        const next = resized(crop, grip, to, ratio);
        expectWithin(next);
        if (grip.across === 'left') expect(near(next.x + next.width, crop.x + crop.width)).toBe(true);
        if (grip.across === 'right') expect(near(next.x, crop.x)).toBe(true);
        if (grip.down === 'top') expect(near(next.y + next.height, crop.y + crop.height)).toBe(true);
        if (grip.down === 'bottom') expect(near(next.y, crop.y)).toBe(true);
      }),
    );
  });

  test('has its edge where the pointer is, while there is room', () => {
    const crop = { x: 0.2, y: 0.2, width: 0.6, height: 0.6 };
    expect(resized(crop, { across: 'left', down: 'top' }, { x: 0.4, y: 0.1 })).toEqual({
      ...{ x: 0.4, y: 0.1, width: 0.4, height: 0.7 },
    });
    expect(resized(crop, { across: 'right' }, { x: 2, y: 0 })).toEqual({ ...crop, width: 0.8 });
    // It does not turn over.
    expect(resized(crop, { across: 'right' }, { x: 0, y: 0 })).toEqual({ ...crop, width: 0.05 });
  });

  test('keeps proportions that are asked for', () => {
    fc.assert(
      fc.property(crops, grips, point, ratios, (crop, grip, to, ratio) => {
        const { width, height } = resized(crop, grip, to, ratio);
        expect(Math.abs(width - height * ratio)).toBeLessThan(3e-4 * (1 + ratio));
      }),
    );
    fc.assert(
      fc.property(crops, ratios, (crop, ratio) => {
        const next = largest(crop, ratio);
        expectWithin(next);
        expect(Math.max(next.width, next.height)).toBe(1);
        expect(Math.abs(next.width - next.height * ratio)).toBeLessThan(3e-4 * (1 + ratio));
      }),
    );
    expect(largest(whole, 0.5)).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 });
  });

  test('of all of the picture is none, and what is no crop neither', () => {
    expect(cropOrNone(whole)).toBeNull();
    expect(cropOrNone({ ...whole, width: 0.9 })).toEqual({ ...whole, width: 0.9 });
    expect([cropOf(null), cropOf('x'), cropOf({ x: 0, y: 0, width: 1 }), cropOf(undefined)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    // Nor is what the service takes for none.
    for (const part of [{ x: -1 }, { y: 0.5 }, { width: 0 }, { height: 2 }])
      expect(cropOf({ ...whole, ...part })).toBeNull();
    expect(cropOf({ ...whole, more: 1 })).toEqual(whole);
  });
});
