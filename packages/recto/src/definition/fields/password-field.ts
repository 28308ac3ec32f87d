import Type from 'typebox';
import { defineFieldType } from '../field-type.ts';
import { accepted, rejected } from './parsed-value.ts';
import { checkTextOptions, lengthOptions, parseText, type TextBounds, textKeywords } from './text-options.ts';

const shortest = 8;
/** Hashing costs time by length, so a password of a megabyte would be an attack. */
const longest = 1024;

const boundsOf = (options: TextBounds): TextBounds => ({
  ...options,
  min_length: options.min_length ?? shortest,
  max_length: options.max_length ?? longest,
});

/** What `Bun.password.hash` makes (PHC string format). */
const hash = /^\$argon2id\$v=19\$m=\d{1,7},t=\d{1,3},p=\d{1,3}\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,86}$/;

/** Stored as an argon2id hash, never shown to anyone. */
export const passwordField = defineFieldType({
  name: 'password',
  kind: 'text',
  options: lengthOptions,
  checkOptions: (options) => checkTextOptions(options, { min_length: shortest, max_length: longest }),
  input: ({ options }) => Type.String({ writeOnly: true, ...textKeywords(boundsOf(options)) }),
  output: () => Type.Never(),
  parse: (value, { options }) => parseText(value, boundsOf(options)),
  restored: {
    input: Type.String(),
    parse: (value) =>
      typeof value === 'string' && hash.test(value)
        ? accepted(value)
        : rejected('bad_format', 'Must be a hash of argon2id, as an export has it.'),
  },
  prepare: (value) => Bun.password.hash(String(value), 'argon2id'),
  secret: true,
  filterable: false,
  sortable: false,
});
