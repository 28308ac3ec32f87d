import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { rejected } from './parsed-value.ts';
import { checkTextOptions, parseText, type TextBounds } from './text-options.ts';

const longest = 2048;
const start = '^(?:[hH][tT][tT][pP][sS]?://|/)';

const boundsOf = (options: TextBounds): TextBounds => ({ ...options, max_length: options.max_length ?? longest });

/** White space, control characters and backslashes: what browsers drop or read as `/`, so that an address means another place. */
const misleading = /[\s\p{Cc}\\]/u;

/** The same as a pattern. That an absolute one is a URL is left to `parse`. */
const misleadingSet = String.raw`\s\u0000-\u001f\u007f-\u009f\\`;
const plain = `[^${misleadingSet}]`;
const plainAddress = `^(?:[hH][tT][tT][pP][sS]?://${plain}+|/|/[^/${misleadingSet}]${plain}*)$`;

function isAddress(text: string): boolean {
  if (misleading.test(text)) return false;
  // Two slashes at the start would name another host.
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Where a file is: an absolute http(s) URL, or a path on this site. */
export const mediaField = defineFieldType({
  name: 'media',
  kind: 'text',
  longest,
  options: ['max_length'],
  checkOptions: (options) => checkTextOptions(options, { min_length: 1, max_length: longest }),
  input: ({ options }) => Type.String({ maxLength: options.max_length ?? longest, pattern: start }),
  documentedInput: ({ options }) => Type.String({ maxLength: options.max_length ?? longest, pattern: plainAddress }),
  output: () => Type.String({ pattern: start }),
  parse(value, { options }) {
    const text = parseText(value, boundsOf(options));
    if (!text.ok || (typeof text.value === 'string' && isAddress(text.value))) return text;
    return rejected(
      'bad_format',
      'Must be an address that begins with https:// or http://, or a path that begins with /.',
    );
  },
});
