import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rangeDescription, ranged } from './range-options.ts';

/** JSON Schema's own format `time` asks for an offset, which a time of day does not have. */
const clock = '^(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]+)?)?$';

/** A time of day, without a zone. */
export const timeField = defineFieldType({
  name: 'time',
  ...ranged('time', 'a time of day such as 10:00:00'),
  input: ({ options }) => Type.String({ pattern: clock, ...rangeDescription('time', options) }),
  output: () => Type.String({ pattern: clock }),
});
