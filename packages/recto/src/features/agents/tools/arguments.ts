import Type from 'typebox';

const closed = { additionalProperties: false } as const;

export const typeArgument = Type.String({ maxLength: 120, description: 'A type, as list_types names it.' });
export const idArgument = Type.String({ maxLength: 120, description: 'The id of a record.' });
export const fieldsArgument = Type.Optional(
  Type.Array(Type.String({ maxLength: 120 }), { minItems: 1, maxItems: 50, description: 'Names of fields.' }),
);
export const etagArgument = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The etag of the record as last read.',
});
export const valuesArgument = Type.Object(
  {},
  { additionalProperties: true, description: 'Values by the names of fields.' },
);

/** The arguments of a tool. An unknown one is an error. */
export const argumentsOf = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, closed);

/** A text argument that the schema has accepted. */
export const textOf = (given: Readonly<Record<string, unknown>>, name: string): string => String(given[name]);
