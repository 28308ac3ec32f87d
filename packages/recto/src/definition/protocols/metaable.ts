import Type from 'typebox';
import type { FieldType } from '../field-type.ts';
import { jsonField } from '../fields/json-field.ts';
import { rejected } from '../fields/parsed-value.ts';
import { defineProtocol } from '../protocol.ts';
import { protocolField } from './protocol-field.ts';

const anyObject = () => Type.Record(Type.String(), Type.Unknown());

/** JSON as in `json` fields, but always an object. */
const metaField: FieldType = {
  ...jsonField,
  input: anyObject,
  output: anyObject,
  parse(value, field) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? jsonField.parse(value, field) : rejected('wrong_type', 'Must be an object.');
  },
};

/**
 * Free metadata of a record, which `__meta.{path}` filters (service specification, section 4.5). With the option
 * `private`, it is for the admin routes alone, as any private field.
 */
export const metaable = defineProtocol({
  name: 'metaable',
  options: Type.Object({ private: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
  fields: (options) => [
    protocolField('__meta', metaField, {
      writable: true,
      default: {},
      private: options.private === true,
      description: 'Free metadata.',
    }),
  ],
});
