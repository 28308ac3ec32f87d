import type { FieldFault } from '../base/problem.ts';

/** Limits for definitions sent through the API. Files have no such limits: they belong to the deployment. */
export const definitionLimits = {
  /** Bytes of a definition's JSON. */
  bytes: 131_072,
  /** Fields of one type. */
  fields: 200,
  /** Characters of a field's `pattern`. */
  pattern: 500,
  /** Types created through the API. */
  types: 500,
} as const;

/** Size errors in an unchecked definition. If there are any, it is not checked further. */
export function sizeFaults(definition: Readonly<Record<string, unknown>>): readonly FieldFault[] {
  const { bytes, fields: most, pattern: longest } = definitionLimits;
  if (Buffer.byteLength(JSON.stringify(definition)) > bytes) {
    return [tooLong('', `A definition has at most ${bytes} bytes.`)];
  }
  const { fields } = definition;
  if (!Array.isArray(fields)) return [];
  if (fields.length > most) return [tooLong('fields', `A type has at most ${most} fields.`)];
  return fields.flatMap((field: unknown, index) => {
    const pattern: unknown = Object(field).pattern;
    if (typeof pattern !== 'string' || pattern.length <= longest) return [];
    return [tooLong(`fields[${index}].pattern`, `A pattern has at most ${longest} characters.`)];
  });
}

const tooLong = (field: string, message: string): FieldFault => ({ field, code: 'too_long', message });
