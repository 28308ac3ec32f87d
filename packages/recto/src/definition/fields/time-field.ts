import Type from 'typebox';
import { timePattern } from '../../values/text-patterns.ts';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

/** A time of day, without a zone. JSON Schema's own format `time` asks for an offset, which a time of day does not have. */
export const timeField = defineFieldType({
  name: 'time',
  ...ranged('time', 'a time of day such as 10:00:00'),
  input: ({ options }) => Type.String({ pattern: timePattern, ...rangeDescription('time', options) }),
  output: () => Type.String({ pattern: timePattern }),
});
