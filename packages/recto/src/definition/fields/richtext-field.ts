import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { checkTextOptions, lengthOptions, parseText, textKeywords } from './text-options.ts';

/** Text with markup, stored and returned as sent: what shows it must make it safe for its medium. */
export const richtextField = defineFieldType({
  name: 'richtext',
  kind: 'text',
  options: lengthOptions,
  checkOptions: checkTextOptions,
  input: ({ options }) => Type.String(textKeywords(options)),
  output: () => Type.String(),
  parse: (value, { options }) => parseText(value, options),
  searchable: true,
  slugSource: true,
});
