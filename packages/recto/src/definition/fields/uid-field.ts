import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rejected } from './parsed-value.ts';
import { checkTextOptions, parseText, type TextBounds } from './text-options.ts';

const slug = '^[a-z0-9]+(?:-[a-z0-9]+)*$';
const slugExpression = new RegExp(slug);
const longest = 200;

const boundsOf = (options: TextBounds): TextBounds => ({ max_length: options.max_length ?? longest });

/** A slug: lower-case words joined by hyphens, unique among the type's records, fit for an address. */
export const uidField = defineFieldType({
  name: 'uid',
  localizable: true,
  kind: 'text',
  longest,
  options: ['target_field', 'max_length'],
  checkOptions: (options) => checkTextOptions(options, { min_length: 1, max_length: longest }),
  input: ({ options }) => Type.String({ pattern: slug, maxLength: options.max_length ?? longest }),
  output: () => Type.String({ pattern: slug }),
  parse(value, { options }) {
    const text = parseText(value, boundsOf(options));
    if (!text.ok || (typeof text.value === 'string' && slugExpression.test(text.value))) return text;
    return rejected('bad_format', 'Must be lower-case letters a to z and digits, in words joined by single hyphens.');
  },
  alwaysUnique: true,
});
