import type { JsonValue } from '../../../values/value-kind.ts';
import type { Field, FieldOptions, FieldPlace } from '../../content-type.ts';
import type { FieldType, Structure } from '../../field-type.ts';
import { protocolField } from '../../protocols/protocol-field.ts';
import { type FieldTypeName, fieldTypes } from '../index.ts';

export const id = '01990000-0000-7000-8000-000000000001';
export const otherId = '01990000-0000-7000-8000-000000000002';

export const fieldOf = (type: FieldType, options: FieldOptions = {}, traits: Partial<Field> = {}): Field =>
  protocolField('value', type, { options, required: false, writable: true, ...traits });

/** A field, with values that it takes and values that it rejects. */
export interface FieldCase {
  readonly type: FieldTypeName;
  readonly options?: FieldOptions;
  readonly place?: FieldPlace;
  readonly structure?: Structure;
  /** Values and their canonical form. */
  readonly takes: readonly (readonly [sent: JsonValue, canonical: unknown])[];
  readonly rejects: readonly (readonly [sent: JsonValue, code: string])[];
}

/** Values that are their canonical form. */
export const same = (...values: readonly JsonValue[]) => values.map((value) => [value, value] as const);

export const fieldOfCase = ({ type, options = {}, place, structure }: FieldCase): Field => {
  const traits = { ...(place === undefined ? {} : { place }), ...(structure === undefined ? {} : { structure }) };
  return fieldOf(fieldTypes[type], options, traits);
};
