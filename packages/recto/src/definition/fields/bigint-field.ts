import Type from 'typebox';
import { bigintPattern } from '../../values/text-patterns.ts';
import type { FieldOptions } from '../content-type.ts';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

const digits = '^-?[0-9]+$';

const stringOrNumber = (pattern: string, options: FieldOptions) =>
  Type.Union(
    [Type.String({ pattern }), Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })],
    rangeDescription('bigint', options),
  );

/** Signed 64 bit integers: returned as strings, since most readers of JSON round numbers over 2^53. */
export const bigintField = defineFieldType({
  name: 'bigint',
  ...ranged('bigint', 'a 64 bit integer, as a string of digits'),
  input: ({ options }) => stringOrNumber(digits, options),
  documentedInput: ({ options }) => stringOrNumber(bigintPattern, options),
  output: () => Type.String({ pattern: digits }),
});
