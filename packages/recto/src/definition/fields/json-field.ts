import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { jsonFault } from './json-value.ts';
import { accepted, rejected } from './parsed-value.ts';

/** Any JSON value. Numbers are doubles, as in every JSON body here. */
export const jsonField = defineFieldType({
  name: 'json',
  localizable: true,
  kind: 'json',
  input: () => Type.Unknown(),
  parse(value) {
    const fault = jsonFault(value);
    return fault === undefined ? accepted(value) : rejected(fault.code, fault.message);
  },
  filterable: false,
  sortable: false,
});
