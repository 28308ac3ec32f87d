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
  const fields = fieldsIn(definition.fields, 'fields');
  if (fields.length > most) {
    return [tooLong('fields', `A type has at most ${most} fields, those inside others included.`)];
  }
  return fields.flatMap(({ path, field }) => {
    const { pattern } = field;
    if (typeof pattern !== 'string' || pattern.length <= longest) return [];
    return [tooLong(`${path}.pattern`, `A pattern has at most ${longest} characters.`)];
  });
}

interface WrittenField {
  readonly path: string;
  readonly field: Readonly<Record<string, unknown>>;
}

/** The fields of a list of an unchecked definition, and those inside them. */
function fieldsIn(list: unknown, path: string): readonly WrittenField[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((field: unknown, index) => fieldAndInside(field, `${path}[${index}]`));
}

function fieldAndInside(written: unknown, path: string): readonly WrittenField[] {
  const field: Readonly<Record<string, unknown>> = Object(written);
  const { fields, item, blocks } = field;
  const ofBlocks = Array.isArray(blocks)
    ? blocks.flatMap((block: unknown, index) => fieldsIn(Object(block).fields, `${path}.blocks[${index}].fields`))
    : [];
  const ofItem = typeof item === 'object' && item !== null ? fieldAndInside(item, `${path}.item`) : [];
  return [{ path, field }, ...fieldsIn(fields, `${path}.fields`), ...ofItem, ...ofBlocks];
}

const tooLong = (field: string, message: string): FieldFault => ({ field, code: 'too_long', message });
