import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

/** A day of the calendar, without a zone. */
export const dateField = defineFieldType({
  name: 'date',
  ...ranged('date', 'a date such as 2026-11-21'),
  input: ({ options }) => Type.String({ format: 'date', ...rangeDescription('date', options) }),
  output: () => Type.String({ format: 'date' }),
});
