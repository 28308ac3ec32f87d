import { compareScalars } from './compare-scalars.ts';
import type { Kind } from './value-kind.ts';

const shape = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?$/;

/** A time of day as `HH:MM:SS`, or `HH:MM:SS.mmm` where there are milliseconds (finer digits are cut off). */
export function canonicalTime(text: string): string | undefined {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const milliseconds = (parts[4] ?? '').slice(0, 3).padEnd(3, '0');
  return `${parts[1]}:${parts[2]}:${parts[3] ?? '00'}${milliseconds === '000' ? '' : `.${milliseconds}`}`;
}

/** Times of day without a zone. */
export const timeKind: Kind = {
  fromJson: (value) => (typeof value === 'string' ? canonicalTime(value) : undefined),
  fromText: canonicalTime,
  compare: compareScalars,
  ordered: true,
};
