import type { Scalar } from './value-kind.ts';

/** Compares numbers and bigints by value (also one with the other, exactly), booleans, and ASCII texts. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
