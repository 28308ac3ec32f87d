import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { ranged, rangeKeywords } from './range-options.ts';

/** IEEE 754 doubles. */
export const floatField = defineFieldType({
  name: 'float',
  ...ranged('float', 'a finite number'),
  input: ({ options }) => Type.Number(rangeKeywords('float', options)),
  output: () => Type.Number(),
});
