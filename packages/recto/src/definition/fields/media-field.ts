import Type, { type TSchema } from 'typebox';
import { isId } from '../../base/ids.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Field } from '../content-type.ts';
import { defineFieldType, type FieldValue, type ParsedValue } from '../field-type.ts';
import { isLinked, mediaOf } from '../stored-field.ts';
import { idPattern } from './id-field.ts';
import { accepted, rejected } from './parsed-value.ts';
import { checkTextOptions, parseText, type TextBounds } from './text-options.ts';

const longest = 2048;

/** A record shows all its files, so that there are only so many in a field. */
export const mostFiles = 200;

const boundsOf = (options: TextBounds): TextBounds => ({ ...options, max_length: options.max_length ?? longest });

/** White space, control characters and backslashes: what browsers drop or read as `/`, so that an address means another place. */
const misleading = /[\s\p{Cc}\\]/u;

/** The same as a pattern. That an absolute one is a URL is left to `parse`. */
const misleadingSet = String.raw`\s\u0000-\u001f\u007f-\u009f\\`;
const plain = `[^${misleadingSet}]`;
const plainAddress = `^(?:[hH][tT][tT][pP][sS]?://${plain}+|/|/[^/${misleadingSet}]${plain}*)$`;
const start = '^(?:[hH][tT][tT][pP][sS]?://|/)';

/** Whether a text is the address of a file: an absolute http(s) URL, or a path on this site. */
export function isAddress(text: string): boolean {
  if (misleading.test(text)) return false;
  // Two slashes at the start would name another host.
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** An id, or a file as a record shows it, so that a record can be sent back as it is; with `external` also an address. */
function input(field: Field): TSchema {
  const address = Type.String({ maxLength: field.options.max_length ?? longest, pattern: start });
  const media = mediaOf(field);
  if (media === undefined) return address;
  // An address that is stored from before the field held files may be sent back unchanged.
  const one = Type.Union([Type.String({ maxLength: longest }), shown]);
  return isLinked(field) ? Type.Array(one, { maxItems: mostFiles }) : one;
}

function documentedInput(field: Field): TSchema {
  const address = Type.String({ maxLength: field.options.max_length ?? longest, pattern: plainAddress });
  const media = mediaOf(field);
  if (media === undefined) return address;
  const id = Type.String({ format: 'uuid', pattern: idPattern });
  const one = Type.Union([id, shown, ...(media.external ? [address] : [])]);
  if (!isLinked(field)) return one;
  return Type.Array(one, { maxItems: mostFiles, ...(field.required ? { minItems: 1 } : {}) });
}

/** Of a file that is sent back, only the id counts. */
const shown = Type.Object({ id: Type.String({ format: 'uuid', pattern: idPattern }) });

function output(field: Field): TSchema {
  const media = mediaOf(field);
  if (media === undefined) return Type.String({ pattern: start });
  return Type.Union([shownFile, Type.String({ pattern: start, description: 'The address of a file elsewhere.' })]);
}

const orNull = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()]);

/** A file in another record. All but its id is null where the caller may not read it. */
const shownFile = Type.Object(
  {
    id: Type.String({ format: 'uuid', pattern: idPattern }),
    url: orNull(Type.String()),
    name: orNull(Type.String()),
    mime_type: orNull(Type.String()),
    width: orNull(Type.Integer()),
    height: orNull(Type.Integer()),
    alt: orNull(Type.String()),
    focal_x: orNull(Type.Number()),
    focal_y: orNull(Type.Number()),
    placeholder: orNull(Type.String()),
    variants: Type.Record(Type.String(), Type.String()),
  },
  { additionalProperties: false },
);

function parseOne(value: JsonValue, field: Field): ParsedValue {
  if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string')
    return parseOne(value.id, field);
  const isKept = mediaOf(field) !== undefined;
  if (isKept && typeof value === 'string' && isId(value)) return accepted(value);
  const text = parseText(value, boundsOf(field.options));
  if (!text.ok || (typeof text.value === 'string' && isAddress(text.value))) return text;
  return rejected('bad_format', isKept ? wantedFile(field) : wantedAddress);
}

function parseMany(value: JsonValue, field: Field): ParsedValue {
  if (!Array.isArray(value)) return rejected('wrong_type', 'Must be an array of ids of files.');
  const values: FieldValue[] = [];
  for (const [index, item] of value.entries()) {
    const parsed = parseOne(item, field);
    if (!parsed.ok) return rejected(parsed.code, `Item ${index + 1}: ${parsed.message}`);
    values.push(parsed.value);
  }
  if (new Set(values).size < values.length) return rejected('invalid', 'Must not name a file twice.');
  // True because `parseOne` gives texts.
  return accepted(values as readonly string[] as string[]);
}

const wantedAddress = 'Must be an address that begins with https:// or http://, or a path that begins with /.';

/** What is accepted, as a message says it. */
export const wantedFile = (field: Field): string =>
  mediaOf(field)?.external === true
    ? `Must be the id of a file, or an address. ${wantedAddress}`
    : 'Must be the id of a file; addresses are for fields with external = true.';

/** A file of the service by its id, several with `multiple`; where the service keeps no files, or with `external`, an address. */
export const mediaField = defineFieldType({
  name: 'media',
  kind: 'text',
  longest,
  refersTo: 'media',
  localizable: true,
  options: ['max_length', 'multiple', 'external'],
  checkOptions: (options) => checkTextOptions(options, { min_length: 1, max_length: longest }),
  input,
  documentedInput,
  output,
  parse: (value, field) => (isLinked(field) ? parseMany(value, field) : parseOne(value, field)),
});
