import { compareScalars } from './compare-scalars.ts';
import type { Kind } from './value-kind.ts';

const shape = /^(\d{4})-(\d\d)-(\d\d)$/;

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A day that the (proleptic Gregorian) calendar has, as `YYYY-MM-DD`; undefined for anything else. */
export function canonicalDate(text: string): string | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const real = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  return real ? text : undefined;
}

export const dateKind: Kind = {
  fromJson: (value) => (typeof value === 'string' ? canonicalDate(value) : undefined),
  fromText: canonicalDate,
  compare: compareScalars,
  ordered: true,
};
