import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { checkTextOptions, lengthOptions, parseText, textKeywords } from './text-options.ts';

/** Plain text of any length. */
export const textField = defineFieldType({
  name: 'text',
  localizable: true,
  kind: 'text',
  options: lengthOptions,
  checkOptions: checkTextOptions,
  input: ({ options }) => Type.String(textKeywords(options)),
  output: () => Type.String(),
  parse: (value, { options }) => parseText(value, options),
  searchable: true,
  slugSource: true,
});
