import type { FieldFault } from '../base/problem.ts';

/** What definitions that come through the API may have. Files have no such bounds: they belong to the deployment. */
export const definitionLimits = {
  /** Bytes of a definition's JSON. */
  bytes: 131_072,
  /** Fields of one type. */
  fields: 200,
  /** Characters of a field's `pattern`. */
  pattern: 500,
  /** Types made through the API. */
  types: 500,
} as const;

/** What is too large in a definition that has not been checked otherwise; the rest is not looked at then. */
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
