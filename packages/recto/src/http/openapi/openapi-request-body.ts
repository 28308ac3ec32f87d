import { type BodySpec, isJsonBody, type MultipartBody, type PartSpec } from '../bodies/body-spec.ts';
import type { JsonMembers, OpenApiSchemas } from './openapi-schemas.ts';

/** The `requestBody` of an operation. */
export const requestBody = (body: BodySpec, schemas: OpenApiSchemas): JsonMembers => ({
  required: true,
  content: contentOf(body, schemas),
});

function contentOf(body: BodySpec, schemas: OpenApiSchemas): JsonMembers {
  if (isJsonBody(body)) return { 'application/json': { schema: schemas.use(body.schema) } };
  switch (body.kind) {
    case 'multipart':
      return { 'multipart/form-data': formOf(body) };
    case 'upload':
      return { 'multipart/form-data': formOf(body.form), '*/*': {} };
    case 'stream':
      // Bytes have no schema (OpenAPI 3.1, section 4.8.14.3).
      return Object.fromEntries(body.mediaTypes.map((type) => [type === '*' ? '*/*' : type, {}]));
  }
}

/** OpenAPI 3.1, section 4.8.14.4: an object with a property for each part, and the media types of its files. */
function formOf({ parts }: MultipartBody): JsonMembers {
  const entries = Object.entries(parts);
  const encoding = entries.flatMap(([name, part]) =>
    part.kind === 'file' && part.mediaTypes !== undefined ? [[name, { contentType: part.mediaTypes.join(', ') }]] : [],
  );
  const required = entries.flatMap(([name, part]) => (part.required === true ? [name] : []));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, part]) => [name, partSchema(part)])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
    },
    ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
  };
}

function partSchema(part: PartSpec): JsonMembers {
  const { description, multiple } = part;
  // A file is bytes, whose schema is left open.
  const one = part.kind === 'file' ? { contentMediaType: part.mediaTypes?.[0] ?? anyMedia } : { type: 'string' };
  const text = description === undefined ? {} : { description };
  return multiple === true ? { type: 'array', items: one, ...text } : { ...one, ...text };
}

const anyMedia = 'application/octet-stream';
