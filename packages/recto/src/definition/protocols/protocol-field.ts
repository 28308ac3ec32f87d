import type { Field } from '../content-type.ts';
import type { FieldType } from '../field-type.ts';

/** A column that a protocol adds: kept by the service, never empty and free of rules, except as `traits` say. */
export function protocolField(name: string, type: FieldType, traits: Partial<Field> = {}): Field {
  return {
    name,
    type,
    place: { shape: 'column', column: name, kind: type.kind },
    origin: 'protocol',
    writable: false,
    required: true,
    unique: false,
    private: false,
    immutable: false,
    indexed: false,
    localized: false,
    default: undefined,
    label: undefined,
    description: undefined,
    options: {},
    ...traits,
  };
}
