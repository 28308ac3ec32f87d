import Type, { type TSchema } from 'typebox';
import type { Field } from '../../../definition/content-type.ts';
import { isValue, kindOf, mediaOf } from '../../../definition/stored-field.ts';
import { bigintText, decimalText, recordId, referenceTo, timeFilter, timeOfDay } from '../../../http/shared-schemas.ts';
import type { ScalarKind } from '../../../values/value-kind.ts';

/** What `{field}=` takes: a value of the field's type, whatever the bounds of its values are. */
export function filterParameter(field: Field): TSchema {
  const { name, type } = field;
  const domain = type.domain?.(field);
  const wanted = domain === undefined || domain.words.length === 0 ? 'this value' : domain.wanted;
  const description = `Only records whose ${name} ${type.filteredByElement ? 'contains' : 'is'} ${wanted}.`;
  return { ...valueSchema(field, kindOf(field)), description };
}

function valueSchema(field: Field, kind: Field['type']['kind']): TSchema {
  // Some hold addresses as well.
  if (mediaOf(field) !== undefined) return Type.String();
  if (!isValue(field)) return referenceTo(recordId);
  switch (field.type.name) {
    case 'id':
      return referenceTo(recordId);
    case 'enum':
    case 'status':
    case 'tenant':
      return field.type.output(field);
    default:
      return kind === 'json' ? Type.String() : ofKind[kind]();
  }
}

const ofKind = {
  text: () => Type.String(),
  integer: () => Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  bigint: () => referenceTo(bigintText),
  float: () => Type.Number(),
  decimal: () => referenceTo(decimalText),
  boolean: () => Type.Boolean(),
  datetime: () => referenceTo(timeFilter),
  date: () => Type.String({ format: 'date' }),
  time: () => referenceTo(timeOfDay),
} as const satisfies Record<ScalarKind, () => TSchema>;
