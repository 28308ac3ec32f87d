import Type from 'typebox';
import { isId } from '../../base/ids.ts';
import { idDomain } from '../../rules/value-domain.ts';
import { defineFieldType } from '../field-type.ts';
import { accepted, rejected } from './parsed-value.ts';

/** RFC 9562 text form, in lower case. */
export const idPattern = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

/** The characters of that form. */
export const idLength = 36;

/** An identifier that the service itself writes: a record's own, or that of an account. No definition can name this type. */
export const idField = defineFieldType({
  name: 'id',
  kind: 'text',
  longest: idLength,
  domain: () => idDomain,
  input: () => Type.String({ pattern: idPattern }),
  parse: (value) =>
    typeof value === 'string' && isId(value)
      ? accepted(value)
      : rejected('bad_format', 'Must be an identifier (a UUID in lower case).'),
});
