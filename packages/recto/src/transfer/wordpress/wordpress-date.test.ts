import { expect, test } from 'bun:test';
import { wordpressInstant } from './wordpress-date.ts';

const unset = '0000-00-00 00:00:00';
const dates: readonly [gmt: string, local: string, instant: string | undefined][] = [
  ['2012-01-07 14:07:21', '2012-01-07 07:07:21', '2012-01-07T14:07:21.000Z'],
  [unset, '2012-01-07 07:07:21', '2012-01-07T07:07:21.000Z'],
  ['', '2012-01-07 07:07:21', '2012-01-07T07:07:21.000Z'],
  [unset, unset, undefined],
  ['2012-02-30 10:00:00', '', undefined],
  ['soon', 'later', undefined],
];
test.each(dates)('%s, else %s', (gmt, local, instant) => expect(wordpressInstant(gmt, local)).toBe(instant));
