import type { MomentOperand } from './rule-tree.ts';

const dayMilliseconds = 86_400_000;
const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map((text) => Date.parse(text));

/** The canonical value of a moment in a request at `now`. What leaves the years 0 to 9999 is their first or last moment. */
export function momentAt({ kind, day, shift }: Omit<MomentOperand, 'node' | 'span'>, now: string): string {
  if (day === null && shift === 0) return now;
  const time = Date.parse(now);
  const from = day === null ? time : Math.floor(time / dayMilliseconds) * dayMilliseconds + day * dayMilliseconds;
  const text = new Date(Math.min(Math.max(from + shift, first ?? 0), last ?? 0)).toISOString();
  return kind === 'date' ? text.slice(0, 10) : text;
}

/** The moment as it compares with dates; undefined where it is no whole day. */
export const asDate = (moment: MomentOperand): MomentOperand | undefined =>
  moment.day === null || moment.shift % dayMilliseconds !== 0 ? undefined : { ...moment, kind: 'date' };
