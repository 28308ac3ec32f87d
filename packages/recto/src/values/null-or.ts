import Type, { type TSchema } from 'typebox';

/**
 * The schema of a value in a response that may be null. A plain type gets null beside it (`"type": ["string", "null"]`): generators of
 * clients make an optional value of that, and an alternative of a union.
 */
export function nullOr(schema: TSchema): TSchema {
  const { type, enum: values }: { readonly type?: unknown; readonly enum?: unknown } = schema;
  const isAnything = Object.keys(schema).length === 0;
  if (isAnything) return schema;
  // One with a name stands in the document once, and is referred to.
  const isNamed = '$id' in schema || 'component' in schema;
  if (typeof type !== 'string' || isNamed || 'const' in schema) return Type.Union([schema, Type.Null()]);
  return Type.Unsafe({
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  });
}
