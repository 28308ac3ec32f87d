import Type, { type TSchema } from 'typebox';
import { isId } from '../../base/ids.ts';
import { idDomain } from '../../rules/value-domain.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import { defineFieldType, type ParsedValue } from '../field-type.ts';
import { isToMany } from '../stored-field.ts';
import { idLength, idPattern } from './id-field.ts';
import { accepted, rejected } from './parsed-value.ts';

const id = (): TSchema => Type.String({ format: 'uuid', pattern: idPattern });

function parseMany(value: JsonValue): ParsedValue {
  if (!Array.isArray(value)) return rejected('wrong_type', 'Must be an array of record ids.');
  const strange = value.findIndex((item) => typeof item !== 'string' || !isId(item));
  if (strange !== -1) return rejected('bad_format', `Item ${strange + 1} is no record id (a UUID in lower case).`);
  if (new Set(value).size < value.length) return rejected('invalid', 'Must not name a record twice.');
  return accepted(value);
}

/** The record or records of another type, by id. Whether they exist is for the write to find out. */
export const relationField = defineFieldType({
  name: 'relation',
  kind: 'text',
  relates: true,
  localizable: true,
  longest: idLength,
  domain: () => idDomain,
  input: (field) =>
    isToMany(field) ? Type.Array(id(), { uniqueItems: true, ...(field.required ? { minItems: 1 } : {}) }) : id(),
  output: (field) => (isToMany(field) ? Type.Array(id()) : id()),
  parse(value, field) {
    if (isToMany(field)) return parseMany(value);
    if (typeof value === 'string' && isId(value)) return accepted(value);
    return rejected('bad_format', 'Must be a record id (a UUID in lower case).');
  },
});
