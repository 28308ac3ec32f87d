import { compareScalars } from './compare-scalars.ts';
import type { Kind } from './value-kind.ts';

const integerText = /^-?\d+$/;
const floatText = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** Adding 0 turns -0 into 0; databases treat both as the same number. */
const safeInteger = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value + 0 : undefined;

const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : undefined;

/** Whole numbers that JSON carries without loss: from -(2^53 - 1) to 2^53 - 1. */
export const integerKind: Kind = {
  fromJson: safeInteger,
  fromText: (text) => (integerText.test(text) ? safeInteger(Number(text)) : undefined),
  compare: compareScalars,
  ordered: true,
};

/** IEEE 754 doubles without infinities and NaN. */
export const floatKind: Kind = {
  fromJson: finite,
  fromText: (text) => (floatText.test(text) ? finite(Number(text)) : undefined),
  compare: compareScalars,
  ordered: true,
};
