import { compareScalars } from './compare-scalars.ts';
import type { Kind } from './value-kind.ts';

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/** 19 digits hold every 64 bit integer; leading zeros are dropped before the conversion, whose cost grows with length. */
const integerText = /^(-?)0*(\d{1,19})$/;

function fromText(text: string): bigint | undefined {
  const parts = integerText.exec(text);
  if (parts === null) return undefined;
  const value = BigInt(`${parts[1]}${parts[2]}`);
  return value >= smallest && value <= largest ? value : undefined;
}

/** Signed 64 bit integers. In JSON they are strings, or numbers where a JSON number is exact. */
export const bigintKind: Kind = {
  fromJson: (value) => {
    if (typeof value === 'string') return fromText(value);
    return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined;
  },
  fromText,
  compare: compareScalars,
  ordered: true,
};
