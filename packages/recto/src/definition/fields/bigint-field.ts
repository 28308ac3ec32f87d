import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

const digits = '^-?[0-9]+$';

/** Signed 64 bit integers: told as strings, since most readers of JSON round numbers over 2^53. */
export const bigintField = defineFieldType({
  name: 'bigint',
  ...ranged('bigint', 'a 64 bit integer, as a string of digits'),
  input: ({ options }) =>
    Type.Union(
      [
        Type.String({ pattern: digits }),
        Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
      ],
      rangeDescription('bigint', options),
    ),
  output: () => Type.String({ pattern: digits }),
});
