import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { ranged, rangeKeywords } from './range-options.ts';

const { MIN_SAFE_INTEGER: smallest, MAX_SAFE_INTEGER: largest } = Number;

/** Whole numbers that JSON carries without loss. */
export const integerField = defineFieldType({
  name: 'integer',
  ...ranged('integer', `an integer from ${smallest} to ${largest}`),
  input: ({ options }) => Type.Integer({ minimum: smallest, maximum: largest, ...rangeKeywords('integer', options) }),
  output: () => Type.Integer(),
});
