import fc from 'fast-check';

/** A JSON Schema as it stands in an OpenAPI document, as far as the generator reads it. */
export interface DocumentSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly DocumentSchema[];
  readonly oneOf?: readonly DocumentSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: DocumentSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly patternProperties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** Values that a schema accepts. `resolve` finds what a `$ref` means. Throws for a schema that it cannot make values of. */
export function valuesOf(
  schema: DocumentSchema,
  resolve: (reference: string) => DocumentSchema,
): fc.Arbitrary<unknown> {
  const inner = (part: DocumentSchema) => valuesOf(part, resolve);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref));
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(inner));
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map(inner));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (typeof type === 'object') return fc.oneof(...type.map((one) => inner({ ...schema, type: one })));
  switch (type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.maxSafeInteger().map((value) => within(schema, value));
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => within(schema, value));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, inner(schema.items ?? {}));
    case 'object':
      return objects(schema, inner);
    case undefined:
      return fc.jsonValue({ maxDepth: 3 });
    default:
      throw new Error(`No values are known for ${JSON.stringify(schema)}.`);
  }
}

const email = fc
  .tuple(fc.stringMatching(/^[a-z0-9]{1,12}$/), fc.stringMatching(/^[a-z]{1,12}$/))
  .map(([name, host]) => `${name}@${host}.example`);

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  'date-time': fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  email,
  'idn-email': email,
  uuid: fc.uuid(),
};

function texts({ format, pattern, minLength = 0, maxLength = 40 }: DocumentSchema): fc.Arbitrary<string> {
  const most = Math.min(maxLength, Math.max(minLength, 40));
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength;
  if (format !== undefined) {
    const known = formats[format];
    if (known === undefined) throw new Error(`No values are known for the format ${format}.`);
    const expression = new RegExp(pattern ?? '', 'u');
    return known.filter((text) => fits(text) && expression.test(text));
  }
  if (pattern !== undefined)
    return fc
      .stringMatching(new RegExp(plainClasses(pattern), 'u'), {
        maxLength: Math.min(maxLength, Math.max(minLength, 80)),
      })
      .filter(fits);
  return fc
    .array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { minLength, maxLength: most })
    .map((all) => all.join(''));
}

/** The generator knows no classes of Unicode: a few letters and digits stand for all. */
const plainClasses = (pattern: string): string =>
  pattern.replaceAll('\\p{L}', 'a-zé').replaceAll('\\p{N}', '0-9').replaceAll('\\p{M}', '');

function within({ minimum = -Infinity, maximum = Infinity }: DocumentSchema, value: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}

function lists({ minItems = 0, maxItems, uniqueItems }: DocumentSchema, item: fc.Arbitrary<unknown>) {
  const limits = { minLength: minItems, maxLength: Math.min(maxItems ?? 4, Math.max(minItems, 4)) };
  return uniqueItems === true
    ? fc.uniqueArray(item, { ...limits, selector: (value) => JSON.stringify(value) })
    : fc.array(item, limits);
}

function objects(
  { properties = {}, required = [], patternProperties = {} }: DocumentSchema,
  inner: (part: DocumentSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Record<string, unknown>> {
  const named = fc.record(Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])), {
    requiredKeys: [...required],
  });
  const [other] = Object.values(patternProperties);
  if (other === undefined) return named;
  return fc
    .tuple(named, fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), inner(other), { maxKeys: 3 }))
    .map(([a, b]) => ({ ...b, ...a }));
}
