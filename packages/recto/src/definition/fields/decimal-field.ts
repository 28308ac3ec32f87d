import Type from 'typebox';
import { decimalPattern } from '../../values/text-patterns.ts';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

const plain = '^-?[0-9]+(?:\\.[0-9]+)?$';

/** Exact decimal numbers, as strings. */
export const decimalField = defineFieldType({
  name: 'decimal',
  ...ranged('decimal', 'a decimal number in a string, such as "12.50"'),
  input: ({ options }) => Type.String({ pattern: plain, ...rangeDescription('decimal', options) }),
  documentedInput: ({ options }) => Type.String({ pattern: decimalPattern, ...rangeDescription('decimal', options) }),
  output: () => Type.String({ pattern: plain }),
});
