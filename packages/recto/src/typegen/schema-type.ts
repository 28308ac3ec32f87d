/** Converts a JSON Schema of a field type or protocol to a TypeScript type. Anything it does not know becomes `unknown`. */
export function schemaType(schema: unknown): string {
  const { $ref: name, anyOf, oneOf, enum: values, const: only, not, type } = schemaParts(schema);
  // What is referred to is a type of the module.
  if (typeof name === 'string') return name;
  if (Array.isArray(anyOf)) return unionType(anyOf.map(schemaType));
  if (Array.isArray(oneOf)) return unionType(oneOf.map(schemaType));
  if (Array.isArray(values)) return unionType(values.map(literalType));
  if (only !== undefined) return literalType(only);
  // TypeBox's `Never`.
  if (not !== undefined) return 'never';
  if (Array.isArray(type))
    return unionType(type.map((one: unknown) => schemaType({ ...schemaParts(schema), type: one })));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayType(schemaType(schemaParts(schema).items));
    case 'object':
      return objectType(schemaParts(schema));
    default:
      return 'unknown';
  }
}

/** The union of alternatives, without repetition; `unknown` when one of them is unknown. */
export function unionType(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

export const arrayType = (item: string): string => (item.includes(' | ') ? `(${item})[]` : `${item}[]`);

/** A property name in TypeScript, quoted where needed. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function objectType({ properties, required, patternProperties }: SchemaParts): string {
  const entries = Object.entries(schemaParts(properties));
  const [of] = Object.values(schemaParts(patternProperties));
  if (entries.length === 0 && of !== undefined) return `{ [name: string]: ${schemaType(of)} }`;
  if (entries.length === 0) return '{ [name: string]: unknown }';
  const needed: ReadonlySet<unknown> = new Set(Array.isArray(required) ? required : []);
  const members = entries.map(
    ([name, inner]) => `${propertyName(name)}${needed.has(name) ? '' : '?'}: ${schemaType(inner)}`,
  );
  return `{ ${members.join('; ')} }`;
}

const literalType = (value: unknown): string =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) ? JSON.stringify(value) : 'unknown';

type SchemaParts = Readonly<Record<string, unknown>>;

/** A schema's keywords. */
export const schemaParts = (schema: unknown): SchemaParts => Object(schema);
