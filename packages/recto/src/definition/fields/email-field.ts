import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rejected } from './parsed-value.ts';
import { checkTextOptions, lengthOptions, parseText, type TextBounds, textKeywords } from './text-options.ts';

/** RFC 5321, section 4.5.3.1.3, without the angle brackets that its 256 count. */
const longest = 254;

const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+";

/** An address as people have them: a dot-atom of at most 64 characters (RFC 5322, section 3.2.3) at a domain of two labels or more. */
const pattern = `^(?=.{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`;

const address = new RegExp(pattern);

const boundsOf = (options: TextBounds): TextBounds => ({ ...options, max_length: options.max_length ?? longest });

/** An e-mail address, stored and returned as sent. */
export const emailField = defineFieldType({
  name: 'email',
  kind: 'text',
  longest,
  options: lengthOptions,
  checkOptions: (options) => checkTextOptions(options, { max_length: longest }),
  input: ({ options }) => Type.String({ format: 'email', ...textKeywords(boundsOf(options)) }),
  documentedInput: ({ options }) => Type.String({ format: 'email', pattern, ...textKeywords(boundsOf(options)) }),
  output: () => Type.String({ format: 'email' }),
  parse(value, { options }) {
    const text = parseText(value, boundsOf(options));
    if (!text.ok || (typeof text.value === 'string' && address.test(text.value))) return text;
    return rejected('bad_format', 'Must be an e-mail address such as name@example.org.');
  },
  slugSource: true,
});
