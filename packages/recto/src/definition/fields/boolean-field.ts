import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { accepted, refused } from './parsed-value.ts';

export const booleanField = defineFieldType({
  name: 'boolean',
  kind: 'boolean',
  input: () => Type.Boolean(),
  parse: (value) => (typeof value === 'boolean' ? accepted(value) : refused('wrong_type', 'Must be true or false.')),
});
