import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { accepted, rejected } from './parsed-value.ts';

export const booleanField = defineFieldType({
  name: 'boolean',
  kind: 'boolean',
  input: () => Type.Boolean(),
  parse: (value) => (typeof value === 'boolean' ? accepted(value) : rejected('wrong_type', 'Must be true or false.')),
});
