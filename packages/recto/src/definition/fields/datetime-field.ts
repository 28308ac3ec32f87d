import Type from 'typebox';
import { datetimePattern } from '../../values/text-patterns.ts';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

/** An instant: accepted with any offset (RFC 3339), returned in UTC with milliseconds. */
export const datetimeField = defineFieldType({
  name: 'datetime',
  ...ranged('datetime', 'a date and time with an offset, such as 2026-11-21T10:00:00Z'),
  input: ({ options }) => Type.String({ format: 'date-time', ...rangeDescription('datetime', options) }),
  documentedInput: ({ options }) =>
    Type.String({ format: 'date-time', pattern: datetimePattern, ...rangeDescription('datetime', options) }),
  output: () => Type.String({ format: 'date-time' }),
});
